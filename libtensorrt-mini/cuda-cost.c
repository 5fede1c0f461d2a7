/* Does the device pay?

     t_gpu = launches + copies / link + max (flops / F, bytes / B)
     t_cpu = max (cpu_ns / its threads, bytes / what its memory gives) + copies
             of what the device alone holds
     it pays when 1.2 t_gpu < t_cpu

   All of it comes from counts and from constants of a file, or of a table: what
   was measured in a run would let bits differ from run to run.  So the threads
   are those that the machine has, not those that the run was given.

   The table tells what makers give for the devices, the link and the launch
   what a copy through pinned memory and a launch with a wait usually come
   to.  */

#include "cuda.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARGIN     1.2
#define CPU_BYTES  10.0
#define CPU_MEMORY 8

static const trm_cuda_machine machines[] = {
  { "B200", 75000, 7700, 50, 10000, 500e6 },
  { "H200", 67000, 4800, 50, 10000, 500e6 },
  { "H100 PCIe", 51000, 2000, 50, 10000, 500e6 },
  { "H100", 67000, 3350, 50, 10000, 500e6 },
  { "A100", 19500, 1555, 22, 10000, 500e6 },
  { "L40", 90000, 864, 22, 10000, 500e6 },
  { "L4", 30000, 300, 22, 10000, 500e6 },
  { "V100", 14000, 900, 11, 12000, 500e6 },
  { "T4", 8100, 300, 11, 12000, 500e6 },
  { "4090", 82000, 1000, 22, 10000, 500e6 },
  { "3090", 35000, 936, 22, 10000, 500e6 },
  { "", 8000, 300, 11, 12000, 500e6 },
};

/* The first row of the table whose name is in NAME; the last when that is
   NULL.  */
static trm_cuda_machine
built_in (const char *name)
{
  size_t i = 0, last = sizeof machines / sizeof *machines - 1;
  while (i < last && (!name || !strstr (name, machines[i].name)))
    i++;
  return machines[i];
}

/* Set the number of M that KEY names to VALUE; false when none is called so, or
   it cannot be that.  */
static bool
set_number (trm_cuda_machine *m, const char *key, double value)
{
  struct
  {
    const char *key;
    double *number;
  } rows[] = { { "flops", &m->flops },
               { "bytes", &m->bytes },
               { "link", &m->link },
               { "launch", &m->launch_ns },
               { "start", &m->start_ns } };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp (rows[i].key, key) == 0 && value > 0)
      {
        *rows[i].number = value;
        return true;
      }
  return false;
}

/* What the file PATH tells, lines of a word and a number; *M where it tells
   nothing.  */
static void
read_file (const char *path, trm_cuda_machine *m)
{
  char key[16];
  double value;
  FILE *file = fopen (path, "r");
  bool fine = file;
  while (fine && !feof (file) && fscanf (file, " %15s", key) == 1)
    fine = fscanf (file, "%lf", &value) == 1 && set_number (m, key, value);
  if (file)
    fclose (file);
  if (!fine)
    fprintf (stderr,
             "tensor: TRM_CUDA_MACHINE=%s cannot be read; it has lines of "
             "flops, bytes, link, launch or start and a number\n",
             path);
}

trm_cuda_machine
trm_cuda_machine_of (const char *name)
{
  static trm_cuda_machine from_file;
  static const char *path;
  if (!path)
    {
      path = getenv ("TRM_CUDA_MACHINE");
      path = path ? path : "";
      from_file = built_in (NULL);
      if (*path)
        read_file (path, &from_file);
    }
  return *path ? from_file : built_in (name);
}

/* The larger of X and Y.  */
static double
larger (double x, double y)
{
  return x > y ? x : y;
}

/* The threads that share a region's work: one for two processors, which may be
   one core.  */
static double
count_threads (void)
{
  static double threads;
  if (threads == 0)
    threads = larger (1, (double) sysconf (_SC_NPROCESSORS_CONF) / 2);
  return threads;
}

/* What the CPU is predicted to take for COST.  */
static double
cpu_time (const trm_cuda_cost *cost)
{
  double threads = cost->parallel ? count_threads () : 1;
  double memory = threads < CPU_MEMORY ? threads : CPU_MEMORY;
  double moved = cost->bytes / (CPU_BYTES * memory);
  return larger (cost->cpu_ns / threads,
                 moved < cost->cpu_ns ? moved : cost->cpu_ns);
}

double
trm_cuda_saves (const trm_cuda_cost *cost, double in, double out,
                const trm_cuda_machine *m)
{
  double cpu = cpu_time (cost) + out / m->link;
  double gpu = larger (1, cost->launches) * m->launch_ns + in / m->link
               + larger (cost->flops / m->flops, cost->bytes / m->bytes);
  return MARGIN * gpu < cpu ? cpu - gpu : 0;
}
