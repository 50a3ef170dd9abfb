/* Private to the folder. */
#ifndef SN_GLTF_MESHOPT_ATTRIBUTES_H
#define SN_GLTF_MESHOPT_ATTRIBUTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first byte of a stream of attributes of version 1. */
#define SN_MESHOPT_ATTRIBUTES_1 0xA1

/* Decodes such a stream into `count * stride` bytes; false when it is broken. */
bool sn_meshopt_decode_attributes(uint8_t *out, size_t count, size_t stride, const uint8_t *source,
                                  size_t size);

#endif
