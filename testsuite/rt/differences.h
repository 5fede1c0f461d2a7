/* What the tests of operations share: tensors of numbers, gradients against
   central differences, results for any number of threads.  */

#ifndef TRM_DIFFERENCES_H
#define TRM_DIFFERENCES_H

#include "expect.h"

#include <math.h>
#include <string.h>
#ifdef _OPENMP
#  include <omp.h>
#endif

/* A function of tensors.  */
typedef trm_tensor *function_of (trm_tensor **x);

/* Numbers from LOW to HIGH, the same for each SEED.  */
static inline trm_tensor *
numbers (unsigned seed, double low, double high, int rank,
         const int64_t *extent)
{
  trm_tensor *t = trm_empty (TRM_F64, rank, extent);
  double *at = t->at;
  for (int64_t i = 0; i < trm_count (t); i++)
    {
      seed = seed * 1664525u + 1013904223u;
      at[i] = low + (high - low) * (seed >> 8) / (1 << 24);
    }
  return t;
}

/* Element I of T, contiguous, as a double.  */
static inline double
element (const trm_tensor *t, int64_t i)
{
  int64_t at[TRM_RANK];
  for (int k = t->rank - 1; k >= 0; k--)
    {
      at[k] = i % t->extent[k];
      i /= t->extent[k];
    }
  return trm_get (t, t->rank, at);
}

/* The sum of A times B, element by element.  */
static inline double
inner_product (const trm_tensor *a, const trm_tensor *b)
{
  double sum = 0;
  for (int64_t i = 0; i < trm_count (a); i++)
    sum += element (a, i) * element (b, i);
  return sum;
}

/* Whether the gradients of F at the N tensors X of f64, by backward from SEED,
   are BASE and those that differences give; only those of WANTED, a bit each,
   are asked for.  X are contiguous, and are moved and put back.  */
static inline bool
agree_for (function_of *f, int n, trm_tensor **x, unsigned wanted, double bound)
{
  trm_tensor *in[TRM_MOST_ARGUMENTS];
  bool right = true;
  for (int i = 0; i < n; i++)
    {
      in[i] = x[i] ? trm_detach (x[i]) : NULL;
      if (wanted >> i & 1)
        trm_want_gradient (in[i]);
    }
  trm_tape_open ();
  trm_tensor *y = f (in);
  trm_tensor *seed = y ? numbers (7, -1, 1, y->rank, y->extent) : NULL;
  right = y && !trm_backward_keep (y, seed) && !trm_backward (y, seed);
  trm_keep (seed);
  trm_tape_close ();
  for (int i = 0; i < n && right; i++)
    for (int64_t k = 0; wanted >> i & 1 && k < trm_count (x[i]); k++)
      {
        double *at = (double *) x[i]->at + k, kept = *at, step = 1e-5;
        trm_scope_open ();
        *at = kept + step;
        double up = inner_product (f (x), seed);
        *at = kept - step;
        double down = inner_product (f (x), seed);
        *at = kept;
        trm_scope_close ();
        double slope = (up - down) / step;
        double found = element (trm_gradient_of (in[i]), k);
        right &= fabs (found - slope) <= bound * fmax (1, fabs (slope));
      }
  trm_drop (seed);
  return right;
}

/* Whether all gradients of F at X, each alone and all together, agree with
   differences.  Where X[i] is NULL, or not of f64, there is none.  */
static inline bool
gradients_agree (function_of *f, int n, trm_tensor **x)
{
  unsigned all = 0;
  bool right = true;
  for (int i = 0; i < n; i++)
    if (x[i] && x[i]->type == TRM_F64)
      all |= 1u << i;
  for (unsigned wanted = 1; wanted <= all; wanted++)
    if (!(wanted & ~all))
      {
        trm_scope_open ();
        right &= agree_for (f, n, x, wanted, 1e-6);
        trm_scope_close ();
      }
  return right;
}

/* The number of threads is N from here on.  */
static inline void
use_threads (int n)
{
#ifdef _OPENMP
  omp_set_num_threads (n);
#else
  (void) n;
#endif
}

/* Whether A and B have the same bits.  */
static inline bool
same_bits (const trm_tensor *a, const trm_tensor *b)
{
  return trm_same_shape (a, b) && a->type == b->type
         && !memcmp (a->at, b->at,
                     (size_t) trm_count (a) * trm_type_bytes (a->type));
}

/* Whether F of X, and its gradients, have the same bits for 1, 2 and 4
   threads.  */
static inline bool
same_for_threads (function_of *f, int n, trm_tensor **x)
{
  trm_tensor *first[1 + TRM_MOST_ARGUMENTS] = { NULL };
  bool right = true;
  trm_scope_open ();
  for (int threads = 1; threads <= 4; threads *= 2)
    {
      trm_tensor *in[TRM_MOST_ARGUMENTS];
      use_threads (threads);
      for (int i = 0; i < n; i++)
        in[i] = !x[i] || x[i]->type < TRM_F32
                  ? x[i]
                  : trm_want_gradient (trm_detach (x[i]));
      trm_tape_open ();
      trm_tensor *y = trm_keep (f (in));
      right &= y && !trm_backward (y, y);
      trm_tape_close ();
      for (int i = -1; i < n; i++)
        {
          trm_tensor *t = i < 0 ? y : trm_gradient_of (in[i]);
          if (!first[i + 1])
            first[i + 1] = t ? trm_copy (t) : NULL;
          else
            right &= t && same_bits (first[i + 1], t);
        }
      trm_drop (y);
    }
  use_threads (2);
  trm_scope_close ();
  return right;
}

#endif
