/* Kernels that ../cuda/build-cpu has built, launched by name.  */

#ifndef LAUNCH_H
#define LAUNCH_H

#include <stdbool.h>
#include <stdlib.h>

#include "cuda_cpu_run.h"

/* An object of kernels: its functions, of cuda_cpu_run.h.  */
struct object
{
  void *handle;
  int (*launch) (void (*) (void), const unsigned[3], const unsigned[3], size_t,
                 void **, size_t);
  const char *(*message) (void);
  void (*seed) (unsigned long);
  int (*allow) (const void *, size_t, int);
};

/* How many threads: blocks and threads of a block.  */
struct shape
{
  unsigned grid[3], block[3];
  size_t shared_bytes;
};

/* Open FOLDER/NAME.so; ends the program where it cannot.  */
extern struct object object_open (const char *folder, const char *name);

extern void object_close (struct object *object);

/* Run KERNEL of OBJECT with the BYTES bytes of ARGS.  A cuda_cpu_status; -1: no
   such kernel.  */
extern int object_launch (const struct object *object, const char *kernel,
                          struct shape shape, void *args, size_t bytes);

/* Memory of N floats that kernels may read, WRITABLE: write, and nothing around
   it; ends the program without memory.  */
extern float *object_floats (const struct object *object, long long n,
                             bool writable);

/* Print PASS or FAIL and NAME, as printf; the exit status of main.  */
extern void expect (bool claim, const char *name, ...)
  __attribute__ ((format (printf, 2, 3)));
extern int expect_status (void);

#endif
