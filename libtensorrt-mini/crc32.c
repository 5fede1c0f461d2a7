/* The CRC-32 of zip files: the remainder of the bytes, as a polynomial over
   bits with the lowest first, by 0xedb88320.

   Eight bytes are taken a step, each looked up in a table of its own
   (M. E. Kounavis, F. L. Berry, A systematic approach to building high
   performance software-based CRC generators, ISCC 2005):

     table[k][b]   the remainder of byte b with k bytes of 0 behind it
     crc := table[7][x0] ^ table[6][x1] ^ ... ^ table[0][x7],
            x = crc ^ the next eight bytes  */

#include "file.h"

#include <pthread.h>
#include <string.h>

#define POLYNOMIAL 0xedb88320

static uint32_t table[8][256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Fill the tables.  */
static void
make_tables (void)
{
  for (uint32_t b = 0; b < 256; b++)
    {
      uint32_t crc = b;
      for (int i = 0; i < 8; i++)
        crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
      table[0][b] = crc;
    }
  for (int k = 1; k < 8; k++)
    for (int b = 0; b < 256; b++)
      table[k][b] = table[k - 1][b] >> 8 ^ table[0][table[k - 1][b] & 0xff];
}

uint32_t
trm_crc32 (uint32_t crc, const void *bytes, int64_t n)
{
  const unsigned char *at = bytes, *end = at + n;
  pthread_once (&once, make_tables);
  crc = ~crc;
  for (; end - at >= 8; at += 8)
    {
      uint64_t x;
      memcpy (&x, at, sizeof x);
      x ^= crc;
      crc = table[7][x & 0xff] ^ table[6][x >> 8 & 0xff]
            ^ table[5][x >> 16 & 0xff] ^ table[4][x >> 24 & 0xff]
            ^ table[3][x >> 32 & 0xff] ^ table[2][x >> 40 & 0xff]
            ^ table[1][x >> 48 & 0xff] ^ table[0][x >> 56];
    }
  for (; at < end; at++)
    crc = crc >> 8 ^ table[0][(crc ^ *at) & 0xff];
  return ~crc;
}
