/* Philox 4x32-10, a random number generator that counts (J. K. Salmon and
   others, "Parallel random numbers: as easy as 1, 2, 3", SC 2011): four words
   are a function of a key and a counter, so that threads need no order.

   Ten rounds of two 32 x 32 bit products, between which the key moves on by
   two odd constants.  The key is SEED; the two low words of the counter are
   COUNTER, the two high ones 0; low words come first.

   Words are held in 64 bits, of which the upper halves do not count: a product
   reads the lower half of one word, and is two words, of which the lower one
   needs no more than a name.  In vectors a round is two products, two shifts
   and two exclusive ors of three.  The rounds are written out, so that what
   becomes of the key is the same for all counters.

     trm_philox (0, 0, out);   6627e8d5 e169c58d bc57ac4c 9b00dbd8  */

#ifndef TRM_PHILOX_H
#define TRM_PHILOX_H

#include <stdint.h>

/* One round of the words A to D, with the key of round N for SEED.  */
static inline void
trm_philox_round (uint64_t seed, uint32_t n, uint64_t *a, uint64_t *b,
                  uint64_t *c, uint64_t *d)
{
  uint64_t key0 = (uint32_t) seed + n * 0x9e3779b9;
  uint64_t key1 = (uint32_t) (seed >> 32) + n * 0xbb67ae85;
  uint64_t left = (*a & 0xffffffff) * 0xd2511f53;
  uint64_t right = (*c & 0xffffffff) * 0xcd9e8d57;
  *a = right >> 32 ^ *b ^ key0;
  *b = right;
  *c = left >> 32 ^ *d ^ key1;
  *d = left;
}

static inline void
trm_philox (uint64_t seed, uint64_t counter, uint32_t out[4])
{
  uint64_t a = counter, b = counter >> 32, c = 0, d = 0;
  trm_philox_round (seed, 0, &a, &b, &c, &d);
  trm_philox_round (seed, 1, &a, &b, &c, &d);
  trm_philox_round (seed, 2, &a, &b, &c, &d);
  trm_philox_round (seed, 3, &a, &b, &c, &d);
  trm_philox_round (seed, 4, &a, &b, &c, &d);
  trm_philox_round (seed, 5, &a, &b, &c, &d);
  trm_philox_round (seed, 6, &a, &b, &c, &d);
  trm_philox_round (seed, 7, &a, &b, &c, &d);
  trm_philox_round (seed, 8, &a, &b, &c, &d);
  trm_philox_round (seed, 9, &a, &b, &c, &d);
  out[0] = (uint32_t) a;
  out[1] = (uint32_t) b;
  out[2] = (uint32_t) c;
  out[3] = (uint32_t) d;
}

#endif
