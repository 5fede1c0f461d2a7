/* Regions that end before their kernels have: nothing waits for them but who
   wants what they wrote, or changes what they read; and where they turn out to
   have failed, the host does all of them again, or the process ends.  */

#define _GNU_SOURCE
#include "cuda-fake.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define N     2000
#define BYTES ((intptr_t) (N * sizeof (float)))
#define KEPT  (TRM_CUDA_READ | TRM_CUDA_WRITE)

/* Begin, or end, a block that keeps N numbers of X.  */
static void
block (bool begin, float *x, intptr_t use)
{
  trm_cuda_array a = { x, BYTES, use, "x", 0 };
  if (begin)
    trm_cuda_data_begin (&a, 1);
  else
    trm_cuda_data_end (&a, 1);
}

/* How often the host waited for kernels since the last call.  */
static long
waits (void)
{
  static long seen;
  long all = fake_count ("cuStreamSynchronize"), more = all - seen;
  seen = all;
  return more;
}

/* Add X to Y, both kept, that many times.  */
static void
add (float *y, float *x, int times)
{
  for (int i = 0; i < times; i++)
    fake_run (FAKE_ADD, y, x, N, NULL, 0);
}

/* Who waits, and who does not.  */
static void
part_waits (void)
{
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  float *z = fake_numbers (N, 2);
  block (true, x, TRM_CUDA_READ);
  block (true, y, KEPT);
  block (true, z, KEPT);
  add (y, x, 3);
  long calls = fake_count ("all");
  add (y, x, 1);
  say ("push, launch, pop", fake_count ("all") - calls == 3);
  say ("nobody", waits () == 0);
  trm_cuda_host (x, 4, TRM_CUDA_READ);
  trm_cuda_host (z, BYTES, TRM_CUDA_READ);
  trm_cuda_host (z + 3, 4, TRM_CUDA_WRITE);
  say ("what they did not change, or do not touch", waits () == 0);
  z[3] = 7;
  trm_cuda_host (y, BYTES, TRM_CUDA_READ);
  say ("what they wrote", waits () == 1 && fake_are (y, N, 5, 4));
  trm_cuda_host (y, BYTES, TRM_CUDA_READ);
  say ("only once", waits () == 0);
  add (y, x, 1);
  trm_cuda_host (x + 3, 4, TRM_CUDA_WRITE);
  say ("what they read is changed", waits () == 1);
  x[3] = 0;
  add (y, x, 1);
  trm_cuda_host (x, BYTES, TRM_CUDA_WRITE | TRM_CUDA_ALL);
  say ("also as a whole", waits () == 1);
  add (y, z, 1);
  block (false, z, KEPT);
  say ("what they read goes", waits () == 1 && z[3] == 7);
  block (false, y, KEPT);
  block (false, x, TRM_CUDA_READ);
  say ("all", y[3] == 5 * 3 + 4 + 4 + 0 + 7 && y[4] == 8 * 4 + 6 + 2);
  say ("nothing is kept", !trm_cuda_entries ());
  free (x);
  free (y);
  free (z);
}

/* What ends as ever: where an array is not kept; and so many regions that not
   all of them can be noted.  */
static void
part_ends (void)
{
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  block (true, y, KEPT);
  add (y, x, 2);
  say ("one array is not kept", waits () == 2);
  memset (x, 0, (size_t) BYTES);
  block (true, x, TRM_CUDA_READ);
  add (y, x, 600);
  say ("many", waits () == 2);
  block (false, x, TRM_CUDA_READ);
  block (false, y, KEPT);
  say ("sums", fake_are (y, N, 3, 2) && fake_count ("run") == 602);
  free (x);
  free (y);
}

/* Three regions of a block, of which some may fail; what TEST_READS says is
   read after each.  */
static void
part_three (void)
{
  const char *reads = getenv ("TEST_READS");
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  block (true, x, TRM_CUDA_READ);
  block (true, y, KEPT);
  for (int i = 0; i < 3; i++)
    {
      putchar (fake_run (FAKE_ADD, y, x, N, NULL, 0) ? 'd' : 'c');
      fflush (stdout);
      if (reads)
        trm_cuda_host (y, BYTES, TRM_CUDA_READ);
    }
  block (false, y, KEPT);
  block (false, x, TRM_CUDA_READ);
  say (" three", fake_are (y, N, 4, 3));
  free (x);
  free (y);
}

/* An array that regions fill and others read; it need not be on the host.  */
static void
part_filled (void)
{
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 9);
  float *z = fake_numbers (N, 0);
  block (true, x, TRM_CUDA_READ);
  block (true, y, TRM_CUDA_WRITE);
  block (true, z, KEPT);
  fake_run (FAKE_TWICE, y, x, N, NULL, 0);
  trm_cuda_host (z, BYTES, KEPT);
  fake_run (FAKE_HALF, z, NULL, N, NULL, 0);
  fake_run (FAKE_ADD, z, x, N, NULL, TRM_CUDA_READ | TRM_CUDA_WRITE);
  trm_cuda_host (z, BYTES, TRM_CUDA_READ);
  fake_run (FAKE_TWICE, y, x, N, NULL, 0);
  fake_run (FAKE_ADD, z, y, N, NULL, 0);
  block (false, z, KEPT);
  say ("filled", fake_are (z, N, 4, 3));
  block (false, y, TRM_CUDA_WRITE);
  block (false, x, TRM_CUDA_READ);
  free (x);
  free (y);
  free (z);
}

/* A region of two launches behind one that is not known to have ended: where
   the second one fails, Y is spoilt on the device, and is made again.  */
static void
part_spoilt (void)
{
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  block (true, x, TRM_CUDA_READ);
  block (true, y, KEPT);
  add (y, x, 1);
  trm_cuda_array a[2]
    = { { y, BYTES, KEPT, "y", 0 }, { x, BYTES, TRM_CUDA_READ, "x", 0 } };
  void *run = trm_cuda_begin (&fake_unit, &fake_site, a, 2, NULL);
  int64_t arg[3] = { a[0].device, a[1].device, N };
  trm_cuda_launch (run, FAKE_ADD, N, 64, 0, 0, arg, sizeof arg);
  trm_cuda_launch (run, FAKE_ADD, N, 64, 0, 0, arg, sizeof arg);
  bool on = trm_cuda_end (run);
  if (!on)
    for (int i = 0; i < 2; i++)
      fake_on_cpu (FAKE_ADD, y, x, N);
  add (y, x, 1);
  block (false, y, KEPT);
  say (on ? "device" : "cpu", fake_are (y, N, 5, 4));
  block (false, x, TRM_CUDA_READ);
  free (x);
  free (y);
}

/* It cannot be done.  */
static int
cannot (const void *args)
{
  (void) args;
  return 0;
}

/* A region that uses memory of the device alone; which cannot be done again
   with TEST_CANNOT.  */
static void
part_scratch (void)
{
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  block (true, x, TRM_CUDA_READ);
  block (true, y, KEPT);
  for (int i = 0; i < 3; i++)
    {
      trm_cuda_array a[3] = { { x, BYTES, TRM_CUDA_READ, "x", 0 },
                              { NULL, BYTES, TRM_CUDA_SCRATCH, "t", 0 },
                              { y, BYTES, KEPT, "y", 0 } };
      void *run = trm_cuda_begin (&fake_unit, &fake_site, a, 3, NULL);
      int64_t first[3] = { a[1].device, a[0].device, N };
      int64_t second[3] = { a[2].device, a[1].device, N };
      trm_cuda_launch (run, FAKE_TWICE, N, 256, 0, 0, first, sizeof first);
      trm_cuda_launch (run, FAKE_ADD, N, 256, 0, 0, second, sizeof second);
      say ("took", trm_cuda_end_later (run, cannot, first, sizeof first));
    }
  printf ("%ld waits\n", waits ());
  block (false, y, KEPT);
  block (false, x, TRM_CUDA_READ);
  say ("seven times", fake_are (y, N, 7, 6));
  free (x);
  free (y);
}

/* A region whose result leaves the device, behind two that are not known to
   have ended.  */
static void
part_leaves (void)
{
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  float *z = fake_numbers (N, 9);
  block (true, x, TRM_CUDA_READ);
  block (true, y, KEPT);
  add (y, x, 2);
  bool on = fake_run (FAKE_TWICE, z, y, N, NULL, 0);
  say (on ? "device" : "cpu", fake_are (z, N, 6, 4));
  block (false, y, KEPT);
  say ("others", fake_are (y, N, 3, 2));
  block (false, x, TRM_CUDA_READ);
  free (x);
  free (y);
  free (z);
}

/* Add X, of which some need not be there, to Y; whether the device did.  */
static bool
add_what_may_be_there (float *y, float *x)
{
  trm_cuda_array a[2] = { { y, BYTES, KEPT, "y", 0 },
                          { x, BYTES, TRM_CUDA_READ | TRM_CUDA_MAY, "x", 0 } };
  void *run = trm_cuda_begin (&fake_unit, &fake_site, a, 2, NULL);
  if (!run)
    return false;
  int64_t arg[3] = { a[0].device, a[1].device, N };
  trm_cuda_launch (run, FAKE_ADD, N, 64, 0, 0, arg, sizeof arg);
  return trm_cuda_end (run);
}

/* What the device has is not looked for on the host again.  */
static void
part_looks (void)
{
  float *y = fake_numbers (N, 0);
  float *x = mmap (NULL, (size_t) BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < N; i++)
    x[i] = 1;
  block (true, x, TRM_CUDA_READ);
  say ("is there", add_what_may_be_there (y, x));
  mprotect (x, (size_t) BYTES, PROT_NONE);
  say ("was there", add_what_may_be_there (y, x));
  block (false, x, TRM_CUDA_READ);
  say ("is not there", !add_what_may_be_there (y, x));
  say ("twice", fake_are (y, N, 1, 2));
  munmap (x, (size_t) BYTES);
  free (y);
}

/* A run of three launches; STEP changes what one of them is given.  */
static void
run_three (float *x, float *y, long step)
{
  long n = N - step;
  trm_cuda_array a[2]
    = { { x, BYTES, KEPT, "x", 0 }, { y, BYTES, KEPT, "y", 0 } };
  void *run = trm_cuda_begin (&fake_unit, &fake_site, a, 2, NULL);
  int64_t first[3] = { a[1].device, a[0].device, N };
  int64_t last[3] = { a[0].device, a[0].device, n };
  trm_cuda_launch (run, FAKE_ADD, N, 64, 0, 0, first, sizeof first);
  trm_cuda_launch (run, FAKE_HALF, N, 64, 0, 0, last, sizeof last);
  trm_cuda_launch (run, FAKE_ADD, N, 64, 0, 0, first, sizeof first);
  if (trm_cuda_end (run))
    return;
  fake_on_cpu (FAKE_ADD, y, x, N);
  fake_on_cpu (FAKE_HALF, x, NULL, n);
  fake_on_cpu (FAKE_ADD, y, x, N);
}

/* Lists that come again and again, with other numbers, and one that is longer
   than lists get; the same without a device.  */
static void
part_lists (void)
{
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  float *p = fake_numbers (N, 1), *q = fake_numbers (N, 0);
  block (true, x, KEPT);
  block (true, y, KEPT);
  for (long i = 0; i < 20; i++)
    {
      run_three (x, y, i / 4 * 200);
      fake_on_cpu (FAKE_ADD, q, p, N);
      fake_on_cpu (FAKE_HALF, p, NULL, N - i / 4 * 200);
      fake_on_cpu (FAKE_ADD, q, p, N);
    }
  trm_cuda_array a[2]
    = { { y, BYTES, KEPT, "y", 0 }, { x, BYTES, TRM_CUDA_READ, "x", 0 } };
  void *run = trm_cuda_begin (&fake_unit, &fake_site, a, 2, NULL);
  for (long i = 0; i < 200; i++)
    {
      int64_t arg[3] = { a[0].device, a[1].device, N - i };
      fake_on_cpu (FAKE_ADD, q, p, N - i);
      if (run)
        trm_cuda_launch (run, FAKE_ADD, N, 64, 0, 0, arg, sizeof arg);
    }
  if (!run || !trm_cuda_end (run))
    for (long i = 0; i < 200; i++)
      fake_on_cpu (FAKE_ADD, y, x, N - i);
  block (false, y, KEPT);
  block (false, x, KEPT);
  printf ("%ld launches, %ld graphs, %ld made, %ld told\n",
          fake_count ("cuLaunchKernel"), fake_count ("cuGraphLaunch"),
          fake_count ("cuGraphInstantiateWithFlags"),
          fake_count ("cuGraphExecKernelNodeSetParams"));
  say ("lists", memcmp (x, p, (size_t) BYTES) == 0
                  && memcmp (y, q, (size_t) BYTES) == 0);
  free (x);
  free (y);
  free (p);
  free (q);
}

/* A fork while kernels may be under way.  */
static void
part_fork (void)
{
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  int status = 1;
  block (true, x, TRM_CUDA_READ);
  block (true, y, KEPT);
  add (y, x, 2);
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0)
    {
      bool on = fake_run (FAKE_ADD, y, x, N, NULL, 0);
      block (false, y, KEPT);
      _exit (on || !fake_are (y, N, 4, 3));
    }
  waitpid (child, &status, 0);
  say ("child", status == 0);
  add (y, x, 1);
  block (false, y, KEPT);
  block (false, x, TRM_CUDA_READ);
  say ("parent", fake_are (y, N, 4, 3));
  free (x);
  free (y);
}

/* Whether PART is right, all its lines, under SETTINGS.  */
static bool
is_right (const char *settings, const char *part, const char *texts)
{
  char all[200];
  snprintf (all, sizeof all, "TEST_LATER=1 TRM_VERBOSE=1 %s", settings);
  bool fine = fake_says (all, part, texts) && !strstr (fake_out, "wrong");
  if (!fine)
    printf ("%s", fake_out);
  return fine;
}

/* Whether PART ends the process with TEXT under SETTINGS.  */
static bool
ends_with (const char *settings, const char *part, const char *text)
{
  char all[200];
  snprintf (all, sizeof all, "TEST_LATER=1 %s", settings);
  bool fine = fake_child (all, part) != 0 && strstr (fake_out, text)
              && !strstr (fake_out, "sums") && !strstr (fake_out, "times");
  if (!fine)
    printf ("%s", fake_out);
  return fine;
}

/* A kernel fails, and is seen late.  */
static void
test_again (void)
{
  char settings[64];
  bool fine = true;
  for (int i = 1; i <= 3; i++)
    {
      snprintf (settings, sizeof settings, "FAKE_CUDA_FAIL=run:%d:700", i);
      fine = is_right (settings, "three",
                       "ddd three right|ran on the CPU 3 times: a kernel "
                       "failed: cuStreamSynchronize: CUDA_ERROR_ILLEGAL_"
                       "ADDRESS (700)")
             && fine;
    }
  expect (fine, "three regions are done again");
  expect (is_right ("FAKE_CUDA_FAIL=cuStreamSynchronize:1:1", "three",
                    "ddd three right|ran on the CPU 3 times: a kernel failed"),
          "also after a failure that is not the end of CUDA");
  expect (is_right ("TEST_READS=1 FAKE_CUDA_FAIL=run:2:700", "three",
                    "ddc three right|device 1 times|CPU 1 times: a kernel"),
          "one, after the host has seen the first");
  for (int i = 2; i <= 3; i++)
    {
      snprintf (settings, sizeof settings,
                "FAKE_CUDA_FAIL=cuLaunchKernel:%d:700", i);
      fine = is_right (settings, "three",
                       i == 2 ? "dcc three right" : "ddc three right")
             && fine;
      snprintf (settings, sizeof settings,
                "FAKE_CUDA_FAIL=cuLaunchKernel:%d:701", i);
      fine = is_right (settings, "three",
                       i == 2 ? "dcd three right|device 2 times"
                              : "ddc three right|device 2 times")
             && fine;
    }
  expect (fine, "a failure that a later launch meets");
  expect (is_right ("FAKE_CUDA_FAIL=run:1:700", "filled", "filled right")
            && is_right ("FAKE_CUDA_FAIL=run:3:700", "filled", "filled right")
            && is_right ("FAKE_CUDA_FAIL=run:5:700", "filled", "filled right"),
          "what is written as a whole need not be there");
  expect (is_right ("", "spoilt", "device right")
            && is_right ("FAKE_CUDA_FAIL=cuLaunchKernel:3:701", "spoilt",
                         "cpu right|CPU 2 times: a launch failed"),
          "what a failed region has spoilt is made again");
}

/* A copy from the device fails.  */
static void
test_copies (void)
{
  expect (is_right ("", "leaves", "device right|others right"),
          "what leaves the device");
  expect (is_right ("FAKE_CUDA_FAIL=copy:3:700", "leaves",
                    "cpu right|others right|CPU 3 times")
            && is_right ("FAKE_CUDA_FAIL=cuMemcpyDtoHAsync:1:1", "leaves",
                         "cpu right|others right|device 2 times"),
          "which fails");
}

/* What cannot be done again.  */
static void
test_lost (void)
{
  expect (ends_with ("FAKE_CUDA_FAIL=run:300:700", "ends",
                     "tensor: 'x' (8000 bytes) was on a CUDA device alone, "
                     "which failed: cuStreamSynchronize: CUDA_ERROR_ILLEGAL_"
                     "ADDRESS (700)\n"),
          "the host has no more what they read: a message, and an end");
  expect (ends_with ("FAKE_CUDA_FAIL=run:3:700", "scratch",
                     "tensor: 'fake' failed on a CUDA device and cannot be "
                     "done again: cuStreamSynchronize"),
          "nor can the CPU do it");
}

/* Graphs of lists, and each of their functions failing.  */
static void
test_graphs (void)
{
  static const struct
  {
    const char *call;
    int most;
  } rows[] = { { "cuGraphCreate", 2 },
               { "cuGraphAddKernelNode", 5 },
               { "cuGraphInstantiateWithFlags", 2 },
               { "cuGraphExecKernelNodeSetParams", 5 },
               { "cuGraphLaunch", 4 } };
  char settings[120];
  expect (is_right ("", "lists",
                    "93 launches, 15 graphs, 2 made, 67 told|lists right"),
          "lists that come again are graphs");
  bool ordered = true;
  for (int seed = 1; seed <= 5; seed++)
    {
      snprintf (settings, sizeof settings, "FAKE_CUDA_SEED=%d", seed);
      ordered
        = is_right (settings, "lists", "15 graphs|lists right") && ordered;
    }
  expect (ordered, "in their order");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      bool fine = true;
      for (int n = 1; n <= rows[i].most; n++)
        {
          snprintf (settings, sizeof settings, "FAKE_CUDA_FAIL=%s:%d:1",
                    rows[i].call, n);
          fine = is_right (settings, "lists", "lists right|device 21 times")
                 && fine;
        }
      expect (fine, "%s fails: one by one", rows[i].call);
      snprintf (settings, sizeof settings, "FAKE_CUDA_FAIL=%s:1:719",
                rows[i].call);
      int status = fake_child (settings, "lists");
      expect (status && strstr (fake_out, "alone, which failed"),
              "%s meets the end of CUDA", rows[i].call);
    }
  snprintf (settings, sizeof settings, "LD_LIBRARY_PATH='%.80s/old'",
            fake_place ());
  expect (is_right (settings, "lists", "lists right|device 21 times"),
          "an older driver");
}

/* What a profile tells of kernels that are waited for late.  */
static void
test_profile (void)
{
  expect (is_right ("TRM_PROFILE=table", "three",
                    "ddd three right|device 3 times, kernels 0.750 ms|"
                    "add                                   3        0.750    "
                    "250.00       64        33      100        8      100 %"),
          "what kernels take of the device");
  expect (is_right ("TRM_PROFILE=table", "lists",
                    "260 launches, 0 graphs|kernels 65.000 ms|\nadd|\nhalf"),
          "each kernel by itself");
  expect (fake_says ("TEST_LATER=1 TRM_PROFILE=table", "ends",
                     "sums right|device 602 times, kernels 150.500 ms|"
                     "add                                 602      150.500 "),
          "more than there are marks");
}

int
main (int argc, char **argv)
{
  static const fake_part parts[] = { { "waits", part_waits },
                                     { "ends", part_ends },
                                     { "three", part_three },
                                     { "filled", part_filled },
                                     { "spoilt", part_spoilt },
                                     { "scratch", part_scratch },
                                     { "lists", part_lists },
                                     { "fork", part_fork },
                                     { "looks", part_looks },
                                     { "leaves", part_leaves },
                                     { NULL, NULL } };
  if (fake_main (argc, argv, parts))
    return 0;
  expect (is_right ("", "waits", "all right|device 7 times"), "who waits");
  expect (is_right ("", "ends", "sums right"), "regions that end as ever");
  expect (is_right ("", "scratch", "took right|0 waits|seven times right")
            && is_right ("FAKE_CUDA_POOLS=0", "scratch",
                         "took right|3 waits|seven times right"),
          "memory of the device alone");
  expect (is_right ("", "looks", "twice right"), "what the device has had");
  expect (is_right ("", "fork", "child right|parent right"), "a fork");
  expect (is_right ("TRM_MODE=check", "three", "ddd three right"),
          "nothing is late in check mode");
  test_again ();
  test_copies ();
  test_lost ();
  test_graphs ();
  test_profile ();
  return expect_status ();
}
