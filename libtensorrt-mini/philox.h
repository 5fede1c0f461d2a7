/* Philox 4x32-10, a random number generator that counts (J. K. Salmon and
   others, "Parallel random numbers: as easy as 1, 2, 3", SC 2011): four words
   are a function of a key and a counter, so that threads need no order.

   Ten rounds of two 32 x 32 bit products, between which the key moves on by
   two odd constants.  The key is SEED; the two low words of the counter are
   COUNTER, the two high ones 0; low words come first.  Words are held in 64
   bits, whose upper halves are 0: in vectors nothing has to be widened.

     trm_philox (0, 0, out);   6627e8d5 e169c58d bc57ac4c 9b00dbd8  */

#ifndef TRM_PHILOX_H
#define TRM_PHILOX_H

#include <stdint.h>

static inline void
trm_philox (uint64_t seed, uint64_t counter, uint32_t out[4])
{
  const uint64_t word = 0xffffffff;
  uint64_t key0 = seed & word, key1 = seed >> 32;
  uint64_t a = counter & word, b = counter >> 32, c = 0, d = 0;
  for (int round = 0; round < 10; round++)
    {
      uint64_t left = 0xd2511f53 * a;
      uint64_t right = 0xcd9e8d57 * c;
      a = right >> 32 ^ b ^ key0;
      b = right & word;
      c = left >> 32 ^ d ^ key1;
      d = left & word;
      key0 = (key0 + 0x9e3779b9) & word;
      key1 = (key1 + 0xbb67ae85) & word;
    }
  out[0] = (uint32_t) a;
  out[1] = (uint32_t) b;
  out[2] = (uint32_t) c;
  out[3] = (uint32_t) d;
}

#endif
