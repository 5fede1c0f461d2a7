/* Contraction of temporaries, as schedule/contract.h says.

   Steps: 1. name the generated loops; 2. for each dead array that is
   written, the DIMs common to its accesses; 3. the deepest of them that an
   element determines; 4. the box of what one iteration touches.

   A user's plan has a buffer for those that it names only; a local that it does
   not name lives where its loop is.

   On a device what a thread has no room for, each iteration's row, lives
   outside of the loops that threads share, with a copy for each iteration.

   Does not do: rolling buffers (elements that live in a few iterations).  */

#include "schedule/contract.h"

#include <string.h>

#include <isl/fixed_box.h>

#include "base/section.h"
#include "ir/walk.h"
#include "poly/legal.h"
#include "schedule/box.h"
#include "schedule/machine.h"
#include "schedule/misfit.h"

/* A box of more values than this moves with nothing: it stands for a bound of
   a type.  */
#define MOST_MOVING (1 << 20)

/* Bytes of an array that a thread of a device may have of its own.  */
#define MOST_OF_THREAD 512

/* Where an array may live.

   dim       the DIMs common to its accesses
   most      the deepest home: dim[0..most)
   own       where it lives when nothing is asked for: a local, where its loop
             is; what is none, outside
   expanded  (local) it has several copies there even so  */
typedef struct home
{
  int array;
  tns_tree **dim;
  int most;
  int own;
  bool expanded;
} home;

/* Give each DIM below TREE the symbol of its loop.  */
static void
name_loops (tns_ctx *ctx, tns_plan *plan, tns_tree *tree)
{
  if (tree->kind == TNS_TREE_DIM)
    {
      tree->sym = tns_region_add_iter (ctx->arena, plan->region, tree->name);
      name_loops (ctx, plan, tree->body);
    }
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    name_loops (ctx, plan, tree->kid[k]);
}

/* Whether statement STMT touches ARRAY.  */
static bool
touches (const tns_stmt *stmt, int array)
{
  for (int a = 0; a < stmt->n_accesses; a++)
    if (stmt->access[a].array == array)
      return true;
  return false;
}

/* Whether any statement does; those that are never executed are gone.  */
static bool
is_touched (const tns_scop *scop, int array)
{
  bool any = false;
  for (int s = 0; s < scop->n_stmts && !any; s++)
    any = touches (&scop->stmt[s], array);
  return any;
}

/* The DIMs common to all statements that touch ARRAY, outermost first; how
   many.  */
static int
common_dims (const tns_plan *plan, int array, tns_tree **common)
{
  int n = -1;
  for (int s = 0; s < plan->scop->n_stmts; s++)
    if (touches (&plan->scop->stmt[s], array))
      {
        tns_tree *path[2 * TNS_MAX_DEPTH];
        int depth = tns_tree_path (plan->tree, s, path);
        if (n < 0)
          n = depth;
        n = depth < n ? depth : n;
        for (int k = 0; k < n; k++)
          if (!common[k])
            common[k] = path[k];
          else if (common[k] != path[k])
            n = k;
      }
  return n < 0 ? 0 : n;
}

/* The deepest N such that an element of ARRAY is touched in one iteration of
   DIM[0..N) only.  */
static int
deepest_home (const tns_plan *plan, int array, int n, tns_tree **dim)
{
  for (; n > 0; n--)
    {
      isl_map *touched
        = isl_map_reverse (tns_box_footprint (plan->scop, NULL, array, n, dim));
      isl_bool single = isl_map_is_single_valued (touched);
      isl_map_free (touched);
      if (single == isl_bool_true || tns_ctx_breaks (plan->scop->ctx, "home"))
        break;
    }
  return n;
}

/* AFF over the DIMs' values as an expression; NULL when a coefficient is not
   an integer or there is a division.  */
static tns_expr *
expr_of_aff (tns_ctx *ctx, const tns_scop *scop, tns_tree **dim,
             __isl_keep isl_aff *aff)
{
  if (isl_aff_dim (aff, isl_dim_div) != 0)
    return NULL;
  isl_aff *params = isl_aff_copy (aff);
  int n = isl_aff_dim (aff, isl_dim_in);
  tns_expr *sum = tns_int (ctx->arena, 0);
  for (int k = 0; k < n && sum; k++)
    {
      isl_val *val = isl_aff_get_coefficient_val (aff, isl_dim_in, k);
      tns_expr *term
        = tns_binary (ctx->arena, TNS_MUL, tns_value (ctx->arena, dim[k]->sym),
                      tns_int (ctx->arena, isl_val_get_num_si (val)));
      if (isl_val_is_int (val) != isl_bool_true)
        sum = NULL;
      else if (isl_val_is_zero (val) != isl_bool_true)
        sum = tns_binary (ctx->arena, TNS_ADD, sum, term);
      isl_val_free (val);
      params = isl_aff_set_coefficient_si (params, isl_dim_in, k, 0);
    }
  isl_pw_aff *rest = isl_pw_aff_from_aff (isl_aff_project_domain_on_params (
    isl_aff_drop_dims (params, isl_dim_in, 0, (unsigned) n)));
  tns_expr *of_params = sum ? tns_scop_expr_of_pw_aff (scop, rest) : NULL;
  isl_pw_aff_free (rest);
  return of_params ? tns_binary (ctx->arena, TNS_ADD, sum, of_params) : NULL;
}

/* A box of constant size for coordinate K, moving with the DIMs; false when
   there is none.  TOUCHED: { [d] -> [e_k] }.  */
static bool
moving_box (tns_ctx *ctx, const tns_plan *plan, tns_tree **dim,
            __isl_keep isl_map *touched, tns_buffer *buffer, int k)
{
  isl_fixed_box *box = isl_map_get_range_simple_fixed_box_hull (touched);
  bool valid = isl_fixed_box_is_valid (box) == isl_bool_true;
  if (valid)
    {
      isl_multi_aff *offset = isl_fixed_box_get_offset (box);
      isl_multi_val *size = isl_fixed_box_get_size (box);
      isl_aff *aff = isl_multi_aff_get_aff (offset, 0);
      isl_val *val = isl_multi_val_get_val (size, 0);
      buffer->offset[k] = expr_of_aff (ctx, plan->scop, dim, aff);
      buffer->extent[k] = tns_int (ctx->arena, isl_val_get_num_si (val));
      valid
        = buffer->offset[k] != NULL && isl_val_cmp_si (val, MOST_MOVING) <= 0;
      isl_val_free (val);
      isl_aff_free (aff);
      isl_multi_val_free (size);
      isl_multi_aff_free (offset);
    }
  isl_fixed_box_free (box);
  return valid;
}

/* The visitor of a parameter: what is known only when the region has begun
   stands in it.  */
static bool
note_late (tns_expr *expr, void *self)
{
  bool *late = self;
  *late |= expr->op == TNS_SYM && (expr->sym->flags & TNS_SYM_STEERS) != 0;
  return !*late;
}

/* SET, over SCOP's parameters, for whatever those are that are known only when
   the region has begun: arrays are made before.  */
static __isl_give isl_set *
at_any_time (const tns_scop *scop, __isl_take isl_set *set)
{
  for (int p = 0; p < scop->n_params; p++)
    {
      bool late = false;
      tns_expr_walk (scop->param[p], note_late, &late);
      int at = isl_set_find_dim_by_id (set, isl_dim_param, scop->param_id[p]);
      if (late && at >= 0)
        set = isl_set_project_out (set, isl_dim_param, (unsigned) at, 1);
    }
  return set;
}

/* A box for coordinate K over all iterations, in terms of parameters.  */
static bool
resting_box (tns_ctx *ctx, const tns_plan *plan, __isl_keep isl_map *touched,
             tns_buffer *buffer, int k)
{
  isl_set *range
    = at_any_time (plan->scop, isl_map_range (isl_map_copy (touched)));
  tns_expr *lo;
  tns_expr *hi;
  bool bounded = tns_box_bounds (plan->scop, range, 0, &lo, &hi);
  isl_set_free (range);
  if (!bounded)
    return false;
  tns_expr *length = tns_binary (ctx->arena, TNS_SUB, hi, lo);
  buffer->offset[k] = lo;
  length = tns_binary (ctx->arena, TNS_ADD, length, tns_int (ctx->arena, 1));
  buffer->extent[k]
    = tns_binary (ctx->arena, TNS_MAX, length, tns_int (ctx->arena, 1));
  return true;
}

/* The declared extent for coordinate K, a subscript that may be
   anything.  */
static bool
declared_box (tns_ctx *ctx, const tns_plan *plan, tns_buffer *buffer, int k)
{
  const tns_array *x = &plan->scop->array[buffer->array];
  int subscript = k - x->n_private;
  if (subscript < 0 || !x->sym->extent[subscript])
    return false;
  buffer->offset[k] = tns_int (ctx->arena, tns_sym_first (x->sym, subscript));
  buffer->extent[k] = x->sym->extent[subscript];
  return true;
}

/* Coordinate K of FOOT, { [d] -> X[e] }: dropped, or its box.  */
static bool
fill_coordinate (tns_ctx *ctx, const tns_plan *plan, tns_tree **dim,
                 __isl_keep isl_map *foot, tns_buffer *buffer, int k)
{
  isl_map *touched = isl_map_copy (foot);
  unsigned after = (unsigned) (buffer->n - k - 1);
  touched = isl_map_project_out (touched, isl_dim_out, k + 1, after);
  touched = isl_map_project_out (touched, isl_dim_out, 0, (unsigned) k);
  bool single = isl_map_is_single_valued (touched) == isl_bool_true;
  bool is_copy = k < plan->scop->array[buffer->array].n_private;
  buffer->kept[k] = !single && !tns_ctx_breaks (ctx, "contract")
                    && !(is_copy && tns_ctx_breaks (ctx, "expand"));
  bool done = single || moving_box (ctx, plan, dim, touched, buffer, k)
              || resting_box (ctx, plan, touched, buffer, k)
              || declared_box (ctx, plan, buffer, k);
  isl_map_free (touched);
  return done;
}

/* The symbol of BUFFER: as many ranks as coordinates are kept.  */
static void
make_sym (tns_ctx *ctx, tns_plan *plan, tns_buffer *buffer)
{
  const tns_sym *sym = plan->scop->array[buffer->array].sym;
  int rank = 0;
  for (int k = 0; k < buffer->n; k++)
    rank += buffer->kept[k];
  buffer->sym
    = tns_region_add_array (ctx->arena, plan->region, sym->name, sym->type.elem,
                            rank, TNS_SYM_LOCAL | tns_sym_role (sym));
  buffer->sym->spelled = sym->spelled;
  for (int place = 0, at = 0; place < buffer->n; place++)
    {
      int k = tns_buffer_coordinate (buffer, place);
      if (buffer->kept[k])
        buffer->sym->extent[at++] = buffer->extent[k];
    }
}

/* The number of DIMs around the lanes among DIM[0..N), of which one around
   other DIMs has them; N where none does.  */
static int
around_lanes (int n, tns_tree **dim)
{
  for (int k = 0; k < n; k++)
    if (dim[k]->marks.simd > 1 && tns_tree_depth (dim[k]->body) > 0)
      return k;
  return n;
}

/* The visitor that finds a subscript that is no number.  */
static bool
note_moving (tns_expr *expr, void *self)
{
  bool *moves = self;
  *moves |= expr->op == TNS_SYM;
  return !*moves;
}

/* Which element of ARRAY is meant follows from iterators or values; else each
   is a cell of its own.  */
static bool
is_indexed (const tns_scop *scop, int array)
{
  bool moves = false;
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      {
        const tns_access *access = &scop->stmt[s].access[a];
        for (int k = 0;
             access->array == array && access->expr && k < access->expr->n_args;
             k++)
          tns_expr_walk (access->expr->arg[k], note_moving, &moves);
      }
  return moves;
}

/* TREE is the lanes' DIM, or has it right below.  */
static bool
is_around_lanes (const tns_tree *tree)
{
  while (tree->kind == TNS_TREE_DIM && tree->marks.simd < 2)
    tree = tree->body;
  return tree->kind == TNS_TREE_DIM && tns_tree_depth (tree->body) > 0;
}

/* The buffer of ARRAY inside DIM[0..N).  False when it has no bound.  */
static bool
add_buffer (tns_ctx *ctx, tns_plan *plan, int array, int n, tns_tree **dim)
{
  tns_buffer *buffer = &plan->buffer[plan->n_buffers];
  const tns_array *x = &plan->scop->array[array];
  buffer->array = array;
  buffer->dim = n ? dim[n - 1] : NULL;
  buffer->n = x->n_private + x->sym->rank;
  buffer->first = n && is_around_lanes (dim[n - 1]->body) ? x->n_private : 0;
  buffer->kept = TNS_NEW_ARRAY (ctx->arena, bool, buffer->n + 1);
  buffer->offset = TNS_NEW_ARRAY (ctx->arena, tns_expr *, buffer->n + 1);
  buffer->extent = TNS_NEW_ARRAY (ctx->arena, tns_expr *, buffer->n + 1);
  isl_map *foot = tns_box_footprint (plan->scop, NULL, array, n, dim);
  bool done = true;
  for (int k = 0; k < buffer->n && done; k++)
    done = fill_coordinate (ctx, plan, dim, foot, buffer, k);
  isl_map_free (foot);
  if (!done)
    return false;
  make_sym (ctx, plan, buffer);
  plan->n_buffers++;
  return true;
}

/* ARRAY has a coordinate of its copies that takes several values in an
   iteration of DIM[0..N).  */
static bool
is_expanded (const tns_plan *plan, int array, int n, tns_tree **dim)
{
  const tns_array *x = &plan->scop->array[array];
  isl_map *copies = tns_box_footprint (plan->scop, NULL, array, n, dim);
  copies = isl_map_project_out (copies, isl_dim_out, (unsigned) x->n_private,
                                (unsigned) x->sym->rank);
  bool single = isl_map_is_single_valued (copies) == isl_bool_true;
  isl_map_free (copies);
  return !single;
}

/* The number of DIMs around the loop that ARRAY, a local, belongs to: where one
   copy is enough, MOST where none is.  In more loops than that it is, too;
   mostly they are those that it has copies for.  */
static int
own_home (const tns_plan *plan, int array, int most, tns_tree **dim)
{
  int n_private = plan->scop->array[array].n_private;
  int first = n_private < most ? n_private : most;
  int n = first;
  while (n > 0 && !is_expanded (plan, array, n - 1, dim))
    n--;
  while (n_private > 0 && n == first && first < most
         && is_expanded (plan, array, first, dim))
    n = ++first;
  return n;
}

/* ARRAY's line of a plan that gives it a home in DIM.  */
static const char *
line_of (tns_ctx *ctx, const tns_plan *plan, int array, const tns_tree *dim)
{
  return tns_arena_format (ctx->arena, "contract %s at %s in %s",
                           plan->scop->array[array].sym->name, dim->name,
                           plan->scop->stmt[tns_tree_first_stmt (dim)].name);
}

/* The number of DIMs of ARRAY's home, at most MOST of DIM, and OWN at least:
   as many as may be, or as a user's plan says.  */
static int
choose_home (tns_ctx *ctx, const tns_plan *plan, const home *h)
{
  int n = h->most;
  if (tns_plan_is_given (ctx, plan->region->name))
    while (n > h->own
           && !tns_plan_has_line (ctx, plan->region->name,
                                  line_of (ctx, plan, h->array, h->dim[n - 1])))
      n--;
  return n;
}

/* A user's plan asks for one copy of each element of ARRAY in each iteration,
   or there is none.  */
static bool
may_expand (tns_ctx *ctx, const tns_plan *plan, int array)
{
  const char *line = tns_arena_format (ctx->arena, "expand %s",
                                       plan->scop->array[array].sym->name);
  return !tns_plan_is_given (ctx, plan->region->name)
         || tns_plan_has_line (ctx, plan->region->name, line);
}

/* Write down what the plan does with the array of H, whose home is N DIMs.
   False with the reason said where a user's plan does not say that it has
   copies.  */
static bool
tell_home (tns_ctx *ctx, tns_plan *plan, const home *h, int n)
{
  const char *name = plan->scop->array[h->array].sym->name;
  if (n > h->own)
    tns_text_line (&plan->steps, "%s",
                   line_of (ctx, plan, h->array, h->dim[n - 1]));
  if (!h->expanded)
    return true;
  tns_text_line (&plan->steps, "expand %s", name);
  if (plan->kept || may_expand (ctx, plan, h->array))
    return true;
  tns_error (ctx, plan->region->loc, TNS_WHY_PLAN,
             tns_arena_format (ctx->arena,
                               "without \"expand %s\" these loops, in this "
                               "order, cannot share what they keep there",
                               name));
  return false;
}

/* BUFFER is small, whatever the region is given: a thread of a device may have
   one.  */
static bool
is_small (const tns_buffer *buffer)
{
  long long bytes = tns_elem_bytes (buffer->sym->type.elem);
  long long extent = 0;
  for (int k = 0; k < buffer->sym->rank && bytes <= MOST_OF_THREAD; k++)
    {
      if (!tns_expr_is_int (buffer->sym->extent[k], &extent))
        return false;
      bytes *= extent;
    }
  return bytes <= MOST_OF_THREAD;
}

/* The buffer of H's array inside N DIMs, or, where threads of a device share
   one of them and have no room for it, outside of these: *WHERE.  False when it
   has no bound.  */
static bool
add_buffer_where_room (tns_ctx *ctx, tns_plan *plan, const home *h, int n,
                       int *where)
{
  *where = n;
  if (!add_buffer (ctx, plan, h->array, n, h->dim))
    return false;
  if (!ctx->machine || !ctx->machine->device
      || is_small (&plan->buffer[plan->n_buffers - 1]))
    return true;
  *where = 0;
  while (*where < n && !h->dim[*where]->marks.parallel)
    ++*where;
  if (*where == n)
    return true;
  plan->n_buffers--;
  bool is_local = tns_sym_is_local (plan->scop->array[h->array].sym);
  return (!is_local && *where == 0)
         || add_buffer (ctx, plan, h->array, *where, h->dim);
}

/* Find ARRAY's home.  A parameter that finds none stays where it is; a local
   needs one though nobody writes it, read where a condition never holds.  */
static bool
contract (tns_ctx *ctx, tns_plan *plan, int array)
{
  const tns_array *x = &plan->scop->array[array];
  bool local = tns_sym_is_local (x->sym);
  if (!x->dead_after || !(x->written || local)
      || !is_touched (plan->scop, array))
    return true;
  tns_tree *dim[2 * TNS_MAX_DEPTH] = { NULL };
  home h = { .array = array, .dim = dim };
  if (!local && !tns_legal_written_first (plan->scop, array))
    return true;
  h.most = deepest_home (plan, array, common_dims (plan, array, dim), dim);
  if (x->n_private > 0 && x->sym->rank > 0 && is_indexed (plan->scop, array))
    h.most = around_lanes (h.most, dim);
  h.own = own_home (plan, array, h.most, dim);
  h.expanded = local && x->n_private > 0 && h.own == h.most
               && is_expanded (plan, array, h.most, dim);
  int n = choose_home (ctx, plan, &h);
  if (!local && n == 0)
    return true;
  if (!add_buffer_where_room (ctx, plan, &h, n, &n))
    return !local;
  if (!local && n == 0)
    return true;
  int rank = plan->buffer[plan->n_buffers - 1].sym->rank;
  plan->n_contracted += !local || rank < x->sym->rank;
  return tell_home (ctx, plan, &h, n);
}

/* ARRAY found no home: isl gave up, or its size has no expression.  */
static void *
refuse_temporary (tns_ctx *ctx, const tns_plan *plan, int array)
{
  isl_ctx *isl = plan->scop->isl;
  if (ctx->status != TNS_DONE)
    return NULL;
  const tns_sym *sym = plan->scop->array[array].sym;
  tns_loc loc = plan->region->loc;
  if (isl_ctx_last_error (isl) != isl_error_none)
    return tns_isl_refuse (ctx, isl, loc, "contract");
  return tns_refuse (ctx, loc, TNS_WHY_TEMPORARY,
                     sym->spelled ? sym->spelled : sym->name);
}

/* LINE of a user's plan, where it is about storage, is a step of SELF, the
   plan.  */
static bool
check_line (const char *line, void *self)
{
  tns_plan *plan = self;
  bool ours = !strncmp (line, "contract ", 9) || !strncmp (line, "expand ", 7);
  tns_ctx *ctx = plan->scop->ctx;
  if (!ours || tns_plan_step_is (tns_text_chars (&plan->steps), line))
    return true;
  tns_error (ctx, plan->region->loc, TNS_WHY_PLAN,
             tns_arena_format (ctx->arena,
                               "\"%s\" does not apply to these loops: %s", line,
                               tns_storage_misfit (ctx, plan, line)));
  return false;
}

tns_plan *
tns_plan_contract (tns_ctx *ctx, tns_plan *plan)
{
  if (!plan)
    return NULL;
  name_loops (ctx, plan, plan->tree);
  tns_isl_begin (ctx, plan->scop->isl);
  plan->buffer = TNS_NEW_ARRAY (ctx->arena, tns_buffer, plan->scop->n_arrays);
  for (int k = 0; k < plan->scop->n_arrays; k++)
    if (!contract (ctx, plan, k))
      return refuse_temporary (ctx, plan, k);
  if (plan->kept)
    plan->steps = tns_text_new (ctx->arena);
  else if (!tns_plan_lines (ctx, plan->region->name, check_line, plan))
    return NULL;
  return plan;
}
