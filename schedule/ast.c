/* Our tree as isl's schedule tree, as schedule/ast.h says.

   Bottom-up.  A statement S below a home whose coordinates are p has the
   instances

     { S[i] : v_k (S[i]) = p_k for the DIMs path[0..n) }

   an inner home with the DIMs path[0..m), m > n, the iterations that any
   statement below it has there:

     { home[v_0 (S[i]), .., v_m-1 (S[i])] }

   and a DIM's band is { S[i] -> v_k (S[i]); home[d] -> d_k }.  A home is one
   statement, so isl makes one loop of its DIM, or cuts it into several,
   each with whole iterations.

   A condition stops lanes.  So the iterations of a DIM in lanes that execute
   what others do not, such as the copy of a last value, are a second home:

     for i { t = ..; y[i] = t; if (i == n - 1) s = t; }
     ->  for i < n - 1 { t = ..; y[i] = t; }  { t = ..; y[n-1] = t; s = t; }

   and the loop of a few statements is cut where one begins or ends:

     for i { a[i] = ..; if (i < m) b[i] = ..; }
     ->  for i < m { a[i] = ..; b[i] = ..; }  for i >= m { a[i] = ..; }  */

#include "schedule/ast.h"

#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/options.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <string.h>

#include "schedule/box.h"

/* More pieces of the other iterations are not worth their code, nor are those
   of loops with more statements.  */
#define MOST_PIECES     2
#define MOST_STATEMENTS 8

/* On the way down: what is known of the parameters and coordinates, the DIMs
   above, of which the first n_known have a coordinate each.  */
typedef struct maker
{
  const tns_plan *plan;
  isl_set *context;
  int n_known;
  int n;
  tns_tree *path[2 * TNS_MAX_DEPTH];
} maker;

/* The rows of the DIM at depth AT for the sets that are put in.  */
typedef struct band
{
  const tns_scop *scop;
  const tns_tree *dim;
  int at;
  isl_union_pw_aff *rows;
} band;

/* The parameter that is the value of DIM, at depth K.  */
static __isl_give isl_id *
coordinate_id (const maker *m, int k)
{
  char name[16];
  snprintf (name, sizeof name, "d%d", k);
  return isl_id_alloc (m->plan->scop->isl, name, m->path[k]);
}

/* MAP, { X -> [v] }, with v_k equal to the coordinates, as its domain.  */
static __isl_give isl_set *
at_coordinates (const maker *m, __isl_take isl_map *map)
{
  int n = isl_map_dim (map, isl_dim_out);
  for (int k = 0; k < n; k++)
    map = isl_map_set_dim_id (map, isl_dim_out, (unsigned) k,
                              coordinate_id (m, k));
  isl_size n_params = isl_map_dim (map, isl_dim_param);
  map = isl_map_move_dims (map, isl_dim_param, (unsigned) n_params, isl_dim_out,
                           0, (unsigned) n);
  return isl_map_domain (map);
}

/* The instances of statement S where the coordinates are known.  */
static __isl_give isl_union_set *
instances (const maker *m, int s)
{
  const tns_scop *scop = m->plan->scop;
  if (m->n_known == 0)
    return isl_union_set_from_set (isl_set_copy (scop->stmt[s].domain));
  isl_set *some
    = at_coordinates (m, tns_box_prefix (scop, s, m->n_known, m->path));
  some = isl_set_intersect_params (some, isl_set_copy (m->context));
  if (isl_set_is_empty (some) != isl_bool_true)
    return isl_union_set_from_set (some);
  isl_union_set *none = isl_union_set_empty (isl_set_get_space (some));
  isl_set_free (some);
  return none;
}

/* { [d] } of the DIMs above, the last of which is whole, for statement S.  */
static __isl_give isl_set *
iterations_of (const maker *m, int s)
{
  return isl_map_range (tns_box_prefix (m->plan->scop, s, m->n, m->path));
}

/* The innermost of the DIMs in ALL, { [d] }, has one value where the others
   do.  */
static bool
is_pinned (const maker *m, __isl_keep isl_set *all)
{
  isl_map *inner = isl_map_from_range (isl_set_copy (all));
  inner = isl_map_move_dims (inner, isl_dim_in, 0, isl_dim_out, 0,
                             (unsigned) m->n - 1);
  bool one = isl_map_is_single_valued (inner) == isl_bool_true;
  isl_map_free (inner);
  return one;
}

/* { [d] } of the DIMs above for the statements below the last of them: those
   that take one iteration of it each, where they may be a home of their own
   (lanes), in *PINNED, and the others in *REST.  */
static void
part_iterations (const maker *m, isl_set **pinned, isl_set **rest)
{
  const tns_scop *scop = m->plan->scop;
  const tns_tree *dim = m->path[m->n - 1];
  isl_space *space = isl_set_get_space (scop->context);
  *rest = isl_set_empty (isl_space_add_dims (isl_space_set_from_params (space),
                                             isl_dim_set, (unsigned) m->n));
  *pinned = isl_set_copy (*rest);
  for (int s = 0; s < scop->n_stmts; s++)
    if (tns_tree_has (dim, s))
      {
        isl_set *some = iterations_of (m, s);
        isl_set **all = dim->marks.simd && is_pinned (m, some) ? pinned : rest;
        *all = isl_set_union (*all, some);
      }
  *pinned = isl_set_coalesce (*pinned);
  *rest = isl_set_coalesce (*rest);
}

/* Those of ALL, { [d] }, where the coordinates are known.  */
static __isl_give isl_set *
known_iterations (const maker *m, __isl_take isl_set *all)
{
  for (int k = 0; k < m->n_known; k++)
    {
      isl_size at = isl_set_dim (all, isl_dim_param);
      all = isl_set_add_dims (all, isl_dim_param, 1);
      all = isl_set_set_dim_id (all, isl_dim_param, (unsigned) at,
                                coordinate_id (m, k));
      all = isl_set_equate (all, isl_dim_set, k, isl_dim_param, at);
    }
  return all;
}

/* The last user of HOME's id is gone.  */
static void
drop_home (void *self)
{
  tns_home *home = self;
  isl_set_free (home->context);
}

/* The home at the end of the path with the values ALL (taken), a
   statement.  */
static __isl_give isl_schedule *
schedule_of_values (const maker *m, __isl_take isl_set *all)
{
  const tns_scop *scop = m->plan->scop;
  tns_home *home = TNS_NEW (scop->ctx->arena, tns_home);
  home->n = m->n;
  memcpy (home->path, m->path, sizeof home->path);
  home->body = m->path[m->n - 1]->body;
  isl_map *values = isl_set_identity (isl_set_copy (all));
  home->context = isl_set_params (at_coordinates (m, values));
  home->context
    = isl_set_intersect (home->context, isl_set_copy (scop->context));
  isl_id *id = isl_id_alloc (scop->isl, "home", home);
  id = isl_id_set_free_user (id, drop_home);
  all = isl_set_set_tuple_id (known_iterations (m, all), id);
  return isl_schedule_from_domain (isl_union_set_from_set (all));
}

/* The home at the end of the path: one statement, or two.  */
static __isl_give isl_schedule *
schedule_of_home (const maker *m)
{
  isl_set *pinned, *rest;
  part_iterations (m, &pinned, &rest);
  isl_set *others
    = isl_set_subtract (isl_set_copy (rest), isl_set_copy (pinned));
  others = isl_set_coalesce (others);
  bool two = isl_set_is_empty (pinned) == isl_bool_false
             && isl_set_is_empty (others) == isl_bool_false
             && isl_set_n_basic_set (others) <= MOST_PIECES;
  if (!two)
    {
      isl_set_free (others);
      return schedule_of_values (
        m, isl_set_coalesce (isl_set_union (pinned, rest)));
    }
  isl_set_free (rest);
  return isl_schedule_set (schedule_of_values (m, others),
                           schedule_of_values (m, pinned));
}

/* Add SET's row to the band SELF.  */
static isl_stat
add_row (__isl_take isl_set *set, void *self)
{
  band *b = self;
  isl_id *id = isl_set_get_tuple_id (set);
  isl_pw_aff *row;
  if (isl_id_get_user (id))
    row = isl_pw_aff_var_on_domain (
      isl_local_space_from_space (isl_set_get_space (set)), isl_dim_set,
      (unsigned) b->at);
  else
    row
      = tns_tree_pw_aff (b->scop, b->dim, tns_scop_stmt_of_set (b->scop, set));
  isl_id_free (id);
  isl_set_free (set);
  b->rows = isl_union_pw_aff_add_pw_aff (b->rows, row);
  return b->rows ? isl_stat_ok : isl_stat_error;
}

/* A statement below DIM stands in one iteration of it (a step embed): the
   others are not written twice for its sake.  */
static bool
has_embedded (const tns_scop *scop, const tns_tree *dim)
{
  for (int s = 0; s < scop->n_stmts; s++)
    {
      bool moves = false;
      for (int k = 0; tns_tree_has (dim, s) && k < TNS_MAX_DEPTH; k++)
        moves |= dim->row[s]->coef[k] != 0;
      if (tns_tree_has (dim, s) && !moves)
        return true;
    }
  return false;
}

/* DIM's loop is cut where one of its statements begins or ends.  */
static bool
is_cut (const tns_tree *dim)
{
  const tns_tree *body = dim->body;
  return dim->marks.simd && !dim->marks.unroll && body->kind == TNS_TREE_SEQ
         && body->n_kids <= MOST_STATEMENTS && tns_tree_depth (body) == 0;
}

/* BODY in the loop of the DIM at the end of the path, with a mark for it.  */
static __isl_give isl_schedule *
put_loop (const maker *m, __isl_take isl_schedule *body)
{
  const tns_scop *scop = m->plan->scop;
  tns_tree *dim = m->path[m->n - 1];
  isl_union_pw_aff *rows
    = isl_union_pw_aff_empty (isl_set_get_space (scop->context));
  band b = { scop, dim, m->n - 1, rows };
  isl_union_set *domain = isl_schedule_get_domain (body);
  isl_union_set_foreach_set (domain, add_row, &b);
  isl_union_set_free (domain);
  body = isl_schedule_insert_partial_schedule (
    body, isl_multi_union_pw_aff_from_union_pw_aff (b.rows));
  isl_schedule_node *node = isl_schedule_get_root (body);
  isl_schedule_free (body);
  node = isl_schedule_node_child (node, 0);
  if (is_cut (dim) || has_embedded (scop, dim))
    node = isl_schedule_node_band_member_set_ast_loop_type (
      node, 0, is_cut (dim) ? isl_ast_loop_separate : isl_ast_loop_atomic);
  isl_id *mark = isl_id_alloc (scop->isl, "dim", dim);
  node = isl_schedule_node_insert_mark (node, mark);
  body = isl_schedule_node_get_schedule (node);
  isl_schedule_node_free (node);
  return body;
}

/* Whether buffers live in the iterations of DIM.  */
static bool
is_home (const tns_plan *plan, const tns_tree *dim)
{
  for (int k = 0; k < plan->n_buffers; k++)
    if (plan->buffer[k].dim == dim)
      return true;
  return false;
}

static __isl_give isl_schedule *schedule_of_tree (maker *m, tns_tree *tree);

/* Of the kids [FIRST, LAST) of SEQ, one after the other: halves, so that isl,
   which goes through all that stands below a sequence, does so for few.  */
static __isl_give isl_schedule *
schedule_of_kids (maker *m, tns_tree *seq, int first, int last)
{
  if (last - first == 1)
    return schedule_of_tree (m, seq->kid[first]);
  int half = first + (last - first) / 2;
  isl_schedule *front = schedule_of_kids (m, seq, first, half);
  return isl_schedule_sequence (front, schedule_of_kids (m, seq, half, last));
}

/* isl's schedule tree of TREE, which stands at the end of the path.  */
static __isl_give isl_schedule *
schedule_of_tree (maker *m, tns_tree *tree)
{
  if (tree->kind == TNS_TREE_LEAF)
    return isl_schedule_from_domain (instances (m, tree->stmt));
  if (tree->kind == TNS_TREE_DIM)
    {
      m->path[m->n++] = tree;
      isl_schedule *body = is_home (m->plan, tree)
                             ? schedule_of_home (m)
                             : schedule_of_tree (m, tree->body);
      body = put_loop (m, body);
      m->n--;
      return body;
    }
  return schedule_of_kids (m, tree, 0, tree->n_kids);
}

const tns_tree *
tns_ast_coordinate (__isl_keep isl_id *id)
{
  return isl_id_get_user (id);
}

tns_home
tns_ast_root (const tns_plan *plan)
{
  return (tns_home){ .body = plan->tree,
                     .context = isl_set_copy (plan->scop->context) };
}

__isl_give isl_ast_node *
tns_ast_of_home (const tns_plan *plan, const tns_home *home)
{
  isl_ctx *isl = plan->scop->isl;
  maker m = { .plan = plan, .context = home->context };
  m.n_known = m.n = home->n;
  memcpy (m.path, home->path, sizeof m.path);
  isl_options_set_ast_build_atomic_upper_bound (isl, 1);
  isl_options_set_ast_build_detect_min_max (isl, 1);
  isl_schedule *schedule = schedule_of_tree (&m, home->body);
  isl_ast_build *build
    = isl_ast_build_from_context (isl_set_copy (home->context));
  isl_ast_node *node = isl_ast_build_node_from_schedule (build, schedule);
  isl_ast_build_free (build);
  return node;
}
