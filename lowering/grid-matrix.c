/* Contractions for tensor cores, as lowering/grid-matrix.h says.  */

#include "lowering/grid-matrix.h"

#include "ir/affine.h"
#include "ir/walk.h"

/* By how many values of the inner loops there are at a time, 32 or 16, and
   whether both operands are steady: others need registers for addresses.  */
static const tns_tile_shape shapes[2][2][TNS_TILE_SHAPES]
  = { { { { 128, 128, 32, 8, 8, 256, 1 }, { 64, 64, 32, 4, 8, 128, 2 } },
        { { 128, 256, 32, 8, 16, 256, 1 }, { 64, 64, 32, 4, 8, 128, 2 } } },
      { { { 128, 128, 16, 8, 8, 256, 1 }, { 64, 64, 16, 4, 8, 128, 2 } },
        { { 128, 256, 16, 8, 16, 256, 1 }, { 64, 64, 16, 4, 8, 128, 2 } } } };
static const tns_tile_shape plain_shapes[2][TNS_TILE_SHAPES]
  = { { { 128, 128, 8, 8, 8, 256, 1 }, { 64, 64, 16, 8, 4, 128, 2 } },
      { { 128, 256, 8, 8, 16, 256, 1 }, { 64, 64, 16, 8, 4, 128, 2 } } };

/* Which operands of a tile an expression reads, a bit each.  */
typedef struct use
{
  const tns_tile *tile;
  unsigned operands;
} use;

/* The visitor.  */
static bool
note_use (tns_expr *expr, void *self)
{
  use *u = self;
  for (int o = 0; o < u->tile->n_operands; o++)
    if (tns_expr_equal (expr, u->tile->operand[o].load))
      u->operands |= 1u << o;
  return !tns_expr_reads (expr);
}

/* EXPR is another factor of operand O's.  */
static void
multiply (tns_arena *arena, tns_factor *factor, tns_expr *expr)
{
  factor->value
    = factor->value ? tns_binary (arena, TNS_MUL, factor->value, expr) : expr;
}

/* Give the factors of EXPR, a product, to the operands that they read; what
   reads none goes to the first.  False where one reads both.  */
static bool
share_factors (tns_arena *arena, const tns_tile *tile, tns_expr *expr,
               tns_matrix *matrix)
{
  use u = { tile, 0 };
  tns_expr_walk (expr, note_use, &u);
  if (expr->op == TNS_MUL)
    return share_factors (arena, tile, expr->arg[0], matrix)
           && share_factors (arena, tile, expr->arg[1], matrix);
  if (expr->op == TNS_NEG && u.operands == 3)
    {
      multiply (arena, &matrix->factor[0],
                tns_real (arena, expr->type.elem, -1));
      return share_factors (arena, tile, expr->arg[0], matrix);
    }
  if (u.operands == 3)
    return false;
  multiply (arena, &matrix->factor[u.operands == 2], expr);
  return true;
}

/* Something of SUM, but ITER itself, has to do with ITER.  */
static bool
is_hidden (tns_sum sum, const tns_sym *iter)
{
  bool hidden = false;
  for (int k = 0; k < sum.n; k++)
    for (int a = 0; a < sum.term[k].n_atoms; a++)
      hidden |= tns_atom_symbol (sum.term[k].atom[a]) != iter
                && tns_expr_mentions (sum.term[k].atom[a], iter);
  return hidden;
}

tns_sum
tns_subscript_step (tns_arena *arena, tns_expr *subscript, const tns_sym *iter)
{
  tns_sum at = tns_sum_of (arena, subscript);
  if (at.n < 0 || is_hidden (at, iter))
    return (tns_sum){ .n = -1 };
  tns_sum next = tns_sum_add (
    arena, tns_sum_of (arena, tns_value (arena, (tns_sym *) iter)),
    tns_sum_int (arena, 1));
  return tns_sum_add (arena, tns_sum_substitute (arena, at, iter, next),
                      tns_sum_scale (arena, at, -1));
}

/* LOAD goes to the next element of memory with ITER.  */
static bool
steps_on (tns_arena *arena, const tns_expr *load, const tns_sym *iter)
{
  int last = load->n_args - 1;
  long long by = 0;
  for (int k = 0; k < last; k++)
    if (tns_expr_mentions (load->arg[k], iter))
      return false;
  return last >= 0 && tns_sym_is_dense (load->sym)
         && tns_sum_is_int (tns_subscript_step (arena, load->arg[last], iter),
                            &by)
         && by == 1;
}

/* LOAD goes through memory in equal steps with ITER.  */
static bool
steps_alike (tns_arena *arena, const tns_expr *load, const tns_sym *iter)
{
  bool alike = true;
  for (int k = 0; k < load->n_args; k++)
    {
      tns_expr *step
        = tns_sum_expr (arena, tns_subscript_step (arena, load->arg[k], iter));
      alike &= step && !tns_expr_mentions (step, iter);
    }
  return alike;
}

/* The only loop of TILE with ROLE, or NULL.  */
static const tns_node *
only_loop (const tns_tile *tile, tns_tile_role role)
{
  const tns_node *only = NULL;
  for (int k = 0; k < tile->n; k++)
    if (tile->role[k] == role && only)
      return NULL;
    else if (tile->role[k] == role)
      only = tile->loop[k];
  return only;
}

/* VALUE has the bits of LOAD, of 16, and as many zeros behind them: it is that
   bf16.  */
static bool
is_bf16 (const tns_expr *value, const tns_expr *load)
{
  long long by = 0;
  const tns_expr *shifted = value->op == TNS_BITS ? value->arg[0] : NULL;
  if (!shifted || shifted->op != TNS_SHL
      || !tns_expr_is_int (shifted->arg[1], &by) || by != 16)
    return false;
  const tns_expr *cast = shifted->arg[0];
  return cast->op == TNS_CAST && tns_expr_equal (cast->arg[0], load)
         && tns_elem_bytes (load->type.elem) == 2
         && tns_elem_bytes (cast->type.elem) == 4;
}

/* How operand O of TILE lies in memory.  */
static void
find_layout (tns_arena *arena, const tns_tile *tile, int o, tns_factor *factor)
{
  const tns_operand *operand = &tile->operand[o];
  const tns_node *line = only_loop (tile, operand->role);
  const tns_node *inner = tile->n_inner == 1 ? tile->inner[0] : NULL;
  bool along
    = inner && inner->step == 1 && steps_on (arena, operand->load, inner->iter);
  bool across
    = line && line->step == 1 && steps_on (arena, operand->load, line->iter);
  factor->plain = tns_expr_equal (factor->value, operand->load);
  factor->dense = along || across;
  factor->along = factor->dense ? along : operand->along;
  factor->steady = factor->dense && inner && inner->step == 1 && line
                   && steps_alike (arena, operand->load, inner->iter)
                   && steps_alike (arena, operand->load, line->iter);
}

/* Both operands of MATRIX are.  */
static bool
is_steady (const tns_matrix *matrix)
{
  return matrix->factor[0].steady && matrix->factor[1].steady;
}

bool
tns_matrix_find (tns_arena *arena, const tns_tile *tile,
                 tns_precision precision, tns_matrix *matrix)
{
  const tns_node *update = tile->update;
  tns_type f32 = tns_scalar (TNS_F32);
  *matrix = (tns_matrix){ .precision = precision };
  if (precision == TNS_PRECISION_OWN || tile->n_operands != 2
      || tns_tile_is_uneven (tile)
      || tile->operand[0].role == tile->operand[1].role
      || update->update != TNS_ADD
      || !tns_type_equal (update->target->type, f32)
      || !tns_type_equal (update->value->type, f32)
      || !share_factors (arena, tile, update->value, matrix))
    return false;
  for (int o = 0; o < 2; o++)
    {
      if (!matrix->factor[o].value
          || tns_elem_bytes (tile->operand[o].load->type.elem) > 4)
        return false;
      find_layout (arena, tile, o, &matrix->factor[o]);
      matrix->factor[o].raw
        = precision == TNS_PRECISION_BF16
          && is_bf16 (matrix->factor[o].value, tile->operand[o].load);
    }
  return true;
}

const tns_tile_shape *
tns_matrix_shapes (const tns_matrix *matrix)
{
  return shapes[matrix->precision == TNS_PRECISION_TF32][is_steady (matrix)];
}

const tns_tile_shape *
tns_matrix_plain_shapes (const tns_matrix *matrix)
{
  return plain_shapes[is_steady (matrix)];
}

int
tns_matrix_chunk (tns_precision precision)
{
  return precision == TNS_PRECISION_TF32 ? 4 : 8;
}

tns_swizzle
tns_matrix_swizzle (tns_precision precision, bool along)
{
  return along                             ? (tns_swizzle){ 2, 4, 1 }
         : precision == TNS_PRECISION_TF32 ? (tns_swizzle){ 1, 4, 2 }
                                           : (tns_swizzle){ 1, 8, 1 };
}
