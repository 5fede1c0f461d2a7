/* Batches, read ahead by threads.

   Batch b goes into slot b mod n, so that batches come in one order for any
   number of threads:

     slots   | b + 3 | b  | b + 1 | b + 2 |
               filled  with the  ready, or
               next    caller    being filled

     released <= given <= filled < released + n

   A thread takes the next number, fills that slot without the lock, and says
   that it is ready.  Of a stream one thread at a time fills, so that its
   examples are read in order; its end becomes known when a batch is short.
   Without threads the caller fills the one slot itself.

   The order of an epoch is a permutation by the seed, drawn at 2^40 times the
   epoch.  */

#include "tensor.h"

#include "trm-train.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_BYTES 512

/* A batch.  out: all rows; ready: filled, rows of it; status, message: why
   reading example FAILED went wrong.  */
typedef struct slot
{
  trm_tensor *out[TRM_MOST_ARGUMENTS];
  bool ready;
  int64_t rows;
  trm_status status;
  int64_t failed;
  char message[MESSAGE_BYTES];
} slot;

/* total: batches of the epoch as far as is known; released, given, filled:
   numbers of batches; busy: threads that fill one; shown: what the caller
   holds of a short batch.  */
struct trm_loader
{
  trm_source source;
  trm_loader_settings settings;
  int n_slots;
  slot *slot;
  int n_threads;
  pthread_t *thread;
  pthread_mutex_t lock;
  pthread_cond_t work;
  pthread_cond_t ready;
  bool stop;
  int busy;
  int64_t epoch;
  int64_t total;
  int64_t released, given, filled;
  trm_tensor *order;
  trm_tensor *shown[TRM_MOST_ARGUMENTS];
};

/* Which example is the I-th of the epoch.  */
static int64_t
example_of (const trm_loader *l, int64_t i)
{
  const trm_source *s = &l->source;
  if (s->count < 0)
    return i;
  if (s->sample)
    return s->sample (s->context, l->epoch, i);
  return l->order ? ((const int64_t *) l->order->at)[i] : i;
}

/* Read row ROW of batch B into S; S says why when that fails.  */
static trm_status
read_row (trm_loader *l, slot *s, int64_t b, int64_t row)
{
  int64_t count = l->source.count;
  int64_t i = example_of (l, b * l->settings.batch + row);
  trm_status status = TRM_OK;
  trm_forget_error ();
  if (count >= 0 && (i < 0 || i >= count))
    status = trm_fail (TRM_BAD_INDEX, "there are %lld", (long long) count);
  else
    status = l->source.read (l->source.context, i, row, s->out);
  if (status)
    snprintf (s->message, sizeof s->message, "%s", trm_message ());
  s->failed = i;
  return status;
}

/* Fill S with batch B: rows up to the end of the examples, or to a failure.  */
static void
fill_slot (trm_loader *l, slot *s, int64_t b)
{
  int64_t rows = l->settings.batch, count = l->source.count;
  if (count >= 0 && rows > count - b * rows)
    rows = count - b * rows;
  s->status = trm_scope_open ();
  s->message[0] = 0;
  for (int k = 0; k < l->source.n_out; k++)
    trm_changed (s->out[k]);
  for (s->rows = 0; s->rows < rows && !s->status; s->rows++)
    s->status = read_row (l, s, b, s->rows);
  if (s->status)
    s->rows--;
  trm_scope_close ();
  if (count < 0 && s->status == TRM_BAD_INDEX)
    s->status = TRM_OK;
}

/* Batch B stands in S: it is the last one when it failed or is short, and none
   when nothing is left of it.  With the lock.  */
static void
note_filled (trm_loader *l, slot *s, int64_t b)
{
  bool is_short = s->rows < l->settings.batch;
  bool is_none = is_short && (s->rows <= 0 || l->settings.drop_last);
  int64_t end = s->status || !is_none ? b + 1 : b;
  if ((s->status || is_short) && end < l->total)
    l->total = end;
  s->ready = true;
}

/* Whether a thread may fill the next slot.  With the lock.  */
static bool
may_fill (const trm_loader *l)
{
  return l->filled < l->total && l->filled < l->released + l->n_slots
         && !(l->source.count < 0 && l->busy);
}

/* A thread: fill slots until the loader stops.  */
static void *
fill_slots (void *argument)
{
  trm_loader *l = argument;
  pthread_mutex_lock (&l->lock);
  for (;;)
    {
      while (!l->stop && !may_fill (l))
        pthread_cond_wait (&l->work, &l->lock);
      if (l->stop)
        break;
      int64_t b = l->filled++;
      slot *s = &l->slot[b % l->n_slots];
      l->busy++;
      pthread_mutex_unlock (&l->lock);
      fill_slot (l, s, b);
      pthread_mutex_lock (&l->lock);
      l->busy--;
      note_filled (l, s, b);
      pthread_cond_broadcast (&l->ready);
      pthread_cond_broadcast (&l->work);
    }
  pthread_mutex_unlock (&l->lock);
  return NULL;
}

/* Whether SOURCE and SETTINGS are such that a loader can run; if not, why.  */
static bool
is_loadable (const trm_source *source, const trm_loader_settings *settings)
{
  const char *wrong = NULL;
  if (settings->batch < 1)
    wrong = "a batch has at least one example";
  else if (!source->read || source->count < -1)
    wrong = "a source has a function to read, and a count or -1";
  else if (source->n_out < 1 || source->n_out > TRM_MOST_ARGUMENTS)
    wrong = "an example is of 1 to 8 tensors";
  else if (settings->threads < 0 || settings->prefetch < 0)
    wrong = "threads and prefetch are 0 or more";
  for (int k = 0; !wrong && k < source->n_out; k++)
    if (source->out[k].rank < 0 || source->out[k].rank >= TRM_RANK)
      wrong = "an example's rank is 0 to 7";
  if (wrong)
    trm_fail (TRM_BAD_ARGUMENT, "loader: %s", wrong);
  return !wrong;
}

/* T becomes the loader's in *PLACE.  */
static trm_status
hold (trm_tensor **place, trm_tensor *t)
{
  trm_drop (*place);
  *place = trm_keep (t);
  return t ? TRM_OK : trm_error ();
}

/* Tensors for each slot.  */
static trm_status
make_slots (trm_loader *l)
{
  trm_status status = trm_scope_open ();
  if (status)
    return status;
  for (int i = 0; i < l->n_slots; i++)
    for (int k = 0; k < l->source.n_out && !status; k++)
      {
        int64_t extent[TRM_RANK] = { l->settings.batch };
        int rank = l->source.out[k].rank;
        memcpy (extent + 1, l->source.out[k].extent,
                (size_t) rank * sizeof *extent);
        status = hold (&l->slot[i].out[k],
                       trm_zeros (l->source.out[k].type, rank + 1, extent));
      }
  trm_scope_close ();
  return status;
}

/* Start the threads; fewer than asked for do as well, none does not.  */
static trm_status
start_threads (trm_loader *l)
{
  int asked = l->settings.threads;
  while (l->n_threads < asked
         && pthread_create (&l->thread[l->n_threads], NULL, fill_slots, l) == 0)
    l->n_threads++;
  return asked && !l->n_threads
           ? trm_fail (TRM_NO_MEMORY, "loader: no thread could be started")
           : TRM_OK;
}

trm_loader *
trm_loader_new (trm_source source, trm_loader_settings settings)
{
  if (!is_loadable (&source, &settings))
    return NULL;
  trm_loader *l = calloc (1, sizeof *l);
  if (!l)
    return trm_fail_null (TRM_NO_MEMORY, "loader: no memory");
  int ahead = settings.prefetch ? settings.prefetch : 2 * settings.threads;
  l->source = source;
  l->settings = settings;
  l->n_slots = settings.threads ? ahead + 1 : 1;
  l->slot = calloc ((size_t) l->n_slots, sizeof *l->slot);
  l->thread = calloc ((size_t) settings.threads + 1, sizeof *l->thread);
  pthread_mutex_init (&l->lock, NULL);
  pthread_cond_init (&l->work, NULL);
  pthread_cond_init (&l->ready, NULL);
  if (!l->slot || !l->thread)
    trm_fail (TRM_NO_MEMORY, "loader: no memory");
  else if (!make_slots (l) && !start_threads (l))
    return l;
  trm_loader_free (l);
  return NULL;
}

void
trm_loader_free (trm_loader *l)
{
  if (!l)
    return;
  pthread_mutex_lock (&l->lock);
  l->stop = true;
  pthread_cond_broadcast (&l->work);
  pthread_mutex_unlock (&l->lock);
  for (int i = 0; i < l->n_threads; i++)
    pthread_join (l->thread[i], NULL);
  for (int k = 0; k < TRM_MOST_ARGUMENTS; k++)
    {
      for (int i = 0; l->slot && i < l->n_slots; i++)
        trm_drop (l->slot[i].out[k]);
      trm_drop (l->shown[k]);
    }
  trm_drop (l->order);
  pthread_mutex_destroy (&l->lock);
  pthread_cond_destroy (&l->work);
  pthread_cond_destroy (&l->ready);
  free (l->thread);
  free (l->slot);
  free (l);
}

/* Let threads take no more batches, and wait for those that fill one.  */
static void
let_rest (trm_loader *l)
{
  pthread_mutex_lock (&l->lock);
  l->total = 0;
  while (l->busy)
    pthread_cond_wait (&l->ready, &l->lock);
  pthread_mutex_unlock (&l->lock);
}

/* Draw the order of EPOCH where the examples are shuffled.  */
static trm_status
draw_order (trm_loader *l, int64_t epoch)
{
  if (!l->settings.shuffle || l->source.sample || l->source.count < 0)
    return TRM_OK;
  trm_random random = { l->settings.seed, (uint64_t) epoch << 40 };
  trm_status status = trm_scope_open ();
  if (status)
    return status;
  status = hold (&l->order, trm_permutation (&random, l->source.count));
  trm_scope_close ();
  return status;
}

/* How many batches an epoch has, of a stream as many as there can be.  */
static int64_t
count_batches (const trm_loader *l)
{
  int64_t count = l->source.count, batch = l->settings.batch;
  if (count < 0)
    return INT64_MAX;
  return count / batch + (count % batch && !l->settings.drop_last);
}

trm_status
trm_loader_begin (trm_loader *l, int64_t epoch)
{
  if (!l)
    return TRM_BAD_ARGUMENT;
  let_rest (l);
  if (draw_order (l, epoch))
    return trm_error ();
  for (int i = 0; i < l->n_slots; i++)
    l->slot[i].ready = false;
  pthread_mutex_lock (&l->lock);
  l->epoch = epoch;
  l->released = l->given = l->filled = 0;
  l->total = count_batches (l);
  pthread_cond_broadcast (&l->work);
  pthread_mutex_unlock (&l->lock);
  return TRM_OK;
}

/* Take the batch that the caller held back, and wait for the next one; NULL
   when there is none.  */
static slot *
next_slot (trm_loader *l)
{
  slot *s = &l->slot[l->given % l->n_slots];
  pthread_mutex_lock (&l->lock);
  if (l->given > l->released)
    l->slot[l->released % l->n_slots].ready = false;
  l->released = l->given;
  pthread_cond_broadcast (&l->work);
  if (!l->n_threads && l->given < l->total)
    {
      fill_slot (l, s, l->given);
      note_filled (l, s, l->given);
    }
  while (!s->ready && l->given < l->total)
    pthread_cond_wait (&l->ready, &l->lock);
  bool is_there = l->given < l->total;
  l->given += is_there;
  pthread_mutex_unlock (&l->lock);
  return is_there ? s : NULL;
}

/* The rows of S in OUT.  */
static trm_status
show_slot (trm_loader *l, const slot *s, trm_tensor **out)
{
  trm_status status = TRM_OK;
  if (s->rows == l->settings.batch)
    {
      memcpy (out, s->out, (size_t) l->source.n_out * sizeof *out);
      return TRM_OK;
    }
  if ((status = trm_scope_open ()))
    return status;
  for (int k = 0; k < l->source.n_out && !status; k++)
    {
      const trm_tensor *whole = s->out[k];
      int64_t extent[TRM_RANK];
      memcpy (extent, whole->extent, sizeof extent);
      extent[0] = s->rows;
      status = hold (&l->shown[k], trm_view_new (whole, whole->rank, extent,
                                                 whole->stride, whole->at));
      out[k] = l->shown[k];
    }
  trm_scope_close ();
  return status;
}

bool
trm_loader_next (trm_loader *l, trm_tensor **out)
{
  slot *s = l ? next_slot (l) : NULL;
  if (l && !s)
    trm_forget_error ();
  if (!s)
    return false;
  if (!s->status)
    return !show_slot (l, s, out);
  trm_fail (s->status, "loader: example %lld: %s", (long long) s->failed,
            s->message);
  return false;
}
