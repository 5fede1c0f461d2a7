/* What the measured kernels and the program that measures them share.

   Each file of kernels is compiled several ways into shared objects of the
   same contents; the program loads all of them and runs them in turns.  */

#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>

/* The ways, in the order of the columns.

   PLAIN    gcc -O3 -march=native
   FAST     the same with -ffast-math
   UNFUSED  the plugin with fuse=none
   FUSED    the plugin
   HAND     written by hand, or the BLAS; compiled as FAST, or as FUSED
   FORWARD  (gradients) the function itself; compiled as FUSED
   PEAK     as many multiply-adds in registers as the kernel has
   COPY     a copy of as many bytes as it must read and write  */
typedef enum bench_way
{
  BENCH_PLAIN,
  BENCH_FAST,
  BENCH_UNFUSED,
  BENCH_FUSED,
  BENCH_HAND,
  BENCH_FORWARD,
  BENCH_PEAK,
  BENCH_COPY,
  BENCH_WAYS
} bench_way;

enum
{
  BENCH_ARRAYS = 10,
  BENCH_GOALS = 4
};

/* The time of WAY over that of FUSED on THREADS threads is to be AT_LEAST;
   at_least is 0 behind the last one.  */
typedef struct bench_goal
{
  bench_way way;
  int threads;
  double at_least;
} bench_goal;

/* A kernel.  length: floats (doubles where it is_double) in each array, 0
   behind the last one; temp: bit A is set when the contents of array A do not
   matter afterwards.  Arrays are filled with numbers from low to high before
   each sample.  flops, bytes: of one call, or 0 when PEAK or COPY is not to be
   measured.  most_ns: what a call on one thread is to take at most, or 0.
   product: for the BLAS, 0 none, 'n' plain, 'a' and 'b' with that operand
   transposed.  run: NULL where a way without the plugin has none; hand is
   compiled as FUSED where hand_is_planned.  */
typedef struct bench_kernel
{
  const char *name;
  long length[BENCH_ARRAYS];
  unsigned temp;
  float low;
  float high;
  double flops;
  double bytes;
  double most_ns;
  char product;
  bool is_double;
  bool hand_is_planned;
  void (*run) (float *const *array);
  void (*hand) (float *const *array);
  void (*forward) (float *const *array);
  bench_goal goal[BENCH_GOALS];
} bench_kernel;

/* What each shared object exports; name is NULL behind the last one.  */
extern const bench_kernel bench_kernels[];

/* N, unknown to the compiler.  */
static inline int
bench_hide (int n)
{
  __asm__("" : "+r"(n));
  return n;
}

#define BENCH_MAYBE __attribute__ ((unused))
#define BENCH_ALONE __attribute__ ((noipa))

#endif
