/* Attention: softmax (q k' / sqrt (d)) v, by heads.

   A row of weights is made and used up before the next one, by the loops of
   kernel-attention.h; nothing of t x s is kept.  Backward makes the weights
   again, and whether they were dropped: weight (m, i, j) is by the first word
   of Philox at

     counter + (m * t + i) * s + j

   Each row takes a share of its weights:

     0            a row that sees nothing
     1            any other
     1 / (1 - p)  any other, where p of the weights are dropped  */

#include "kernel.h"
#include "ready.h"
#include "rows.h"

#include <stdlib.h>
#include <string.h>

/* n heads, q [n][t][d], k and v [n][s][d]; row i sees i + lead + 1 of s, where
   they are masked those for which a mask is true; a weight is dropped where a
   word is below bound, else multiplied by gain.  */
typedef struct heads
{
  int64_t n, t, s, d;
  int64_t lead;
  bool is_masked;
  bool drops;
  uint64_t seed, counter, bound;
  double gain;
} heads;

/* The loops NAME of H; MASK and SHARE are NULL where H is not masked.  */
#define HEAD_LOOPS(name, h, mask, share, type, ...)                            \
  do                                                                           \
    if ((h)->drops)                                                            \
      trm_kernel (attention, attention_dropped##name, type, HEAD_SIZES (h),    \
                  __VA_ARGS__, (mask)->at, (share)->at, (h)->seed,             \
                  (h)->counter, (h)->bound);                                   \
    else if ((h)->is_masked)                                                   \
      trm_kernel (attention, attention_masked##name, type, HEAD_SIZES (h),     \
                  __VA_ARGS__, (mask)->at, (share)->at);                       \
    else                                                                       \
      trm_kernel (attention, attention##name, type, HEAD_SIZES (h),            \
                  __VA_ARGS__);                                                \
  while (0)
#define HEAD_SIZES(h) (h)->n, (h)->t, (h)->s, (h)->d, (h)->lead

/* What each row of H takes of its weights, of TYPE.  */
static trm_tensor *
row_shares (const heads *h, const trm_tensor *mask, trm_type type)
{
  trm_tensor *share = trm_zeros (type, TRM_SHAPE (h->t));
  char *at = share ? share->at : NULL;
  for (int64_t i = 0; share && i < h->t; i++)
    {
      int64_t end = i + h->lead + 1 < h->s ? i + h->lead + 1 : h->s;
      const char *row = (const char *) mask->at + i * h->s;
      if (end > 0 && memchr (row, true, (size_t) end))
        trm_element_set (type, at, h->gain);
      at += trm_type_bytes (type);
    }
  return share;
}

/* Backward: dq, dk and dv by one pass; of those that nobody wants into zeros
   that nobody reads.  */
static trm_status
attention_back (trm_call *call)
{
  const heads *h = trm_context (call);
  trm_tensor *x[3], *dx[3], *dy = trm_gradient_rows (call);
  trm_tensor *mask = h->is_masked ? trm_in (call, 3) : NULL;
  trm_tensor *share = dy && mask ? row_shares (h, mask, dy->type) : NULL;
  if (!dy || (mask && !share))
    return trm_error ();
  for (int i = 0; i < 3; i++)
    {
      x[i] = trm_in (call, i);
      dx[i] = trm_gain_or_zeros (call, i, x[i]);
      if (!dx[i])
        return trm_error ();
    }
  HEAD_LOOPS (_back, h, mask, share, dy->type, dy->at, x[0]->at, x[1]->at,
              x[2]->at, dx[0]->at, dx[1]->at, dx[2]->at);
  return TRM_OK;
}

static const trm_function attention_function = {
  .name = "attention", .backward = attention_back, .saves_in = 15, .freed = free
};

/* The attention of IN, q, k and v, all ready, and the mask where H has one.  */
static trm_tensor *
attend (const heads *h, trm_tensor **in)
{
  int n_in = h->is_masked ? 4 : 3;
  trm_tensor *y = trm_empty_like (in[0], in[0]->type);
  trm_tensor *share = y && h->is_masked ? row_shares (h, in[3], y->type) : NULL;
  if (!y || (h->is_masked && !share))
    return NULL;
  HEAD_LOOPS (, h, in[3], share, y->type, y->at, in[0]->at, in[1]->at,
              in[2]->at);
  if (!trm_is_recording (n_in, in))
    return y;
  heads *kept = malloc (sizeof *kept);
  if (!kept)
    return trm_fail_null (TRM_NO_MEMORY, "attention: no memory");
  *kept = *h;
  return trm_record (&attention_function, n_in, in, 1, &y, kept) ? NULL : y;
}

/* Whether Q, K, V and MASK go together; if not, why.  */
static bool
are_heads (const trm_tensor *q, const trm_tensor *k, const trm_tensor *v,
           const trm_tensor *mask)
{
  bool fits = q->rank == 4 && k->rank == 4 && q->extent[0] == k->extent[0]
              && q->extent[1] == k->extent[1] && q->extent[3] == k->extent[3];
  if (!fits)
    trm_misfit ("attention", "q", q, "k", k);
  else if (!trm_same_shape (k, v))
    trm_misfit ("attention", "k", k, "v", v);
  else if (mask && mask->type != TRM_BOOL)
    trm_fail (TRM_BAD_TYPE, "attention: a mask of %s, not of bool",
              trm_type_name (mask->type));
  else if (mask
           && (mask->rank != 2 || mask->extent[0] != q->extent[2]
               || mask->extent[1] != k->extent[2]))
    trm_misfit ("attention", "mask", mask, "q", q);
  else
    return true;
  return false;
}

/* Fill H's part that drops weights with PROBABILITY; RANDOM moves on.  */
static bool
set_dropout (heads *h, double probability, trm_random *random)
{
  if (!(probability >= 0 && probability <= 1) || (probability > 0 && !random))
    {
      trm_fail (TRM_BAD_ARGUMENT,
                probability > 0 && !random
                  ? "attention: no random numbers for a dropout of %g"
                  : "attention: a dropout of %g",
                probability);
      return false;
    }
  h->drops = probability > 0;
  h->gain = probability < 1 ? 1 / (1 - probability) : 0;
  if (!h->drops)
    return true;
  h->seed = random->seed;
  h->counter = random->counter;
  h->bound = (uint64_t) (probability * 0x1p32);
  random->counter += (uint64_t) (h->n * h->t * h->s);
  return true;
}

trm_tensor *
trm_attention (trm_tensor *q, trm_tensor *k, trm_tensor *v, bool causal,
               trm_tensor *mask, double dropout, trm_random *random)
{
  trm_type type;
  if (!q || !k || !v || !are_heads (q, k, v, mask))
    return NULL;
  heads h = {
    .n = q->extent[0] * q->extent[1],
    .t = q->extent[2],
    .s = k->extent[2],
    .d = q->extent[3],
  };
  h.lead = causal ? h.s - h.t : h.s;
  if (!set_dropout (&h, dropout, random) || trm_scope_open ())
    return NULL;
  h.is_masked = mask || h.drops;
  trm_tensor *in[] = { q, k, v, NULL };
  if (h.is_masked)
    in[3] = mask ? trm_contiguous (mask)
                 : trm_full (TRM_BOOL, TRM_SHAPE (h.t, h.s), true);
  bool ready = (in[3] || !h.is_masked) && trm_ready (3, in, &type);
  trm_tensor *y = ready ? trm_cast (attend (&h, in), type) : NULL;
  trm_scope_give (y);
  trm_scope_close ();
  return y;
}
