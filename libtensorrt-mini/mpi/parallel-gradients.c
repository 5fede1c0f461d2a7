/* Gradients in buckets (parallel-bucket.c).

     tie     | 0.w | 0.b | 1.w | 1.b |              one for each weight
     bucket  | 1.b  1.w  0.b | 0.w |                the last weight first
     sent    | 1.b  1.w  0.b  flag flag flag |      flag: is there a gradient

   A gradient comes by the hook of its weight, at the end of backward, or before
   by a layer's mark on the tape: an operation that does nothing but be walked
   over, to which the weights are arguments so that it can read what came to
   them.  What did not come by then, trm_parallel_wait takes from the weights.

   What comes is sent with what the weight had before, so that the average
   takes the place of both.  A second backward before the wait sends all again,
   when the first has come to its end.  */

#include "mpi/ranks.h"

#include <stdlib.h>
#include <string.h>

#define BUCKET_BYTES (1 << 20)
#define WHY_BYTES    512

/* A weight, whose gradient is element AT of BUCKET and on, and its flag.

   sent, average  views of the bucket, of the weight's shape
   filled         the gradient is in SENT
   early          a mark has brought it, and the hook is still to come
   whole          it was all of the gradient, nothing was there before  */
typedef struct tie
{
  trm_parallel *parallel;
  trm_tensor *weight;
  const char *name;
  int bucket;
  int64_t at;
  int64_t flag;
  trm_tensor *sent;
  trm_tensor *average;
  bool filled;
  bool early;
  bool whole;
} tie;

/* tie: NULL of what wants no gradient; quiet: hooks do nothing, since it is
   here that gradients are added to; status, why: what went wrong, in a hook as
   well: nothing is sent any more.  */
struct trm_parallel
{
  trm_model *model;
  int64_t bucket_bytes;
  int n;
  tie **tie;
  trm_buckets buckets;
  bool held;
  bool quiet;
  trm_status status;
  char why[WHY_BYTES];
};

/* Element I of the buffer AT of B.  */
static double
get_element (const trm_bucket *b, const char *at, int64_t i)
{
  return b->type == TRM_F64 ? ((const double *) at)[i]
                            : (double) ((const float *) at)[i];
}

/* Element I of what B sends becomes VALUE.  */
static void
set_element (const trm_bucket *b, int64_t i, double value)
{
  if (b->type == TRM_F64)
    ((double *) b->sent)[i] = value;
  else
    ((float *) b->sent)[i] = (float) value;
}

/* Nothing has come to P.  */
static void
begin_anew (trm_parallel *p)
{
  trm_buckets_begin (&p->buckets);
  for (int i = 0; i < p->n; i++)
    if (p->tie[i])
      p->tie[i]->filled = p->tie[i]->early = false;
}

/* T's bucket gets G + what the weight has.  */
static trm_status
send_sum (const tie *t, trm_tensor *g)
{
  trm_status status = trm_scope_open ();
  if (status)
    return status;
  trm_tape_pause ();
  trm_tensor *sum = trm_add (g, trm_gradient_of (t->weight));
  status = sum ? trm_copy_to (t->sent, sum) : trm_error ();
  trm_tape_resume ();
  trm_scope_close ();
  return status;
}

/* G, or nothing where it is NULL, comes to T.  */
static trm_status
fill (tie *t, trm_tensor *g)
{
  trm_bucket *b = &t->parallel->buckets.bucket[t->bucket];
  const trm_tensor *own = trm_gradient_of (t->weight);
  trm_status status = TRM_OK;
  t->whole = !own || own == g;
  if (!g)
    status = trm_fill (t->sent, 0);
  else if (t->whole)
    status = trm_copy_to (t->sent, g);
  else
    status = send_sum (t, g);
  set_element (b, t->flag, g != NULL);
  t->filled = true;
  b->missing--;
  return status;
}

/* G comes to T while P's model is walked over.  */
static trm_status
bring (trm_parallel *p, tie *t, trm_tensor *g)
{
  trm_status status = TRM_OK;
  if (t->filled)
    {
      status = trm_buckets_finish (&p->buckets);
      begin_anew (p);
    }
  if (!status)
    status = fill (t, g);
  return status ? status : trm_buckets_move (&p->buckets);
}

/* Whether G is what a mark brought to T before; if not, why.  */
static trm_status
check_early (const tie *t, trm_tensor *g)
{
  if (!t->whole)
    return TRM_OK;
  trm_status status = trm_scope_open ();
  if (status)
    return status;
  trm_tape_pause ();
  g = trm_contiguous (g->type == t->sent->type ? g
                                               : trm_cast (g, t->sent->type));
  size_t bytes = (size_t) trm_count (t->sent) * trm_type_bytes (t->sent->type);
  if (!g)
    status = trm_error ();
  else if (memcmp (g->at, t->sent->at, bytes) != 0)
    status = trm_fail (TRM_CHANGED,
                       "parallel_wait: %s was used before its layer's"
                       " trm_parallel_layer",
                       t->name);
  trm_tape_resume ();
  trm_scope_close ();
  return status;
}

/* The status of P is STATUS, with the message that goes with it.  */
static trm_status
note (trm_parallel *p, trm_status status)
{
  p->status = status;
  if (status)
    snprintf (p->why, sizeof p->why, "%s", trm_message ());
  return status;
}

/* The hook of a weight; CONTEXT is its tie.  */
static trm_tensor *
on_gradient (trm_tensor *g, void *context)
{
  tie *t = context;
  trm_parallel *p = t->parallel;
  if (p->held || p->quiet || p->status)
    return NULL;
  note (p, t->early ? check_early (t, g) : bring (p, t, g));
  t->early = false;
  return NULL;
}

/* Free the views of P's buckets, and the buckets.  */
static void
forget_buckets (trm_parallel *p)
{
  for (int i = 0; i < p->n; i++)
    if (p->tie[i])
      {
        p->tie[i]->sent = trm_drop (p->tie[i]->sent);
        p->tie[i]->average = trm_drop (p->tie[i]->average);
      }
  trm_buckets_free (&p->buckets);
}

/* NULL: there is no memory for the function called NAME.  */
static void *
fail_memory (const char *name)
{
  trm_fail (TRM_NO_MEMORY, "%s: no memory", name);
  return NULL;
}

/* A tie for T, called NAME, with its hook.  */
static tie *
make_tie (trm_parallel *p, trm_tensor *t, const char *name)
{
  tie *made = calloc (1, sizeof *made);
  if (!made)
    return fail_memory ("parallel_gradients");
  *made = (tie){ .parallel = p, .weight = trm_keep (t), .name = name };
  if (!trm_hook (t, on_gradient, made))
    return made;
  trm_drop (t);
  free (made);
  return NULL;
}

/* Ties for the weights that P does not know.  */
static trm_status
tie_weights (trm_parallel *p)
{
  const trm_names *names = trm_model_names (p->model);
  int n = trm_names_count (names);
  tie **grown = realloc (p->tie, (size_t) (n + 1) * sizeof *grown);
  if (!grown)
    return trm_fail (TRM_NO_MEMORY, "parallel_gradients: no memory");
  p->tie = grown;
  for (; p->n < n; p->n++)
    {
      trm_tensor *t = trm_names_at (names, p->n);
      p->tie[p->n] = NULL;
      if (!trm_wants_gradient (t))
        continue;
      p->tie[p->n] = make_tie (p, t, trm_names_name (names, p->n));
      if (!p->tie[p->n])
        return trm_error ();
    }
  return TRM_OK;
}

/* Put T into the last of P's buckets, or where it does not fit a new one.  */
static void
choose_bucket (trm_parallel *p, tie *t)
{
  trm_buckets *all = &p->buckets;
  trm_type type = t->weight->type == TRM_F64 ? TRM_F64 : TRM_F32;
  int64_t count = trm_count (t->weight);
  int64_t most = p->bucket_bytes / (int64_t) trm_type_bytes (type);
  trm_bucket *b = all->n > 0 ? &all->bucket[all->n - 1] : NULL;
  if (!b || b->type != type || b->n + count > most)
    {
      b = &all->bucket[all->n++];
      *b = (trm_bucket){ .type = type };
    }
  t->bucket = all->n - 1;
  t->at = b->n;
  t->flag = b->parts++;
  b->n += count;
}

/* T's weight as it stands in BUFFER of B.  */
static trm_tensor *
view_bucket (const tie *t, const trm_bucket *b, char *buffer)
{
  const trm_tensor *w = t->weight;
  char *at = buffer + t->at * (int64_t) trm_type_bytes (b->type);
  if (trm_scope_open ())
    return NULL;
  trm_tensor *view
    = trm_keep (trm_wrap (b->type, w->rank, w->extent, NULL, at, NULL, NULL));
  trm_scope_close ();
  return view;
}

/* Make P's buckets, whose ties are known.  */
static trm_status
make_buckets (trm_parallel *p)
{
  trm_buckets *all = &p->buckets;
  trm_status status = TRM_OK;
  all->bucket = calloc ((size_t) p->n + 1, sizeof *all->bucket);
  if (!all->bucket)
    return trm_fail (TRM_NO_MEMORY, "parallel_gradients: no memory");
  for (int i = p->n - 1; i >= 0; i--)
    if (p->tie[i])
      choose_bucket (p, p->tie[i]);
  for (int i = 0; i < p->n; i++)
    if (p->tie[i])
      p->tie[i]->flag += all->bucket[p->tie[i]->bucket].n;
  for (int i = 0; i < all->n && !status; i++)
    {
      all->bucket[i].n += all->bucket[i].parts;
      status = trm_bucket_make (&all->bucket[i]);
    }
  for (int i = 0; i < p->n && !status; i++)
    if (p->tie[i])
      {
        tie *t = p->tie[i];
        const trm_bucket *b = &all->bucket[t->bucket];
        t->sent = view_bucket (t, b, b->sent);
        t->average = view_bucket (t, b, b->whole);
        status = t->sent && t->average ? TRM_OK : trm_error ();
      }
  return status;
}

/* Know all weights of P's model.  */
static trm_status
know_model (trm_parallel *p)
{
  const trm_names *names = trm_model_names (p->model);
  trm_status status = TRM_OK;
  for (int i = 0; i < p->n; i++)
    if (p->tie[i] && p->tie[i]->weight != trm_names_at (names, i))
      return trm_fail (TRM_CHANGED, "parallel_wait: %s is another tensor",
                       p->tie[i]->name);
  if (p->n == trm_names_count (names))
    return TRM_OK;
  if (p->n > 0)
    status = trm_buckets_finish (&p->buckets);
  if (!status)
    status = trm_ranks_agree (names, "parallel_wait");
  if (status)
    return status;
  forget_buckets (p);
  status = tie_weights (p);
  if (!status)
    status = make_buckets (p);
  begin_anew (p);
  return status;
}

trm_parallel *
trm_parallel_gradients (trm_model *model, trm_parallel_settings settings)
{
  if (!model)
    return NULL;
  trm_parallel *p = calloc (1, sizeof *p);
  if (!p)
    return fail_memory ("parallel_gradients");
  p->model = model;
  p->bucket_bytes = settings.bucket > 0 ? settings.bucket : BUCKET_BYTES;
  trm_ranks_here.users++;
  return p;
}

void
trm_parallel_free (trm_parallel *p)
{
  if (!p)
    return;
  if (p->buckets.spread > 0 && !p->status)
    trm_buckets_finish (&p->buckets);
  forget_buckets (p);
  for (int i = 0; i < p->n; i++)
    {
      if (p->tie[i])
        trm_drop (p->tie[i]->weight);
      free (p->tie[i]);
    }
  free (p->tie);
  free (p);
  trm_ranks_here.users--;
}

void
trm_parallel_hold (trm_parallel *p, bool hold)
{
  if (p)
    p->held = hold;
}

/* Weight I of a mark is input I + 1.  */
typedef struct mark
{
  trm_parallel *parallel;
  int n;
  tie *tie[TRM_MOST_ARGUMENTS - 1];
} mark;

/* The result of a mark is its first argument.  */
static trm_status
mark_forward (int n_in, trm_tensor **in, int n_out, trm_tensor **out,
              void *context)
{
  (void) n_in;
  (void) n_out;
  (void) context;
  out[0] = trm_detach (in[0]);
  return out[0] ? TRM_OK : trm_error ();
}

/* The gradients of a mark's weights are complete.  */
static trm_status
mark_backward (trm_call *call)
{
  const mark *m = trm_context (call);
  trm_parallel *p = m->parallel;
  trm_status status = trm_ranks_listen ();
  if (!status && trm_is_wanted (call, 0))
    status = trm_add_gain (call, 0, trm_out_gradient (call, 0));
  if (p->held || p->quiet || p->status || trm_is_twice (call))
    return status;
  for (int i = 0; i < m->n && !status; i++)
    if (trm_is_wanted (call, i + 1))
      {
        trm_tensor *g = trm_gain (call, i + 1);
        status = g ? bring (p, m->tie[i], g) : trm_error ();
        m->tie[i]->early = true;
      }
  return status;
}

/* X, with M, which the tape frees, unless there is nothing to mark.  */
static trm_tensor *
put_mark (mark *m, trm_tensor *x)
{
  static const trm_function function = { .name = "parallel_layer",
                                         .forward = mark_forward,
                                         .backward = mark_backward,
                                         .twice = true,
                                         .freed = free };
  trm_tensor *in[TRM_MOST_ARGUMENTS] = { x };
  trm_tensor *out = NULL;
  if (m->n == 0)
    {
      free (m);
      return x;
    }
  for (int i = 0; i < m->n; i++)
    in[i + 1] = m->tie[i]->weight;
  return trm_apply (&function, m->n + 1, in, 1, &out, m) ? NULL : out;
}

/* Whether NAME is a weight of LAYER.  */
static bool
is_of_layer (const char *name, const char *layer)
{
  size_t length = strlen (layer);
  return strncmp (name, layer, length) == 0 && name[length] == '.';
}

/* A mark of the weights of LAYER from *I on, as many as fit; *I moves on.  */
static mark *
make_mark (trm_parallel *p, const char *layer, int *i)
{
  mark *m = calloc (1, sizeof *m);
  if (!m)
    return fail_memory ("parallel_layer");
  m->parallel = p;
  for (; *i < p->n && m->n < TRM_MOST_ARGUMENTS - 1; ++*i)
    if (p->tie[*i] && is_of_layer (p->tie[*i]->name, layer))
      m->tie[m->n++] = p->tie[*i];
  return m;
}

trm_tensor *
trm_parallel_layer (trm_parallel *p, const char *layer, trm_tensor *x)
{
  int i = 0;
  if (!p || !layer || !x || trm_ranks_listen () || trm_scope_open ())
    return NULL;
  x = trm_reshape (x, x->rank, x->extent);
  while (i < p->n && x)
    {
      mark *m = make_mark (p, layer, &i);
      x = m ? put_mark (m, x) : NULL;
    }
  if (x)
    trm_scope_give (x);
  trm_scope_close ();
  return x;
}

/* The average that came to T is its weight's gradient.  */
static trm_status
take_average (trm_parallel *p, const tie *t)
{
  const trm_bucket *b = &p->buckets.bucket[t->bucket];
  trm_tensor *own = trm_gradient_of (t->weight);
  if (get_element (b, b->whole, t->flag) == 0)
    return TRM_OK;
  if (own)
    return trm_copy_to (own, t->average);
  trm_status status = trm_tape_open ();
  if (status)
    return status;
  p->quiet = true;
  status = trm_backward (t->weight, t->average);
  p->quiet = false;
  trm_tape_close ();
  return status;
}

trm_status
trm_parallel_wait (trm_parallel *p)
{
  trm_status status = p ? trm_ranks_check () : TRM_BAD_ARGUMENT;
  if (status || trm_ranks_here.copies == 1)
    return status;
  if (p->status)
    return trm_fail (p->status, "%s", p->why);
  status = know_model (p);
  for (int i = p->n - 1; i >= 0 && !status; i--)
    if (p->tie[i] && !p->tie[i]->filled)
      status = fill (p->tie[i], trm_gradient_of (p->tie[i]->weight));
  if (!status)
    status = trm_buckets_finish (&p->buckets);
  for (int i = 0; i < p->n && !status; i++)
    if (p->tie[i])
      status = take_average (p, p->tie[i]);
  if (!status)
    begin_anew (p);
  return note (p, status);
}
