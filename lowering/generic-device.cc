/* What the host does for a region whose kernels a device runs
   (libtensorrt-mini/abi-cuda.h).

     for k                          long arrays[5 * n] = { x, bytes, .. };
       launch 0                     run = trm_cuda_begin (unit, site, arrays,
                                                          ..);
                           ->       if (!run) return 0;
                                    for (k = 0; k < t; k++)
                                      {
                                        long args[m] = { arrays[4], .., k };
                                        trm_cuda_launch (run, 0, ..);
                                      }
                                    long again[2] = { x, n };
                                    if (!trm_cuda_end_later (run, f_again,
                                                             again, ..))
                                      return 0;

   trm_cuda_begin is weak: without the runtime the function declines.

   A loop that devices share (lowering/devices.h) has rows for each part, and
   for all of it behind these:

     for (k = 0; k <= devices; k++)
       first, end = part k, or all; arrays[k] = ..
     parts = trm_cuda_begin_parts (unit, site, arrays, .., devices, ..);
     if (!parts) return 0;
     for (k = 0; k < parts; k++)
       {
         first, end = part k, or all;
         trm_cuda_part (k);
         launch 0
       }
     if (!trm_cuda_end_parts ()) return 0;  */

#include "lowering/device-unit.hh"
#include "lowering/site.hh"

extern "C"
{
#include "libtensorrt-mini/abi-cuda.h"
#include "ir/walk.h"
#include "lowering/cuda.h"
#include "lowering/devices.h"
#include "lowering/grid-group.h"
}

enum
{
  ROW = sizeof (trm_cuda_array) / sizeof (void *),
  DEVICE = ROW - 1,
  OPERAND = sizeof (trm_cuda_operand) / sizeof (void *),
  COSTS = sizeof (trm_cuda_cost) / sizeof (double),
  MOST_DEVICES = 16
};

/* The host's part being built.

   row     [grid's symbols]: the row of an array in rows, -1: it has none
   n       rows
   rows    the variable, an array of I64
   base    where the part's rows begin there, I64; NULL_TREE: at 0
   run     the variable
   unit    the kernels' trm_cuda_unit
   first   the number of the grid's first kernel there
   variables  of the function  */
typedef struct hosting
{
  tns_build *build;
  const tns_grid *grid;
  int *row;
  int n;
  tree rows;
  tree base;
  tree run;
  tree unit;
  int first;
  tree *variables;
} hosting;

/* I64.  */
static tree
number_type (void)
{
  return tns_build_type (tns_scalar (TNS_I64));
}

/* A variable of the function's.  */
static tree
new_variable (hosting *h, const char *name, tree type)
{
  tree variable = tns_build_variable (h->build, name, type);
  DECL_CHAIN (variable) = *h->variables;
  *h->variables = variable;
  return variable;
}

/* TARGET = VALUE, appended to *LIST.  */
static void
set (hosting *h, tree target, tree value, tree *list)
{
  append_to_statement_list (tns_build_set (h->build, target, value), list);
}

/* ARRAY[K], an lvalue.  */
static tree
element (tree array, int k)
{
  return build4 (ARRAY_REF, TREE_TYPE (TREE_TYPE (array)), array, size_int (k),
                 NULL_TREE, NULL_TREE);
}

/* Number K of the part's rows, an lvalue.  */
static tree
row_element (hosting *h, int k)
{
  if (!h->base)
    return element (h->rows, k);
  tree at = build2 (PLUS_EXPR, number_type (), h->base,
                    build_int_cst (number_type (), k));
  return build4 (ARRAY_REF, number_type (), h->rows, at, NULL_TREE, NULL_TREE);
}

/* The address of OBJECT as a pointer.  */
static tree
address_of (tree object)
{
  TREE_ADDRESSABLE (object) = 1;
  return fold_convert (ptr_type_node, build_fold_addr_expr (object));
}

/* The runtime's NAME, which gives TYPE, of GIVEN[0..N).  */
static tree
call_runtime (hosting *h, const char *name, tree type, int n, tree *given)
{
  auto_vec<tree> types;
  for (int k = 0; k < n; k++)
    types.safe_push (TREE_TYPE (given[k]));
  tree fn = tns_build_runtime (
    name, build_function_type_array (type, n, types.address ()));
  return build_call_expr_loc_array (h->build->loc, fn, n, given);
}

/* Give arrays that kernels touch their rows.  */
static void
number_rows (hosting *h)
{
  int n_syms = h->grid->region->n_syms;
  h->row = TNS_NEW_ARRAY (h->build->ctx->arena, int, n_syms + 1);
  for (int id = 0; id < n_syms; id++)
    h->row[id] = -1;
  for (int k = 0; k < h->grid->n; k++)
    for (int p = 0; p < h->grid->kernel[k].region->n_params; p++)
      {
        const tns_sym *sym = h->grid->kernel[k].given[p];
        if (sym->kind == TNS_SYM_ARRAY && h->row[sym->id] < 0)
          h->row[sym->id] = h->n++;
      }
}

/* What kernels do with SYM, whose span is SPAN, TRM_CUDA_ bits.  */
static int
use_of (const hosting *h, const tns_sym *sym, const tns_span *span)
{
  if (tns_sym_is_local (sym))
    return TRM_CUDA_SCRATCH;
  bool writes = false;
  for (int k = 0; k < h->grid->n; k++)
    writes |= tns_grid_writes (&h->grid->kernel[k], sym);
  if (!writes)
    return TRM_CUDA_READ | (span->may ? TRM_CUDA_MAY : 0);
  int held = span->whole ? TRM_CUDA_ALL : TRM_CUDA_READ;
  int dead = sym->flags & TNS_SYM_TEMP ? TRM_CUDA_DEAD : 0;
  return TRM_CUDA_WRITE | held | dead | (span->may ? TRM_CUDA_MAY : 0);
}

/* LENGTH elements of SYM in bytes; none where it is less.  */
static tree
bytes_of (hosting *h, const tns_sym *sym, tree length)
{
  tree type = number_type ();
  tree size = fold_convert (type, TYPE_SIZE_UNIT (h->build->elem[sym->id]));
  length = fold_build2 (MAX_EXPR, type, fold_convert (type, length),
                        build_zero_cst (type));
  return fold_build2 (MULT_EXPR, type, length, size);
}

/* The address of element LO of SYM, I64.  */
static tree
base_of (hosting *h, const tns_sym *sym, const tns_expr *lo)
{
  tree type = number_type ();
  tree size = fold_convert (type, TYPE_SIZE_UNIT (h->build->elem[sym->id]));
  tree first = fold_convert (type, h->build->decl[sym->id]);
  tree offset
    = fold_build2 (MULT_EXPR, type, tns_build_expr (h->build, lo), size);
  return fold_build2 (PLUS_EXPR, type, first, offset);
}

/* How many elements SYM, a LOCAL, has.  */
static tree
count_of (hosting *h, const tns_sym *sym)
{
  tree type = number_type ();
  tree count = build_int_cst (type, 1);
  for (int k = 0; k < sym->rank; k++)
    count = fold_build2 (MULT_EXPR, type, count,
                         tns_build_expr (h->build, sym->extent[k]));
  return count;
}

/* Fill SYM's row.  */
static void
fill_row (hosting *h, const tns_sym *sym, tree *list)
{
  int at = ROW * h->row[sym->id];
  tns_span span = {};
  tree base = build_zero_cst (number_type ());
  tree length;
  if (tns_sym_is_local (sym))
    length = count_of (h, sym);
  else if (tns_site_find_span (h->build->ctx->arena, h->grid->region, sym,
                               &span))
    {
      base = base_of (h, sym, span.lo);
      length = fold_build2 (MINUS_EXPR, number_type (),
                            tns_build_expr (h->build, span.hi),
                            tns_build_expr (h->build, span.lo));
    }
  else
    {
      h->build->failed = true;
      return;
    }
  set (h, row_element (h, at), base, list);
  set (h, row_element (h, at + 1), bytes_of (h, sym, length), list);
  set (h, row_element (h, at + 2),
       build_int_cst (number_type (), use_of (h, sym, &span)), list);
  set (h, row_element (h, at + 3),
       fold_convert (number_type (), tns_string_tree (tns_sym_words (sym))),
       list);
}

/* Fill all rows.  */
static void
fill_rows (hosting *h, tree *list)
{
  for (int id = 0; id < h->grid->region->n_syms; id++)
    if (h->row[id] >= 0)
      fill_row (h, h->grid->region->syms[id], list);
}

/* What a run is predicted to take, in a variable.  */
static tree
cost_variable (hosting *h, tree *list)
{
  const tns_region *region = h->grid->region;
  tree cost = new_variable (h, "cost",
                            build_array_type_nelts (double_type_node, COSTS));
  bool asked = h->build->ctx->wish.target == TNS_TARGET_CUDA;
  tree flops = tns_site_amount (h->build, region->flops);
  tree bytes = tns_site_amount (h->build, region->bytes_after);
  set (h, element (cost, 0),
       asked ? build_zero_cst (double_type_node)
             : tns_site_amount (h->build, h->grid->cpu_ns),
       list);
  set (h, element (cost, 1), flops, list);
  set (h, element (cost, 2), bytes, list);
  set (h, element (cost, 3), tns_site_amount (h->build, h->grid->launches),
       list);
  set (h, element (cost, 4), build_one_cst (double_type_node), list);
  return cost;
}

/* RUN = trm_cuda_begin (..), where the runtime has that; return 0 unless there
   is a run.  */
static void
begin_run (hosting *h, tree *list)
{
  tree cost = cost_variable (h, list);
  tree site
    = fold_convert (ptr_type_node, build_fold_addr_expr (h->build->site));
  tree given[] = { address_of (h->unit), site, address_of (h->rows),
                   build_int_cst (number_type (), h->n), address_of (cost) };
  tree call = call_runtime (h, "trm_cuda_begin", ptr_type_node, 5, given);
  tree fn = CALL_EXPR_FN (call);
  tree there
    = build2 (NE_EXPR, boolean_type_node, fn, build_zero_cst (TREE_TYPE (fn)));
  set (h, h->run,
       build3 (COND_EXPR, ptr_type_node, there, call, null_pointer_node), list);
  tree none = build2 (EQ_EXPR, boolean_type_node, h->run, null_pointer_node);
  append_to_statement_list (
    tns_build_if (h->build, none, tns_build_return (h->build, 0), NULL_TREE),
    list);
}

/* The address on the device of element 0 of SYM, I64.  */
static tree
device_address (hosting *h, const tns_sym *sym)
{
  int at = ROW * h->row[sym->id];
  tree device = row_element (h, at + DEVICE);
  tree type = number_type ();
  tns_span span;
  if (tns_sym_is_local (sym)
      || !tns_site_find_span (h->build->ctx->arena, h->grid->region, sym,
                              &span))
    return device;
  tree size = fold_convert (type, TYPE_SIZE_UNIT (h->build->elem[sym->id]));
  tree before
    = fold_build2 (MULT_EXPR, type, tns_build_expr (h->build, span.lo), size);
  return fold_build2 (MINUS_EXPR, type, device, before);
}

/* VALUE's bits in the low bytes of an I64.  */
static tree
bits_of (tree value)
{
  tree type = TREE_TYPE (value);
  if (SCALAR_FLOAT_TYPE_P (type))
    {
      tree integer
        = build_nonstandard_integer_type (tree_to_uhwi (TYPE_SIZE (type)), 1);
      value = fold_build1 (VIEW_CONVERT_EXPR, integer, value);
    }
  return fold_convert (number_type (), value);
}

/* Member K of what KERNEL is given: its parameters, then where the blocks of
   its parts end.  */
static tree
member_of (hosting *h, const tns_kernel *kernel, int k)
{
  int n = kernel->region->n_params;
  if (k < n)
    return kernel->given[k]->kind == TNS_SYM_ARRAY
             ? device_address (h, kernel->given[k])
             : bits_of (h->build->decl[kernel->given[k]->id]);
  if (k < n + kernel->n_parts)
    return tns_build_expr (h->build, kernel->end[k - n]);
  return build_zero_cst (number_type ());
}

/* What KERNEL is given, in a variable.  */
static tree
args_variable (hosting *h, const tns_kernel *kernel, int members, tree *list)
{
  tree args = new_variable (h, "args",
                            build_array_type_nelts (number_type (), members));
  for (int k = 0; k < members; k++)
    set (h, element (args, k), member_of (h, kernel, k), list);
  return args;
}

/* Which member of what KERNEL is given is SYM's address.  */
static int
member_for (const tns_kernel *kernel, const tns_sym *sym)
{
  int k = kernel->region->n_params - 1;
  while (k > 0 && kernel->given[k] != sym)
    k--;
  return k;
}

/* The operands of the product that KERNEL's warpgroups take, in a variable.  */
static tree
operands_variable (hosting *h, const tns_kernel *kernel, tree *list)
{
  const tns_group *group = kernel->group;
  tree type = number_type ();
  tree operands
    = new_variable (h, "operands", build_array_type_nelts (type, 2 * OPERAND));
  for (int o = 0; o < 2; o++)
    {
      const tns_group_operand *of = &group->operand[o];
      tree word[OPERAND] = { build_int_cst (type, member_for (kernel, of->sym)),
                             tns_build_expr (h->build, of->first),
                             tns_build_expr (h->build, of->line),
                             tns_build_expr (h->build, of->inner),
                             tns_build_expr (h->build, of->lines),
                             tns_build_expr (h->build, group->inners),
                             build_int_cst (type, of->tile) };
      for (int k = 0; k < OPERAND; k++)
        set (h, element (operands, OPERAND * o + k), word[k], list);
    }
  return operands;
}

/* Launch the kernel of warpgroups beside KERNEL, which is given the MEMBERS of
   ARGS, or, where that cannot be, what OTHERWISE does.  */
static void
launch_group (hosting *h, const tns_kernel *kernel, tree args, int members,
              tree otherwise, tree *list)
{
  tree type = number_type ();
  tree operands = operands_variable (h, kernel, list);
  tree given[] = { h->run,
                   build_int_cst (type, h->first + (kernel - h->grid->kernel)),
                   tns_build_expr (h->build, kernel->work),
                   build_int_cst (type, TNS_GROUP_THREADS),
                   build_int_cst (type, kernel->group->bytes),
                   address_of (operands),
                   address_of (args),
                   build_int_cst (type, members * (int) sizeof (void *)) };
  tree call
    = call_runtime (h, "trm_cuda_launch_group", integer_type_node, 8, given);
  tree none = build2 (EQ_EXPR, boolean_type_node, call, integer_zero_node);
  append_to_statement_list (tns_build_if (h->build, none, otherwise, NULL_TREE),
                            list);
}

/* Launch KERNEL.  */
static void
launch (hosting *h, const tns_kernel *kernel, tree *list)
{
  tree type = number_type ();
  int n = kernel->region->n_params + kernel->n_parts;
  int members = MAX (n, (int) TNS_LEAST_MEMBERS);
  tree args = args_variable (h, kernel, members, list);
  tree threads = tns_build_expr (h->build, kernel->threads);
  tree work = tns_build_expr (h->build, kernel->work);
  bool one = kernel->mapping == TNS_MAPPING_ONE;
  int blocks = one ? 1 : kernel->whole ? INT_MAX : 0;
  if (kernel->mapping != TNS_MAPPING_THREADS)
    work = fold_build2 (MULT_EXPR, type, work, threads);
  tree given[] = { h->run,
                   build_int_cst (type, h->first + (kernel - h->grid->kernel)),
                   work,
                   threads,
                   build_int_cst (type, blocks),
                   build_int_cst (type, kernel->stages.bytes),
                   address_of (args),
                   build_int_cst (type, members * (int) sizeof (void *)) };
  tree call = call_runtime (h, "trm_cuda_launch", void_type_node, 8, given);
  if (kernel->group)
    launch_group (h, kernel, args, members, call, list);
  else
    append_to_statement_list (call, list);
}

static void host_node (hosting *h, tns_node *node, tree *list);

/* LOOP of the host's.  */
static void
host_loop (hosting *h, tns_node *loop, tree *list)
{
  tree type = number_type ();
  tree iter = new_variable (h, loop->iter->name, type);
  tree bound = new_variable (h, "bound", type);
  tree body = NULL_TREE;
  set (h, iter, tns_build_expr (h->build, loop->lo), list);
  set (h, bound, tns_build_expr (h->build, loop->hi), list);
  h->build->decl[loop->iter->id] = iter;
  host_node (h, loop->body, &body);
  tns_build_repeat (h->build, iter, bound, build_int_cst (type, loop->step),
                    body, list);
}

/* NODE, the host's part, or what it launches.  */
static void
host_node (hosting *h, tns_node *node, tree *list)
{
  const tns_kernel *kernel = tns_grid_kernel (h->grid, node);
  if (kernel)
    launch (h, kernel, list);
  else if (node->kind == TNS_LOOP)
    host_loop (h, node, list);
  else if (node->kind == TNS_IF)
    {
      tree then = NULL_TREE;
      tree otherwise = NULL_TREE;
      tree cond = tns_build_expr (h->build, node->cond);
      host_node (h, node->then, &then);
      if (node->otherwise)
        host_node (h, node->otherwise, &otherwise);
      append_to_statement_list (tns_build_if (h->build, cond, then, otherwise),
                                list);
    }
  else
    for (int k = 0; k < node->n_kids; k++)
      host_node (h, node->kid[k], list);
}

/* What the region is given as it was written, in a variable.  */
static tree
again_variable (hosting *h, tree *list)
{
  const tns_region *written = h->build->written;
  int n = written->n_params;
  tree args
    = new_variable (h, "again", build_array_type_nelts (number_type (), n));
  for (int k = 0; k < n; k++)
    set (h, element (args, k), bits_of (h->build->decl[written->params[k]->id]),
         list);
  return args;
}

/* The call that ends the run; AGAIN, if it is there, can do on the CPU what its
   kernels do.  */
static tree
end_call (hosting *h, tree again, tree *list)
{
  if (!again)
    return call_runtime (h, "trm_cuda_end", integer_type_node, 1, &h->run);
  int bytes = h->build->written->n_params * (int) sizeof (void *);
  tree given[] = { h->run, again, address_of (again_variable (h, list)),
                   build_int_cst (number_type (), bytes) };
  return call_runtime (h, "trm_cuda_end_later", integer_type_node, 4, given);
}

/* Return 0 unless the run has ended well, or may do so later.  */
static void
end_run (hosting *h, tree *list)
{
  tree again = tns_build_again (h->build, h->row);
  tree call = end_call (h, again, list);
  tree failed = build2 (EQ_EXPR, boolean_type_node, call, integer_zero_node);
  append_to_statement_list (
    tns_build_if (h->build, failed, tns_build_return (h->build, 0), NULL_TREE),
    list);
}

/* Append to *LIST: the host is about to use BYTES bytes at BASE, as USE
   says.  */
static void
ask_for (tns_build *build, tree base, tree bytes, int use, tree *list)
{
  tree given[] = { fold_convert (ptr_type_node, base), bytes,
                   build_int_cst (number_type (), use) };
  tree type = build_function_type_list (
    void_type_node, ptr_type_node, number_type (), number_type (), NULL_TREE);
  tree call = build_call_expr_loc_array (
    build->loc, tns_build_runtime ("trm_cuda_host", type), 3, given);
  tree fn = CALL_EXPR_FN (call);
  tree there
    = build2 (NE_EXPR, boolean_type_node, fn, build_zero_cst (TREE_TYPE (fn)));
  append_to_statement_list (tns_build_if (build, there, call, NULL_TREE), list);
}

void
tns_build_bring_back (tns_build *build, int use, tree *list)
{
  ask_for (build, null_pointer_node, build_int_cst (number_type (), -1), use,
           list);
}

/* The visitor of expressions: notes which memory is looked at, by symbol.  */
static bool
note_load (tns_expr *expr, void *self)
{
  if (tns_expr_reads (expr) && !tns_sym_is_local (expr->sym))
    ((bool *) self)[expr->sym->id] = true;
  return true;
}

/* The visitor of statements.  */
static bool
note_loads (tns_node *node, void *self)
{
  tns_node_exprs (node, note_load, self);
  return true;
}

/* What REGION's guards look at, by symbol.  */
static bool *
looked_at (tns_arena *arena, const tns_region *region)
{
  bool *at = TNS_NEW_ARRAY (arena, bool, region->n_syms + 1);
  if (region->before)
    tns_node_walk (region->before, note_loads, at);
  for (int k = 0; k < region->n_guard; k++)
    tns_expr_walk (region->guard[k], note_load, at);
  return at;
}

void
tns_build_bring_looked (tns_build *build, tree *list)
{
  tns_arena *arena = build->ctx->arena;
  const tns_region *region = build->region;
  hosting h = {};
  h.build = build;
  bool *at = looked_at (arena, region);
  tree asked = NULL_TREE;
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      tns_span span = {};
      if (sym->kind != TNS_SYM_ARRAY || !at[sym->id])
        continue;
      if (!tns_site_find_span (arena, region, sym, &span)
          || tns_expr_loads (span.lo) || tns_expr_loads (span.hi))
        {
          tns_build_bring_back (build, TRM_CUDA_READ, list);
          return;
        }
      tree length = fold_build2 (MINUS_EXPR, number_type (),
                                 tns_build_expr (build, span.hi),
                                 tns_build_expr (build, span.lo));
      ask_for (build, base_of (&h, sym, span.lo), bytes_of (&h, sym, length),
               TRM_CUDA_READ, &asked);
    }
  append_to_statement_list (asked, list);
}

/* The loop that devices share, as it is built.

   from, to   the bounds of all of it
   first, end variables: those of a part
   devices    how many there are; k: the part's number, or DEVICES for all  */
typedef struct sharing
{
  tree from, to;
  tree first, end;
  tree devices;
  tree k;
} sharing;

/* Where part K of S begins.  */
static tree
part_begin (const sharing *s, tree k)
{
  tree type = number_type ();
  tree length = fold_build2 (MAX_EXPR, type,
                             fold_build2 (MINUS_EXPR, type, s->to, s->from),
                             build_zero_cst (type));
  tree before = build2 (TRUNC_DIV_EXPR, type,
                        build2 (MULT_EXPR, type, length, k), s->devices);
  return build2 (PLUS_EXPR, type, s->from, before);
}

/* Part WHICH is the one that is meant from here on; all where that is how many
   devices there are.  */
static void
mean_part (hosting *h, const sharing *s, tree which, tree *list)
{
  tree type = number_type ();
  tree all = build2 (EQ_EXPR, boolean_type_node, which, s->devices);
  tree next = build2 (PLUS_EXPR, type, which, build_one_cst (type));
  set (h, s->first,
       build3 (COND_EXPR, type, all, s->from, part_begin (s, which)), list);
  set (
    h, s->end,
    build3 (COND_EXPR, type, unshare_expr (all), s->to, part_begin (s, next)),
    list);
  set (h, h->base,
       build2 (MULT_EXPR, type, which, build_int_cst (type, ROW * h->n)), list);
}

/* For K of S below BOUND: BODY.  */
static void
each_part (hosting *h, const sharing *s, tree bound, tree body, tree *list)
{
  set (h, s->k, build_zero_cst (number_type ()), list);
  tns_build_repeat (h->build, s->k, bound, build_one_cst (number_type ()), body,
                    list);
}

/* S, whose loop is what BUILD shares, with the number of devices.  */
static sharing
begin_sharing (hosting *h, tree *list)
{
  tns_build *build = h->build;
  tree type = number_type ();
  sharing s = {};
  s.from = fold_convert (type, build->decl[build->share->first->id]);
  s.to = fold_convert (type, build->decl[build->share->end->id]);
  s.first = new_variable (h, "first", type);
  s.end = new_variable (h, "end", type);
  s.devices = new_variable (h, "devices", type);
  s.k = new_variable (h, "part", type);
  h->base = new_variable (h, "base", type);
  build->decl[build->share->first->id] = s.first;
  build->decl[build->share->end->id] = s.end;
  tree call = call_runtime (h, "trm_cuda_devices", type, 0, NULL);
  tree fn = CALL_EXPR_FN (call);
  tree none
    = build2 (EQ_EXPR, boolean_type_node, fn, build_zero_cst (TREE_TYPE (fn)));
  append_to_statement_list (
    tns_build_if (build, none, tns_build_return (build, 0), NULL_TREE), list);
  set (h, s.devices, call, list);
  return s;
}

/* Begin all parts of S; how many there are.  */
static tree
begin_parts (hosting *h, const sharing *s, tree *list)
{
  tree type = number_type ();
  tree parts = new_variable (h, "parts", type);
  tree cost = cost_variable (h, list);
  tree site
    = fold_convert (ptr_type_node, build_fold_addr_expr (h->build->site));
  tree given[] = { address_of (h->unit),       site,       address_of (h->rows),
                   build_int_cst (type, h->n), s->devices, address_of (cost) };
  set (h, parts, call_runtime (h, "trm_cuda_begin_parts", type, 6, given),
       list);
  tree none = build2 (EQ_EXPR, boolean_type_node, parts, build_zero_cst (type));
  append_to_statement_list (
    tns_build_if (h->build, none, tns_build_return (h->build, 0), NULL_TREE),
    list);
  return parts;
}

/* What the host does where devices share the loop.  */
static void
host_shared (hosting *h, tree *list)
{
  tree type = number_type (), look = NULL_TREE, launch = NULL_TREE;
  h->rows = new_variable (
    h, "arrays",
    build_array_type_nelts (type, (MOST_DEVICES + 1) * ROW * h->n));
  sharing s = begin_sharing (h, list);
  mean_part (h, &s, s.k, &look);
  fill_rows (h, &look);
  each_part (h, &s, build2 (PLUS_EXPR, type, s.devices, build_one_cst (type)),
             look, list);
  tree parts = begin_parts (h, &s, list);
  tree one = build2 (EQ_EXPR, boolean_type_node, parts, build_one_cst (type));
  mean_part (h, &s, build3 (COND_EXPR, type, one, s.devices, s.k), &launch);
  append_to_statement_list (
    call_runtime (h, "trm_cuda_part", void_type_node, 1, &s.k), &launch);
  host_node (h, h->grid->region->body, &launch);
  each_part (h, &s, parts, launch, list);
  mean_part (h, &s, s.devices, list);
  tree call
    = call_runtime (h, "trm_cuda_end_parts", integer_type_node, 0, NULL);
  tree failed = build2 (EQ_EXPR, boolean_type_node, call, integer_zero_node);
  append_to_statement_list (
    tns_build_if (h->build, failed, tns_build_return (h->build, 0), NULL_TREE),
    list);
}

void
tns_build_device (tns_build *build, const tns_grid *grid, tree *variables,
                  tree *list)
{
  hosting h = { build,     grid,      NULL,      0, NULL_TREE,
                NULL_TREE, NULL_TREE, NULL_TREE, 0, variables };
  h.unit = tns_unit_add (build->ctx, grid, &h.first);
  number_rows (&h);
  if (build->share)
    {
      h.run = null_pointer_node;
      host_shared (&h, list);
      return;
    }
  h.rows = new_variable (&h, "arrays",
                         build_array_type_nelts (number_type (), ROW * h.n));
  h.run = new_variable (&h, "run", ptr_type_node);
  fill_rows (&h, list);
  begin_run (&h, list);
  host_node (&h, grid->region->body, list);
  end_run (&h, list);
}
