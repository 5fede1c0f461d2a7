/* What lowering/cuda-prelude.h adds to CUDA C, on the CPU: copies that are
   under way until they are waited for, and tiles for the tensor cores in the
   layouts that the PTX ISA gives for ldmatrix and mma.sync.  */

#include "cuda_cpu_block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The current thread has N_COPIES under way; room for one more, or it
   stops.  */
static void
make_room (struct tns_cpu_thread *self)
{
  if (self->n_copies < self->room)
    return;
  int room = 2 * self->room + 8;
  struct tns_cpu_pending *more
    = realloc (self->copies, (size_t) room * sizeof *more);
  if (!more)
    tns_cpu_stop (CUDA_CPU_MEMORY, "no memory for asynchronous copies");
  self->copies = more;
  self->room = room;
}

void
tns_cpu_copy (void *shared, const void *global, int bytes, int valid)
{
  struct tns_cpu_thread *self = tns_cpu_here.current;
  size_t n = (size_t) bytes;
  tns_cpu_look (shared, n, n, TNS_CPU_WRITES, TNS_CPU_CALLER);
  tns_cpu_look (global, (size_t) valid, n, TNS_CPU_READS, TNS_CPU_CALLER);
  memset (shared, 0xff, n);
  tns_cpu_order_copy ((uintptr_t) shared, n, true, TNS_CPU_CALLER);
  make_room (self);
  self->copies[self->n_copies++]
    = (struct tns_cpu_pending){ shared, global, bytes, valid, self->group };
}

void
tns_cpu_commit (void)
{
  tns_cpu_here.current->group++;
}

void
tns_cpu_wait (int n)
{
  struct tns_cpu_thread *self = tns_cpu_here.current;
  int kept = 0;
  for (int i = 0; i < self->n_copies; i++)
    {
      struct tns_cpu_pending copy = self->copies[i];
      if (copy.group + (unsigned) n >= self->group)
        {
          self->copies[kept++] = copy;
          continue;
        }
      size_t valid = (size_t) copy.valid;
      tns_cpu_order_copy ((uintptr_t) copy.shared, (size_t) copy.bytes, false,
                          TNS_CPU_CALLER);
      tns_cpu_look (copy.shared, (size_t) copy.bytes, 1, TNS_CPU_WRITES,
                    TNS_CPU_CALLER);
      tns_cpu_look (copy.global, valid, 1, TNS_CPU_READS, TNS_CPU_CALLER);
      memcpy (copy.shared, copy.global, valid);
      memset (copy.shared + valid, 0, (size_t) copy.bytes - valid);
    }
  self->n_copies = kept;
}

/* Whether all lanes of the warp are among LANES; says so where not.  */
static bool
is_whole (struct tns_cpu_site at, unsigned lanes)
{
  if (lanes == 0xffffffff)
    return true;
  tns_cpu_stop (CUDA_CPU_DIVERGED, "%s:%d: %s by the lanes %#x of block %u",
                at.file, at.line, at.name, lanes, tns_cpu_here.place);
  return false;
}

/* A lane's part of a load of tiles.  */
struct load
{
  unsigned *to;
  const uint16_t *row;
  int transposed;
};

/* Element (I, J) of tile M.  */
static unsigned
tile_element (void *const operand[32], int m, int i, int j)
{
  const struct load *load = operand[8 * m + i];
  return load->row[j];
}

/* Give each lane its elements.  */
static void
load_all (struct tns_cpu_site at, void *const operand[32], unsigned lanes)
{
  if (!is_whole (at, lanes))
    return;
  for (int lane = 0; lane < 32; lane++)
    for (int m = 0; m < 4; m++)
      {
        const struct load *load = operand[lane];
        int i = lane / 4, j = 2 * (lane % 4);
        load->to[m] = load->transposed
                        ? tile_element (operand, m, j, i)
                            | tile_element (operand, m, j + 1, i) << 16
                        : tile_element (operand, m, i, j)
                            | tile_element (operand, m, i, j + 1) << 16;
      }
}

void
tns_cpu_load_tiles (struct tns_cpu_site at, unsigned to[4], const void *row,
                    int transposed)
{
  struct load load = { to, row, transposed };
  tns_cpu_look (row, 16, 16, TNS_CPU_READS, TNS_CPU_CALLER);
  tns_cpu_meet (at, 0xffffffff, &load, load_all, 0);
}

/* A lane's part of a product of tiles.  */
struct product
{
  enum tns_cpu_element element;
  float *sum;
  const unsigned *a, *b;
};

/* The value of the 16 BITS of an f16.  */
static float
half_value (unsigned bits)
{
  int exponent = bits >> 10 & 31, digits = bits & 1023;
  float size = exponent == 31 ? digits ? NAN : INFINITY
               : exponent     ? ldexpf ((float) (1024 + digits), exponent - 25)
                              : ldexpf ((float) digits, -24);
  return bits >> 15 & 1 ? -size : size;
}

/* The value of the BITS of an f32.  */
static float
float_value (unsigned bits)
{
  float value;
  memcpy (&value, &bits, sizeof value);
  return value;
}

float
tns_cpu_value (enum tns_cpu_element element, unsigned bits)
{
  return element == TNS_CPU_F16 ? half_value (bits) : float_value (bits << 16);
}

/* The value of BITS; of the pairs of bf16 and f16, of its half HALF.  */
static float
element_value (enum tns_cpu_element element, unsigned bits, int half)
{
  return element == TNS_CPU_TF32
           ? float_value (bits & 0xffffe000)
           : tns_cpu_value (element, bits >> 16 * half & 0xffff);
}

/* A (I, K): in lane 4 (i % 8) + c, word 2 (k / half of the depth) + i / 8; c is
   k's place there, by pairs of 16 bits or by one of tf32.  */
static float
a_value (void *const operand[32], int i, int k)
{
  const struct product *any = operand[0];
  int pair = any->element == TNS_CPU_TF32 ? 1 : 2;
  int right = k / (4 * pair), c = k % (4 * pair);
  const struct product *lane = operand[i % 8 * 4 + c / pair];
  return element_value (lane->element, lane->a[2 * right + i / 8], c % pair);
}

/* B (K, J): in lane 4 j + c, word k / half of the depth.  */
static float
b_value (void *const operand[32], int k, int j)
{
  const struct product *any = operand[0];
  int pair = any->element == TNS_CPU_TF32 ? 1 : 2;
  int c = k % (4 * pair);
  const struct product *lane = operand[4 * j + c / pair];
  return element_value (lane->element, lane->b[k / (4 * pair)], c % pair);
}

/* Add the warp's product to its sums.  */
static void
multiply_all (struct tns_cpu_site at, void *const operand[32], unsigned lanes)
{
  if (!is_whole (at, lanes))
    return;
  const struct product *any = operand[0];
  int depth = any->element == TNS_CPU_TF32 ? 8 : 16;
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 8; j++)
      {
        const struct product *lane = operand[i % 8 * 4 + j / 2];
        float *sum = &lane->sum[2 * (i / 8) + j % 2];
        for (int k = 0; k < depth; k++)
          *sum += a_value (operand, i, k) * b_value (operand, k, j);
      }
}

void
tns_cpu_multiply (struct tns_cpu_site at, enum tns_cpu_element element,
                  float sum[4], const unsigned a[4], const unsigned b[2])
{
  struct product product = { element, sum, a, b };
  tns_cpu_meet (at, 0xffffffff, &product, multiply_all, 0);
}

/* The bits of X as f16: to the nearest, halves to even.  */
static unsigned
half_bits (float x)
{
  unsigned sign = signbit (x) ? 0x8000 : 0;
  float size = fabsf (x);
  if (isnan (x))
    return 0x7fff;
  if (size >= 65520)
    return sign | 0x7c00;
  int exponent = size < 0x1p-14f ? -14 : ilogbf (size);
  int digits = (int) nearbyintf (ldexpf (size, 10 - exponent));
  return sign + (unsigned) (digits + (exponent + 14) * 1024);
}

unsigned
tns_cpu_round (enum tns_cpu_element element, float x)
{
  unsigned bits;
  memcpy (&bits, &x, sizeof bits);
  switch (element)
    {
    case TNS_CPU_BF16:
      return isnan (x) ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    case TNS_CPU_F16:
      return half_bits (x);
    case TNS_CPU_TF32:
      return isnan (x) ? 0x7fffffff : (bits + 0x1000) & 0xffffe000;
    }
  return bits;
}
