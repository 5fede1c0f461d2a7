/* Narrow floating numbers as bits: bf16, the upper half of an f32, and f16,
   IEEE 754 binary16.  Loading is exact; storing rounds to nearest even.  All is
   done without branches, so that loops have lanes.  */

#ifndef TRM_HALF_H
#define TRM_HALF_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The bits of X, and back.  */
static inline uint32_t
trm_float_bits (float x)
{
  uint32_t bits;
  memcpy (&bits, &x, sizeof bits);
  return bits;
}
static inline float
trm_float_of_bits (uint32_t bits)
{
  float x;
  memcpy (&x, &bits, sizeof x);
  return x;
}

static inline float
trm_bf16_load (uint16_t half)
{
  return trm_float_of_bits ((uint32_t) half << 16);
}

static inline uint16_t
trm_bf16_store (float x)
{
  uint32_t bits = trm_float_bits (x);
  uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  bool is_nan = (bits & 0x7fffffff) > 0x7f800000;
  return (uint16_t) (is_nan ? bits >> 16 | 0x40 : rounded);
}

/* The exponent is moved by a product with 2^112, which also makes normal
   numbers of subnormal ones; what was infinite is put back.  */
static inline float
trm_f16_load (uint16_t half)
{
  uint32_t sign = (uint32_t) (half & 0x8000) << 16;
  uint32_t rest = (uint32_t) (half & 0x7fff) << 13;
  uint32_t bits = trm_float_bits (trm_float_of_bits (rest) * 0x1p112f);
  bits = rest >= 0x0f800000 ? rest | 0x7f800000 : bits;
  return trm_float_of_bits (bits | sign);
}

/* What becomes subnormal is rounded by a sum with 1/2, whose last bit is the
   smallest subnormal number; else the exponent is moved by 112 and the half of
   the last bit is added, less one where that is even.  */
static inline uint16_t
trm_f16_store (float x)
{
  uint32_t bits = trm_float_bits (x);
  uint32_t sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
  uint32_t small
    = trm_float_bits (trm_float_of_bits (rest) + 0.5f) - 0x3f000000;
  uint32_t half = (rest + 0xc8000fff + (rest >> 13 & 1)) >> 13;
  half = rest < 0x38800000 ? small : half;
  half = rest >= 0x47800000 ? 0x7c00 : half;
  half = rest > 0x7f800000 ? 0x7e00 | (rest >> 13 & 0x1ff) : half;
  return (uint16_t) (sign | half);
}

#endif
