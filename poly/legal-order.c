/* The order of copies as isl's schedule tree, as poly/scop-order.c does it for
   the user's own:

     { A[T,i] -> [0, T, 0, i];  B[T,i] -> [0, T, 1, i] }     T { A: i ; B: i }

   A dimension that is a number for each copy puts them into a sequence, any
   other one is a loop around all.  */

#include "poly/legal.h"

/* Some copies, ordered by the dimensions from AT on.  */
typedef struct part
{
  int n;
  const tns_copy **copy;
  unsigned at;
  tns_arena *arena;
} part;

static __isl_give isl_schedule *order_of (const part *p);

/* Dimension AT of COPY's order is the number *VALUE.  */
static bool
is_number (const tns_copy *copy, unsigned at, long *value)
{
  isl_val *fixed
    = isl_map_plain_get_val_if_fixed (copy->order, isl_dim_out, at);
  bool known = isl_val_is_int (fixed) == isl_bool_true;
  *value = known ? isl_val_get_num_si (fixed) : 0;
  isl_val_free (fixed);
  return known;
}

/* All instances of P's copies, in no order.  */
static __isl_give isl_schedule *
unordered (const part *p)
{
  isl_union_set *all = NULL;
  for (int k = 0; k < p->n; k++)
    {
      isl_union_set *one = isl_union_set_from_set (
        isl_map_domain (isl_map_copy (p->copy[k]->order)));
      all = all ? isl_union_set_union (all, one) : one;
    }
  return isl_schedule_from_domain (all);
}

/* { E[x] -> [t_AT] } of COPY.  */
static __isl_give isl_pw_aff *
time_at (const tns_copy *copy, unsigned at)
{
  isl_map *time = isl_map_copy (copy->order);
  unsigned n = (unsigned) isl_map_dim (time, isl_dim_out);
  time = isl_map_project_out (time, isl_dim_out, at + 1, n - at - 1);
  time = isl_map_project_out (time, isl_dim_out, 0, at);
  isl_pw_multi_aff *all = isl_pw_multi_aff_from_map (time);
  isl_pw_aff *one = isl_pw_multi_aff_get_pw_aff (all, 0);
  isl_pw_multi_aff_free (all);
  return one;
}

/* INNER, P's copies by the dimensions behind the first, in a loop of that.  */
static __isl_give isl_schedule *
in_loop (const part *p, __isl_take isl_schedule *inner)
{
  isl_union_pw_aff *time
    = isl_union_pw_aff_from_pw_aff (time_at (p->copy[0], p->at));
  for (int k = 1; k < p->n; k++)
    time = isl_union_pw_aff_add_pw_aff (time, time_at (p->copy[k], p->at));
  return isl_schedule_insert_partial_schedule (
    inner, isl_multi_union_pw_aff_from_union_pw_aff (time));
}

/* Those of P's copies, at the places VALUE, that are at WHERE.  */
static __isl_give isl_schedule *
at_place (const part *p, const long *value, long where)
{
  part some = { 0, TNS_NEW_ARRAY (p->arena, const tns_copy *, p->n), p->at + 1,
                p->arena };
  for (int k = 0; k < p->n; k++)
    if (value[k] == where)
      some.copy[some.n++] = p->copy[k];
  return order_of (&some);
}

/* P's copies one place after the other, at VALUE.  */
static __isl_give isl_schedule *
in_sequence (const part *p, const long *value)
{
  isl_schedule *all = NULL;
  bool *done = TNS_NEW_ARRAY (p->arena, bool, p->n);
  for (int first = 0; first >= 0;)
    {
      first = -1;
      for (int k = 0; k < p->n; k++)
        if (!done[k] && (first < 0 || value[k] < value[first]))
          first = k;
      if (first < 0)
        break;
      isl_schedule *own = at_place (p, value, value[first]);
      all = all ? isl_schedule_sequence (all, own) : own;
      for (int k = 0; k < p->n; k++)
        done[k] |= value[k] == value[first];
    }
  return all;
}

/* The order of P's copies.  */
static __isl_give isl_schedule *
order_of (const part *p)
{
  long *value = TNS_NEW_ARRAY (p->arena, long, p->n);
  bool are_numbers = true;
  if (p->at == (unsigned) isl_map_dim (p->copy[0]->order, isl_dim_out))
    return unordered (p);
  for (int k = 0; k < p->n; k++)
    are_numbers &= is_number (p->copy[k], p->at, &value[k]);
  if (are_numbers)
    return in_sequence (p, value);
  part inside = { p->n, p->copy, p->at + 1, p->arena };
  return in_loop (p, order_of (&inside));
}

__isl_give isl_schedule *
tns_copies_tree (tns_arena *arena, int n, const tns_copy *copy)
{
  part all = { n, TNS_NEW_ARRAY (arena, const tns_copy *, n), 0, arena };
  for (int k = 0; k < n; k++)
    all.copy[k] = &copy[k];
  return order_of (&all);
}
