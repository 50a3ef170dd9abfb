/* Extensions that a file may require. */
#include <string.h>

#include "gltf/internal.h"

/* Sorted. Those that Sinew reads itself:
 *   EXT_meshopt_compression, KHR_animation_pointer, KHR_draco_mesh_compression (as geometry that
 *   stays closed), KHR_mesh_quantization, KHR_meshopt_compression, SINEW_modifiers (as text).
 * The others change how a scene looks, sounds, collides or is described, not how it moves; they
 * are written back as they were read, but for the numbers of accessors and buffer views that they
 * refer to, where an edit has moved those. */
static const sn_extension known[] = {
    {"ADOBE_materials_clearcoat_specular", SN_REFERS_TO_NOTHING},
    {"ADOBE_materials_clearcoat_tint", SN_REFERS_TO_NOTHING},
    {"ADOBE_materials_thin_transparency", SN_REFERS_TO_NOTHING},
    {"AGI_articulations", SN_REFERS_TO_NOTHING},
    {"AGI_stk_metadata", SN_REFERS_UNSURE},
    {"CESIUM_primitive_outline", SN_REFERS_INDICES},
    {"EXT_instance_features", SN_REFERS_TO_NOTHING},
    {"EXT_lights_ies", SN_REFERS_VIEWS},
    {"EXT_lights_image_based", SN_REFERS_TO_NOTHING},
    {"EXT_mesh_features", SN_REFERS_TO_NOTHING},
    {"EXT_mesh_gpu_instancing", SN_REFERS_ATTRIBUTES},
    {"EXT_mesh_manifold", SN_REFERS_UNSURE},
    {"EXT_meshopt_compression", SN_REFERS_TO_NOTHING},
    {"EXT_structural_metadata", SN_REFERS_PROPERTIES},
    {"EXT_texture_astc", SN_REFERS_TO_NOTHING},
    {"EXT_texture_avif", SN_REFERS_TO_NOTHING},
    {"EXT_texture_webp", SN_REFERS_TO_NOTHING},
    {"FB_geometry_metadata", SN_REFERS_UNSURE},
    {"FB_ngon_encoding", SN_REFERS_TO_NOTHING},
    {"GODOT_single_root", SN_REFERS_TO_NOTHING},
    {"GRIFFEL_bim_data", SN_REFERS_UNSURE},
    {"KHR_animation_pointer", SN_REFERS_TO_NOTHING},
    {"KHR_audio_emitter", SN_REFERS_VIEWS},
    {"KHR_audio_graph", SN_REFERS_UNSURE},
    {"KHR_draco_mesh_compression", SN_REFERS_VIEWS},
    {"KHR_implicit_shapes", SN_REFERS_TO_NOTHING},
    {"KHR_interactivity", SN_REFERS_UNSURE},
    {"KHR_lights_punctual", SN_REFERS_TO_NOTHING},
    {"KHR_materials_anisotropy", SN_REFERS_TO_NOTHING},
    {"KHR_materials_clearcoat", SN_REFERS_TO_NOTHING},
    {"KHR_materials_diffuse_transmission", SN_REFERS_TO_NOTHING},
    {"KHR_materials_dispersion", SN_REFERS_TO_NOTHING},
    {"KHR_materials_emissive_strength", SN_REFERS_TO_NOTHING},
    {"KHR_materials_ior", SN_REFERS_TO_NOTHING},
    {"KHR_materials_iridescence", SN_REFERS_TO_NOTHING},
    {"KHR_materials_pbrSpecularGlossiness", SN_REFERS_TO_NOTHING},
    {"KHR_materials_sheen", SN_REFERS_TO_NOTHING},
    {"KHR_materials_specular", SN_REFERS_TO_NOTHING},
    {"KHR_materials_transmission", SN_REFERS_TO_NOTHING},
    {"KHR_materials_unlit", SN_REFERS_TO_NOTHING},
    {"KHR_materials_variants", SN_REFERS_TO_NOTHING},
    {"KHR_materials_volume", SN_REFERS_TO_NOTHING},
    {"KHR_materials_volume_scatter", SN_REFERS_TO_NOTHING},
    {"KHR_mesh_quantization", SN_REFERS_TO_NOTHING},
    {"KHR_meshopt_compression", SN_REFERS_TO_NOTHING},
    {"KHR_node_hoverability", SN_REFERS_TO_NOTHING},
    {"KHR_node_selectability", SN_REFERS_TO_NOTHING},
    {"KHR_node_visibility", SN_REFERS_TO_NOTHING},
    {"KHR_physics_rigid_bodies", SN_REFERS_TO_NOTHING},
    {"KHR_techniques_webgl", SN_REFERS_UNSURE},
    {"KHR_texture_basisu", SN_REFERS_TO_NOTHING},
    {"KHR_texture_transform", SN_REFERS_TO_NOTHING},
    {"KHR_xmp", SN_REFERS_TO_NOTHING},
    {"KHR_xmp_json_ld", SN_REFERS_TO_NOTHING},
    {"MPEG_material_haptic", SN_REFERS_UNSURE},
    {"MPEG_node_avatar", SN_REFERS_UNSURE},
    {"MSFT_audio_emitter", SN_REFERS_VIEWS},
    {"MSFT_collision_mesh", SN_REFERS_TO_NOTHING},
    {"MSFT_lod", SN_REFERS_TO_NOTHING},
    {"MSFT_packing_normalRoughnessMetallic", SN_REFERS_TO_NOTHING},
    {"MSFT_packing_occlusionRoughnessMetallic", SN_REFERS_TO_NOTHING},
    {"MSFT_physics", SN_REFERS_UNSURE},
    {"MSFT_texture_dds", SN_REFERS_TO_NOTHING},
    {"NV_materials_mdl", SN_REFERS_UNSURE},
    {"OMI_audio_emitter", SN_REFERS_VIEWS},
    {"OMI_collider", SN_REFERS_TO_NOTHING},
    {"OMI_physics_body", SN_REFERS_TO_NOTHING},
    {"OMI_physics_shape", SN_REFERS_TO_NOTHING},
    {"OMI_seat", SN_REFERS_TO_NOTHING},
    {"OMI_spawn_point", SN_REFERS_TO_NOTHING},
    {"OMI_vehicle_body", SN_REFERS_TO_NOTHING},
    {"SINEW_modifiers", SN_REFERS_TO_NOTHING},
    {"VRM", SN_REFERS_TO_NOTHING},
    {"VRMC_materials_hdr_emissiveMultiplier", SN_REFERS_TO_NOTHING},
    {"VRMC_materials_mtoon", SN_REFERS_TO_NOTHING},
    {"VRMC_node_collider", SN_REFERS_TO_NOTHING},
    {"VRMC_node_constraint", SN_REFERS_TO_NOTHING},
    {"VRMC_springBone", SN_REFERS_TO_NOTHING},
    {"VRMC_springBone_extended_collider", SN_REFERS_TO_NOTHING},
    {"VRMC_springBone_limit", SN_REFERS_TO_NOTHING},
    {"VRMC_vrm", SN_REFERS_TO_NOTHING},
    {"VRMC_vrm_animation", SN_REFERS_TO_NOTHING},
};

const sn_extension *sn_extension_find(const char *name, size_t length) {
    size_t low = 0, high = sizeof known / sizeof *known;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strncmp(known[middle].name, name, length);
        if (order == 0)
            order = known[middle].name[length] != '\0';
        if (order == 0)
            return &known[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
