/* cuda [WORD]

   Measures regions on the device, those whose names contain WORD, their arrays
   there already, beside a copy on the device and cuBLAS:

     fill the row's arrays
     run it, CUDA_ROUNDS times, with looks at the clock
     print the median, bytes and operations by it, and their share

   TRM_VERBOSE=1 tells at the end where regions ran.  */

#include "cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers around 0, none of them twice in a row.  */
static bool
fill (const cuda_row *row, float **a)
{
  for (int k = 0; k < CUDA_ARRAYS; k++)
    {
      long n = row->elements[k];
      a[k] = n ? malloc (sizeof **a * (size_t) n) : NULL;
      if (n && !a[k])
        return false;
#pragma omp parallel for
      for (long i = 0; i < n; i++)
        a[k][i] = (float) ((i + k) * 7919 % 1999) / 1000 - 1;
    }
  return true;
}

/* Measure ROW; COPY is a copy's bytes a nanosecond, BLAS cuBLAS's operations a
   nanosecond, of F32 and of bf16.  */
static void
measure (const cuda_row *row, double copy, const double *blas)
{
  float *a[CUDA_ARRAYS] = { NULL };
  double ns[CUDA_ROUNDS];
  if (!fill (row, a))
    {
      printf ("%-26s no memory\n", row->name);
      return;
    }
  row->run (a, ns);
  double median = cuda_median (ns);
  printf ("%-26s %10.1f us %8.1f GB/s", row->name, median / 1e3,
          row->bytes / median);
  if (row->flops > 0)
    printf (" %8.1f GFLOP/s %5.2f of cuBLAS %s\n", row->flops / median,
            row->flops / median / blas[row->bf16], row->bf16 ? "bf16" : "f32");
  else
    printf ("  %5.2f of copy\n", row->bytes / median / copy);
  fflush (stdout);
  for (int k = 0; k < CUDA_ARRAYS; k++)
    free (a[k]);
}

int
main (int argc, char **argv)
{
  static const cuda_row *const files[]
    = { cuda_small_rows, cuda_memory_rows, cuda_product_rows,
        cuda_precision_rows };
  if (!cuda_peer_open ())
    {
      puts ("no CUDA device");
      return 2;
    }
  double copy = 2.0 * (1 << 30) / cuda_peer_copy (1 << 30);
  double f32 = cuda_peer_product (4096, false);
  double bf16 = cuda_peer_product (4096, true);
  double flops = 2.0 * 4096 * 4096 * 4096;
  double blas[2] = { flops / f32, flops / bf16 };
  printf ("device copy %.1f GB/s\n", copy);
  if (f32 > 0)
    printf ("cuBLAS 4096: f32 %.1f GFLOP/s, bf16 %.1f GFLOP/s\n", blas[0],
            blas[1]);
  for (size_t f = 0; f < sizeof files / sizeof *files; f++)
    for (const cuda_row *row = files[f]; row->name; row++)
      if (argc < 2 || strstr (row->name, argv[1]))
        measure (row, copy, blas);
  return 0;
}
