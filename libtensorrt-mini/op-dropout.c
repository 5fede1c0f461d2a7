/* Dropout.  Which elements go follows from seed and counter alone, so that
   backward makes them out again and nothing is kept but these.

   A block of Philox gives words for four elements, which lie a quarter of the
   tensor apart:

     element k * q + i    word k of block counter + i,  i < q = count / 4

   What is left over, three at most, takes one block more.  */

#include "kernel.h"
#include "ready.h"
#include "rows.h"

#include <stdlib.h>
#include <string.h>

/* counter: of the first block; an element goes where 24 bits are below limit,
   else it is multiplied by scale.  */
typedef struct dropout_draw
{
  uint64_t seed;
  uint64_t counter;
  uint32_t limit;
  double scale;
} dropout_draw;

/* TO[0..4 n) := FROM, dropped from block FIRST on.  */
static void
drop_blocks (const dropout_draw *d, int64_t first, int64_t n, trm_type type,
             void *to, const void *from)
{
  trm_kernel (rows, dropout, type, n, d->seed, d->counter + (uint64_t) first,
              d->limit, d->scale, to, from);
}

/* The same for all of TO and FROM, of which each has N elements.  What is left
   over is dropped in a copy of four elements.  */
static void
drop_all (const dropout_draw *d, int64_t n, trm_type type, void *to,
          const void *from)
{
  double rest_to[4] = { 0 }, rest_from[4] = { 0 };
  int64_t q = n / 4;
  size_t bytes = trm_type_bytes (type);
  size_t done = (size_t) q * 4 * bytes, rest = (size_t) (n % 4) * bytes;
  drop_blocks (d, 0, q, type, to, from);
  if (!rest)
    return;
  memcpy (rest_to, (char *) to + done, rest);
  memcpy (rest_from, (const char *) from + done, rest);
  drop_blocks (d, q, 1, type, rest_to, rest_from);
  memcpy ((char *) to + done, rest_to, rest);
}

/* Backward: dx = dy where x was kept, scaled as it was: it drops, too.  */
static trm_status
dropout_back (trm_call *call)
{
  trm_tensor *dy = trm_gradient_rows (call), *dx = trm_gain_new (call, 0);
  if (!dy || !dx)
    return trm_error ();
  drop_all (trm_context (call), trm_count (dx), dx->type, dx->at, dy->at);
  return TRM_OK;
}

static const trm_function dropout_function
  = { .name = "dropout", .backward = dropout_back, .freed = free };

/* X, contiguous and of f32 or f64, dropped as D says.  */
static trm_tensor *
drop_tensor (const dropout_draw *d, trm_tensor *x)
{
  trm_tensor *y = x ? trm_empty_like (x, x->type) : NULL;
  if (!y)
    return NULL;
  drop_all (d, trm_count (x), x->type, y->at, x->at);
  if (!trm_is_recording (1, &x))
    return y;
  dropout_draw *kept = malloc (sizeof *kept);
  if (!kept)
    return trm_fail_null (TRM_NO_MEMORY, "dropout: no memory");
  *kept = *d;
  return trm_record (&dropout_function, 1, &x, 1, &y, kept) ? NULL : y;
}

trm_tensor *
trm_dropout (trm_tensor *x, double probability, trm_random *random)
{
  trm_type type = TRM_F32;
  if (!x)
    return NULL;
  if (!(probability >= 0 && probability <= 1) || !random)
    return trm_fail_null (TRM_BAD_ARGUMENT,
                          random ? "dropout: a probability of %g"
                                 : "dropout: no random numbers for %g",
                          probability);
  if (trm_scope_open ())
    return NULL;
  dropout_draw d = { .seed = random->seed,
                     .counter = random->counter,
                     .limit = (uint32_t) (probability * 0x1p24 + 0.5),
                     .scale = probability < 1 ? 1 / (1 - probability) : 0 };
  random->counter += (uint64_t) (trm_count (x) + 3) / 4;
  trm_tensor *from = x;
  trm_tensor *y = trm_ready (1, &from, &type) ? drop_tensor (&d, from) : NULL;
  y = trm_cast (y, type);
  trm_scope_give (y);
  trm_scope_close ();
  return y;
}
