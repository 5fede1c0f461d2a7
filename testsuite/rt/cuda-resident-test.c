/* What stays on the device, and when it is copied: each event in each state,
   data blocks in each other, memory that is short, a device that is lost with
   the only copy, and random programs beside the same without a device.  */

#include "cuda-fake.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define N     2000
#define BYTES ((intptr_t) (N * sizeof (float)))

/* Begin, or end, a block that keeps N numbers of X.  */
static void
block (bool begin, float *x, long n, intptr_t use)
{
  trm_cuda_array a[] = { { x, 4 * n, use, "x", 0 }, { NULL, 0, 0, "-", 0 } };
  if (begin)
    trm_cuda_data_begin (a, 2);
  else
    trm_cuda_data_end (a, 2);
}

#define KEPT (TRM_CUDA_READ | TRM_CUDA_WRITE)

/* Do EVENT with X, of which Y's N numbers are written when something is.  */
static void
do_event (const char *event, float *x, float *y)
{
  if (strcmp (event, "device reads") == 0)
    fake_run (FAKE_TWICE, y, x, N, NULL, 0);
  else if (strcmp (event, "device writes all") == 0)
    fake_run (FAKE_TWICE, x, y, N, NULL, 0);
  else if (strcmp (event, "device writes part") == 0)
    fake_run (FAKE_HALF, x, NULL, N, NULL, 0);
  else if (strcmp (event, "host reads") == 0)
    trm_cuda_host (x, BYTES, TRM_CUDA_READ);
  else if (strcmp (event, "host writes all") == 0)
    trm_cuda_host (x, BYTES, TRM_CUDA_WRITE | TRM_CUDA_ALL);
  else if (strcmp (event, "host writes part") == 0)
    trm_cuda_host (x + 5, 4, TRM_CUDA_WRITE);
  else if (strcmp (event, "something is read") == 0)
    trm_cuda_host (x + 5, -1, TRM_CUDA_READ);
  else
    trm_cuda_host (NULL, 0, TRM_CUDA_READ | TRM_CUDA_WRITE);
}

/* Each event in each state: copies in and out, the state then.  Y is a block's
   of its own.  */
static void
part_states (void)
{
  static const struct
  {
    trm_cuda_state before;
    const char *event;
    int in, out;
    trm_cuda_state after;
  } rows[] = { { 0, "device reads", 1, 0, 1 },
               { 1, "device reads", 0, 0, 1 },
               { 2, "device reads", 0, 0, 2 },
               { 0, "device writes all", 0, 0, 2 },
               { 1, "device writes all", 0, 0, 2 },
               { 2, "device writes all", 0, 0, 2 },
               { 0, "device writes part", 1, 0, 2 },
               { 1, "device writes part", 0, 0, 2 },
               { 2, "device writes part", 0, 0, 2 },
               { 0, "host reads", 0, 0, 0 },
               { 1, "host reads", 0, 0, 1 },
               { 2, "host reads", 0, 1, 1 },
               { 0, "host writes all", 0, 0, 0 },
               { 1, "host writes all", 0, 0, 0 },
               { 2, "host writes all", 0, 0, 0 },
               { 0, "host writes part", 0, 0, 0 },
               { 1, "host writes part", 0, 0, 0 },
               { 2, "host writes part", 0, 1, 0 },
               { 0, "something is read", 0, 0, 0 },
               { 1, "something is read", 0, 0, 1 },
               { 2, "something is read", 0, 1, 1 },
               { 0, "anything is written", 0, 1, 0 },
               { 1, "anything is written", 0, 1, 0 },
               { 2, "anything is written", 0, 2, 0 } };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      float *x = fake_numbers (N, 0), *y = fake_numbers (N, 0);
      block (true, y, N, KEPT);
      fake_run (FAKE_TWICE, y, y, N, NULL, TRM_CUDA_WRITE | TRM_CUDA_ALL);
      block (true, x, N, KEPT);
      if (rows[i].before)
        do_event (rows[i].before == 1 ? "device reads" : "device writes all", x,
                  y);
      copied (0, 0);
      do_event (rows[i].event, x, y);
      trm_cuda_entry *e = trm_cuda_overlap (trm_cuda_entries (), x, BYTES);
      say (rows[i].event,
           copied (rows[i].in, rows[i].out) && e->state == rows[i].after);
      block (false, x, N, KEPT);
      block (false, y, N, KEPT);
      say ("gone", !trm_cuda_entries ());
      free (x);
      free (y);
    }
}

/* Regions of a block: two copies in, one out.  */
static void
part_block (void)
{
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  bool on = true;
  long calls;
  block (true, x, N, TRM_CUDA_READ);
  block (true, y, N, KEPT);
  say ("nothing before it is wanted", copied (0, 0));
  for (int i = 0; i < 5; i++)
    on = fake_run (FAKE_ADD, y, x, N, NULL, 0) && on;
  calls = fake_count ("all");
  fake_run (FAKE_ADD, y, x, N, NULL, 0);
  say ("push, launch, wait, pop", fake_count ("all") - calls == 4);
  say ("inside", on && copied (2, 0) && fake_are (y, N, 1, 0));
  block (false, y, N, KEPT);
  block (false, x, N, TRM_CUDA_READ);
  say ("after", copied (0, 1) && fake_are (y, N, 7, 6));
  say ("gone", !trm_cuda_entries ());
  free (x);
  free (y);
}

/* A block under TRM_MODE=check: the host sees what each region wrote.  */
static void
part_check (void)
{
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  block (true, x, N, TRM_CUDA_READ);
  block (true, y, N, KEPT);
  say ("on the device", fake_run (FAKE_ADD, y, x, N, NULL, 0));
  say ("seen", fake_are (y, N, 2, 1));
  block (false, y, N, KEPT);
  block (false, x, N, TRM_CUDA_READ);
  free (x);
  free (y);
}

/* Blocks in blocks; arrays that are only copied in; that are expected.  */
static void
part_nested (void)
{
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  block (true, x, N, TRM_CUDA_READ);
  block (true, y, N, TRM_CUDA_READ);
  block (true, y + 7, 20, KEPT);
  fake_run (FAKE_ADD, y, x, N, NULL, 0);
  block (false, y + 7, 20, KEPT);
  say ("inner", copied (2, 0) && fake_are (y, N, 1, 0));
  block (false, y, N, TRM_CUDA_READ);
  say ("outer", copied (0, 1) && fake_are (y, N, 2, 1));
  fake_run (FAKE_TWICE, x, y, N, NULL, 0);
  say ("written", copied (1, 0) && fake_are (x, N, 1, 1));
  block (true, x, N, TRM_CUDA_SCRATCH);
  block (false, x, N, TRM_CUDA_SCRATCH);
  block (false, x, N, TRM_CUDA_READ);
  say ("only in", copied (0, 0) && fake_are (x, N, 1, 1));
  block (true, x, N, TRM_CUDA_SCRATCH);
  fake_run (FAKE_TWICE, x, y, N, NULL, 0);
  block (false, x, N, TRM_CUDA_SCRATCH);
  say ("expected", fake_are (x, N, 4, 2) && !trm_cuda_entries ());
  free (x);
  free (y);
}

/* Arrays that overlap what is kept.  */
static void
part_unite (void)
{
  float *x = fake_numbers (3 * N, 0), *y = fake_numbers (3 * N, 0);
  block (true, x, N, KEPT);
  block (true, x + 2 * N, N, KEPT);
  fake_run (FAKE_ADD, x, y, N, NULL, 0);
  fake_run (FAKE_ADD, x + 2 * N, y + 2 * N, N, NULL, 0);
  copied (0, 0);
  fake_run (FAKE_ADD, x + N / 2, y + N / 2, 2 * N, NULL, 0);
  say ("both were brought back", copied (2, 2));
  trm_cuda_entry *e = trm_cuda_entries ();
  say ("one entry", e && !e->next && e->bytes == 3 * BYTES && e->scopes == 2);
  block (false, x + 2 * N, N, KEPT);
  say ("still kept", trm_cuda_entries () != NULL);
  block (false, x, N, KEPT);
  bool fine = true;
  for (long i = 0; i < 3 * N; i++)
    fine = fine
           && x[i]
                == (float) (i
                            * (1 + (i < N || i >= 2 * N)
                               + (i >= N / 2 && i < N / 2 + 2 * N)));
  say ("united", fine && !trm_cuda_entries ());
  free (x);
  free (y);
}

/* Memory for two arrays, and three are kept.  */
static void
part_short (void)
{
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  float *z = fake_numbers (N, 2);
  block (true, x, N, TRM_CUDA_READ);
  block (true, y, N, KEPT);
  block (true, z, N, KEPT);
  bool on = fake_run (FAKE_ADD, y, x, N, NULL, 0);
  copied (0, 0);
  on = fake_run (FAKE_HALF, z, NULL, N, NULL, 0) && on;
  say ("what the host has goes first", copied (1, 0));
  on = fake_run (FAKE_ADD, z, x, N, NULL, 0) && on;
  say ("then the others", copied (1, 1));
  on = fake_run (FAKE_ADD, y, x, N, NULL, 0) && on;
  say ("all ran", on);
  block (false, z, N, KEPT);
  block (false, y, N, KEPT);
  block (false, x, N, TRM_CUDA_READ);
  say ("y", fake_are (y, N, 3, 2));
  say ("z", fake_are (z, N / 2, 2, 1));
  free (x);
  free (y);
  free (z);
}

/* A region of a block that is too small, or falls: it finds what the device
   has; and what it writes is found on the device.  */
static void
part_mixed (void)
{
  trm_cuda_cost small = { .cpu_ns = 10, .launches = 1 };
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  block (true, y, N, KEPT);
  say ("device", fake_run (FAKE_ADD, y, x, N, NULL, 0));
  say ("cpu", !fake_run (FAKE_ADD, y, x, N, &small, 0));
  say ("device again", fake_run (FAKE_ADD, y, x, N, NULL, 0));
  block (false, y, N, KEPT);
  say ("mixed", fake_are (y, N, 4, 3));
  say ("reason", trm_cuda_falls (&fake_site, TRM_CUDA_TOO_SMALL)
                   == (getenv ("TRM_DEVICE") ? 1 : 0));
  free (x);
  free (y);
}

/* Three regions of a block, of which the second may fail: see main.  */
static void
part_three (void)
{
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  block (true, x, N, TRM_CUDA_READ);
  block (true, y, N, KEPT);
  for (int i = 0; i < 3; i++)
    {
      putchar (fake_run (FAKE_ADD, y, x, N, NULL, 0) ? 'd' : 'c');
      fflush (stdout);
      if (getenv ("TEST_READS"))
        trm_cuda_host (y, BYTES, TRM_CUDA_READ);
    }
  block (false, y, N, KEPT);
  block (false, x, N, TRM_CUDA_READ);
  say (" three", fake_are (y, N, 4, 3));
  free (x);
  free (y);
}

/* A fork in a block.  */
static void
part_fork (void)
{
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  int status = 1;
  block (true, y, N, KEPT);
  fake_run (FAKE_ADD, y, x, N, NULL, 0);
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0)
    {
      bool on = fake_run (FAKE_ADD, y, x, N, NULL, 0);
      trm_cuda_host (y, BYTES, TRM_CUDA_READ);
      block (false, y, N, KEPT);
      _exit (on || !fake_are (y, N, 3, 2));
    }
  waitpid (child, &status, 0);
  say ("child", status == 0);
  fake_run (FAKE_ADD, y, x, N, NULL, 0);
  block (false, y, N, KEPT);
  say ("parent", fake_are (y, N, 3, 2));
  free (x);
  free (y);
}

static uint64_t lot = 1;

/* A number below N, by lot.  */
static long
draw (long n)
{
  lot = lot * 6364136223846793005u + 1442695040888963407u;
  return (long) (lot >> 33) % n;
}

/* Two stretches of X that do not touch, of one length; and where they are.  */
static long
draw_two (long *at, long *other)
{
  long n = 1 + draw (N / 4);
  *at = draw (2 * N - n);
  do
    *other = draw (2 * N - n);
  while (*at < *other + n && *other < *at + n);
  return n;
}

/* One step of a random program: on X, and on M without a device.  False when
   the host finds in X what is not in M.  */
static bool
random_step (float *x, float *m)
{
  long at, other, n = draw_two (&at, &other);
  bool all = draw (2);
  switch (draw (5))
    {
    case 0:
    case 1:
      {
        int kernel = (int) draw (FAKE_KERNELS);
        fake_run (kernel, x + at, x + other, n, NULL, 0);
        fake_on_cpu (kernel, m + at, m + other, n);
        return true;
      }
    case 2:
      fake_run (FAKE_HALF, x + at, NULL, n, NULL, 0);
      fake_on_cpu (FAKE_HALF, m + at, NULL, n);
      return true;
    case 3:
      trm_cuda_host (x + at, 4 * n, TRM_CUDA_READ);
      return memcmp (x + at, m + at, 4 * (size_t) n) == 0;
    default:
      trm_cuda_host (x + at, 4 * n, TRM_CUDA_WRITE | (all ? TRM_CUDA_ALL : 0));
      for (long i = 0; i < n; i += all ? 1 : 3)
        x[at + i] = m[at + i] = (float) draw (100);
      return true;
    }
}

/* A random program, DEPTH blocks deep.  */
static bool
random_program (float *x, float *m, int depth)
{
  bool fine = true;
  for (long steps = 3 + draw (6); steps > 0; steps--)
    if (depth < 3 && draw (4) == 0)
      {
        long n = 1 + draw (N), at = draw (2 * N - n);
        intptr_t use = draw (2) ? KEPT : TRM_CUDA_SCRATCH;
        block (true, x + at, n, use);
        fine = random_program (x, m, depth + 1) && fine;
        block (false, x + at, n, use);
      }
    else
      fine = random_step (x, m) && fine;
  return fine;
}

/* Random programs, from the seed TEST_SEED on.  */
static void
part_random (void)
{
  const char *seed = getenv ("TEST_SEED");
  bool fine = true;
  lot = seed ? (uint64_t) atoll (seed) : 1;
  for (int i = 0; i < 40; i++)
    {
      float *x = fake_numbers (2 * N, 0), *m = fake_numbers (2 * N, 0);
      fine = random_program (x, m, 0) && fine;
      fine = memcmp (x, m, 2 * BYTES) == 0 && !trm_cuda_entries () && fine;
      free (x);
      free (m);
    }
  say ("random", fine);
  printf ("%ld launches\n", fake_count ("cuLaunchKernel"));
}

/* Random programs under SETTINGS, with some seeds.  */
static bool
test_random (const char *settings)
{
  char all[256];
  bool fine = true;
  for (int seed = 1; seed <= 6; seed++)
    {
      snprintf (all, sizeof all, "%s TEST_SEED=%d FAKE_CUDA_SEED=%d", settings,
                seed, seed);
      fine = fake_says (all, "random", "random right") && fine;
    }
  return fine;
}

/* Random programs whose regions end before their kernels have, one of which
   finds an illegal address: right, unless the device alone had something.  */
static bool
test_random_lost (void)
{
  char all[128];
  bool fine = true;
  for (int seed = 1; seed <= 20; seed++)
    {
      snprintf (all, sizeof all,
                "TEST_LATER=1 TEST_SEED=%d FAKE_CUDA_SEED=%d "
                "FAKE_CUDA_FAIL=run:%d:700",
                seed, seed, 7 * seed);
      int status = fake_child (all, "random");
      bool right = status == 0 ? strstr (fake_out, "random right") != NULL
                               : strstr (fake_out, "alone, which") != NULL;
      if (!right)
        printf ("  %s: %s\n", all, fake_out);
      fine = right && fine;
    }
  return fine;
}

/* A device that is lost while it has the only copy, and while it has not.  */
static void
test_lost (void)
{
  expect (fake_says ("", "three", "ddd three right"),
          "three regions of a block");
  int status = fake_child ("FAKE_CUDA_FAIL=run:2:700 TRM_VERBOSE=1", "three");
  expect (status != 0
            && strstr (fake_out,
                       "tensor: 'x' (8000 bytes) was on a CUDA device "
                       "alone, which failed: cuStreamSynchronize: "
                       "CUDA_ERROR_ILLEGAL_ADDRESS (700)\n")
            && !strstr (fake_out, "three"),
          "the only copy is lost: a message, and an end");
  expect (fake_says ("FAKE_CUDA_FAIL=run:2:700 TEST_READS=1", "three",
                     "dcc three right"),
          "the host has a copy: the CPU goes on");
  expect (fake_says ("FAKE_CUDA_FAIL=cuLaunchKernel:2:701", "three",
                     "dcd three right"),
          "what no kernel changed is copied back");
  expect (fake_says ("FAKE_CUDA_FAIL=cuMemcpyHtoDAsync:2:1", "three",
                     "cdd three right"),
          "a copy fails in a block");
  expect (fake_child ("FAKE_CUDA_FAIL=cuMemcpyDtoHAsync:1+:1", "three") != 0
            && strstr (fake_out, "alone, which failed: cuMemcpyDtoHAsync"),
          "what cannot be copied back is lost");
  expect (fake_child ("FAKE_CUDA_FAIL=cuCtxPushCurrent:3+:1", "fork") != 0
            && strstr (fake_out, "alone, which failed: cuCtxPushCurrent"),
          "nor does a child go on without it");
}

int
main (int argc, char **argv)
{
  static const fake_part parts[] = { { "states", part_states },
                                     { "block", part_block },
                                     { "nested", part_nested },
                                     { "unite", part_unite },
                                     { "short", part_short },
                                     { "mixed", part_mixed },
                                     { "three", part_three },
                                     { "fork", part_fork },
                                     { "random", part_random },
                                     { "check", part_check },
                                     { NULL, NULL } };
  static const char *const plain[]
    = { "states", "block", "nested", "unite", "fork" };
  if (fake_main (argc, argv, parts))
    return 0;
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    {
      expect (fake_says ("", plain[i], "right") && !strstr (fake_out, "wrong"),
              "%s", plain[i]);
      if (strstr (fake_out, "wrong"))
        printf ("%s", fake_out);
    }
  expect (fake_says ("FAKE_CUDA_MEMORY=16384", "short",
                     "first right|others right|ran right|y right|z right"),
          "memory is short");
  expect (fake_says ("TRM_DEVICE=", "mixed",
                     "device right|cpu right|again right|mixed right"),
          "a region of a block on the CPU");
  expect (fake_says ("TRM_MODE=check", "check", "device right|seen right"),
          "nothing is kept in check mode");
  test_lost ();
  expect (test_random (""), "random programs");
  expect (test_random ("FAKE_CUDA_MEMORY=20000"), "in little memory");
  expect (test_random ("FAKE_CUDA_POOLS=0"), "without a pool");
  expect (test_random ("FAKE_CUDA_FAIL=cuMemcpyHtoDAsync:9:1,cuMemAllocAsync:7:"
                       "2,cuLaunchKernel:5:701"),
          "with failures");
  expect (test_random ("TRM_DEVICE=cpu"), "on the CPU");
  expect (test_random ("TEST_LATER=1")
            && test_random ("TEST_LATER=1 FAKE_CUDA_MEMORY=20000")
            && test_random ("TEST_LATER=1 FAKE_CUDA_POOLS=0")
            && test_random ("TEST_LATER=1 FAKE_CUDA_FAIL=cuMemcpyHtoDAsync:9:1,"
                            "cuMemAllocAsync:7:2,cuLaunchKernel:5:701"),
          "with regions that end before their kernels have");
  expect (test_random_lost (), "of which one fails");
  return expect_status ();
}
