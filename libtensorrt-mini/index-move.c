/* Elements that an index names, moved and added (index.h).

   Where rows are contiguous and elements have 4 or 8 bytes the loops are those
   of kernel-index.h, whose gradients are the sums; else those here, which take
   one row after the other.  */

#include "index.h"
#include "kernel.h"

#include <string.h>

/* A loop over all that P names: X[j * step] of a row there, Y[j] here, both of
   TYPE; ROW is done to rows without steps, ONE to each element of others.  */
#define LOOP(name, type, row, one)                                             \
  static void name (const trm_named *p, void *x_at, void *y_at)                \
  {                                                                            \
    const int64_t *at = p->at->at, n = p->n, step = p->step;                   \
    type *y = y_at;                                                            \
    for (int64_t a = 0; a < p->h; a++)                                         \
      for (int64_t i = 0; i < p->k; i++, y += n)                               \
        {                                                                      \
          type *x = (type *) x_at + a * p->m + at[i];                          \
          if (step == 1 && n > 1)                                              \
            row;                                                               \
          else                                                                 \
            for (int64_t j = 0; j < n; j++)                                    \
              one;                                                             \
        }                                                                      \
  }

#define COPY(to, from) memcpy (to, from, (size_t) n * sizeof *(to))
#define EACH(one)                                                              \
  for (int64_t j = 0; j < n; j++)                                              \
  one
#define TAKE(type) LOOP (take_##type, type, COPY (y, x), y[j] = x[j * step])
#define PUT(type)  LOOP (put_##type, type, COPY (x, y), x[j * step] = y[j])
#define ADD(type)                                                              \
  LOOP (add_##type, type, EACH (x[j] += y[j]), x[j * step] += y[j])

TAKE (uint8_t)
TAKE (uint16_t)
TAKE (uint32_t)
TAKE (uint64_t)
PUT (uint8_t)
PUT (uint16_t)
PUT (uint32_t)
PUT (uint64_t)
ADD (uint8_t)
ADD (uint32_t)
ADD (uint64_t)
ADD (float)
ADD (double)
LOOP (add_bool, uint8_t, EACH (x[j] |= y[j]), x[j * step] |= y[j])

/* The loops of each type, in the order of trm_type.  Whole numbers wrap around
   alike with and without a sign.  */
typedef void move_loop (const trm_named *p, void *x_at, void *y_at);
static const struct
{
  move_loop *take, *put, *add;
} loops[] = {
  { take_uint8_t, put_uint8_t, add_bool },
  { take_uint8_t, put_uint8_t, add_uint8_t },
  { take_uint8_t, put_uint8_t, add_uint8_t },
  { take_uint32_t, put_uint32_t, add_uint32_t },
  { take_uint64_t, put_uint64_t, add_uint64_t },
  { take_uint16_t, put_uint16_t, NULL },
  { take_uint16_t, put_uint16_t, NULL },
  { take_uint32_t, put_uint32_t, add_float },
  { take_uint64_t, put_uint64_t, add_double },
};

/* Whether the kernels' rows are P's.  */
static bool
has_plain_rows (const trm_named *p)
{
  return p->n == 1 || p->step == 1;
}

void
trm_named_take (const trm_named *p, trm_tensor *y, const trm_tensor *x)
{
  size_t bytes = trm_type_bytes (x->type);
  trm_type type = bytes == 8 ? TRM_F64 : TRM_F32;
  if (trm_count (y) == 0)
    return;
  if (bytes < 4 || !has_plain_rows (p))
    loops[x->type].take (p, x->at, y->at);
  else if (p->n == 1)
    trm_kernel (index, pick, type, p->h, p->m, p->k, y->at, x->at, p->at->at);
  else
    trm_kernel (index, rows, type, p->h, p->m, p->k, p->n, y->at, x->at,
                p->at->at);
}

void
trm_named_put (const trm_named *p, trm_tensor *x, const trm_tensor *y)
{
  if (trm_count (y) > 0)
    loops[x->type].put (p, x->at, y->at);
}

void
trm_named_add (const trm_named *p, trm_tensor *x, const trm_tensor *y)
{
  bool kernel = trm_type_is_float (x->type) && trm_is_contiguous (x)
                && has_plain_rows (p) && trm_kernels_index->f32.rows_back;
  if (trm_count (y) == 0)
    return;
  if (!kernel)
    loops[x->type].add (p, x->at, y->at);
  else if (p->n == 1)
    trm_kernel (index, pick_back, x->type, p->h, p->m, p->k, y->at, x->at,
                p->at->at);
  else
    trm_kernel (index, rows_back, x->type, p->h, p->m, p->k, p->n, y->at, x->at,
                p->at->at);
}
