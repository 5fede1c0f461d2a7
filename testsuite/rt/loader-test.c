/* Loaders: the same batches in the same order for any number of threads.

   Shuffled, by the caller's own order, with and without a short last batch,
   for streams with an end; failures of the reader arrive at the caller with
   its message; an epoch may begin while another is under way; what is read
   ahead is what was asked for.  */

#include "expect.h"

#include "trm-train.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A source of N examples: [2, 3] f32 that tell the index, and the index.
   bad: the first of those that cannot be read, or -1; reads, at_once, most:
   counts of calls, of those under way, and the most of these.  */
typedef struct examples
{
  int64_t n;
  int64_t bad;
  bool slow;
  int reads, at_once, most;
} examples;

static void
count_reader (examples *e)
{
  int now = __atomic_add_fetch (&e->at_once, 1, __ATOMIC_SEQ_CST);
  int most = __atomic_load_n (&e->most, __ATOMIC_SEQ_CST);
  while (now > most
         && !__atomic_compare_exchange_n (&e->most, &most, now, false,
                                          __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    ;
  __atomic_add_fetch (&e->reads, 1, __ATOMIC_SEQ_CST);
}

static trm_status
read_example (void *context, int64_t index, int64_t row, trm_tensor **out)
{
  examples *e = context;
  count_reader (e);
  if (e->slow)
    nanosleep (&(struct timespec){ .tv_nsec = 200000 + index % 3 * 100000 },
               NULL);
  __atomic_sub_fetch (&e->at_once, 1, __ATOMIC_SEQ_CST);
  int64_t bad = __atomic_load_n (&e->bad, __ATOMIC_SEQ_CST);
  if (bad >= 0 && index >= bad)
    {
      trm_get (out[1], TRM_SHAPE (-1000));
      return trm_error ();
    }
  if (index >= e->n)
    return TRM_BAD_INDEX;
  float *x = (float *) out[0]->at + row * 6;
  for (int k = 0; k < 6; k++)
    x[k] = (float) (index * 10 + k);
  return trm_set (out[1], TRM_SHAPE (row), (double) index);
}

/* The order of the test's own: backwards, in each epoch one further.  */
static int64_t
backwards (void *context, int64_t epoch, int64_t i)
{
  const examples *e = context;
  return (e->n - 1 - i + epoch) % e->n;
}

static trm_source
source_of (examples *e, bool stream)
{
  return (trm_source){ .context = e,
                       .count = stream ? -1 : e->n,
                       .read = read_example,
                       .n_out = 2,
                       .out
                       = { { TRM_F32, 2, { 2, 3 } }, { TRM_I64, 0, { 0 } } } };
}

/* Run EPOCH of L and write the indices into LIST, each batch ended by -1;
   false when a batch does not hold what its indices say.  */
static bool
list_epoch (trm_loader *l, int64_t epoch, int64_t *list, int *n)
{
  trm_tensor *out[2];
  bool good = !trm_loader_begin (l, epoch);
  for (*n = 0; trm_loader_next (l, out);)
    {
      int64_t rows = out[1]->extent[0];
      good = good && out[0]->extent[0] == rows && out[0]->rank == 3;
      for (int64_t r = 0; r < rows; r++)
        {
          int64_t index = trm_get_int (out[1], TRM_SHAPE (r));
          good = good
                 && trm_get (out[0], TRM_SHAPE (r, 1, 2))
                      == (double) (index * 10 + 5);
          list[(*n)++] = index;
        }
      list[(*n)++] = -1;
    }
  return good && trm_error () == TRM_OK;
}

/* Two epochs by SETTINGS with THREADS.  */
static bool
list_all (trm_source source, trm_loader_settings settings, int threads,
          int64_t *list, int *n)
{
  int second = 0;
  settings.threads = threads;
  trm_loader *l = trm_loader_new (source, settings);
  bool good
    = l && list_epoch (l, 3, list, n) && list_epoch (l, 4, list + *n, &second);
  *n += second;
  trm_loader_free (l);
  return good;
}

#define ROOM 1000

/* The same lists for 0 to 5 threads; the first is left in LIST.  */
static void
test_threads (const char *name, trm_source source, trm_loader_settings settings,
              int64_t *list, int *n)
{
  bool good = list_all (source, settings, 0, list, n);
  for (int threads = 1; threads <= 5; threads++)
    {
      int64_t other[ROOM];
      int m = 0;
      settings.prefetch = threads == 4 ? 1 : 0;
      good = good && list_all (source, settings, threads, other, &m) && m == *n
             && memcmp (list, other, (size_t) m * sizeof *list) == 0;
    }
  expect (good && *n > 0, "%s: the same for 0 to 5 threads", name);
}

/* How many numbers of LIST[0..n) are not -1, and whether those of each half
   are 0 to COUNT - 1.  */
static bool
holds_all (const int64_t *list, int n, int64_t count)
{
  int *seen = calloc ((size_t) count, sizeof *seen);
  bool good = seen != NULL;
  for (int i = 0; i < n && good; i++)
    if (list[i] >= 0)
      seen[list[i]]++;
  for (int64_t i = 0; i < count && good; i++)
    good = seen[i] == 2;
  free (seen);
  return good;
}

static void
test_orders (void)
{
  examples e = { .n = 53, .bad = -1 };
  trm_source source = source_of (&e, false);
  trm_loader_settings settings = { .batch = 8 };
  int64_t list[ROOM], other[ROOM];
  int n, m;
  test_threads ("in order", source, settings, list, &n);
  bool good = n == 2 * (53 + 7);
  for (int i = 0; i < n && good; i++)
    {
      int k = i % 60;
      good = list[i] == (k == 59 || k % 9 == 8 ? -1 : k - k / 9);
    }
  expect (good, "in order: 6 batches of 8 and one of 5");
  settings.drop_last = true;
  test_threads ("without the last", source, settings, list, &n);
  expect (n == 2 * (48 + 6), "without the last: 6 batches");
  settings.drop_last = false;
  settings.shuffle = true;
  settings.seed = 7;
  test_threads ("shuffled", source, settings, list, &n);
  expect (holds_all (list, n, 53), "shuffled: each example once an epoch");
  expect (memcmp (list, list + n / 2, (size_t) n / 2 * sizeof *list) != 0,
          "shuffled: another order in the next epoch");
  settings.seed = 8;
  expect (list_all (source, settings, 0, other, &m) && m == n
            && memcmp (list, other, (size_t) n * sizeof *list) != 0,
          "shuffled: another order by another seed");
  source.sample = backwards;
  test_threads ("an order of one's own", source, settings, list, &n);
  expect (list[0] == (52 + 3) % 53 && list[60] == (52 + 4) % 53,
          "an order of one's own: the epoch counts");
}

static void
test_streams (void)
{
  examples e = { .n = 29, .bad = -1, .slow = true };
  trm_source source = source_of (&e, true);
  trm_loader_settings settings = { .batch = 4 };
  int64_t list[ROOM];
  int n;
  test_threads ("a stream", source, settings, list, &n);
  bool good = n == 2 * (29 + 8);
  for (int i = 0, k = 0; i < n / 2 && good; i++)
    if (list[i] >= 0)
      good = list[i] == k++;
  expect (good, "a stream: in order, the last batch short");
  expect (e.most == 1, "a stream is read by one at a time");
  e.n = 28;
  settings.drop_last = true;
  test_threads ("a stream of whole batches", source, settings, list, &n);
  expect (n == 2 * (28 + 7), "a stream of whole batches: no empty one");
}

static void
test_failures (void)
{
  bool good = true;
  for (int threads = 0; threads <= 3; threads++)
    {
      examples e = { .n = 40, .bad = 16, .slow = true };
      trm_tensor *out[2];
      int batches = 0;
      trm_loader *l = trm_loader_new (
        source_of (&e, false),
        (trm_loader_settings){ .batch = 4, .threads = threads });
      trm_loader_begin (l, 0);
      while (trm_loader_next (l, out))
        batches++;
      good = good && batches == 4 && strstr (trm_message (), "example 16")
             && strstr (trm_message (), "-1000")
             && expect_failed (TRM_BAD_INDEX, "loader");
      good = good && !trm_loader_next (l, out) && trm_error () == TRM_OK;
      __atomic_store_n (&e.bad, -1, __ATOMIC_SEQ_CST);
      trm_loader_begin (l, 1);
      for (batches = 0; trm_loader_next (l, out);)
        batches++;
      good = good && batches == 10;
      trm_loader_free (l);
    }
  expect (good, "a reader's failure arrives behind the batches before it");
  examples e = { .n = 10, .bad = -1 };
  trm_source source = source_of (&e, false);
  expect (!trm_loader_new (source, (trm_loader_settings){ 0 })
            && expect_failed (TRM_BAD_ARGUMENT, "batch"),
          "a batch of none fails");
  source.n_out = 0;
  expect (!trm_loader_new (source, (trm_loader_settings){ .batch = 1 })
            && expect_failed (TRM_BAD_ARGUMENT, "tensors"),
          "an example of nothing fails");
}

/* An epoch that is left in the middle, and a loader that is freed there.  */
static void
test_leaving (void)
{
  examples e = { .n = 64, .bad = -1, .slow = true };
  trm_loader *l = trm_loader_new (
    source_of (&e, false), (trm_loader_settings){ .batch = 2, .threads = 3 });
  trm_tensor *out[2];
  bool good = l != NULL;
  for (int epoch = 0; epoch < 8 && good; epoch++)
    {
      good = !trm_loader_begin (l, epoch);
      for (int b = 0; b < epoch && good; b++)
        good = trm_loader_next (l, out)
               && trm_get_int (out[1], TRM_SHAPE (1)) == 2 * b + 1;
    }
  trm_loader_free (l);
  expect (good, "an epoch may be left in the middle");
}

static void
test_ahead (void)
{
  examples e = { .n = 1000, .bad = -1 };
  trm_loader *l = trm_loader_new (
    source_of (&e, false),
    (trm_loader_settings){ .batch = 5, .threads = 2, .prefetch = 3 });
  trm_tensor *out[2];
  trm_loader_begin (l, 0);
  bool good = trm_loader_next (l, out);
  int reads = 0;
  for (int wait = 0; wait < 200 && reads < 20; wait++)
    {
      nanosleep (&(struct timespec){ .tv_nsec = 1000000 }, NULL);
      reads = __atomic_load_n (&e.reads, __ATOMIC_SEQ_CST);
    }
  nanosleep (&(struct timespec){ .tv_nsec = 5000000 }, NULL);
  reads = __atomic_load_n (&e.reads, __ATOMIC_SEQ_CST);
  expect (good && reads == 20,
          "3 batches are read ahead of the one at hand, and no more");
  expect (trm_get_int (out[1], TRM_SHAPE (4)) == 4,
          "the batch at hand stays while others are read");
  trm_loader_free (l);
}

/* What a batch was used for knows that the loader has filled it again.  */
static void
test_versions (void)
{
  examples e = { .n = 10, .bad = -1 };
  trm_loader *l = trm_loader_new (source_of (&e, false),
                                  (trm_loader_settings){ .batch = 5 });
  trm_tensor *out[2], *seen[2], *y;
  trm_tensor *w = trm_want_gradient (trm_full (TRM_F32, TRM_SCALAR, 2));
  trm_loader_begin (l, 0);
  trm_tape_open ();
  trm_loader_next (l, out);
  y = trm_sum (trm_mul (out[0], w), TRM_ALL, false);
  trm_loader_next (l, seen);
  expect (trm_backward (y, NULL) == TRM_CHANGED
            && expect_failed (TRM_CHANGED, "changed"),
          "backward tells that a batch is no longer there");
  trm_tape_close ();
  trm_drop (w);
  trm_loader_free (l);
}

int
main (void)
{
  test_orders ();
  test_streams ();
  test_failures ();
  test_leaving ();
  test_ahead ();
  test_versions ();
  return expect_status ();
}
