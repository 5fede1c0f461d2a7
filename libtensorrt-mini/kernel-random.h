/* Random numbers from Philox words (philox.h).

   Numbers are made in groups of 16 counters, one in each lane, so that a store
   is a vector: number k of the counter of lane l is element

     (g * p + k) * 16 + l      of group g, p numbers from a counter

   A float takes one word, p = 4; a double, and an int64_t, two, p = 2.  Only
   whole groups are made, so that a number does not depend on how many there
   are.  */

#ifndef TRM_KERNEL_RANDOM_H
#  define TRM_KERNEL_RANDOM_H

#  include "philox.h"

enum
{
  lanes = 16,
  countf = 4,
  count = 2
};

/* Number K of WORD in 0 .. 1: including 0, and including neither or 1.  */
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
static inline float
abovef (const uint32_t *word, int k)
{
  return (float) (int32_t) (word[k] >> 1) * 0x1p-31f + 0x1p-32f;
}
static inline double
above (const uint32_t *word, int k)
{
  return unit (word, k) + 0x1p-54;
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
#pragma tensor name("uniform") fp(strict)
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

/* Two at a time from two uniform ones (Box and Muller, 1958).  */
static void
F (normal) (int64_t groups, uint64_t seed, uint64_t counter, R mean,
            R deviation, R *restrict y)
{
#pragma tensor name("normal")
  for (int64_t g = 0; g < groups; g++)
    for (int l = 0; l < lanes; l++)
      {
        uint32_t word[4];
        trm_philox (seed, counter + (uint64_t) (lanes * g + l), word);
        for (int k = 0; k < M (count); k += 2)
          {
            R radius = M (sqrt) (-2 * M (log) (M (above) (word, k)));
            R angle
              = (R) 6.283185307179586 * (M (unit) (word, k + 1) - (R) 0.5);
            R *at = y + (M (count) * g + k) * lanes + l;
            at[0] = mean + deviation * (radius * M (cos) (angle));
            at[lanes] = mean + deviation * (radius * M (sin) (angle));
          }
      }
}

/* LOW .. LOW + RANGE - 1; how often each comes differs by one in 2^64.  */
static void
F (integers) (int64_t groups, uint64_t seed, uint64_t counter, int64_t low,
              uint64_t range, int64_t *restrict y)
{
#pragma tensor name("integers")
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
#pragma tensor name("bernoulli")
  for (int64_t g = 0; g < groups; g++)
    for (int l = 0; l < lanes; l++)
      {
        uint32_t word[4];
        trm_philox (seed, counter + (uint64_t) (lanes * g + l), word);
        for (int k = 0; k < countf; k++)
          y[(countf * g + k) * lanes + l] = word[k] < bound;
      }
}
