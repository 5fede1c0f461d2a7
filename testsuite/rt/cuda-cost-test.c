/* When the device pays: the formula, constants of the table and of a file, the
   savings that CUDA's start has to be paid by; and what is told at exit: the
   reasons, and the ledger of copies.  */

#include "cuda-fake.h"

#include <stdlib.h>
#include <string.h>

#define N 1000

/* Run twelve regions of 60 ms on the CPU, that save some 50; print where they
   ran.  */
static void
part_start (void)
{
  trm_cuda_cost cost = { .cpu_ns = 60e6, .launches = 1 };
  float *x = fake_numbers (N, 0), *y = fake_numbers (N, 0);
  for (int i = 0; i < 12; i++)
    putchar (fake_run (FAKE_TWICE, y, x, N, &cost, 0) ? 'd' : 'c');
  puts (fake_are (y, N, 2, 0) ? " right" : " wrong");
  free (x);
  free (y);
}

/* A small region, a large one, and the small one in a block.  */
static void
part_small (void)
{
  trm_cuda_cost small = { .cpu_ns = 40e3, .bytes = 8 * N, .launches = 1 };
  trm_cuda_cost large = { .cpu_ns = 60e9, .bytes = 8 * N, .launches = 1 };
  trm_cuda_cost tiny = { .cpu_ns = 5e3, .bytes = 8 * N, .launches = 1 };
  float *x = fake_numbers (N, 0), *y = fake_numbers (N, 0);
  trm_cuda_array a = { y, 4 * N, TRM_CUDA_READ | TRM_CUDA_WRITE, "y", 0 };
  putchar (fake_run (FAKE_TWICE, y, x, N, &tiny, 0) ? 'd' : 'c');
  putchar (fake_run (FAKE_TWICE, y, x, N, &large, 0) ? 'd' : 'c');
  putchar (fake_run (FAKE_TWICE, y, x, N, &tiny, 0) ? 'd' : 'c');
  putchar (fake_run (FAKE_TWICE, y, x, N, &small, 0) ? 'd' : 'c');
  trm_cuda_data_begin (&a, 1);
  fake_run (FAKE_TWICE, y, x, N, &large, 0);
  putchar (fake_run (FAKE_TWICE, y, x, N, &tiny, 0) ? 'd' : 'c');
  trm_cuda_data_end (&a, 1);
  puts (fake_are (y, N, 2, 0) ? " right" : " wrong");
  free (x);
  free (y);
}

/* What the device saves in a run of CPU_NS, FLOPS, BYTES and one launch.  */
static double
saves (double cpu_ns, double flops, double bytes, double in, double out)
{
  static const trm_cuda_machine m = { "m", 1000, 100, 10, 5000, 1e9 };
  trm_cuda_cost cost
    = { .cpu_ns = cpu_ns, .flops = flops, .bytes = bytes, .launches = 1 };
  return trm_cuda_saves (&cost, in, out, &m);
}

/* The formula: 1.2 (launch + in / link + max (flops / F, bytes / B)) < cpu.  */
static void
test_formula (void)
{
  expect (saves (6001, 0, 0, 0, 0) == 1001 && saves (6000, 0, 0, 0, 0) == 0,
          "a launch and a margin");
  expect (saves (20000, 1e6, 0, 0, 0) == 14000, "operations");
  expect (saves (20000, 1e6, 2e5, 0, 0) == 13000, "or bytes");
  expect (saves (20000, 1e6, 2e5, 1e4, 0) == 12000, "copies to the device");
  expect (saves (20000, 1e6, 2e5, 1e4, 3e4) == 15000,
          "and those that the CPU would need");
  expect (saves (20000, 2e7, 0, 0, 0) == 0, "too much for the device");
  trm_cuda_cost wide = { .cpu_ns = 1e6, .launches = 1, .parallel = 1 };
  trm_cuda_cost narrow = { .cpu_ns = 1e6, .launches = 1 };
  trm_cuda_machine m = trm_cuda_machine_of (NULL);
  expect (trm_cuda_saves (&wide, 0, 0, &m)
            <= trm_cuda_saves (&narrow, 0, 0, &m),
          "threads make the CPU faster");
}

/* The table by device names.  */
static void
test_table (void)
{
  expect (trm_cuda_machine_of ("NVIDIA H200").bytes == 4800, "an H200");
  expect (trm_cuda_machine_of ("NVIDIA H100 PCIe").bytes == 2000,
          "an H100 on PCIe");
  expect (trm_cuda_machine_of ("NVIDIA H100 80GB HBM3").bytes == 3350,
          "another H100");
  expect (trm_cuda_machine_of ("NVIDIA L40S").bytes == 864
            && trm_cuda_machine_of ("NVIDIA L4").bytes == 300,
          "an L40 is no L4");
  expect (trm_cuda_machine_of ("Something").bytes
            == trm_cuda_machine_of (NULL).bytes,
          "a device that is not known");
}

/* A file with TEXT under the test's folder, as TRM_CUDA_MACHINE=FILE.  */
static const char *
machine (const char *text)
{
  static char setting[256];
  snprintf (setting, sizeof setting, "TRM_DEVICE=auto TRM_CUDA_MACHINE=%s/m",
            fake_folder ());
  FILE *file = fopen (strrchr (setting, '=') + 1, "w");
  fputs (text, file);
  fclose (file);
  return setting;
}

/* A trace has what the device did on lanes of its own.  */
static void
test_trace (void)
{
  char file[128], both[256];
  static char trace[1 << 16];
  snprintf (file, sizeof file, "%s/trace", fake_folder ());
  snprintf (both, sizeof both, "TRM_PROFILE=table,trace:%s", file);
  expect (fake_says (both, "small",
                     "'fake' ran on the device 6 times, kernels 1.500 ms\n"),
          "the table tells what kernels took");
  FILE *stream = fopen (file, "r");
  size_t n = stream ? fread (trace, 1, sizeof trace - 1, stream) : 0;
  trace[n] = 0;
  if (stream)
    fclose (stream);
  int counts[4] = { 0 };
  for (int lane = 0; lane < 4; lane++)
    for (const char *at = trace; (at = strstr (at, "\"cat\": \"cuda\"")); at++)
      counts[lane] += atoi (strstr (at, "\"tid\": ") + 7) == 1000001 + lane;
  expect (
    strstr (trace, "\"CUDA copies in\"") && strstr (trace, "\"CUDA kernels\"")
      && strstr (trace, "\"CUDA idle\"") && strstr (trace, "\"dur\": 250.")
      && strstr (trace, "\"bytes\": 4000, \"region\": \"fake\"}")
      && counts[0] == 6 && counts[1] == 6 && counts[2] > 0 && counts[3] == 5,
    "a trace has lanes of the device");
  if (counts[0] != 6)
    printf ("%d %d %d %d %s\n", counts[0], counts[1], counts[2], counts[3],
            trace);
}

int
main (int argc, char **argv)
{
  static const fake_part parts[]
    = { { "start", part_start }, { "small", part_small }, { NULL, NULL } };
  if (fake_main (argc, argv, parts))
    return 0;
  test_formula ();
  test_table ();
  expect (fake_says ("TRM_DEVICE=auto TRM_VERBOSE=1", "start",
                     "ccccccccdddd right|8 times: what the device saved would "
                     "not pay its start yet\n"),
          "the start is paid by what was saved");
  expect (fake_says (machine ("start 1e6\n"), "start", "dddddddddddd right"),
          "a start that costs little, by a file");
  expect (fake_says (machine ("launch 55e6\nlink 1 \n flops 3 bytes 4"),
                     "start", "cccccccccccc right")
            && !strstr (fake_out, "tensor:"),
          "a launch that costs a lot");
  expect (fake_says (machine ("speed 3\n"), "start",
                     "cannot be read; it has lines of flops, bytes, link"),
          "a file with another word");
  expect (fake_says ("TRM_DEVICE=auto TRM_CUDA_MACHINE=/none", "start",
                     "TRM_CUDA_MACHINE=/none cannot be read|right"),
          "a file that is not there");
  expect (fake_says ("TRM_DEVICE=auto TRM_VERBOSE=1", "small",
                     "cdcdc right|3 times: too small to pay\n"),
          "small regions");
  expect (fake_says ("TRM_DEVICE=cuda", "small", "ddddd right"),
          "TRM_DEVICE=cuda takes them all");
  expect (
    fake_says ("TRM_PROFILE=transfers", "small",
               "because|the region reads             fake (t.c:10)\n|in: 6 "
               "copies, 24000 bytes; out: 5 copies, 20000 bytes\n|the block "
               "ends"),
    "the ledger of copies");
  test_trace ();
  return expect_status ();
}
