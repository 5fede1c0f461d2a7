/* Contractions for warpgroups, as lowering/grid-group.h says.  */

#include "lowering/grid-group.h"

#include "ir/walk.h"
#include "lowering/grid-stages.h"
#include "lowering/grid.h"

#define ELEMENT_BYTES 2

/* The element of LOAD that the first iterations of LOOP and INNER have.  */
static tns_sum
first_of (tns_arena *arena, const tns_expr *load, const tns_node *loop,
          const tns_node *inner)
{
  tns_sum sum = tns_sum_int (arena, 0);
  for (int k = 0; k < load->n_args; k++)
    {
      tns_sum at = tns_sum_of (arena, load->arg[k]);
      at = tns_sum_substitute (arena, at, loop->iter,
                               tns_sum_of (arena, loop->lo));
      at = tns_sum_substitute (arena, at, inner->iter,
                               tns_sum_of (arena, inner->lo));
      sum = tns_sum_add (
        arena, sum,
        tns_sum_mul (arena, at, tns_subscript_stride (arena, load->sym, k)));
    }
  return sum;
}

/* The only loop of TILE with ROLE.  */
static const tns_node *
loop_with (const tns_tile *tile, tns_tile_role role)
{
  for (int k = 0; k < tile->n; k++)
    if (tile->role[k] == role)
      return tile->loop[k];
  return NULL;
}

/* Operand O of TILE; whether all of it can be said, and asked of the host.  */
static bool
find_operand (tns_arena *arena, const tns_tile *tile, int o,
              tns_group_operand *operand)
{
  tns_expr *load = tile->operand[o].load;
  const tns_node *loop = loop_with (tile, tile->operand[o].role);
  const tns_node *inner = tile->inner[0];
  operand->sym = load->sym;
  operand->first = tns_sum_expr (arena, first_of (arena, load, loop, inner));
  operand->line
    = tns_sum_expr (arena, tns_load_distance (arena, load, loop->iter));
  operand->inner
    = tns_sum_expr (arena, tns_load_distance (arena, load, inner->iter));
  operand->lines = tns_grid_trip (arena, loop);
  return operand->first && operand->line && operand->inner
         && !tns_expr_loads (operand->first) && !tns_expr_loads (operand->line)
         && !tns_expr_loads (operand->inner)
         && !tns_expr_loads (operand->lines);
}

tns_tile_shape
tns_group_shape (const tns_matrix *matrix)
{
  tns_tile_shape shape = tns_matrix_shapes (matrix)[0];
  shape.depth = TNS_GROUP_DEPTH;
  shape.thread_rows = shape.rows / (TNS_GROUP_WORKERS / 32) / 8;
  shape.thread_columns = shape.columns / 4;
  shape.threads = TNS_GROUP_WORKERS;
  return shape;
}

tns_group *
tns_group_find (tns_arena *arena, const tns_tile *tile,
                const tns_matrix *matrix)
{
  tns_group *group = TNS_NEW (arena, tns_group);
  bool fine = tile->n == 2 && tile->n_inner == 1
              && matrix->precision == TNS_PRECISION_BF16;
  for (int o = 0; fine && o < 2; o++)
    fine = matrix->factor[o].raw && matrix->factor[o].steady
           && find_operand (arena, tile, o, &group->operand[o]);
  if (!fine)
    return NULL;
  tns_tile_shape shape = tns_group_shape (matrix);
  for (int o = 0; o < 2; o++)
    group->operand[o].tile
      = tile->operand[o].role == TNS_TILE_ROW ? shape.rows : shape.columns;
  group->bytes = TNS_GROUP_STAGES * (shape.rows + shape.columns) * shape.depth
                 * ELEMENT_BYTES;
  group->inners = tns_grid_trip (arena, tile->inner[0]);
  return tns_expr_loads (group->inners) ? NULL : group;
}
