/* Tiles that are copied by themselves, as lowering/grid-stages.h says.  */

#include "lowering/grid-stages.h"

#include "ir/affine.h"
#include "ir/walk.h"

#define BANK_ELEMENTS 4

int
tns_tile_pitch (int lines)
{
  return lines + BANK_ELEMENTS;
}

/* Give S as many stages, MOST at most, as ROOM holds of BYTES each; none where
   that is less than two.  */
static void
fit (tns_stages *s, int most, long room, long bytes)
{
  long n = bytes > 0 ? room / bytes : 0;
  s->n = (int) (n < most ? n : most);
  if (s->n < 2)
    *s = (tns_stages){ .n = 0 };
}

/* The shared memory of a block of SHAPE, so that as many as it wants have room
   beside each other on MACHINE.  */
static long
room_of (const tns_tile_shape *shape, const tns_machine *machine)
{
  return machine->shared_bytes / shape->beside - machine->block_bytes;
}

/* How many lines of OPERAND a block of SHAPE has.  */
static int
lines_of (const tns_operand *operand, const tns_tile_shape *shape)
{
  return operand->role == TNS_TILE_ROW ? shape->rows : shape->columns;
}

tns_stages
tns_tile_stages (const tns_tile *tile, const tns_tile_shape *shape,
                 const tns_machine *machine)
{
  tns_stages s = { .n = 0 };
  long room = room_of (shape, machine);
  long bytes = 0;
  room = room < TNS_STATIC_BYTES ? room : TNS_STATIC_BYTES;
  for (int o = 0; o < tile->n_operands; o++)
    {
      const tns_operand *operand = &tile->operand[o];
      int element = tns_elem_bytes (operand->load->type.elem);
      long stage = (long) shape->depth
                   * tns_tile_pitch (lines_of (operand, shape)) * element;
      bool sent = !operand->along && operand->wide * element == TNS_COPY_BYTES;
      s.sent |= (unsigned) sent << o;
      room -= sent ? 0 : 2 * stage;
      bytes += sent ? stage : 0;
    }
  fit (&s, tile->stages, room, bytes);
  return s;
}

/* Data tell where LOAD's element lies: where there is none, they are not to be
   asked.  */
static bool
is_told (const tns_expr *load)
{
  bool told = false;
  for (int k = 0; k < load->n_args; k++)
    told |= tns_expr_loads (load->arg[k]);
  return told;
}

tns_stages
tns_matrix_stages (const tns_tile *tile, const tns_matrix *matrix, int shape,
                   const tns_machine *machine)
{
  const tns_tile_shape *sizes = &tns_matrix_shapes (matrix)[shape];
  tns_stages s = { .n = 0 };
  int element = matrix->precision == TNS_PRECISION_TF32 ? 4 : 2;
  long room = room_of (sizes, machine);
  long kept = 0;
  long bytes = 0;
  for (int o = 0; o < tile->n_operands; o++)
    {
      const tns_factor *factor = &matrix->factor[o];
      long stage
        = (long) sizes->depth * lines_of (&tile->operand[o], sizes) * element;
      bool sent
        = factor->raw && factor->dense && !is_told (tile->operand[o].load);
      s.sent |= (unsigned) sent << o;
      kept += sent ? 0 : 2 * stage;
      bytes += sent ? stage : 0;
    }
  fit (&s, tile->stages, room - kept, bytes);
  if (s.n && kept + s.n * bytes > TNS_STATIC_BYTES)
    s.bytes = (int) (kept + s.n * bytes);
  return s;
}

tns_sum
tns_subscript_stride (tns_arena *arena, const tns_sym *sym, int k)
{
  if (sym->stride)
    return tns_sum_of (arena, sym->stride[k]);
  tns_sum stride = tns_sum_int (arena, 1);
  for (int l = k + 1; l < sym->rank; l++)
    stride = tns_sum_mul (arena, stride, tns_sum_of (arena, sym->extent[l]));
  return stride;
}

tns_sum
tns_load_distance (tns_arena *arena, const tns_expr *load, const tns_sym *iter)
{
  tns_sum sum = tns_sum_int (arena, 0);
  for (int k = 0; k < load->n_args; k++)
    sum = tns_sum_add (
      arena, sum,
      tns_sum_mul (arena, tns_subscript_step (arena, load->arg[k], iter),
                   tns_subscript_stride (arena, load->sym, k)));
  return sum;
}

/* EXPR changes in TILE.  */
static bool
changes (const tns_tile *tile, tns_expr *expr)
{
  bool found = false;
  for (int k = 0; k < tile->n; k++)
    found |= tns_expr_mentions (expr, tile->loop[k]->iter);
  for (int k = 0; k < tile->n_inner; k++)
    found |= tns_expr_mentions (expr, tile->inner[k]->iter);
  return found;
}

/* SUIT, NULL being true, and LOAD of TILE moves with ITER by whole copies.  */
static tns_expr *
suit_load (tns_arena *arena, const tns_tile *tile, tns_expr *suit,
           const tns_expr *load, const tns_sym *iter)
{
  long long by = TNS_COPY_BYTES / tns_elem_bytes (load->type.elem);
  tns_expr *distance
    = tns_sum_expr (arena, tns_load_distance (arena, load, iter));
  long long known = 0;
  if (!distance || changes (tile, distance)
      || (tns_expr_is_int (distance, &known) && known % by == 0))
    return suit;
  tns_expr *whole = tns_binary (
    arena, TNS_EQ, tns_binary (arena, TNS_MOD, distance, tns_int (arena, by)),
    tns_int (arena, 0));
  return suit ? tns_binary (arena, TNS_LAND, suit, whole) : whole;
}

tns_expr *
tns_stages_suit (tns_arena *arena, const tns_tile *tile,
                 const tns_matrix *matrix, const tns_stages *stages)
{
  tns_expr *suit = NULL;
  for (int o = 0; stages->n && o < tile->n_operands; o++)
    {
      const tns_operand *operand = &tile->operand[o];
      bool along = matrix->factor[o].along;
      bool sent = stages->sent >> o & 1;
      for (int k = 0; sent && along && k < tile->n; k++)
        if (tile->role[k] == operand->role)
          suit
            = suit_load (arena, tile, suit, operand->load, tile->loop[k]->iter);
      for (int k = 0; sent && !along && k < tile->n_inner; k++)
        suit
          = suit_load (arena, tile, suit, operand->load, tile->inner[k]->iter);
    }
  return suit;
}
