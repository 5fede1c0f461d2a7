/* Functions with known derivatives (products.h).  */

#include "products.h"

#include <stdlib.h>
#include <string.h>

int freed_contexts;

void
count_freed (void *context)
{
  freed_contexts++;
  free (context);
}

static trm_status
times_forward (int n_in, trm_tensor **in, int n_out, trm_tensor **out,
               void *context)
{
  (void) n_in, (void) n_out, (void) context;
  out[0] = trm_empty (TRM_F64, in[0]->rank, in[0]->extent);
  trm_tensor *left = trm_contiguous (in[0]), *right = trm_contiguous (in[1]);
  if (!out[0] || !left || !right)
    return trm_error ();
  int64_t n = trm_count (in[0]);
  TRM_VIEW1 (double, a, left);
  TRM_VIEW1 (double, b, right);
  TRM_VIEW1 (double, y, out[0]);
  for (int64_t i = 0; i < n; i++)
    y[i] = a[i] * b[i];
  return TRM_OK;
}

static const trm_function times_function;

trm_tensor *
times (trm_tensor *a, trm_tensor *b)
{
  trm_tensor *y;
  if (!a || !b)
    return NULL;
  return trm_apply (&times_function, 2, (trm_tensor *[]){ a, b }, 1, &y,
                    malloc (1))
           ? NULL
           : y;
}

/* Both gains in one loop that reads all before it writes, as vector code
   does.  */
static trm_status
times_back (trm_call *call)
{
  trm_tensor *in[2], *gain[2] = { NULL };
  trm_tensor *g = trm_out_gradient (call, 0);
  double next[2][64];
  for (int k = 0; k < 2; k++)
    {
      in[k] = trm_contiguous (trm_in (call, k));
      if (!in[k])
        return trm_error ();
    }
  for (int k = 0; k < 2; k++)
    if (!trm_is_wanted (call, k))
      continue;
    else if (trm_is_twice (call))
      trm_add_gain (call, k, times (g, in[1 - k]));
    else if (!(gain[k] = trm_gain (call, k)))
      return trm_error ();
  for (int64_t i = 0; i < trm_count (g); i++)
    for (int k = 0; k < 2; k++)
      if (gain[k])
        next[k][i] = ((double *) gain[k]->at)[i]
                     + ((double *) g->at)[i] * ((double *) in[1 - k]->at)[i];
  for (int k = 0; k < 2; k++)
    if (gain[k])
      memcpy (gain[k]->at, next[k], (size_t) trm_count (g) * 8);
  return TRM_OK;
}

static const trm_function times_function = { .name = "times",
                                             .forward = times_forward,
                                             .backward = times_back,
                                             .twice = true,
                                             .saves_in = 3,
                                             .freed = count_freed };

static trm_status
total_forward (int n_in, trm_tensor **in, int n_out, trm_tensor **out,
               void *context)
{
  double sum = 0;
  (void) n_in, (void) n_out, (void) context;
  for (int64_t i = 0; i < trm_count (in[0]); i++)
    sum += ((double *) in[0]->at)[i];
  out[0] = trm_number (TRM_F64, sum);
  return out[0] ? TRM_OK : trm_error ();
}

trm_status
total_back (trm_call *call)
{
  return trm_add_gain (call, 0, trm_out_gradient (call, 0));
}

static const trm_function total_function = { .name = "total",
                                             .forward = total_forward,
                                             .backward = total_back,
                                             .twice = true };
const trm_function total_once
  = { .name = "total-once", .forward = total_forward, .backward = total_back };

trm_tensor *
total_by (const trm_function *function, trm_tensor *x)
{
  trm_tensor *y;
  return x && !trm_apply (function, 1, &x, 1, &y, NULL) ? y : NULL;
}

trm_tensor *
total (trm_tensor *x)
{
  return total_by (&total_function, x);
}

trm_tensor *
leaf (double first, double step)
{
  return trm_want_gradient (
    trm_arange (TRM_F64, first, first + (N - 0.5) * step, step));
}

bool
is_affine (const trm_tensor *g, const trm_tensor *x, double scale, double shift)
{
  if (!g || !trm_same_shape (g, x))
    return false;
  for (int64_t i = 0; i < N; i++)
    if (trm_get (g, TRM_SHAPE (i))
        != scale * trm_get (x, TRM_SHAPE (i)) + shift)
      return false;
  return true;
}

int64_t
bytes_now (void)
{
  return trm_memory_now ().bytes;
}
