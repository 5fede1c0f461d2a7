/* Questions about pairs of accesses, as autodiff/flow.h says.

     { R[i] -> W[j] : element (R[i]) = element (W[j]), order as asked }

   is built of the scop's access relations and asked for emptiness.  What the
   scop does not know as an access, a cell whose value it has read through, is
   found by the text alone.  */

#include "autodiff/flow.h"

#include "ir/walk.h"

/* Which pairs of times are asked for.  */
typedef enum when
{
  BEFORE,
  NOT_BEFORE,
  AFTER,
  EVER
} when;

/* The statement that site S is, or is a part of; NULL: none.  */
static const tns_stmt *
stmt_of (const tns_flow *flow, int s)
{
  for (int k = 0; k < flow->scop->n_stmts; k++)
    if (tns_node_holds (flow->scop->stmt[k].node, flow->view->site[s].node))
      return &flow->scop->stmt[k];
  return NULL;
}

/* STMT's access through LOAD that reads (WRITE: writes), or NULL.  */
static const tns_access *
access_of (const tns_stmt *stmt, const tns_expr *load, bool write)
{
  for (int a = 0; stmt && a < stmt->n_accesses; a++)
    if (stmt->access[a].write == write
        && tns_expr_equal (stmt->access[a].expr, load))
      return &stmt->access[a];
  return NULL;
}

/* The pairs of times of FROM and TO that are asked for, not EVER.  */
static __isl_give isl_map *
pairs_in_time (const tns_stmt *from, const tns_stmt *to, when order)
{
  isl_map *a = isl_map_copy (from->order);
  isl_map *b = isl_map_copy (to->order);
  if (order == BEFORE)
    return isl_map_lex_gt_map (a, b);
  return order == AFTER ? isl_map_lex_lt_map (a, b) : isl_map_lex_le_map (a, b);
}

/* { FROM[i] -> TO[j] } : access A of FROM and B of TO reach one element, at
   times as ORDER says.  */
static __isl_give isl_map *
pairs_of (const tns_flow *flow, const tns_stmt *from, const tns_access *a,
          const tns_stmt *to, const tns_access *b, when order)
{
  isl_map *pairs = isl_map_apply_range (
    isl_map_copy (a->map), isl_map_reverse (isl_map_copy (b->map)));
  if (order != EVER)
    pairs = isl_map_intersect (pairs, pairs_in_time (from, to, order));
  pairs = isl_map_intersect_domain (pairs, isl_set_copy (from->domain));
  pairs = isl_map_intersect_range (pairs, isl_set_copy (to->domain));
  return isl_map_intersect_params (pairs, isl_set_copy (flow->scop->context));
}

/* MAP is empty for certain.  */
static bool
is_empty (__isl_take isl_map *map)
{
  isl_bool none = isl_map_is_empty (map);
  isl_map_free (map);
  return none == isl_bool_true;
}

/* There are such pairs; yes where isl does not know.  */
static bool
meet (const tns_flow *flow, const tns_stmt *from, const tns_access *a,
      const tns_stmt *to, const tns_access *b, when order)
{
  isl_map *pairs = pairs_of (flow, from, a, to, b, order);
  return !is_empty (pairs);
}

/* The writes of site WRITER and the read of LOAD at site READER meet as ORDER
   says.  */
static bool
ask (const tns_flow *flow, int writer, int reader, const tns_expr *load,
     when order)
{
  const tns_node *write = flow->view->site[writer].node;
  if (!flow->scop)
    return true;
  const tns_stmt *from = stmt_of (flow, reader);
  const tns_stmt *to = stmt_of (flow, writer);
  const tns_access *a = access_of (from, load, false);
  const tns_access *b = access_of (to, write->target, true);
  if (!a || !b)
    return order == BEFORE || writer >= reader
           || flow->view->site[writer].level != flow->view->home[load->sym->id];
  bool is_whole = from == to && from->node != write;
  return is_whole || meet (flow, from, a, to, b, order);
}

bool
tns_flow_earlier (const tns_flow *flow, int writer, int reader,
                  const tns_expr *load)
{
  return ask (flow, writer, reader, load, BEFORE);
}

bool
tns_flow_later (const tns_flow *flow, int writer, int reader,
                const tns_expr *load)
{
  return ask (flow, writer, reader, load, NOT_BEFORE);
}

bool
tns_flow_overwrites (const tns_flow *flow, int first, int second)
{
  if (!flow->scop)
    return true;
  const tns_stmt *from = stmt_of (flow, first);
  const tns_stmt *to = stmt_of (flow, second);
  const tns_access *a
    = access_of (from, flow->view->site[first].node->target, true);
  const tns_access *b
    = access_of (to, flow->view->site[second].node->target, true);
  return !a || !b || (from == to && from->node->kind != TNS_ASSIGN)
         || meet (flow, from, a, to, b, AFTER);
}

/* { FROM[i] -> A[e] } : the elements that the instances of FROM reach through
   A, perhaps more.  */
static __isl_give isl_map *
elements (const tns_flow *flow, const tns_stmt *from, const tns_access *a)
{
  isl_map *all = isl_map_intersect_domain (isl_map_copy (a->map),
                                           isl_set_copy (from->domain));
  return isl_map_intersect_params (all, isl_set_copy (flow->scop->context));
}

/* REACHED, { FROM[i] -> A[e] }, less the elements that TO surely writes through
   B at the times of PAIRS, { FROM[i] -> TO[j] }.  */
static __isl_give isl_map *
without_written (__isl_take isl_map *reached, __isl_take isl_map *pairs,
                 const tns_stmt *to, const tns_access *b)
{
  pairs = isl_map_intersect_range (pairs, isl_set_copy (to->domain));
  isl_map *written = isl_map_apply_range (pairs, isl_map_copy (b->map));
  return isl_map_subtract (reached, written);
}

/* All pairs of times of FROM and TO that are asked for.  */
static __isl_give isl_map *
pairs_at (const tns_stmt *from, const tns_stmt *to, when order)
{
  if (order != EVER)
    return pairs_in_time (from, to, order);
  return isl_map_from_domain_and_range (isl_set_copy (from->domain),
                                        isl_set_copy (to->domain));
}

/* B surely writes elements of A's array.  */
static bool
makes (const tns_access *b, const tns_access *a)
{
  return b->write && !b->may && b->array == a->array;
}

/* What FROM reaches through A and no statement surely writes as ORDER says.  */
static __isl_give isl_map *
not_written (const tns_flow *flow, const tns_stmt *from, const tns_access *a,
             when order)
{
  isl_map *left = elements (flow, from, a);
  for (int s = 0; s < flow->scop->n_stmts; s++)
    {
      const tns_stmt *to = &flow->scop->stmt[s];
      for (int k = 0; k < to->n_accesses; k++)
        if (makes (&to->access[k], a))
          left = without_written (left, pairs_at (from, to, order), to,
                                  &to->access[k]);
    }
  return left;
}

/* Every instance of site READER reads through LOAD what some ASSIGN writes as
   ORDER says.  */
static bool
is_all_made (const tns_flow *flow, int reader, const tns_expr *load, when order)
{
  const tns_stmt *from = stmt_of (flow, reader);
  const tns_access *a = access_of (from, load, false);
  return a && is_empty (not_written (flow, from, a, order));
}

bool
tns_flow_is_made (const tns_flow *flow, int reader, const tns_expr *load)
{
  return is_all_made (flow, reader, load, BEFORE);
}

bool
tns_flow_is_set (const tns_flow *flow, int reader, const tns_expr *load)
{
  return is_all_made (flow, reader, load, EVER);
}

/* The access that writes what STMT's node, an ASSIGN, assigns; NULL where the
   scop knows it as a part of more.  */
static const tns_access *
write_of (const tns_stmt *stmt, const tns_node *node)
{
  return stmt && stmt->node == node ? access_of (stmt, node->target, true)
                                    : NULL;
}

/* Each instance reaches one element through A, the one that A's map names.  */
static bool
is_exact (const tns_access *a)
{
  return !a->may && isl_map_is_single_valued (a->map) == isl_bool_true;
}

/* The pairs { FROM[i] -> TO[j] } of PAIRS between which no statement writes
   again what TO has written through B; all where that is not one element.  */
static __isl_give isl_map *
without_overwritten (const tns_flow *flow, __isl_take isl_map *pairs,
                     const tns_stmt *from, const tns_access *a,
                     const tns_stmt *to, const tns_access *b)
{
  bool counts = isl_map_is_empty (pairs) == isl_bool_false && is_exact (a)
                && is_exact (b);
  for (int s = 0; counts && s < flow->scop->n_stmts; s++)
    {
      const tns_stmt *other = &flow->scop->stmt[s];
      for (int k = 0; k < other->n_accesses; k++)
        {
          const tns_access *c = &other->access[k];
          if (!makes (c, b))
            continue;
          isl_map *back = pairs_of (flow, from, a, other, c, BEFORE);
          isl_map *on = pairs_of (flow, other, c, to, b, BEFORE);
          pairs = isl_map_subtract (pairs, isl_map_apply_range (back, on));
        }
    }
  return pairs;
}

/* PAIRS where the first DEPTH coordinates are the same.  */
static __isl_give isl_map *
where_equal (__isl_take isl_map *pairs, int depth)
{
  for (int k = 0; k < depth; k++)
    pairs = isl_map_equate (pairs, isl_dim_in, k, isl_dim_out, k);
  return pairs;
}

bool
tns_flow_within (const tns_flow *flow, int writer, int reader,
                 const tns_expr *load, int depth)
{
  const tns_node *write = flow->view->site[writer].node;
  const tns_stmt *from = flow->scop ? stmt_of (flow, reader) : NULL;
  const tns_stmt *to = flow->scop ? stmt_of (flow, writer) : NULL;
  const tns_access *a = access_of (from, load, false);
  const tns_access *b = write_of (to, write);
  if (!a || !b)
    return true;
  isl_map *pairs = where_equal (pairs_of (flow, from, a, to, b, BEFORE), depth);
  return !is_empty (pairs);
}

bool
tns_flow_reaches (const tns_flow *flow, int writer, int reader,
                  const tns_expr *load, int depth, bool *apart)
{
  const tns_stmt *from = flow->scop ? stmt_of (flow, reader) : NULL;
  const tns_stmt *to = flow->scop ? stmt_of (flow, writer) : NULL;
  const tns_access *a = access_of (from, load, false);
  const tns_access *b = write_of (to, flow->view->site[writer].node);
  *apart = true;
  if (!a || !b)
    return true;
  isl_map *pairs = pairs_of (flow, from, a, to, b, BEFORE);
  pairs = without_overwritten (flow, pairs, from, a, to, b);
  isl_map *close = where_equal (isl_map_copy (pairs), depth);
  *apart = isl_map_is_subset (pairs, close) != isl_bool_true;
  isl_map_free (close);
  return !is_empty (pairs);
}

bool
tns_flow_lasts (const tns_flow *flow, int s)
{
  const tns_stmt *from = flow->scop ? stmt_of (flow, s) : NULL;
  const tns_access *a = write_of (from, flow->view->site[s].node);
  if (!a)
    return true;
  return !is_empty (not_written (flow, from, a, AFTER));
}

bool
tns_flow_covers (const tns_flow *flow, int whole, int part)
{
  const tns_stmt *to = flow->scop ? stmt_of (flow, whole) : NULL;
  const tns_stmt *from = flow->scop ? stmt_of (flow, part) : NULL;
  const tns_access *a = write_of (from, flow->view->site[part].node);
  const tns_access *b = write_of (to, flow->view->site[whole].node);
  if (!a || !b || !is_exact (b))
    return false;
  isl_set *some = isl_map_range (elements (flow, from, a));
  isl_set *all = isl_map_range (elements (flow, to, b));
  isl_bool covers = isl_set_is_subset (some, all);
  isl_set_free (some);
  isl_set_free (all);
  return covers == isl_bool_true;
}

/* { FROM[i] -> TO[j] } : the iteration of the outermost loop, and its place in
   the text, are the same, or FROM's, if LATER, no later.  */
static __isl_give isl_map *
pairs_in_step (const tns_stmt *from, const tns_stmt *to, bool later)
{
  isl_map *a = isl_map_copy (from->order);
  isl_map *b = isl_map_copy (to->order);
  unsigned n = (unsigned) isl_map_dim (a, isl_dim_out);
  a = isl_map_project_out (a, isl_dim_out, 2, n - 2);
  b = isl_map_project_out (b, isl_dim_out, 2, n - 2);
  return later ? isl_map_lex_le_map (a, b)
               : isl_map_apply_range (a, isl_map_reverse (b));
}

/* STMT is, or holds, an ASSIGN site of FLOW with RUNS[site].  */
static bool
does_run (const tns_flow *flow, const tns_stmt *stmt, const bool *runs)
{
  for (int s = 0; s < flow->view->n_sites; s++)
    if (runs[s] && stmt_of (flow, s) == stmt)
      return true;
  return false;
}

/* The instances of FROM that read through A what the same iteration of the
   outermost loop has not made.  */
static __isl_give isl_set *
read_from_outside (const tns_flow *flow, const tns_stmt *from,
                   const tns_access *a, const bool *runs)
{
  isl_map *outside = elements (flow, from, a);
  for (int s = 0; s < flow->scop->n_stmts; s++)
    {
      const tns_stmt *to = &flow->scop->stmt[s];
      for (int k = 0; k < to->n_accesses; k++)
        {
          if (!makes (&to->access[k], a) || !does_run (flow, to, runs))
            continue;
          isl_map *made = isl_map_intersect (pairs_in_time (from, to, BEFORE),
                                             pairs_in_step (from, to, false));
          outside = without_written (outside, made, to, &to->access[k]);
        }
    }
  return isl_map_domain (outside);
}

/* What the instances FIRST of FROM read through A is written by TO through B
   in the same iteration of the outermost loop or later.  */
static bool
is_rewritten (__isl_keep isl_set *first, const tns_stmt *from,
              const tns_access *a, const tns_stmt *to, const tns_access *b)
{
  isl_map *pairs = isl_map_apply_range (
    isl_map_copy (a->map), isl_map_reverse (isl_map_copy (b->map)));
  pairs = isl_map_intersect (pairs, pairs_in_step (from, to, true));
  pairs = isl_map_intersect_domain (pairs, isl_set_copy (first));
  pairs = isl_map_intersect_range (pairs, isl_set_copy (to->domain));
  return !is_empty (pairs);
}

/* An ASSIGN site with RUNS[site] writes SYM.  */
static bool
is_written (const tns_flow *flow, const tns_sym *sym, const bool *runs)
{
  for (int s = 0; s < flow->view->n_sites; s++)
    if (runs[s] && flow->view->site[s].node->target->sym == sym)
      return true;
  return false;
}

bool
tns_flow_crosses (const tns_flow *flow, int reader, const tns_expr *load,
                  const bool *runs)
{
  const tns_stmt *from = flow->scop ? stmt_of (flow, reader) : NULL;
  const tns_access *a = access_of (from, load, false);
  if (!a || from->n_iters == 0)
    return is_written (flow, load->sym, runs);
  isl_set *first = read_from_outside (flow, from, a, runs);
  bool found = false;
  for (int s = 0; s < flow->scop->n_stmts && !found; s++)
    {
      const tns_stmt *to = &flow->scop->stmt[s];
      for (int k = 0; k < to->n_accesses && !found; k++)
        found = to->access[k].write && to->access[k].array == a->array
                && does_run (flow, to, runs)
                && is_rewritten (first, from, a, to, &to->access[k]);
    }
  isl_set_free (first);
  return found;
}
