/* What the files of the measuring program share.  */

#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdio.h>

#include "bench.h"

/* Measured times of a call in nanoseconds: median and quartiles; n is 0 when
   the way was not measured.  */
typedef struct bench_sample
{
  int n;
  double median;
  double low;
  double high;
} bench_sample;

/* A kernel on THREADS threads.  differs[WAY]: the largest distance of its
   results from PLAIN's, as part of the largest result.  */
typedef struct bench_row
{
  const bench_kernel *kernel;
  int threads;
  bench_sample ns[BENCH_WAYS];
  double differs[BENCH_WAYS];
} bench_row;

/* This machine: what it reaches on one thread, operations and bytes a
   nanosecond.  */
typedef struct bench_machine
{
  char cpu[128];
  int cores;
  int vector_bytes;
  const char *compiler;
  const char *blas;
  double peak;
  double bandwidth;
} bench_machine;

/* work.c: FLOPS operations as multiply-adds in registers, shared by THREADS
   threads.  */
extern void bench_peak (double flops, int threads);

/* A copy that reads and writes BYTES, shared by THREADS threads.  */
extern void bench_copy (double bytes, int threads);

/* The product that KERNEL asks for, by OpenBLAS on THREADS threads, with
   scale and shift; false when there is no OpenBLAS.  */
extern bool bench_blas (const bench_kernel *kernel, float *const *array,
                        int threads);

/* The machine, measured.  */
extern bench_machine bench_machine_find (void);

/* Nanoseconds of a clock that only goes forward.  */
extern double bench_now (void);

/* How many times as long as FUSED WAY takes in ROW; 0 when not known.  */
extern double bench_ratio (const bench_row *row, bench_way way);

/* print.c: the head and a row of the table; all of it as JSON.  */
extern void bench_print_head (FILE *file, const bench_machine *machine);
extern void bench_print_row (FILE *file, const bench_row *row);
extern void bench_print_json (FILE *file, const bench_machine *machine, int n,
                              const bench_row *row);

#endif
