/* Random numbers from Philox words (philox.h).

   Numbers are made in groups of 32 counters, one in each lane, so that a store
   is a vector: number k of the counter of lane l is element

     (g * p + k) * 32 + l      of group g, p numbers from a counter

   A float takes one word, p = 4; a double, and an int64_t, two, p = 2.  Only
   whole groups are made, so that a number does not depend on how many there
   are.  Each round of a counter waits for the round before: four vectors of
   counters side by side leave the processor something to do meanwhile.  */

#ifndef TRM_KERNEL_RANDOM_H
#  define TRM_KERNEL_RANDOM_H

#  include "half.h"
#  include "philox.h"

enum
{
  lanes = 32,
  countf = 4,
  count = 2
};

/* Number K of WORD in 0 .. 1, including 0, or neither.  */
static inline float
unitf (const uint32_t *word, int k)
{
  return (float) (int32_t) (word[k] >> 8) * 0x1p-24f;
}
static inline double
unit (const uint32_t *word, int k)
{
  return ((double) (int32_t) (word[2 * k + 1] >> 5) * 0x1p26
          + (double) (int32_t) (word[2 * k] >> 6))
         * 0x1p-53;
}
static inline double
above (const uint32_t *word, int k)
{
  return unit (word, k) + 0x1p-54;
}

/* -2 log (u) within 3e-7, u = (WORD / 2 + 1/2) / 2^31.  2^31 u is 2^e (1 + t),
   1 + t between the roots of 1/2 and 2.  */
static inline float
spreadf (uint32_t word)
{
  uint32_t bits = trm_float_bits ((float) (int32_t) (word >> 1) + 0.5f);
  int32_t e = (int32_t) (bits - 0x3f3504f3) >> 23;
  float t = trm_float_of_bits (bits - ((uint32_t) e << 23)) - 1;
  float p = -0.319683987f + t * 0.2037732329f;
  p = 0.3426480966f + t * p;
  p = -0.3985809696f + t * p;
  p = 0.4996489942f + t * p;
  p = -0.6666822749f + t * p;
  p = 1.000001825f + t * p;
  p = -2 + t * p;
  return t * p + (float) (e - 31) * -1.386294361f;
}

/* Two independent normal numbers from numbers K and K + 1 of WORD (Box and
   Muller, 1958).  The angle is in a quarter that the two upper bits of the
   second word choose by signs; the others say how far it is from the middle of
   the quarter, where cosine and sine are c - s and c + s, within 1e-7.  */
static inline void
pairf (const uint32_t *word, int k, float mean, float deviation, float at[2])
{
  uint32_t turn = word[k + 1], sign = 0x80000000;
  float radius = deviation * sqrtf (spreadf (word[k]));
  float x = (float) (int32_t) (turn << 2) * 3.657295198e-10f;
  float q = x * x;
  float c = 0.02945454352f + q * -0.0009606596646f;
  c = -0.3535523753f + q * c;
  c = 0.7071067616f + q * c;
  float s = 0.005891639005f + q * -0.0001379134296f;
  s = -0.1178510171f + q * s;
  s = x * (0.707106779f + q * s);
  uint32_t first = trm_float_bits (c - s) ^ (turn & sign);
  uint32_t second = trm_float_bits (c + s) ^ (turn << 1 & sign);
  at[0] = mean + radius * trm_float_of_bits (first);
  at[1] = mean + radius * trm_float_of_bits (second);
}
static inline void
pair (const uint32_t *word, int k, double mean, double deviation, double at[2])
{
  double radius = deviation * sqrt (-2 * log (above (word, k)));
  double angle = 6.283185307179586 * (unit (word, k + 1) - 0.5);
  at[0] = mean + radius * cos (angle);
  at[1] = mean + radius * sin (angle);
}

/* Number K of WORD, 64 bits, times RANGE, without the low 64 bits.  */
static inline uint64_t
scaled (const uint32_t *word, int k, uint64_t range)
{
  uint64_t low = word[2 * k], high = word[2 * k + 1];
  uint64_t range_low = range & 0xffffffff, range_high = range >> 32;
  uint64_t a = low * range_high, b = high * range_low;
  uint64_t middle
    = (low * range_low >> 32) + (a & 0xffffffff) + (b & 0xffffffff);
  return high * range_high + (a >> 32) + (b >> 32) + (middle >> 32);
}

#endif

/* From LOW on, WIDTH wide, cut to LEAST .. MOST.  */
static void
F (uniform) (int64_t groups, uint64_t seed, uint64_t counter, R low, R width,
             R least, R most, R *restrict y)
{
#pragma tensor name("uniform") fp(strict) unroll(l: 4)
  for (int64_t g = 0; g < groups; g++)
    for (int l = 0; l < lanes; l++)
      {
        uint32_t word[4];
        trm_philox (seed, counter + (uint64_t) (lanes * g + l), word);
        for (int k = 0; k < M (count); k++)
          {
            R x = low + width * M (unit) (word, k);
            x = x < least ? least : x;
            y[(M (count) * g + k) * lanes + l] = x > most ? most : x;
          }
      }
}

static void
F (normal) (int64_t groups, uint64_t seed, uint64_t counter, R mean,
            R deviation, R *restrict y)
{
#pragma tensor name("normal") fuse(none) unroll(l: 4)
  for (int64_t g = 0; g < groups; g++)
    {
      uint32_t words[4][lanes];
      for (int l = 0; l < lanes; l++)
        {
          uint32_t word[4];
          trm_philox (seed, counter + (uint64_t) (lanes * g + l), word);
          for (int k = 0; k < 4; k++)
            words[k][l] = word[k];
        }
      for (int i = 0; i < lanes; i++)
        {
          uint32_t word[4]
            = { words[0][i], words[1][i], words[2][i], words[3][i] };
          for (int k = 0; k < M (count); k += 2)
            {
              R at[2];
              M (pair) (word, k, mean, deviation, at);
              y[(M (count) * g + k) * lanes + i] = at[0];
              y[(M (count) * g + k + 1) * lanes + i] = at[1];
            }
        }
    }
}

/* LOW .. LOW + RANGE - 1; how often each comes differs by one in 2^64.  */
static void
F (integers) (int64_t groups, uint64_t seed, uint64_t counter, int64_t low,
              uint64_t range, int64_t *restrict y)
{
#pragma tensor name("integers") unroll(l: 4)
  for (int64_t g = 0; g < groups; g++)
    for (int l = 0; l < lanes; l++)
      {
        uint32_t word[4];
        trm_philox (seed, counter + (uint64_t) (lanes * g + l), word);
        for (int k = 0; k < count; k++)
          y[(count * g + k) * lanes + l]
            = (int64_t) ((uint64_t) low + scaled (word, k, range));
      }
}

/* Whether a word is below BOUND.  */
static void
F (bernoulli) (int64_t groups, uint64_t seed, uint64_t counter, uint64_t bound,
               uint8_t *restrict y)
{
#pragma tensor name("bernoulli") unroll(l: 4)
  for (int64_t g = 0; g < groups; g++)
    for (int l = 0; l < lanes; l++)
      {
        uint32_t word[4];
        trm_philox (seed, counter + (uint64_t) (lanes * g + l), word);
        for (int k = 0; k < countf; k++)
          y[(countf * g + k) * lanes + l] = word[k] < bound;
      }
}
