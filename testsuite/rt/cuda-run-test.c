/* Regions on a device, and all ways in which they come to run on the CPU: a
   fake driver (testsuite/cuda) fails at each call in turn, and the results stay
   right.  */

#include "cuda-fake.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 3000

/* Four regions, and where they ran: d or c.  */
static void
part_all (void)
{
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  float *z = fake_numbers (N, 5);
  bool on[4];
  on[0] = fake_run (FAKE_TWICE, y, x, N, NULL, 0);
  on[1] = fake_run (FAKE_ADD, y, x, N, NULL, 0);
  on[2] = fake_run (FAKE_HALF, z, NULL, N, NULL, 0);
  on[3] = fake_run (FAKE_ADD, y, x, N, NULL, 0);
  say ("sums", fake_are (y, N, 4, 4));
  say ("part",
       fake_are (z, N / 2, 1, 0) && fake_are (z + N / 2, N / 2, 1, 5 + N / 2));
  say ("source", fake_are (x, N, 1, 1));
  for (int i = 0; i < 4; i++)
    putchar (on[i] ? 'd' : 'c');
  printf (" %ld launches, %s\n", fake_count ("cuLaunchKernel"),
          trm_cuda_entries () ? "kept" : "nothing kept");
  free (x);
  free (y);
  free (z);
}

/* x += x[1...], where both arrays overlap; x in several slots of the ring.  */
static void
part_overlap (void)
{
  long n = 6000000;
  float *x = fake_numbers (n, 0);
  trm_cuda_array a[2] = { { x, 8 * n / 4, TRM_CUDA_READ, "low", 0 },
                          { x + n / 4, 3 * n, TRM_CUDA_WRITE, "high", 0 } };
  void *run = trm_cuda_begin (&fake_unit, &fake_site, a, 2, NULL);
  int64_t arg[3] = { a[1].device, a[0].device, n / 4 };
  trm_cuda_launch (run, FAKE_TWICE, n / 4, 64, 7, 0, arg, sizeof arg);
  say ("one memory", a[1].device - a[0].device == n);
  say ("took", trm_cuda_end (run));
  say ("moved", fake_are (x, n / 4, 1, 0) && fake_are (x + n / 4, n / 4, 2, 0)
                  && fake_are (x + n / 2, n / 2, 1, (float) (n / 2)));
  free (x);
}

/* Two arrays that are added to: both change, or none does.  */
static void
part_two (void)
{
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  trm_cuda_array a[2]
    = { { x, 4 * N, TRM_CUDA_READ | TRM_CUDA_WRITE, "x", 0 },
        { y, 4 * N, TRM_CUDA_READ | TRM_CUDA_WRITE, "y", 0 } };
  void *run = trm_cuda_begin (&fake_unit, &fake_site, a, 2, NULL);
  int64_t first[3] = { a[1].device, a[0].device, N };
  int64_t second[3] = { a[0].device, a[1].device, N };
  trm_cuda_launch (run, FAKE_ADD, N, 64, 0, 0, first, sizeof first);
  trm_cuda_launch (run, FAKE_ADD, N, 64, 0, 0, second, sizeof second);
  if (trm_cuda_end (run))
    say ("both", fake_are (x, N, 3, 2) && fake_are (y, N, 2, 1));
  else
    say ("none", fake_are (x, N, 1, 1) && fake_are (y, N, 1, 0));
  free (x);
  free (y);
}

/* Memory of the device alone, two launches, one of nothing, a lot of shared
   memory.  */
static void
part_scratch (void)
{
  float *x = fake_numbers (N, 0), *y = fake_numbers (N, 9);
  trm_cuda_array a[4] = { { x, 4 * N, TRM_CUDA_READ, "x", 0 },
                          { NULL, 4 * N, TRM_CUDA_SCRATCH, "t", 0 },
                          { y, 4 * N, TRM_CUDA_WRITE | TRM_CUDA_ALL, "y", 0 },
                          { NULL, 0, TRM_CUDA_READ, "nothing", 1 } };
  void *run = trm_cuda_begin (&fake_unit, &fake_site, a, 4, NULL);
  int64_t first[3] = { a[1].device, a[0].device, N };
  int64_t second[3] = { a[2].device, a[1].device, N };
  trm_cuda_launch (run, FAKE_TWICE, N, 256, 0, 60000, first, sizeof first);
  trm_cuda_launch (run, FAKE_TWICE, 0, 256, 0, 0, second, sizeof second);
  trm_cuda_launch (run, FAKE_TWICE, N, 256, 0, 0, second, sizeof second);
  say ("took", trm_cuda_end (run));
  say ("four times", fake_are (y, N, 4, 0));
  say ("nothing has no address", a[3].device == 0);
  say ("none left", !trm_cuda_entries ());
  free (x);
  free (y);
}

/* More shared memory than any device has.  */
static void
part_much (void)
{
  float *x = fake_numbers (N, 2), *y = fake_numbers (N, 0);
  trm_cuda_array a[2] = { { x, 4 * N, TRM_CUDA_READ, "x", 0 },
                          { y, 4 * N, TRM_CUDA_WRITE | TRM_CUDA_ALL, "y", 0 } };
  void *run = trm_cuda_begin (&fake_unit, &fake_site, a, 2, NULL);
  int64_t args[3] = { a[1].device, a[0].device, N };
  trm_cuda_launch (run, FAKE_TWICE, N, 256, 0, 300000, args, sizeof args);
  say ("took", trm_cuda_end (run));
  say ("twice", fake_are (y, N, 2, 4));
  say ("as before", fake_are (y, N, 1, 0));
  free (x);
  free (y);
}

/* Twenty pairs of regions, of which some are too small; *FINE: all are
   right.  */
static void *
run_pairs (void *fine)
{
  trm_cuda_cost small = { .cpu_ns = 1, .launches = 1 };
  for (int t = 0; t < 20; t++)
    {
      float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
      trm_cuda_array a = { y, 4 * N, TRM_CUDA_READ | TRM_CUDA_WRITE, "y", 0 };
      trm_cuda_data_begin (&a, 1);
      fake_run (FAKE_TWICE, y, x, N, t % 3 ? NULL : &small, 0);
      fake_run (FAKE_ADD, y, x, N, NULL, 0);
      trm_cuda_data_end (&a, 1);
      *(bool *) fine = *(bool *) fine && fake_are (y, N, 3, 3);
      free (x);
      free (y);
    }
  return NULL;
}

/* Regions in two threads at once.  */
static void
part_threads (void)
{
  bool fine[2] = { true, true };
  pthread_t other;
  pthread_create (&other, NULL, run_pairs, &fine[0]);
  run_pairs (&fine[1]);
  pthread_join (other, NULL);
  say ("threads", fine[0] && fine[1]);
}

/* A child of fork (2) runs on the CPU, the parent goes on.  */
static void
part_fork (void)
{
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  int status = 1;
  say ("before", fake_run (FAKE_TWICE, y, x, N, NULL, 0));
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0)
    {
      bool on = fake_run (FAKE_ADD, y, x, N, NULL, 0);
      _exit (on || !fake_are (y, N, 3, 3)
             || trm_cuda_falls (&fake_site, TRM_CUDA_FORKED) != 1);
    }
  waitpid (child, &status, 0);
  say ("child", status == 0);
  say ("after", fake_run (FAKE_ADD, y, x, N, NULL, 0) && fake_are (y, N, 3, 3));
  free (x);
  free (y);
}

/* A unit that another compiler made.  */
static void
part_version (void)
{
  fake_unit.version++;
  part_all ();
}

/* Where it runs, by what the environment says of driver and device.  */
static void
test_settings (void)
{
  char text[256];
  expect (fake_says ("", "all",
                     "sums right|part right|source right|dddd 4 laun"
                     "ches, nothing kept"),
          "regions run on the device");
  expect (strstr (fake_out, "tensor:") == NULL, "nothing is printed");
  expect (fake_says ("TRM_VERBOSE=1", "all",
                     "t.c:10: tensor: 'fake' ran on the device 4 times\n"),
          "where they ran is told when it is asked for");
  expect (
    fake_says (
      "TRM_PROFILE=table", "all",
      "t.c:10: tensor: 'fake' ran on the device 4 times, kernels 1.000 ms\n"),
    "also below the profile's table");
  expect (fake_says ("TRM_DEVICE=cuda:1 FAKE_CUDA_DEVICES=2", "all", "dddd"),
          "and on the second one");
  expect (fake_says ("TRM_DEVICE=auto", "all", "dddd"),
          "also when nothing is known of the cost");
  expect (fake_says ("FAKE_CUDA_POOLS=0", "all", "sums right|part right|dddd"),
          "memory without a pool");
  snprintf (text, sizeof text, "LD_LIBRARY_PATH='%.150s/old'", fake_place ());
  expect (fake_says (text, "all", "sums right|part right|dddd"),
          "a driver without cuGetProcAddress_v2");
  expect (fake_says ("TRM_VERBOSE=1 TRM_DEVICE=cpu", "all",
                     "sums right|part right|cccc|t.c:10: tensor: 'fake' ran on "
                     "the CPU 4 times: TRM_DEVICE asks for the CPU\n"),
          "TRM_DEVICE=cpu");
  expect (
    fake_says ("TRM_VERBOSE=1 FAKE_CUDA_DEVICES=0", "all",
               "sums right|part right|cccc|4 times: there is no such CUDA "
               "device: cuInit"),
    "no device");
  expect (fake_says ("TRM_VERBOSE=1 TRM_DEVICE=cuda:3", "all",
                     "cccc|4 times: there is no such CUDA device: there are 1"),
          "no device of that number");
  expect (fake_says ("TRM_DEVICE=gpu", "all", "TRM_DEVICE=gpu is not known"),
          "an unknown device is told");
  expect (fake_says ("TRM_VERBOSE=1", "version",
                     "sums right|cccc|compiled for another runtime: version 3"),
          "a unit of another version");
}

/* A driver that is none.  */
static void
test_no_driver (void)
{
  char settings[256], path[128];
  snprintf (path, sizeof path, "%s/none", fake_folder ());
  snprintf (settings, sizeof settings, "TRM_VERBOSE=1 LD_LIBRARY_PATH=%s/none",
            fake_folder ());
  char command[400];
  snprintf (command, sizeof command, "mkdir %s; echo none >%s/libcuda.so.1",
            path, path);
  expect (
    system (command) == 0
      && fake_says (settings, "all",
                    "sums right|part right|cccc|4 times: there is no CUDA "
                    "driver: libcuda.so.1 is not there"),
    "no driver");
}

/* Call N of CALL fails with ERROR: the results are right, and TEXT is told.  */
static bool
survives (const char *call, int n, int error, const char *text)
{
  char settings[200], texts[300];
  snprintf (settings, sizeof settings, "TRM_VERBOSE=1 FAKE_CUDA_FAIL=%s:%d:%d",
            call, n, error);
  snprintf (texts, sizeof texts, "sums right|part right|source right|%s", text);
  return fake_says (settings, "all", texts);
}

/* Each call of the driver fails, the first and later ones.  */
static void
test_failures (void)
{
  static const struct
  {
    const char *call;
    int most;
    const char *text;
  } rows[] = { { "cuInit", 1, "there is no CUDA driver: cuInit" },
               { "cuDriverGetVersion", 1, "no CUDA driver" },
               { "cuDeviceGetCount", 1, "no such CUDA device" },
               { "cuDeviceGet", 1, "no such CUDA device" },
               { "cuDeviceGetName", 1, "CUDA does not start" },
               { "cuDeviceGetAttribute", 3, "CUDA does not start" },
               { "cuDevicePrimaryCtxRetain", 1, "CUDA does not start" },
               { "cuCtxPushCurrent", 2, "CUDA does not start" },
               { "cuStreamCreate", 3, "CUDA does not start" },
               { "cuEventCreate", 2, "CUDA does not start" },
               { "cuModuleLoadData", 1, "" },
               { "cuModuleGetFunction", 3, "kernels could not be loaded" },
               { "cuMemcpyHtoDAsync", 5, "ran on the CPU 1 times: a copy" },
               { "cuMemcpyDtoHAsync", 4, "ran on the CPU 1 times: a copy" },
               { "cuEventRecord", 6, "ran on the CPU 1 times" },
               { "cuStreamWaitEvent", 4, "ran on the CPU 1 times" },
               { "cuEventSynchronize", 3, "ran on the CPU 1 times: a copy" },
               { "cuStreamSynchronize", 3, "ran on the CPU 1 times: a kernel" },
               { "cuOccupancyMaxActiveBlocksPerMultiprocessor", 3,
                 "ran on the CPU 1 times: a launch failed" },
               { "cuLaunchKernel", 4,
                 "ran on the CPU 1 times: a launch failed: "
                 "cuLaunchKernel: ? (1)" } };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      bool fine = true;
      for (int n = 1; n <= rows[i].most; n++)
        fine = survives (rows[i].call, n, 1, rows[i].text) && fine;
      expect (fine, "%s fails", rows[i].call);
    }
}

/* A context that cannot be entered is not left: the next region finds it.  */
static void
test_context (void)
{
  expect (fake_says ("FAKE_CUDA_FAIL=cuCtxPushCurrent:2:1", "all",
                     "sums right|part right|cddd")
            && fake_says ("FAKE_CUDA_FAIL=cuCtxPushCurrent:3:1", "all",
                          "sums right|part right|dcdd"),
          "a context that cannot be entered once");
}

/* Memory is short for good; once, while nothing can go; the pinned memory.  */
static void
test_memory (void)
{
  expect (fake_says ("TRM_VERBOSE=1 FAKE_CUDA_MEMORY=20000", "all",
                     "sums right|part right|ccdc|ran on the CPU 3 times: no "
                     "memory on the device: cuMemAllocAsync: CUDA_ERROR_OUT_OF_"
                     "MEMORY (2)"),
          "no memory on the device");
  expect (fake_says ("FAKE_CUDA_POOLS=0 FAKE_CUDA_MEMORY=20000", "all",
                     "sums right|part right|ccdc"),
          "the same without a pool");
  expect (
    fake_says ("FAKE_CUDA_FAIL=cuMemAllocAsync:3:2", "all", "sums right|dddd"),
    "memory that is there when it is asked for again");
  expect (fake_says ("FAKE_CUDA_FAIL=cuMemAllocHost:1+:2", "all",
                     "sums right|part right|dddd"),
          "no pinned memory");
}

/* After an error that leaves nothing to go on with, CUDA is not used.  */
static void
test_sticky (void)
{
  static const char *const calls[] = { "run:1",
                                       "run:2",
                                       "run:4",
                                       "copy:1",
                                       "copy:2",
                                       "copy:4",
                                       "copy:6",
                                       "cuLaunchKernel:3",
                                       "cuMemAllocAsync:4" };
  static const int errors[] = { 214, 700, 702, 709, 710, 714, 716, 719 };
  char settings[128];
  bool fine = true;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    {
      snprintf (settings, sizeof settings,
                "TRM_VERBOSE=1 FAKE_CUDA_FAIL=%s:700", calls[i]);
      fine = fake_says (settings, "all",
                        "sums right|part right|source right|c |ran on the CPU")
             && fine;
    }
  expect (fine, "an illegal address, wherever it is met");
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    {
      snprintf (settings, sizeof settings,
                "TRM_VERBOSE=1 FAKE_CUDA_FAIL=run:2:%d", errors[i]);
      fine = fake_says (settings, "all",
                        "sums right|part right|source right|dccc 2 launches|1 "
                        "times: a kernel failed|2 times: CUDA failed before: "
                        "cuStreamSynchronize")
             && fine;
    }
  expect (fine, "the device is not used after it");
}

/* A region that writes two arrays fails at each copy from the device.  */
static void
test_two (void)
{
  bool fine
    = fake_says ("", "two", "both right")
      && fake_says ("FAKE_CUDA_FAIL=cuLaunchKernel:2:1", "two", "none right");
  for (int i = 1; i <= 2; i++)
    {
      char settings[64];
      snprintf (settings, sizeof settings,
                "FAKE_CUDA_FAIL=cuMemcpyDtoHAsync:%d:1", i);
      fine = fake_says (settings, "two", "none right") && fine;
      snprintf (settings, sizeof settings, "FAKE_CUDA_FAIL=copy:%d:700", i + 2);
      fine = fake_says (settings, "two", "none right") && fine;
    }
  expect (fine, "all that is written, or nothing");
}

/* Streams that run in many orders.  */
static void
test_orders (void)
{
  char settings[64];
  bool fine = true;
  for (int seed = 1; seed <= 20; seed++)
    {
      snprintf (settings, sizeof settings, "FAKE_CUDA_SEED=%d", seed);
      fine = fake_says (settings, "all", "sums right|part right|dddd") && fine;
    }
  expect (fine, "any order that events allow");
  expect (fake_says ("", "overlap", "one memory right|took right|moved right"),
          "arrays that overlap do so on the device");
  expect (fake_says ("FAKE_CUDA_MAJOR=7", "much",
                     "took right|twice right|as before wrong"),
          "an older device is not asked for dynamic shared memory");
  expect (fake_says ("", "much", "took wrong|twice wrong|as before right"),
          "a newer one is");
  expect (fake_says ("", "scratch",
                     "took right|four times right|nothing has no address right|"
                     "none left right"),
          "memory of the device alone, and launches of nothing");
  expect (fake_says ("TRM_DEVICE=auto", "threads", "threads right"),
          "two threads");
  expect (fake_says ("", "fork", "before right|child right|after right"),
          "after a fork");
}

int
main (int argc, char **argv)
{
  static const fake_part parts[] = { { "all", part_all },
                                     { "overlap", part_overlap },
                                     { "scratch", part_scratch },
                                     { "two", part_two },
                                     { "much", part_much },
                                     { "threads", part_threads },
                                     { "fork", part_fork },
                                     { "version", part_version },
                                     { NULL, NULL } };
  if (fake_main (argc, argv, parts))
    return 0;
  test_settings ();
  test_no_driver ();
  test_failures ();
  test_context ();
  test_memory ();
  test_sticky ();
  test_two ();
  test_orders ();
  return expect_status ();
}
