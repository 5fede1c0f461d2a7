/* The original order of statements as isl's schedule tree: isl finds last
   writers in a tree sooner than by maps into time, whose dimensions are twice
   as many.

     for i { A: ..; for j  B: ..; }      i { A ; j { B } }  */

#include "poly/scop.h"

/* Some statements, in textual order, up to END, with K loops around all.  */
typedef struct part
{
  const tns_scop *scop;
  int row;
  int end;
  int k;
} part;

bool
tns_stmt_touches (const tns_stmt *stmt, int row)
{
  for (int a = 0; a < stmt->n_accesses; a++)
    if (stmt->access[a].array == row)
      return true;
  return false;
}

/* Statement S is asked for.  */
static bool
counts (const part *p, int s)
{
  return p->row < 0 || tns_stmt_touches (&p->scop->stmt[s], p->row);
}

/* { S[i] -> [ik] }, negated where the loop counts down.  */
static __isl_give isl_pw_aff *
iterator_of (const tns_stmt *stmt, int k)
{
  isl_local_space *local
    = isl_local_space_from_space (isl_set_get_space (stmt->domain));
  isl_aff *iterator = isl_aff_var_on_domain (local, isl_dim_set, (unsigned) k);
  if (stmt->loop[k]->step < 0)
    iterator = isl_aff_neg (iterator);
  return isl_pw_aff_from_aff (iterator);
}

/* INNER, the order of P's statements from FIRST on in one iteration of their
   outermost loop, in all of them.  */
static __isl_give isl_schedule *
in_loop (const part *p, int first, __isl_take isl_schedule *inner)
{
  isl_union_pw_aff *iterator
    = isl_union_pw_aff_from_pw_aff (iterator_of (&p->scop->stmt[first], p->k));
  for (int s = first + 1; s < p->end; s++)
    if (counts (p, s))
      iterator = isl_union_pw_aff_add_pw_aff (
        iterator, iterator_of (&p->scop->stmt[s], p->k));
  return isl_schedule_insert_partial_schedule (
    inner, isl_multi_union_pw_aff_from_union_pw_aff (iterator));
}

/* The end of those of P that are at the place of FIRST.  */
static int
end_of_place (const part *p, int first)
{
  const tns_stmt *stmt = p->scop->stmt;
  int s = first + 1;
  while (
    s < p->end
    && (!counts (p, s) || stmt[s].position[p->k] == stmt[first].position[p->k]))
    s++;
  return s;
}

/* The order of P's statements from FIRST on; NULL when there are none.  */
static __isl_give isl_schedule *
order_of (const part *p, int first)
{
  isl_schedule *all = NULL;
  int end = first;
  for (int s = first; s < p->end; s = end)
    {
      const tns_stmt *stmt = &p->scop->stmt[s];
      end = counts (p, s) ? end_of_place (p, s) : s + 1;
      if (!counts (p, s))
        continue;
      part around = { p->scop, p->row, end, p->k };
      part inside = { p->scop, p->row, end, p->k + 1 };
      isl_schedule *own
        = stmt->n_iters == p->k ? isl_schedule_from_domain (
            isl_union_set_from_set (isl_set_copy (stmt->domain)))
                                : in_loop (&around, s, order_of (&inside, s));
      all = all ? isl_schedule_sequence (all, own) : own;
    }
  return all;
}

__isl_give isl_schedule *
tns_scop_tree (const tns_scop *scop, int row)
{
  part all = { scop, row, scop->n_stmts, 0 };
  return order_of (&all, 0);
}
