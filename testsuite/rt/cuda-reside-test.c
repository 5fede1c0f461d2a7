/* Tensors that reside: what plain loops, operations, files and threads do with
   elements that a device has, which are copied once, and only when wanted.  */

#define _GNU_SOURCE
#include "cuda-fake.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 20000

/* A tensor of N numbers, x[i] = i + SHIFT, that resides.  */
static trm_tensor *
numbers (double shift)
{
  trm_tensor *t = trm_arange (TRM_F32, shift, shift + N, 1);
  if (trm_reside (t))
    printf ("%s\n", trm_message ());
  return t;
}

/* Whether element I of T is FACTOR * i + SHIFT.  */
static bool
are (const trm_tensor *t, float factor, float shift)
{
  return fake_are (t->at, N, factor, shift);
}

/* Run the kernel on the elements of Y and X; whether the device did.  */
static bool
run (int kernel, trm_tensor *y, const trm_tensor *x)
{
  return fake_run (kernel, y->at, x ? x->at : NULL, N, NULL, 0);
}

/* Regions, loops and operations in turn.  */
static void
part_moves (void)
{
  trm_tensor *x = numbers (1), *y = numbers (0), *z;
  bool on = true;
  say ("nothing before it is wanted", copied (0, 0));
  for (int i = 0; i < 5; i++)
    on = run (FAKE_ADD, y, x) && on;
  say ("five regions", on && copied (2, 0));
  say ("a loop reads", are (y, 6, 5) && are (y, 6, 5) && copied (0, 1));
  say ("a loop reads what both have", are (x, 1, 1) && copied (0, 0));
  z = trm_add (x, y);
  say ("an operation", are (z, 7, 6) && copied (0, 0));
  run (FAKE_ADD, y, x);
  say ("a region after it", copied (0, 0));
  trm_fill (x, 0);
  run (FAKE_ADD, y, x);
  say ("an operation wrote", copied (1, 0) && are (y, 7, 6) && copied (0, 1));
  ((float *) y->at)[N - 1] = 0;
  run (FAKE_TWICE, x, y);
  say ("a loop wrote", copied (1, 0) && trm_get (x, TRM_SHAPE (N - 1)) == 0);
  run (FAKE_TWICE, x, y);
  ((float *) x->at)[0] = 7;
  say ("a loop wrote what the device had",
       copied (0, 2) && trm_get (x, TRM_SHAPE (1)) == 26);
  trm_drop (z);
  trm_drop (y);
  trm_drop (x);
  say ("gone", !trm_cuda_entries () && !trm_memory_now ().bytes);
}

/* Views share what their storage has.  */
static void
part_views (void)
{
  trm_tensor *x = numbers (0), *y = numbers (0);
  trm_tensor *half = trm_slice (x, 0, N / 2, N, 1), *old = half->at;
  say ("views reside", trm_reside (half) == TRM_OK && half->at == old);
  run (FAKE_TWICE, x, y);
  say ("read", trm_get (half, TRM_SHAPE (1)) == N + 2 && copied (1, 1));
  trm_fill (half, 5);
  run (FAKE_ADD, y, x);
  say ("written", copied (1, 0) && trm_get (y, TRM_SHAPE (N / 2)) == N / 2 + 5);
  x = trm_drop (x);
  say ("kept", trm_get (half, TRM_SHAPE (1)) == 5);
  run (FAKE_TWICE, y, y);
  trm_drop (half);
  trm_drop (y);
  say ("gone", !trm_cuda_entries ());
}

/* What cannot move, and why; what has nothing to move.  */
static void
part_refused (void)
{
  float mine[4] = { 0 };
  trm_tensor *x = trm_zeros (TRM_F32, TRM_SHAPE (4, 4)), *row;
  trm_tensor *own = trm_wrap (TRM_F32, TRM_SHAPE (4), NULL, mine, NULL, NULL);
  trm_tensor *none = trm_zeros (TRM_F32, TRM_SHAPE (0));
  row = trm_select (x, 0, 1);
  say ("views", trm_reside (x) == TRM_BAD_ARGUMENT
                  && strstr (trm_message (), "there are views of it"));
  say ("the caller's", trm_reside (own) == TRM_BAD_ARGUMENT
                         && strstr (trm_message (), "the caller's"));
  say ("nothing", !trm_reside (none) && trm_reside (NULL) == TRM_BAD_ARGUMENT);
  trm_drop (row);
  trm_memory_limit (trm_memory_now ().bytes + 8);
  say ("a limit", trm_reside (x) == TRM_NO_MEMORY);
  trm_memory_limit (0);
  say ("alone", !trm_reside (x) && !trm_reside (x));
  int64_t bytes = trm_memory_now ().bytes;
  say ("counted", bytes == 64 + 0);
  trm_drop (x);
  trm_drop (own);
  trm_drop (none);
}

/* A file of what the device has, and an array of more than a tensor.  */
static void
part_outside (void)
{
  char path[128];
  trm_tensor *x = numbers (0), *y = numbers (3), *back;
  snprintf (path, sizeof path, "%s/x.npy", fake_folder ());
  run (FAKE_TWICE, x, y);
  bool written = trm_npy_write (path, x) == TRM_OK;
  back = trm_npy_read (path);
  say ("file", written && back && are (back, 2, 6) && copied (1, 1));
  run (FAKE_TWICE, x, y);
  trm_to_host (x, false);
  say ("to read", copied (0, 1));
  trm_to_host (x, true);
  int null = memfd_create ("x", 0);
  say ("to write", ftruncate (null, N) == 0 && read (null, x->at, N) == N);
  close (null);
  run (FAKE_TWICE, y, x);
  say ("was written", copied (1, 0) && ((float *) y->at)[0] == 0);
  trm_cuda_array more
    = { x->at, trm_pages_bytes (4 * N) + 1, TRM_CUDA_READ, "more", 0 };
  say ("more than it", !trm_cuda_begin (&fake_unit, &fake_site, &more, 1, NULL)
                         && trm_cuda_falls (&fake_site, TRM_CUDA_BEYOND) == 1);
  trm_cuda_data_begin (&more, 1);
  trm_cuda_data_end (&more, 1);
  say ("still resides", run (FAKE_TWICE, y, x) && copied (0, 1));
  unlink (path);
  trm_drop (back);
  trm_drop (y);
  trm_drop (x);
}

/* Memory for two of three tensors, or for none.  */
static void
part_short (void)
{
  trm_tensor *x = numbers (1), *y = numbers (0), *z = numbers (2);
  int on = run (FAKE_ADD, y, x);
  on += run (FAKE_HALF, z, NULL);
  on += run (FAKE_ADD, z, x);
  on += run (FAKE_ADD, y, x);
  printf ("%d on the device\n", on);
  say ("y", are (y, 3, 2));
  say ("z", fake_are (z->at, N / 2, 2, 1)
              && ((float *) z->at)[N / 2] == 2 * (N / 2) + 3);
  trm_drop (x);
  trm_drop (y);
  trm_drop (z);
}

/* Three regions, of which one may fail.  */
static void
part_three (void)
{
  trm_tensor *x = numbers (1), *y = numbers (0);
  for (int i = 0; i < 3; i++)
    {
      putchar (run (FAKE_ADD, y, x) ? 'd' : 'c');
      fflush (stdout);
      if (getenv ("TEST_READS")
          && trm_get (y, TRM_SHAPE (2)) != 2 + 3 * (i + 1))
        puts ("not seen");
    }
  say (" three", are (y, 4, 3));
  trm_drop (x);
  trm_drop (y);
}

/* A fork while the device has the elements.  */
static void
part_fork (void)
{
  trm_tensor *x = numbers (1), *y = numbers (0);
  int status = 1;
  run (FAKE_ADD, y, x);
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0)
    {
      bool on = run (FAKE_ADD, y, x);
      trm_fill (x, 1);
      bool right = !on && are (y, 3, 2) && trm_get (x, TRM_SHAPE (9)) == 1;
      trm_drop (x);
      trm_drop (y);
      _exit (!right);
    }
  waitpid (child, &status, 0);
  say ("child", status == 0);
  run (FAKE_ADD, y, x);
  say ("parent", are (y, 3, 2) && are (x, 1, 1));
  trm_drop (x);
  trm_drop (y);
}

/* What a thread does to its elements.  */
typedef struct job
{
  trm_tensor *shared, *own;
  bool fine;
} job;

/* Regions, loops and operations, on elements of its own, and on shared ones
   that all only read, but for regions before they began.  */
static void *
work (void *argument)
{
  job *j = argument;
  j->fine = true;
  for (int i = 1; i <= 20; i++)
    {
      run (FAKE_ADD, j->own, j->shared);
      j->fine = are (j->shared, 2, 2) && j->fine;
      ((float *) j->own->at)[3] += 1;
      if (i % 4 == 0)
        j->fine
          = trm_get (j->own, TRM_SHAPE (3)) == (float) (3 + 9 * i) && j->fine;
    }
  j->fine = trm_get (j->own, TRM_SHAPE (5)) == 5 + 20 * 12 && j->fine;
  return NULL;
}

/* Two threads at once.  */
static void
part_threads (void)
{
  pthread_t thread[2];
  trm_tensor *x = numbers (1), *y = numbers (0);
  run (FAKE_TWICE, y, x);
  job jobs[2] = { { y, numbers (0), false }, { y, numbers (0), false } };
  for (int i = 0; i < 2; i++)
    pthread_create (&thread[i], NULL, work, &jobs[i]);
  for (int i = 0; i < 2; i++)
    pthread_join (thread[i], NULL);
  say ("threads", jobs[0].fine && jobs[1].fine);
  for (int i = 0; i < 2; i++)
    trm_drop (jobs[i].own);
  trm_drop (x);
  trm_drop (y);
}

static char *page;
static int touches;

/* The program's own handler: the page may be touched from now on.  */
static void
on_mine (int number, siginfo_t *info, void *context)
{
  (void) number;
  (void) context;
  touches += (char *) info->si_addr == page;
  mprotect (page, 4096, PROT_READ | PROT_WRITE);
}

/* Signals that are the program's, handled by it or not.  */
static void
part_signals (void)
{
  struct sigaction mine = { .sa_sigaction = on_mine, .sa_flags = SA_SIGINFO };
  page = mmap (NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (!getenv ("TEST_DEFAULT"))
    sigaction (SIGSEGV, &mine, NULL);
  trm_tensor *x = numbers (0), *y = numbers (0);
  run (FAKE_TWICE, y, x);
  say ("ours", are (y, 2, 0));
  fflush (stdout);
  page[0] = 1;
  say ("the program's", touches == 1);
  trm_drop (x);
  trm_drop (y);
}

static uint64_t lot = 1;

/* A number below N, by lot.  */
static long
draw (long n)
{
  lot = lot * 6364136223846793005u + 1442695040888963407u;
  return (long) (lot >> 33) % n;
}

/* One step of a random program: on the tensors T, by one of the devices, and
   without any on M.  False when what is read in T is not what is in M.  */
static bool
random_step (trm_tensor **t, float **m)
{
  long y = draw (3), x = (y + 1 + draw (2)) % 3, n = 1 + draw (N);
  float *ty = t[y]->at;
  if (trm_devices () > 1)
    trm_device ((int) draw (2));
  switch (draw (4))
    {
    case 0:
      {
        int kernel = (int) draw (FAKE_KERNELS);
        fake_run (kernel, ty, t[x]->at, n, NULL, 0);
        fake_on_cpu (kernel, m[y], m[x], n);
        return true;
      }
    case 1:
      return memcmp (ty, m[y], 4 * (size_t) n) == 0;
    case 2:
      ty[n - 1] = m[y][n - 1] = (float) draw (100);
      return true;
    default:
      trm_copy_to (t[y], t[x]);
      memcpy (m[y], m[x], 4 * N);
      return true;
    }
}

/* Random programs, from the seed TEST_SEED on.  */
static void
part_random (void)
{
  const char *seed = getenv ("TEST_SEED");
  bool fine = true;
  lot = seed ? (uint64_t) atoll (seed) : 1;
  for (int i = 0; i < 10; i++)
    {
      trm_tensor *t[3];
      float *m[3];
      for (int k = 0; k < 3; k++)
        {
          t[k] = numbers (k);
          m[k] = fake_numbers (N, (float) k);
        }
      for (int k = 0; k < 60; k++)
        fine = random_step (t, m) && fine;
      for (int k = 0; k < 3; k++)
        {
          fine = memcmp (t[k]->at, m[k], 4 * N) == 0 && fine;
          trm_drop (t[k]);
          free (m[k]);
        }
    }
  say ("random", fine && !trm_cuda_entries ());
}

/* Random programs under SETTINGS, with some seeds.  */
static bool
test_random (const char *settings)
{
  char all[256];
  bool fine = true;
  for (int seed = 1; seed <= 4; seed++)
    {
      snprintf (all, sizeof all, "%s TEST_SEED=%d FAKE_CUDA_SEED=%d", settings,
                seed, seed);
      fine = fake_says (all, "random", "random right") && fine;
    }
  return fine;
}

/* Whether PART's child, under SETTINGS, has nothing wrong and says TEXTS; with
   regions that end before their kernels have, too.  */
static bool
is_right (const char *settings, const char *part, const char *texts)
{
  char all[256];
  bool fine = fake_says (settings, part, texts) && !strstr (fake_out, "wrong");
  snprintf (all, sizeof all, "TEST_LATER=1 %s", settings);
  fine = fake_says (all, part, texts) && !strstr (fake_out, "wrong") && fine;
  if (!fine)
    printf ("  %s\n", fake_out);
  return fine;
}

/* Failures of the device.  */
static void
test_failures (void)
{
  int status = fake_child ("FAKE_CUDA_FAIL=run:2:700", "three");
  expect (status && strstr (fake_out, "'y' (80000 bytes) was on a CUDA device"),
          "the only copy is lost: a message, and an end");
  expect (fake_says ("FAKE_CUDA_FAIL=run:2:700 TEST_READS=1", "three",
                     "dcc three right"),
          "the host has a copy: the CPU goes on");
  expect (fake_says ("FAKE_CUDA_FAIL=run:3:700 TEST_LATER=1", "three",
                     "ddd three right"),
          "also where it is seen late");
  expect (fake_says ("FAKE_CUDA_FAIL=copy:1:1", "three", "ccc three right")
            && fake_says ("FAKE_CUDA_FAIL=cuMemcpyHtoDAsync:2:1", "three",
                          "cdd three right"),
          "a copy to the device fails");
}

int
main (int argc, char **argv)
{
  static const fake_part parts[] = { { "moves", part_moves },
                                     { "views", part_views },
                                     { "refused", part_refused },
                                     { "outside", part_outside },
                                     { "short", part_short },
                                     { "three", part_three },
                                     { "fork", part_fork },
                                     { "threads", part_threads },
                                     { "signals", part_signals },
                                     { "random", part_random },
                                     { NULL, NULL } };
  if (fake_main (argc, argv, parts))
    return 0;
  expect (is_right ("", "moves", "gone right"), "what is copied, and when");
  expect (is_right ("", "views", "gone right"), "views");
  expect (is_right ("", "refused", "counted right"), "what cannot reside");
  expect (is_right ("", "outside", "still resides right"), "system calls");
  expect (is_right ("FAKE_CUDA_MEMORY=163840", "short", "4 on the device"),
          "memory of the device is short");
  expect (is_right ("FAKE_CUDA_MEMORY=81920", "short", "1 on the device")
            && is_right ("FAKE_CUDA_MEMORY=100", "short", "0 on the device"),
          "and shorter: the CPU");
  expect (is_right ("TRM_DEVICE=cpu", "short", "0 on the device")
            && is_right ("TRM_DEVICE=cpu", "three", "ccc three right"),
          "no device");
  expect (is_right ("TRM_MODE=check", "three", "ddd| three right"),
          "nothing is kept in check mode");
  expect (is_right ("", "fork", "child right|parent right"), "a fork");
  expect (is_right ("", "threads", "threads right"), "two threads");
  expect (is_right ("", "signals", "ours right|the program's right"),
          "the program's own signals");
  expect (fake_child ("TEST_DEFAULT=1", "signals") != 0
            && strstr (fake_out, "ours right")
            && !strstr (fake_out, "program's"),
          "and one that ends it");
  test_failures ();
  expect (test_random (""), "random programs");
  expect (test_random ("TEST_LATER=1"), "whose regions end early");
  expect (test_random ("FAKE_CUDA_MEMORY=170000"), "with little memory");
  expect (test_random ("FAKE_CUDA_POOLS=0"), "with another kind of it");
  expect (test_random ("FAKE_CUDA_DEVICES=2")
            && test_random ("FAKE_CUDA_DEVICES=2 TEST_LATER=1")
            && test_random ("FAKE_CUDA_DEVICES=2 FAKE_CUDA_MEMORY=170000"),
          "on two devices");
  return expect_status ();
}
