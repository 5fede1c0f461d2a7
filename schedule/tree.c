/* The schedule tree: from the user's order, to isl's relations, as text.

   The first tree has one DIM for each LOOP node, whose row is the iterator
   (negated for a negative step), and a SEQ wherever statements of one loop
   body stand side by side.  */

#include "schedule/tree.h"

#include <string.h>

/* A DIM for the loop at DEPTH around the statements FIRST..LAST.  */
static tns_tree *
dim_of_loop (tns_arena *arena, const tns_scop *scop, int first, int last,
             int depth)
{
  tns_tree *dim = TNS_NEW (arena, tns_tree);
  const tns_node *loop = scop->stmt[first].loop[depth];
  dim->kind = TNS_TREE_DIM;
  dim->name = loop->iter->spelled ? loop->iter->spelled : loop->iter->name;
  dim->row = TNS_NEW_ARRAY (arena, tns_row *, scop->n_stmts);
  for (int s = first; s <= last; s++)
    {
      dim->row[s] = TNS_NEW (arena, tns_row);
      dim->row[s]->coef[depth] = loop->step < 0 ? -1 : 1;
      dim->row[s]->divisor = 1;
    }
  return dim;
}

/* The leaf of statement S.  */
static tns_tree *
leaf (tns_arena *arena, int s)
{
  tns_tree *tree = TNS_NEW (arena, tns_tree);
  tree->kind = TNS_TREE_LEAF;
  tree->stmt = s;
  return tree;
}

/* The last of the statements from FIRST on that share FIRST's loop at
   DEPTH.  */
static int
last_in_loop (const tns_scop *scop, int first, int last, int depth)
{
  int s = first;
  while (s < last && scop->stmt[s + 1].n_iters > depth
         && scop->stmt[s + 1].loop[depth] == scop->stmt[first].loop[depth])
    s++;
  return s;
}

void
tns_tree_rename (tns_arena *arena, tns_tree *tree, const char *name)
{
  if (tree->kind == TNS_TREE_DIM)
    {
      tns_tree_rename (arena, tree->body, name);
      if (!strcmp (tree->name, name))
        {
          tree->name = tns_arena_format (arena, "%s_", name);
          tns_tree_rename (arena, tree->body, tree->name);
        }
    }
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    tns_tree_rename (arena, tree->kid[k], name);
}

/* The tree of the statements FIRST..LAST, which share DEPTH loops.  */
static tns_tree *
tree_of_range (tns_arena *arena, const tns_scop *scop, int first, int last,
               int depth)
{
  tns_tree **kid = TNS_NEW_ARRAY (arena, tns_tree *, last - first + 1);
  int n = 0;
  for (int s = first; s <= last;)
    if (scop->stmt[s].n_iters == depth)
      kid[n++] = leaf (arena, s++);
    else
      {
        int end = last_in_loop (scop, s, last, depth);
        tns_tree *dim = dim_of_loop (arena, scop, s, end, depth);
        dim->body = tree_of_range (arena, scop, s, end, depth + 1);
        tns_tree_rename (arena, dim->body, dim->name);
        kid[n++] = dim;
        s = end + 1;
      }
  return tns_tree_seq (arena, n, kid);
}

tns_tree *
tns_tree_of_scop (tns_ctx *ctx, const tns_scop *scop)
{
  if (!scop)
    return NULL;
  for (int s = 0; s < scop->n_stmts; s++)
    if (scop->stmt[s].n_iters > TNS_MAX_DEPTH)
      return tns_refuse (ctx, scop->stmt[s].node->loc, TNS_WHY_INTERNAL,
                         "schedule");
  return tree_of_range (ctx->arena, scop, 0, scop->n_stmts - 1, 0);
}

/* How many kids N trees have once SEQs among them are spliced.  */
static int
spliced_count (int n, tns_tree **kid)
{
  int count = 0;
  for (int k = 0; k < n; k++)
    count += kid[k]->kind == TNS_TREE_SEQ ? kid[k]->n_kids : 1;
  return count;
}

tns_tree *
tns_tree_seq (tns_arena *arena, int n, tns_tree **kid)
{
  if (n == 1)
    return kid[0];
  tns_tree *seq = TNS_NEW (arena, tns_tree);
  seq->kind = TNS_TREE_SEQ;
  seq->kid = TNS_NEW_ARRAY (arena, tns_tree *, spliced_count (n, kid));
  for (int k = 0; k < n; k++)
    if (kid[k]->kind == TNS_TREE_SEQ)
      for (int j = 0; j < kid[k]->n_kids; j++)
        seq->kid[seq->n_kids++] = kid[k]->kid[j];
    else
      seq->kid[seq->n_kids++] = kid[k];
  return seq;
}

tns_tree *
tns_tree_dim (tns_arena *arena, const tns_tree *like, tns_tree *body)
{
  tns_tree *dim = TNS_NEW (arena, tns_tree);
  *dim = *like;
  dim->body = body;
  return dim;
}

tns_tree *
tns_tree_copy (tns_arena *arena, const tns_tree *tree)
{
  tns_tree *copy = TNS_NEW (arena, tns_tree);
  *copy = *tree;
  if (tree->kind == TNS_TREE_DIM)
    copy->body = tns_tree_copy (arena, tree->body);
  if (tree->kind == TNS_TREE_SEQ)
    {
      copy->kid = TNS_NEW_ARRAY (arena, tns_tree *, tree->n_kids);
      for (int k = 0; k < tree->n_kids; k++)
        copy->kid[k] = tns_tree_copy (arena, tree->kid[k]);
    }
  return copy;
}

bool
tns_tree_has (const tns_tree *tree, int stmt)
{
  if (tree->kind == TNS_TREE_LEAF)
    return tree->stmt == stmt;
  if (tree->kind == TNS_TREE_DIM)
    return tns_tree_has (tree->body, stmt);
  for (int k = 0; k < tree->n_kids; k++)
    if (tns_tree_has (tree->kid[k], stmt))
      return true;
  return false;
}

int
tns_tree_stmts (const tns_tree *tree, int *stmt)
{
  if (tree->kind == TNS_TREE_DIM)
    return tns_tree_stmts (tree->body, stmt);
  if (tree->kind == TNS_TREE_LEAF)
    {
      stmt[0] = tree->stmt;
      return 1;
    }
  int n = 0;
  for (int k = 0; k < tree->n_kids; k++)
    n += tns_tree_stmts (tree->kid[k], stmt + n);
  return n;
}

int
tns_tree_first_stmt (const tns_tree *tree)
{
  if (tree->kind == TNS_TREE_LEAF)
    return tree->stmt;
  return tns_tree_first_stmt (tree->kind == TNS_TREE_DIM ? tree->body
                                                         : tree->kid[0]);
}

int
tns_tree_depth (const tns_tree *tree)
{
  if (tree->kind == TNS_TREE_LEAF)
    return 0;
  if (tree->kind == TNS_TREE_DIM)
    return 1 + tns_tree_depth (tree->body);
  int depth = 0;
  for (int k = 0; k < tree->n_kids; k++)
    {
      int below = tns_tree_depth (tree->kid[k]);
      depth = below > depth ? below : depth;
    }
  return depth;
}

int
tns_tree_path (tns_tree *tree, int stmt, tns_tree **dim)
{
  int n = 0;
  while (tree->kind != TNS_TREE_LEAF)
    if (tree->kind == TNS_TREE_DIM)
      {
        dim[n++] = tree;
        tree = tree->body;
      }
    else
      {
        int k = 0;
        while (!tns_tree_has (tree->kid[k], stmt))
          k++;
        tree = tree->kid[k];
      }
  return n;
}

tns_tree *
tns_tree_find (tns_tree *tree, int stmt, const char *name)
{
  tns_tree *dim[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (tree, stmt, dim);
  for (int k = 0; k < n; k++)
    if (!strcmp (dim[k]->name, name))
      return dim[k];
  return NULL;
}

/* The value of DIM's row for statement STMT, on its domain's space.  */
static __isl_give isl_aff *
aff_of_row (const tns_scop *scop, const tns_tree *dim, int stmt)
{
  const tns_row *row = dim->row[stmt];
  isl_space *space = isl_set_get_space (scop->stmt[stmt].domain);
  isl_local_space *local = isl_local_space_from_space (space);
  isl_aff *aff = isl_aff_zero_on_domain (local);
  for (int k = 0; k < scop->stmt[stmt].n_iters; k++)
    aff = isl_aff_set_coefficient_si (aff, isl_dim_in, k, (int) row->coef[k]);
  aff = isl_aff_set_constant_si (aff, (int) row->constant);
  if (row->divisor != 1)
    {
      isl_ctx *isl = isl_aff_get_ctx (aff);
      aff
        = isl_aff_scale_down_val (aff, isl_val_int_from_si (isl, row->divisor));
      aff = isl_aff_floor (aff);
    }
  return aff;
}

__isl_give isl_pw_aff *
tns_tree_pw_aff (const tns_scop *scop, const tns_tree *dim, int stmt)
{
  return isl_pw_aff_from_aff (aff_of_row (scop, dim, stmt));
}

/* TIME, the order of STMT, with PLACE as the value of dimension AT.  */
static __isl_give isl_multi_aff *
set_place (const tns_scop *scop, __isl_take isl_multi_aff *time, int stmt,
           int at, long place)
{
  isl_space *space = isl_set_get_space (scop->stmt[stmt].domain);
  isl_local_space *local = isl_local_space_from_space (space);
  isl_val *val = isl_val_int_from_si (scop->isl, place);
  return isl_multi_aff_set_at (time, at, isl_aff_val_on_domain (local, val));
}

/* The order of STMT below TREE, in N dimensions.  */
static __isl_give isl_multi_aff *
time_of_stmt (const tns_scop *scop, const tns_tree *tree, int stmt, int n)
{
  isl_space *space = isl_set_get_space (scop->stmt[stmt].domain);
  space = isl_space_add_dims (isl_space_from_domain (space), isl_dim_out,
                              (unsigned) n);
  isl_multi_aff *time = isl_multi_aff_zero (space);
  long place = 0;
  int at = 0;
  while (tree->kind != TNS_TREE_LEAF)
    if (tree->kind == TNS_TREE_SEQ)
      {
        for (place = 0; !tns_tree_has (tree->kid[place], stmt);)
          place++;
        tree = tree->kid[place];
      }
    else
      {
        time = set_place (scop, time, stmt, at++, place);
        isl_aff *value = aff_of_row (scop, tree, stmt);
        time = isl_multi_aff_set_at (time, at++, value);
        place = 0;
        tree = tree->body;
      }
  return set_place (scop, time, stmt, at, place);
}

isl_multi_aff **
tns_tree_times (const tns_scop *scop, const tns_tree *tree)
{
  int n = 2 * tns_tree_depth (tree) + 1;
  isl_multi_aff **time
    = TNS_NEW_ARRAY (scop->ctx->arena, isl_multi_aff *, scop->n_stmts + 1);
  for (int s = 0; s < scop->n_stmts; s++)
    time[s] = time_of_stmt (scop, tree, s, n);
  return time;
}

void
tns_times_free (const tns_scop *scop, isl_multi_aff **time)
{
  for (int s = 0; s < scop->n_stmts; s++)
    isl_multi_aff_free (time[s]);
}

__isl_give isl_union_map *
tns_tree_order (const tns_scop *scop, const tns_tree *tree)
{
  isl_space *space = isl_set_get_space (scop->context);
  isl_union_map *order = isl_union_map_empty (space);
  isl_multi_aff **time = tns_tree_times (scop, tree);
  for (int s = 0; s < scop->n_stmts; s++)
    {
      isl_map *map = isl_map_from_multi_aff (isl_multi_aff_copy (time[s]));
      map = isl_map_intersect_domain (map, isl_set_copy (scop->stmt[s].domain));
      order = isl_union_map_add_map (order, map);
    }
  tns_times_free (scop, time);
  return order;
}

static const char *const role_names[]
  = { "", " free", " reduction", " ordered" };

/* The marks of DIM, as words.  */
static void
print_marks (tns_text *text, const tns_marks *marks)
{
  if (marks->parallel)
    tns_text_add (text, " parallel");
  if (marks->owners)
    tns_text_add (text, " by owner");
  if (marks->collapse > 1)
    tns_text_format (text, " collapse %d", marks->collapse);
  if (marks->simd)
    tns_text_format (text, " simd %d", marks->simd);
  if (marks->unroll)
    tns_text_format (text, " unroll %d", marks->unroll);
  if (marks->rows)
    tns_text_format (text, " rows %d by %d", marks->rows, marks->skew);
  if (marks->accumulators)
    tns_text_format (text, " accumulators %d", marks->accumulators);
  if (marks->align)
    tns_text_format (text, " align %s", marks->align->name);
  if (marks->panel)
    tns_text_format (text, " panel %s", marks->panel->name);
  if (marks->summed)
    tns_text_format (text, " summed %s", marks->summed->name);
}

void
tns_tree_print (tns_text *text, const tns_scop *scop, const tns_tree *tree)
{
  tns_text_begin (text);
  if (tree->kind == TNS_TREE_LEAF)
    tns_text_format (text, "leaf %s\n", scop->stmt[tree->stmt].name);
  else if (tree->kind == TNS_TREE_SEQ)
    tns_text_add (text, "seq\n");
  else
    {
      tns_text_format (text, "dim %s%s", tree->name, role_names[tree->role]);
      print_marks (text, &tree->marks);
      tns_text_add (text, "\n");
    }
  text->indent += 2;
  if (tree->kind == TNS_TREE_DIM)
    tns_tree_print (text, scop, tree->body);
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    tns_tree_print (text, scop, tree->kid[k]);
  text->indent -= 2;
}
