/* The kernels of faults.cu: each is stopped, in all orders, for what is wrong
   with it, at the line that has its name; some only look wrong.
   faults FOLDER TEXT: faults.so is there, TEXT is what it was made of.  */

#include "launch.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) ((int) (sizeof (array) / sizeof *(array)))
#define LENGTH       256
#define MOST_LINES   1000

/* A kernel, its blocks of 64 threads and dynamic shared memory, how it ends,
   and words of its message; MARKED: it names all lines of the text that have
   its name in a comment.  */
struct fault
{
  const char *kernel;
  unsigned blocks;
  size_t shared_bytes;
  enum cuda_cpu_status status;
  const char *words;
  bool marked;
};

static const struct fault faults[] = {
  { "race_shared", 1, 0, CUDA_CPU_RACE, "shared memory", true },
  { "race_warps", 1, 0, CUDA_CPU_RACE, "shared memory", true },
  { "shuffle_order", 1, 0, CUDA_CPU_DONE, "", false },
  { "race_bytes", 1, 0, CUDA_CPU_RACE, "writes shared memory", true },
  { "race_global", 2, 0, CUDA_CPU_RACE, "of another block wrote", true },
  { "race_neighbour", 2, 0, CUDA_CPU_RACE, "of another block", true },
  { "race_ticket", 2, 0, CUDA_CPU_RACE, "of another block wrote", true },
  { "ticket", 2, 0, CUDA_CPU_DONE, "", false },
  { "ticket_block", 2, 0, CUDA_CPU_DONE, "", false },
  { "race_fence", 2, 0, CUDA_CPU_RACE, "of another block wrote", true },
  { "race_copy", 1, 0, CUDA_CPU_RACE, "shared memory", true },
  { "two_barriers", 1, 0, CUDA_CPU_DIVERGED, "in __syncthreads at", true },
  { "returned", 1, 0, CUDA_CPU_DIVERGED, "thread 7, which has returned", true },
  { "split_shuffle", 1, 0, CUDA_CPU_DIVERGED, "waits in __shfl_xor_sync",
    true },
  { "other_mask", 1, 0, CUDA_CPU_DIVERGED, "which it is not in", true },
  { "absent_lane", 1, 0, CUDA_CPU_DIVERGED, "for lane 20", true },
  { "shuffle_and_barrier", 1, 0, CUDA_CPU_DIVERGED, "in __syncthreads", true },
  { "partial_warp", 1, 0, CUDA_CPU_DIVERGED, "ldmatrix by the lanes 0xffff0000",
    true },
  { "half_group", 1, 0, CUDA_CPU_DIVERGED, "thread 64 does not come", false },
  { "beside_column", 1, 0, CUDA_CPU_BOUNDS, "subscript 8 of 'float [8]'",
    true },
  { "beside_pointer", 1, 0, CUDA_CPU_BOUNDS, "writes 4 bytes beside", true },
  { "in_template", 1, 0, CUDA_CPU_BOUNDS, "writes 4 bytes of the text", true },
  { "before_pointer", 1, 0, CUDA_CPU_BOUNDS, "reads 4 bytes beside", true },
  { "beside_dynamic", 1, 252, CUDA_CPU_BOUNDS, "writes 4 bytes beside", true },
  { "beside_global", 5, 0, CUDA_CPU_BOUNDS, "bytes where it may not", true },
  { "write_constant", 1, 0, CUDA_CPU_BOUNDS, "writes 4 bytes where it may not",
    true },
  { "not_aligned", 1, 0, CUDA_CPU_BOUNDS, "is not aligned", true },
  { "early_copy", 1, 0, CUDA_CPU_RACE, "has not waited for", true },
  { "open_copy", 1, 0, CUDA_CPU_RACE, "has not waited for", true },
  { "copy_of_another", 1, 0, CUDA_CPU_RACE, "has not waited for", false },
  { "refilled", 1, 0, CUDA_CPU_RACE, "shared memory", false },
  { "late_source", 1, 0, CUDA_CPU_RACE, "global memory", false },
  { "stages", 1, 0, CUDA_CPU_DONE, "", false },
  { "not_filled", 1, 256, CUDA_CPU_DONE, "", false },
  { "race_shared", 0, 0, CUDA_CPU_REFUSED, "0 blocks of 64", false },
  { "race_shared", 1, 1 << 20, CUDA_CPU_REFUSED, "1048576 bytes", false },
};

static struct
{
  char line[MOST_LINES][LENGTH];
  int n;
} text;

/* The lines of FILE.  */
static void
read_text (const char *file)
{
  FILE *stream = fopen (file, "r");
  while (stream && text.n < MOST_LINES
         && fgets (text.line[text.n], LENGTH, stream))
    text.n++;
  if (stream)
    fclose (stream);
}

/* Whether MESSAGE names the lines that have "KERNEL" in a comment.  */
static bool
names_lines (const char *message, const char *kernel)
{
  char mark[LENGTH], place[LENGTH];
  int found = 0;
  snprintf (mark, sizeof mark, "/* %s */", kernel);
  for (int i = 0; i < text.n; i++)
    if (strstr (text.line[i], mark))
      {
        found++;
        snprintf (place, sizeof place, "faults.cu:%d", i + 1);
        if (!strstr (message, place))
          return false;
      }
  return found > 0;
}

/* Launch FAULT in the order of SEED.  RIGHT: what it writes where it ends
   well.  */
static bool
is_found (const struct object *object, const struct fault *fault,
          unsigned long seed)
{
  struct shape shape
    = { { fault->blocks, 1, 1 }, { 64, 1, 1 }, fault->shared_bytes };
  float *x = object_floats (object, LENGTH, false);
  float *y = object_floats (object, LENGTH + 1, true);
  unsigned *ticket = (unsigned *) object_floats (object, 1, true);
  struct
  {
    float *y;
    const float *x;
    unsigned *ticket;
    long long n;
  } args = { y, x, ticket, 5 };
  for (int i = 0; i < LENGTH; i++)
    x[i] = (float) i;
  *ticket = 0;
  object->seed (seed);
  int status = object_launch (object, fault->kernel, shape, &args, sizeof args);
  const char *message = object->message ();
  bool found = status == (int) fault->status && strstr (message, fault->words)
               && (!fault->marked || names_lines (message, fault->kernel));
  if (!strcmp (fault->kernel, "stages"))
    found &= y[0] == 27 && y[62] == 6 * 64 + 15;
  if (!strcmp (fault->kernel, "not_filled"))
    found &= y[0] == 2 && y[63] == 2;
  if (!found)
    printf ("%s: status %d, %s\n", fault->kernel, status, message);
  object->allow (NULL, 0, 0);
  free (x);
  free (y);
  free (ticket);
  return found;
}

int
main (int argc, char **argv)
{
  struct object object = object_open (argc > 1 ? argv[1] : ".", "faults");
  read_text (argc > 2 ? argv[2] : "faults.cu");
  for (int i = 0; i < COUNT (faults); i++)
    expect (
      is_found (&object, &faults[i], 0) && is_found (&object, &faults[i], 1)
        && is_found (&object, &faults[i], 5),
      "%s of %u blocks ends as it has to", faults[i].kernel, faults[i].blocks);
  object_close (&object);
  return expect_status ();
}
