/* Keys: whole numbers without sign in the order of elements, sorted byte by
   byte from the last one on, which is stable.

     whole     i8 -128 .. 127   ->  0 .. 255
     floating  bits, of negative numbers all turned over, of others the first:
               -2.0 < -1.0 < 0.0 < 1.0 in the order of their keys

   A byte that is the same in all keys costs no pass.  Few keys are inserted one
   after the other.  */

#include "sort.h"

#include <string.h>

#define FEW 48

/* The key of the floating number BITS, of WIDTH bits.  */
static inline uint64_t
float_key (uint64_t bits, int width, uint64_t infinity)
{
  uint64_t sign = (uint64_t) 1 << (width - 1), all = sign | (sign - 1);
  uint64_t size = bits & (sign - 1);
  if (size > infinity)
    return all;
  if (size == 0)
    return sign;
  return bits & sign ? ~bits & all : bits | sign;
}

#define WHOLE(x, least) ((uint64_t) (x) - (uint64_t) (least))
#define READ(name, type, value)                                                \
  static void read_##name (int64_t n, const void *from, int64_t step,          \
                           trm_keyed *line)                                    \
  {                                                                            \
    const type *x = from;                                                      \
    for (int64_t i = 0; i < n; i++)                                            \
      line[i] = (trm_keyed){ value, i };                                       \
  }

READ (u8, uint8_t, x[i * step])
READ (i8, int8_t, WHOLE (x[i * step], INT8_MIN))
READ (i32, int32_t, WHOLE (x[i * step], INT32_MIN))
READ (i64, int64_t, WHOLE (x[i * step], INT64_MIN))
READ (bf16, uint16_t, float_key (x[i * step], 16, 0x7f80))
READ (f16, uint16_t, float_key (x[i * step], 16, 0x7c00))
READ (f32, uint32_t, float_key (x[i * step], 32, 0x7f800000))
READ (f64, uint64_t, float_key (x[i * step], 64, 0x7ff0000000000000))

/* In the order of trm_type.  */
static void (*const readers[]) (int64_t n, const void *from, int64_t step,
                                trm_keyed *line)
  = { read_u8,   read_u8,  read_i8,  read_i32, read_i64,
      read_bf16, read_f16, read_f32, read_f64 };

int
trm_key_bytes (trm_type type)
{
  return (int) trm_type_bytes (type);
}

void
trm_keys_read (trm_type type, int64_t n, const void *from, int64_t step,
               bool descending, trm_keyed *line)
{
  uint64_t all = UINT64_MAX >> (64 - 8 * trm_key_bytes (type));
  readers[type](n, from, step, line);
  for (int64_t i = 0; descending && i < n; i++)
    line[i].key = all - line[i].key;
}

/* Sort LINE[0..n): each goes in front of those before it that are greater.  */
static void
insert_all (int64_t n, trm_keyed *line)
{
  for (int64_t i = 1; i < n; i++)
    {
      trm_keyed one = line[i];
      int64_t k = i;
      for (; k > 0 && line[k - 1].key > one.key; k--)
        line[k] = line[k - 1];
      line[k] = one;
    }
}

/* Byte B of KEY.  */
static inline int
byte_of (uint64_t key, int b)
{
  return (int) (key >> (8 * b) & 255);
}

/* From LINE to OTHER in the order of byte B, of which each value comes COUNT
   times.  */
static void
distribute (int64_t n, const trm_keyed *line, trm_keyed *other, int b,
            const int64_t count[256])
{
  int64_t begin[256], sum = 0;
  for (int v = 0; v < 256; v++)
    {
      begin[v] = sum;
      sum += count[v];
    }
  for (int64_t i = 0; i < n; i++)
    other[begin[byte_of (line[i].key, b)]++] = line[i];
}

void
trm_keys_sort (int bytes, int64_t n, trm_keyed *line, trm_keyed *other)
{
  int64_t count[8][256];
  trm_keyed *from = line, *to = other;
  if (n <= FEW)
    {
      insert_all (n, line);
      return;
    }
  memset (count, 0, sizeof count);
  for (int64_t i = 0; i < n; i++)
    for (int b = 0; b < bytes; b++)
      count[b][byte_of (line[i].key, b)]++;
  for (int b = 0; b < bytes; b++)
    {
      if (count[b][byte_of (from[0].key, b)] == n)
        continue;
      distribute (n, from, to, b, count[b]);
      trm_keyed *kept = from;
      from = to;
      to = kept;
    }
  if (from != line)
    memcpy (line, from, (size_t) n * sizeof *line);
}
