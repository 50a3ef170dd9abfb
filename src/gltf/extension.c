/* Extensions that a file may require. */
#include <string.h>

#include "gltf/internal.h"

/* Sorted. Those that Sinew reads itself:
 *   EXT_meshopt_compression, KHR_animation_pointer, KHR_draco_mesh_compression (as geometry that
 *   stays closed), KHR_mesh_quantization, KHR_meshopt_compression.
 * The others change how a scene looks, sounds, collides or is described, not how it moves; they
 * are written back as they were read. */
static const char *const known[] = {
    "ADOBE_materials_clearcoat_specular",
    "ADOBE_materials_clearcoat_tint",
    "ADOBE_materials_thin_transparency",
    "AGI_articulations",
    "AGI_stk_metadata",
    "CESIUM_primitive_outline",
    "EXT_instance_features",
    "EXT_lights_ies",
    "EXT_lights_image_based",
    "EXT_mesh_features",
    "EXT_mesh_gpu_instancing",
    "EXT_mesh_manifold",
    "EXT_meshopt_compression",
    "EXT_structural_metadata",
    "EXT_texture_astc",
    "EXT_texture_avif",
    "EXT_texture_webp",
    "FB_geometry_metadata",
    "FB_ngon_encoding",
    "GODOT_single_root",
    "GRIFFEL_bim_data",
    "KHR_animation_pointer",
    "KHR_audio_emitter",
    "KHR_audio_graph",
    "KHR_draco_mesh_compression",
    "KHR_implicit_shapes",
    "KHR_interactivity",
    "KHR_lights_punctual",
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_diffuse_transmission",
    "KHR_materials_dispersion",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_iridescence",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_materials_volume",
    "KHR_materials_volume_scatter",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_node_visibility",
    "KHR_physics_rigid_bodies",
    "KHR_techniques_webgl",
    "KHR_texture_basisu",
    "KHR_texture_transform",
    "KHR_xmp",
    "KHR_xmp_json_ld",
    "MPEG_material_haptic",
    "MPEG_node_avatar",
    "MSFT_audio_emitter",
    "MSFT_collision_mesh",
    "MSFT_lod",
    "MSFT_packing_normalRoughnessMetallic",
    "MSFT_packing_occlusionRoughnessMetallic",
    "MSFT_physics",
    "MSFT_texture_dds",
    "NV_materials_mdl",
    "OMI_audio_emitter",
    "OMI_collider",
    "OMI_physics_body",
    "OMI_physics_shape",
    "OMI_seat",
    "OMI_spawn_point",
    "OMI_vehicle_body",
    "VRM",
    "VRMC_materials_hdr_emissiveMultiplier",
    "VRMC_materials_mtoon",
    "VRMC_node_collider",
    "VRMC_node_constraint",
    "VRMC_springBone",
    "VRMC_springBone_extended_collider",
    "VRMC_springBone_limit",
    "VRMC_vrm",
    "VRMC_vrm_animation",
};

bool sn_extension_known(const char *name) {
    size_t low = 0, high = sizeof known / sizeof *known;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(known[middle], name);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}
