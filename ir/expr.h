/* Scalar (and, late, vector) expressions.

   Immutable trees in the context's arena; they may be shared.  Each node
   knows its type; conversions are explicit CASTs, so that both operands of
   an arithmetic operator have the type of the result.

   Subscripts, bounds and extents are I64 expressions.  */

#ifndef TNS_IR_EXPR_H
#define TNS_IR_EXPR_H

#include "base/arena.h"
#include "base/sym.h"
#include "ir/op.h"

/* No vector has more lanes, no array more subscripts.  */
enum
{
  TNS_MOST_LANES = 64,
  TNS_MOST_RANK = 16
};

/* op       what it is; the other fields as ir/op.def says
   type     of the value
   loc      where the user wrote it
   integer  INT
   real     REAL
   sym      SYM: a VALUE or ITER; LOAD, MASKED, GATHER: an ARRAY
   n_args, arg  operands; for LOAD the subscripts  */
typedef struct tns_expr
{
  tns_op op;
  tns_type type;
  tns_loc loc;
  long long integer;
  long double real;
  tns_sym *sym;
  int n_args;
  struct tns_expr **arg;
} tns_expr;

/* Constants.  tns_int is I64.  */
extern tns_expr *tns_int (tns_arena *arena, long long value);
extern tns_expr *tns_int_of (tns_arena *arena, tns_elem elem, long long value);
extern tns_expr *tns_real (tns_arena *arena, tns_elem elem, long double value);

/* The number of ELEM that changes nothing under OP, an update; NULL where there
   is none, as of a minimum.  */
extern tns_expr *tns_neutral (tns_arena *arena, tns_op op, tns_elem elem);

/* The value of SYM, a VALUE or ITER.  */
extern tns_expr *tns_value (tns_arena *arena, tns_sym *sym);

/* The element of SYM at ARG[0..rank); ARG is copied.  */
extern tns_expr *tns_load (tns_arena *arena, tns_sym *sym,
                           tns_expr *const *arg);

/* The element of a rank 0 array.  */
extern tns_expr *tns_cell (tns_arena *arena, tns_sym *sym);

/* Operators.  The type follows from the operands by op's class; tns_binary
   folds two I64 constants and the neutral elements of I64 +, -, *.  */
extern tns_expr *tns_unary (tns_arena *arena, tns_op op, tns_expr *a);
extern tns_expr *tns_binary (tns_arena *arena, tns_op op, tns_expr *a,
                             tns_expr *b);
extern tns_expr *tns_ternary (tns_arena *arena, tns_op op, tns_expr *a,
                              tns_expr *b, tns_expr *c);

/* ceil (A / B), of I64, B > 0.  */
extern tns_expr *tns_ceil_div (tns_arena *arena, tns_expr *a, tns_expr *b);
extern tns_expr *tns_cast (tns_arena *arena, tns_type type, tns_expr *a);

/* Any operator with a type given; ARG is copied.  */
extern tns_expr *tns_make (tns_arena *arena, tns_op op, tns_type type,
                           tns_sym *sym, int n_args, tns_expr *const *arg);

/* EXPR with other operands (EXPR itself when they are the same).  */
extern tns_expr *tns_expr_with_args (tns_arena *arena, tns_expr *expr,
                                     tns_expr *const *arg);

/* The same tree, places apart.  NULL equals NULL.  */
extern bool tns_expr_equal (const tns_expr *a, const tns_expr *b);

/* EXPR, an integer, without conversions around it to types that are as wide as
   what they convert, or wider.  */
extern tns_expr *tns_expr_unwidened (tns_expr *expr);

/* EXPR is an integer constant, and this one.  */
extern bool tns_expr_is_int (const tns_expr *expr, long long *value);

/* The elements of array SYM's last subscript follow each other in memory.  */
extern bool tns_sym_is_dense (const tns_sym *sym);

/* The extent of subscript K of a copy of SYM under the same subscripts, which
   begins at 0.  */
extern tns_expr *tns_sym_room (tns_arena *arena, const tns_sym *sym, int k);

/* Of a cache line, as PAST_LINE has it.  */
#define TNS_LINE_BYTES 64

/* The number that EXPR, a LOAD, reads where its array's elements are known and
   its subscripts are constants inside; else NULL.  */
extern tns_expr *tns_expr_held (const tns_expr *expr);

/* EXPR is a LOAD, MASKED or GATHER.  */
extern bool tns_expr_reads (const tns_expr *expr);

#endif
