/* Kernels as regions.

     for k                                    region k0 {
       for i = 0 to n parallel                  value i64 n; value i64 k;
         t[i] = x[i][k];               ->       array f32 x[][m]; array f32 t[];
                                                for i = 0 to n parallel
                                                  t[i] = x[i][k];
                                              }

   Lanes' loops and the outermost ones keep their marks; all other loops are
   plain.  */

#include "lowering/grid-kernel.h"

#include "ir/walk.h"

#define MOST_SHARED 32768
#define MOST_LOCAL  16384

/* A kernel being made.  stands: [grid's symbols]: what stands for a symbol of
   the grid's region, NULL: itself; inside: declared in the kernel; uses: it is
   mentioned.  */
typedef struct maker
{
  tns_ctx *ctx;
  tns_arena *arena;
  const tns_grid *grid;
  tns_kernel *kernel;
  tns_sym **stands;
  bool *inside;
  bool *uses;
  const char *lacks;
  tns_loc loc;
  long long shared;
} maker;

/* Note that the kernel lacks WORDS, unless it lacks something.  */
static void
note_lack (maker *m, tns_loc loc, const char *words)
{
  if (m->lacks)
    return;
  m->lacks = words;
  m->loc = loc;
}

static bool note_expr (tns_expr *expr, void *self);

/* The kernel uses SYM, and what says how its elements lie.  */
static void
use_sym (maker *m, tns_sym *sym)
{
  if (m->uses[sym->id])
    return;
  m->uses[sym->id] = true;
  if (sym->type.elem == TNS_F80)
    note_lack (m, sym->loc, "long double is not known to devices");
  for (int k = 0; k < sym->rank; k++)
    {
      if (sym->extent && sym->extent[k] && k > 0)
        tns_expr_walk (sym->extent[k], note_expr, m);
      if (sym->stride)
        tns_expr_walk (sym->stride[k], note_expr, m);
    }
}

/* OP, of math.h, has one right result, which devices give, too.  */
static bool
is_exact (tns_op op)
{
  switch (op)
    {
    case TNS_SQRT:
    case TNS_FLOOR:
    case TNS_CEIL:
    case TNS_TRUNC:
    case TNS_ROUND:
    case TNS_RINT:
    case TNS_FMOD:
    case TNS_FMIN:
    case TNS_FMAX:
    case TNS_COPYSIGN:
    case TNS_FDIM:
    case TNS_REMAINDER:
    case TNS_NEXTAFTER:
    case TNS_LOGB:
    case TNS_LDEXP:
    case TNS_FUSED:
      return true;
    default:
      return false;
    }
}

/* The visitor of expressions.  */
static bool
note_expr (tns_expr *expr, void *self)
{
  maker *m = self;
  if (m->ctx->wish.fp == TNS_FP_STRICT && tns_op_class (expr->op) == 'M'
      && !is_exact (expr->op))
    note_lack (m, expr->loc,
               "its math.h differs from the host's, which fp (strict) rules "
               "out");
  if (expr->op == TNS_CALL)
    note_lack (m, expr->loc, "a function is called that the device has not");
  else if (expr->sym)
    use_sym (m, expr->sym);
  if (expr->type.elem == TNS_F80)
    note_lack (m, expr->loc, "long double is not known to devices");
  return true;
}

/* The bytes of SYM, a LOCAL; -1: they are not constant.  */
static long long
bytes_of (const tns_sym *sym)
{
  long long bytes = tns_elem_bytes (sym->type.elem);
  for (int k = 0; k < sym->rank; k++)
    {
      long long extent;
      if (!tns_expr_is_int (sym->extent[k], &extent) || extent < 0
          || bytes > MOST_SHARED)
        return -1;
      bytes *= extent;
    }
  return bytes;
}

/* SYM begins its life in the kernel.  */
static void
note_local (maker *m, const tns_node *node)
{
  tns_sym *sym = node->sym;
  long long bytes = bytes_of (sym);
  m->inside[sym->id] = true;
  if (sym->rank == 0)
    return;
  m->shared += bytes;
  if (bytes < 0 || bytes > MOST_LOCAL || m->shared > MOST_SHARED)
    note_lack (m, node->loc,
               "an array of a loop's own is too large for a thread");
}

/* The visitor of statements.  */
static bool
note_node (tns_node *node, void *self)
{
  maker *m = self;
  if (node->kind == TNS_LOOP)
    m->inside[node->iter->id] = true;
  if (node->kind == TNS_LOCAL)
    note_local (m, node);
  tns_node_exprs (node, note_expr, m);
  return true;
}

/* The parameter of the kernel's region that stands for SYM.  */
static tns_sym *
parameter_for (maker *m, tns_sym *sym)
{
  tns_region *region = m->kernel->region;
  if (sym->kind == TNS_SYM_ITER)
    return tns_region_add_value (m->arena, region, sym->name, TNS_I64);
  if (!tns_sym_is_local (sym))
    return sym;
  tns_sym *made = tns_region_add_array (
    m->arena, region, sym->name, sym->type.elem, sym->rank, TNS_SYM_RESTRICT);
  for (int k = 0; k < sym->rank; k++)
    made->extent[k] = sym->extent[k];
  made->stride = sym->stride;
  return made;
}

/* Give the kernel's region its parameters: arrays first.  */
static void
add_params (maker *m)
{
  const tns_region *around = m->grid->region;
  tns_region *region = m->kernel->region;
  int n = around->n_syms;
  m->kernel->given = TNS_NEW_ARRAY (m->arena, tns_sym *, n + 1);
  for (int pass = 0; pass < 2; pass++)
    for (int id = 0; id < n; id++)
      {
        tns_sym *sym = around->syms[id];
        bool is_array = sym->kind == TNS_SYM_ARRAY;
        if (!m->uses[id] || m->inside[id] || is_array != (pass == 0))
          continue;
        m->stands[id] = parameter_for (m, sym);
        m->kernel->given[region->n_params] = sym;
        tns_region_add_param (m->arena, region, m->stands[id]);
      }
}

/* EXPR on the kernel's own symbols.  */
static tns_expr *
change_expr (tns_expr *expr, void *self)
{
  const maker *m = self;
  tns_sym *by = expr->sym ? m->stands[expr->sym->id] : NULL;
  if (!by || by == expr->sym)
    return expr;
  if (expr->op == TNS_SYM)
    return tns_value (m->arena, by);
  return tns_make (m->arena, expr->op, expr->type, by, expr->n_args, expr->arg);
}

/* The same in a whole expression.  */
static tns_expr *
change_exprs (tns_expr *expr, void *self)
{
  const maker *m = self;
  return tns_expr_rebuild (m->arena, expr, change_expr, self);
}

/* LOOP, not one of those that the grid is made of, without marks but for
   lanes.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  const maker *m = self;
  if (node->kind != TNS_LOOP)
    return node;
  tns_node *made = tns_node_copy (m->arena, node);
  bool alone = m->kernel->mapping == TNS_MAPPING_THREADS;
  int lanes = alone ? 0 : node->marks.simd;
  tns_marks marks = { .simd = lanes, .scan = !alone && node->marks.scan };
  if (lanes)
    {
      marks.n_reductions = node->marks.n_reductions;
      marks.reductions = node->marks.reductions;
    }
  made->marks = marks;
  return made;
}

/* The kernel's body.  */
static tns_node *
body_of (maker *m)
{
  const tns_node *node = m->kernel->node;
  tns_node *made = tns_node_rebuild (m->arena, (tns_node *) node, change_node,
                                     change_exprs, m);
  if (m->kernel->mapping == TNS_MAPPING_ONE)
    return made;
  made = tns_node_copy (m->arena, made);
  made->marks.parallel = true;
  made->marks.collapse = node->marks.collapse;
  made->marks.stages = node->marks.stages;
  tns_node *block = tns_block (m->arena, made->loc);
  tns_block_add (m->arena, block, made);
  return block;
}

bool
tns_kernel_fill (tns_ctx *ctx, const tns_grid *grid, tns_kernel *kernel)
{
  const tns_region *around = grid->region;
  int n = around->n_syms + 1;
  maker m = { .ctx = ctx, .arena = ctx->arena, .grid = grid, .kernel = kernel };
  m.stands = TNS_NEW_ARRAY (ctx->arena, tns_sym *, n);
  m.inside = TNS_NEW_ARRAY (ctx->arena, bool, n);
  m.uses = TNS_NEW_ARRAY (ctx->arena, bool, n);
  tns_node_walk ((tns_node *) kernel->node, note_node, &m);
  if (m.lacks)
    return tns_refuse (ctx, m.loc, TNS_WHY_DEVICE, m.lacks);
  tns_region *region = tns_region_copy (ctx->arena, around);
  region->name = tns_arena_format (ctx->arena, "%s_k%d",
                                   ctx->kernels ? ctx->kernels : around->name,
                                   (int) (kernel - grid->kernel));
  region->n_params = region->n_overlaps = region->n_guard = 0;
  region->n_spans = region->n_assume = region->n_still = 0;
  region->before = NULL;
  kernel->region = region;
  add_params (&m);
  region->body = body_of (&m);
  return true;
}
