/* Webs, as poly/webs.h says: reads are asked, one after the other, for the
   last writers of what they read, and joined with these.  */

#include "poly/webs.h"

/* What isl may take to find the last writers for one read.  */
#define OPERATIONS_OF_READ 100000

/* The joining of what one read reads, NUMBER, of ROW.  */
typedef struct joining
{
  tns_webs *webs;
  int row;
  int number;
} joining;

int
tns_web_of (const tns_webs *webs, int number)
{
  while (webs->group[number] != number)
    number = webs->group[number];
  return number;
}

const tns_stmt *
tns_web_stmt (const tns_webs *webs, int number)
{
  const tns_scop *scop = webs->scop;
  int s = scop->n_stmts - 1;
  if (number >= webs->outside)
    return NULL;
  while (webs->first[s] > number)
    s--;
  return &scop->stmt[s];
}

int
tns_web_number (const tns_webs *webs, const tns_stmt *stmt,
                const tns_expr *load, bool write)
{
  for (int a = 0; a < stmt->n_accesses; a++)
    if (stmt->access[a].write == write
        && tns_expr_equal (stmt->access[a].expr, load))
      return webs->first[stmt - webs->scop->stmt] + a;
  return -1;
}

/* How many outermost loops two statements share; none with what is
   outside.  */
static int
shared_loops (const tns_stmt *x, const tns_stmt *y)
{
  int n = 0;
  while (x && y && n < x->n_iters && n < y->n_iters && x->loop[n] == y->loop[n])
    n++;
  return n;
}

/* Put the numbers X and Y into one web.  */
static void
join (tns_webs *webs, int x, int y)
{
  x = tns_web_of (webs, x);
  y = tns_web_of (webs, y);
  int shared = shared_loops (tns_web_stmt (webs, x), tns_web_stmt (webs, y));
  if (x == y)
    return;
  int low = x < y ? x : y;
  int high = x < y ? y : x;
  webs->group[high] = low;
  if (webs->depth[low] > webs->depth[high])
    webs->depth[low] = webs->depth[high];
  if (webs->depth[low] > shared)
    webs->depth[low] = shared;
}

/* Join the accesses of ROW in STMT: all of them, or the two of an update that
   adds.  */
static void
join_statement (tns_webs *webs, const tns_stmt *stmt, int row)
{
  int first = webs->first[stmt - webs->scop->stmt];
  int found = -1;
  bool whole = stmt->node->kind != TNS_ASSIGN;
  for (int a = 0; a < stmt->n_accesses; a++)
    {
      const tns_access *access = &stmt->access[a];
      bool counts = whole || access->update == TNS_ADD;
      if (access->array != row || !counts)
        continue;
      if (found >= 0)
        join (webs, found, first + a);
      found = first + a;
    }
}

/* The number of the write of ROW in statement S.  */
static int
write_of (const tns_webs *webs, int s, int row)
{
  const tns_stmt *stmt = &webs->scop->stmt[s];
  int a = 0;
  while (!stmt->access[a].write || stmt->access[a].array != row)
    a++;
  return webs->first[s] + a;
}

/* Lower the depth of web W to the loops in which the pairs of MAP are
   equal.  */
static isl_stat
shorten (tns_webs *webs, int w, __isl_keep isl_map *map)
{
  for (int k = 0; k < webs->depth[w]; k++)
    {
      isl_map *equal
        = isl_map_equate (isl_map_copy (map), isl_dim_in, k, isl_dim_out, k);
      isl_bool same = isl_map_is_subset (map, equal);
      isl_map_free (equal);
      if (same < 0)
        return isl_stat_error;
      if (!same)
        webs->depth[w] = k;
    }
  return isl_stat_ok;
}

/* The read of J reads what the domain of MAP wrote.  */
static isl_stat
join_writer (__isl_take isl_map *map, void *self)
{
  const joining *j = self;
  isl_set *from = isl_map_domain (isl_map_copy (map));
  int s = tns_scop_stmt_of_set (j->webs->scop, from);
  isl_set_free (from);
  if (s >= 0)
    join (j->webs, j->number, write_of (j->webs, s, j->row));
  isl_stat done = s < 0
                    ? isl_stat_error
                    : shorten (j->webs, tns_web_of (j->webs, j->number), map);
  isl_map_free (map);
  return done;
}

/* The writes of ROW, those that are MAY or those that are not.  */
static __isl_give isl_union_map *
writes_of (const tns_webs *webs, int row, bool may)
{
  const tns_scop *scop = webs->scop;
  isl_union_map *all = isl_union_map_empty_ctx (scop->isl);
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      {
        const tns_access *access = &scop->stmt[s].access[a];
        if (access->array == row && access->write && access->may == may)
          all = isl_union_map_add_map (all, isl_map_copy (access->map));
      }
  return isl_union_map_intersect_params (all, isl_set_copy (scop->context));
}

/* Whether the web of NUMBER cannot grow by what NUMBER reads, nor its values
   live longer: it has all writes of ROW and, when OPEN, what is outside.  */
static bool
is_whole (const tns_webs *webs, int row, int number, bool open)
{
  const tns_scop *scop = webs->scop;
  int web = tns_web_of (webs, number);
  bool whole = webs->depth[web] == 0
               && (!open || tns_web_of (webs, webs->outside + row) == web);
  for (int s = 0; s < scop->n_stmts && whole; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses && whole; a++)
      whole = scop->stmt[s].access[a].array != row
              || !scop->stmt[s].access[a].write
              || tns_web_of (webs, webs->first[s] + a) == web;
  return whole;
}

/* Join NUMBER, which reads SINK of ROW when ORDER says, with the writers of
   what it reads, and with what is outside where nobody wrote it and OPEN.
   False when isl failed.  */
static bool
join_reader (tns_webs *webs, int row, int number, bool open,
             __isl_take isl_map *sink, __isl_take isl_schedule *order)
{
  joining j = { webs, row, number };
  unsigned long before = tns_isl_ask (webs->scop->isl, OPERATIONS_OF_READ);
  isl_union_flow *flow
    = tns_isl_flow (isl_union_map_from_map (sink), writes_of (webs, row, false),
                    writes_of (webs, row, true), order);
  isl_union_map *reached = isl_union_flow_get_may_dependence (flow);
  isl_union_map *rest = isl_union_flow_get_may_no_source (flow);
  isl_stat done = isl_union_map_foreach_map (reached, join_writer, &j);
  if (open && isl_union_map_is_empty (rest) != isl_bool_true)
    join (webs, number, webs->outside + row);
  isl_union_flow_free (flow);
  isl_union_map_free (reached);
  isl_union_map_free (rest);
  return tns_isl_asked (webs->scop->isl, before) && done == isl_stat_ok;
}

/* Join what is outside with the writes of ROW that last to the end.  False
   when isl failed.  */
static bool
join_end (tns_webs *webs, int row)
{
  const tns_scop *scop = webs->scop;
  isl_space *space = isl_space_set_alloc (scop->isl, 0, 0);
  isl_set *end
    = isl_set_universe (isl_space_set_tuple_name (space, isl_dim_set, "end"));
  isl_union_set *elements = isl_union_map_range (isl_union_map_union (
    writes_of (webs, row, false), writes_of (webs, row, true)));
  if (isl_union_set_is_empty (elements) != isl_bool_false)
    elements = isl_union_set_free (elements);
  isl_map *sink = isl_map_from_domain_and_range (
    isl_set_copy (end), isl_set_from_union_set (elements));
  isl_schedule *order = isl_schedule_sequence (
    tns_scop_tree (scop, row),
    isl_schedule_from_domain (isl_union_set_from_set (end)));
  return join_reader (webs, row, webs->outside + row, false, sink, order);
}

/* Join all of ROW: it is one web, and lives outside.  */
static void
join_all (tns_webs *webs, int row)
{
  const tns_scop *scop = webs->scop;
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      if (scop->stmt[s].access[a].array == row)
        join (webs, webs->first[s] + a, webs->outside + row);
}

/* Find the webs of ROW.  False when isl failed.  */
static bool
part (tns_webs *webs, int row, bool ends)
{
  const tns_scop *scop = webs->scop;
  bool is_open = !tns_sym_is_local (scop->array[row].sym);
  isl_schedule *order = tns_scop_tree (scop, row);
  bool done = true;
  for (int s = 0; s < scop->n_stmts && done; s++)
    {
      const tns_stmt *stmt = &scop->stmt[s];
      join_statement (webs, stmt, row);
      for (int a = 0; a < stmt->n_accesses && done; a++)
        if (stmt->access[a].array == row && !stmt->access[a].write
            && !is_whole (webs, row, webs->first[s] + a, is_open))
          done = join_reader (
            webs, row, webs->first[s] + a, is_open,
            isl_map_intersect_params (isl_map_copy (stmt->access[a].map),
                                      isl_set_copy (scop->context)),
            isl_schedule_copy (order));
    }
  isl_schedule_free (order);
  bool is_done = !ends || is_whole (webs, row, webs->outside + row, false);
  return done && (is_done || join_end (webs, row));
}

/* Webs of SCOP, each access one of its own.  */
static tns_webs *
new_webs (tns_arena *arena, const tns_scop *scop)
{
  tns_webs *webs = TNS_NEW (arena, tns_webs);
  webs->scop = scop;
  webs->first = TNS_NEW_ARRAY (arena, int, scop->n_stmts + 1);
  for (int s = 0; s < scop->n_stmts; s++)
    {
      webs->first[s] = webs->outside;
      webs->outside += scop->stmt[s].n_accesses;
    }
  int n = webs->outside + scop->n_arrays;
  webs->group = TNS_NEW_ARRAY (arena, int, n + 1);
  webs->depth = TNS_NEW_ARRAY (arena, int, n + 1);
  for (int k = 0; k < n; k++)
    {
      const tns_stmt *stmt = tns_web_stmt (webs, k);
      webs->group[k] = k;
      webs->depth[k] = stmt ? stmt->n_iters : 0;
    }
  return webs;
}

tns_webs *
tns_webs_find (tns_ctx *ctx, const tns_scop *scop, const tns_web_wish *wish)
{
  tns_webs *webs = new_webs (ctx->arena, scop);
  tns_isl_begin (ctx, scop->isl);
  for (int row = 0; row < scop->n_arrays; row++)
    if (!wish[row].part || !part (webs, row, wish[row].ends))
      join_all (webs, row);
  tns_isl_begin (ctx, scop->isl);
  return webs;
}
