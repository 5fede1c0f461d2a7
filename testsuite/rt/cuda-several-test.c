/* Several devices: each thread's regions run on the one that it has chosen, and
   what another has is copied when it is used, once.  */

#include "cuda-fake.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define N     20000
#define BYTES ((intptr_t) (N * sizeof (float)))
#define KEPT  (TRM_CUDA_READ | TRM_CUDA_WRITE)

/* A tensor of N numbers, x[i] = i + SHIFT, that resides.  */
static trm_tensor *
numbers (double shift)
{
  trm_tensor *t = trm_arange (TRM_F32, shift, shift + N, 1);
  if (trm_reside (t))
    printf ("%s\n", trm_message ());
  return t;
}

/* Run the kernel on the elements of Y and X on device NUMBER; whether it
   did.  */
static bool
run (int number, int kernel, trm_tensor *y, const trm_tensor *x)
{
  return trm_device (number) == TRM_OK
         && fake_run (kernel, y->at, x->at, N, NULL, 0);
}

/* Which there are.  */
static void
part_choice (void)
{
  printf ("%d devices\n", trm_devices ());
  for (int i = 0; i < 3; i++)
    printf ("%d ", trm_device (i));
  printf ("%s\n", trm_message ());
}

/* Two layers, each on its own device with its own weights: y = 2 (2 x + w0) +
   w1; between them h goes by the host.  */
static void
part_layers (void)
{
  trm_tensor *w0 = numbers (1), *w1 = numbers (2);
  trm_tensor *x = numbers (0), *h = numbers (0), *y = numbers (0);
  bool on = true, right = true;
  for (int i = 0; i < 3; i++)
    {
      trm_fill (x, i);
      on = run (0, FAKE_TWICE, h, x) && run (0, FAKE_ADD, h, w0) && on;
      on = run (1, FAKE_TWICE, y, h) && run (1, FAKE_ADD, y, w1) && on;
      say ("a step", copied (i == 0 ? 4 : 2, 1));
      right
        = fake_are (y->at, N, 3, (float) (4 * i + 4)) && copied (0, 1) && right;
    }
  say ("three steps", on && right);
  trm_drop (w0);
  trm_drop (w1);
  trm_drop (x);
  trm_drop (h);
  trm_drop (y);
  say ("gone", !trm_cuda_has_entries ());
}

/* What two devices read is on both; what one writes is stale on the other.  */
static void
part_shared (void)
{
  trm_tensor *x = numbers (1), *y = numbers (0), *z = numbers (0);
  run (0, FAKE_ADD, y, x);
  run (1, FAKE_ADD, z, x);
  run (0, FAKE_ADD, y, x);
  run (1, FAKE_ADD, z, x);
  say ("both read", copied (4, 0));
  run (1, FAKE_TWICE, x, z);
  say ("one writes", copied (0, 0));
  run (0, FAKE_ADD, y, x);
  say ("the other reads", copied (1, 1));
  say ("y", fake_are (y->at, N, 9, 6) && fake_are (z->at, N, 3, 2));
  ((float *) x->at)[0] = 1;
  copied (0, 0);
  run (0, FAKE_TWICE, y, x);
  run (1, FAKE_TWICE, z, x);
  say ("the host wrote",
       copied (2, 0) && ((float *) y->at)[0] == 2 && ((float *) z->at)[0] == 2);
  trm_drop (x);
  trm_drop (y);
  trm_drop (z);
}

/* Arrays of data blocks, and none: a block is its device's.  */
static void
part_block (void)
{
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  trm_cuda_array kept = { y, BYTES, KEPT, "y", 0 };
  trm_device (1);
  trm_cuda_data_begin (&kept, 1);
  bool on = fake_run (FAKE_ADD, y, x, N, NULL, 0);
  trm_device (0);
  on = fake_run (FAKE_ADD, y, x, N, NULL, 0) && on;
  say ("elsewhere", on && fake_are (y, N, 3, 2));
  trm_device (1);
  on = fake_run (FAKE_ADD, y, x, N, NULL, 0) && on;
  trm_device (0);
  trm_cuda_data_end (&kept, 1);
  say ("after", on && fake_are (y, N, 4, 3) && !trm_cuda_has_entries ());
  free (x);
  free (y);
}

/* Run FAKE_ADD, y += x, in two parts, the first one up to MIDDLE and the other
   from BEGIN on; how many parts there were.  */
static long
add_parts (float *y, float *x, long middle, long begin)
{
  long from[] = { 0, begin, 0 }, to[] = { middle, N, N };
  trm_cuda_array a[6];
  for (int p = 0; p < 3; p++)
    {
      intptr_t bytes = 4 * (to[p] - from[p]);
      a[2 * p] = (trm_cuda_array){ y + from[p], bytes, KEPT, "y", 0 };
      a[2 * p + 1]
        = (trm_cuda_array){ x + from[p], bytes, TRM_CUDA_READ, "x", 0 };
    }
  intptr_t parts = trm_cuda_begin_parts (&fake_unit, &fake_site, a, 2, 2, NULL);
  for (intptr_t k = 0; k < parts; k++)
    {
      intptr_t p = parts == 1 ? 2 : k;
      int64_t args[]
        = { a[2 * p].device, a[2 * p + 1].device, to[p] - from[p] };
      trm_cuda_part (k);
      trm_cuda_launch (NULL, FAKE_ADD, to[p] - from[p], 64, 0, 0, args,
                       sizeof args);
    }
  if (parts == 0 || !trm_cuda_end_parts ())
    {
      fake_on_cpu (FAKE_ADD, y, x, N);
      parts = 0;
    }
  return parts;
}

/* Runs in parts: of plain arrays; that overlap; of what resides.  */
static void
part_parts (void)
{
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  trm_tensor *w = numbers (1), *v = numbers (0);
  printf ("%ld ", add_parts (y, x, N / 3, N / 3));
  printf ("%ld ", add_parts (y, x, N / 3 + 1, N / 3));
  printf ("%ld ", add_parts (y, w->at, N / 2, N / 2));
  copied (10, 5);
  printf ("%ld ", add_parts (y, w->at, N / 2, N / 2));
  bool once = getenv ("FAKE_CUDA_FAIL") || copied (2, 2);
  printf ("%ld parts\n", add_parts (v->at, x, N / 2, N / 2));
  say ("parts", once && fake_are (y, N, 5, 4) && fake_are (v->at, N, 2, 1));
  trm_drop (w);
  trm_drop (v);
  say ("gone", !trm_cuda_has_entries ());
  free (x);
  free (y);
}

/* A thread with a device of its own.  */
typedef struct job
{
  int number;
  trm_tensor *shared;
  bool fine;
} job;

/* Work there.  */
static void *
work (void *argument)
{
  job *j = argument;
  trm_tensor *own = numbers (0);
  j->fine = true;
  for (int i = 1; i <= 10; i++)
    {
      j->fine = run (j->number, FAKE_ADD, own, j->shared) && j->fine;
      j->fine = trm_get (own, TRM_SHAPE (5)) == 5 + 6 * i && j->fine;
    }
  trm_drop (own);
  return NULL;
}

/* Two threads at once.  */
static void
part_threads (void)
{
  pthread_t thread[2];
  trm_tensor *x = numbers (1);
  job jobs[2] = { { 0, x, false }, { 1, x, false } };
  for (int i = 0; i < 2; i++)
    pthread_create (&thread[i], NULL, work, &jobs[i]);
  for (int i = 0; i < 2; i++)
    pthread_join (thread[i], NULL);
  say ("threads", jobs[0].fine && jobs[1].fine);
  trm_drop (x);
}

/* Each device has something alone; a fork, or a failure.  */
static void
part_alone (void)
{
  trm_tensor *x = numbers (1), *y = numbers (0), *z = numbers (0);
  int status = 0;
  putchar (run (0, FAKE_ADD, y, x) ? 'd' : 'c');
  putchar (run (1, FAKE_ADD, z, x) ? 'd' : 'c');
  if (getenv ("TEST_READS"))
    say (" seen", fake_are (y->at, N, 2, 1) && fake_are (z->at, N, 2, 1));
  fflush (stdout);
  pid_t child = getenv ("TEST_FORKS") ? fork () : -1;
  if (child == 0)
    _exit (!fake_are (y->at, N, 2, 1) || !fake_are (z->at, N, 2, 1));
  if (child > 0)
    waitpid (child, &status, 0);
  putchar (run (1, FAKE_ADD, z, y) ? 'd' : 'c');
  say (" alone",
       status == 0 && fake_are (y->at, N, 2, 1) && fake_are (z->at, N, 4, 2));
  trm_drop (x);
  trm_drop (y);
  trm_drop (z);
}

/* Whether PART is right with two devices, and SETTINGS, and says TEXTS, also
   where regions end before their kernels have.  */
static bool
is_right (const char *settings, const char *part, const char *texts)
{
  char all[256];
  bool fine = true;
  for (int later = 0; later < 2; later++)
    {
      snprintf (all, sizeof all, "FAKE_CUDA_DEVICES=2 %s %s",
                later ? "TEST_LATER=1" : "", settings);
      bool right = fake_says (all, part, texts) && !strstr (fake_out, "wrong");
      if (!right)
        printf ("  %s: %s\n", all, fake_out);
      fine = right && fine;
    }
  return fine;
}

int
main (int argc, char **argv)
{
  static const fake_part parts[]
    = { { "choice", part_choice }, { "layers", part_layers },
        { "shared", part_shared }, { "block", part_block },
        { "parts", part_parts },   { "threads", part_threads },
        { "alone", part_alone },   { NULL, NULL } };
  if (fake_main (argc, argv, parts))
    return 0;
  expect (is_right ("", "choice", "2 devices|0 0 2 device: 2 of 2"),
          "which devices there are");
  expect (fake_says ("", "choice", "1 devices|0 2 2 device: 2 of 1")
            && fake_says ("TRM_DEVICE=cpu", "choice",
                          "0 devices|10 10 10 device: there is none")
            && fake_says ("FAKE_CUDA_DEVICES=0", "choice", "0 devices"),
          "or one, or none");
  expect (is_right ("", "layers", "three steps right|gone right")
            && is_right ("FAKE_CUDA_SEED=3", "layers", "gone right")
            && is_right ("FAKE_CUDA_POOLS=0", "layers", "gone right"),
          "layers on devices of their own");
  expect (is_right ("TRM_PROFILE=transfers", "layers",
                    "another device uses it|three steps right"),
          "the ledger tells of what goes between them");
  expect (is_right ("", "shared", "the host wrote right"),
          "what both use is on both");
  expect (is_right ("", "block", "after right"), "a block is its device's");
  expect (is_right ("", "parts", "2 1 2 2 1 parts|gone right"),
          "runs in parts");
  expect (
    is_right ("FAKE_CUDA_FAIL=run:1:700", "parts", "gone right")
      && is_right ("FAKE_CUDA_FAIL=run:2:1", "parts", "gone right")
      && is_right ("FAKE_CUDA_FAIL=copy:5:1", "parts", "gone right")
      && is_right ("FAKE_CUDA_FAIL=copy:6:1", "parts", "gone right")
      && is_right ("FAKE_CUDA_FAIL=cuMemAllocAsync:3:2", "parts", "gone right"),
    "which fail");
  expect (is_right ("", "threads", "threads right"), "two threads");
  expect (is_right ("TRM_DEVICE=cuda:1", "alone", "ddd alone right")
            && is_right ("TEST_FORKS=1", "alone", "dd| alone right"),
          "a fork");
  expect (is_right ("TEST_READS=1 FAKE_CUDA_FAIL=run:3:700", "alone",
                    "dd seen right| alone right"),
          "one fails, and the host has all");
  int status
    = fake_child ("FAKE_CUDA_DEVICES=2 FAKE_CUDA_FAIL=run:2:700", "alone");
  expect (status && strstr (fake_out, "was on a CUDA device alone, which"),
          "one fails, and another had the only copy: a message, and an end");
  return expect_status ();
}
