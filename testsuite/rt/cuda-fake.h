/* What the tests of the CUDA half share: regions as the compiler writes them,
   and children of the test that find the fake driver (testsuite/cuda).  */

#ifndef TRM_CUDA_FAKE_H
#define TRM_CUDA_FAKE_H

#include "cuda.h"
#include "expect.h"

/* The kernels of a unit: y[i] = 2 x[i]; y[i] += x[i]; y[i] = i for i < n / 2.
   Their text, and their site.  */
enum
{
  FAKE_TWICE,
  FAKE_ADD,
  FAKE_HALF,
  FAKE_KERNELS
};
extern trm_cuda_unit fake_unit;
extern trm_site fake_site;

/* Run a region of that kernel, on the device, or else on the CPU; whether it
   was the device.  COST may be NULL.  What y is used for is USE unless that is
   0.  With TEST_LATER in the environment it need not have ended then.  */
extern bool fake_run (int kernel, float *y, const float *x, long n,
                      const trm_cuda_cost *cost, intptr_t use);

/* The same on the CPU.  */
extern void fake_on_cpu (int kernel, float *y, const float *x, long n);

/* N numbers; x[i] = i + shift.  Whether x[i] = factor * i + shift.  */
extern float *fake_numbers (long n, float shift);
extern bool fake_are (const float *x, long n, float factor, float shift);

/* The program as main is given it: run PART (the name that ARGV has) in the
   child, or return false in the parent.  */
typedef struct fake_part
{
  const char *name;
  void (*run) (void);
} fake_part;
extern bool fake_main (int argc, char **argv, const fake_part *part);

/* Run this program's PART with the environment SETTINGS, words VARIABLE=VALUE,
   in a child that finds the fakes; what it printed is in fake_out, and its
   status is returned.  */
extern char fake_out[16384];
extern int fake_child (const char *settings, const char *part);

/* Whether it printed each of the texts between | in TEXTS, and ended well.  */
extern bool fake_says (const char *settings, const char *part,
                       const char *texts);

/* In a child: print WHAT, and whether it holds.  Whether there were IN copies
   to the device and OUT from it since the last call.  */
extern void say (const char *what, bool holds);
extern bool copied (int in, int out);

/* The folder of the test's own, made anew by each program; the fakes'.  */
extern const char *fake_folder (void);
extern const char *fake_place (void);

/* How often NAME of the driver was called; how many bytes it has in use.  */
extern long fake_count (const char *name);
extern long fake_used (void);

#endif
