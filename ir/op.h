/* The table of operators; ir/op.def says what each means.  */

#ifndef TNS_IR_OP_H
#define TNS_IR_OP_H

#include <stdbool.h>

#include "base/type.h"

typedef enum tns_op
{
#define TNS_OP(id, name, arity, kind, meaning) TNS_##id,
#include "ir/op.def"
#undef TNS_OP
  TNS_N_OPS
} tns_op;

/* "add", 2 (-1: it varies), 'A' of ir/op.def.  */
extern const char *tns_op_name (tns_op op);
extern int tns_op_arity (tns_op op);
extern char tns_op_class (tns_op op);

/* OP, of class 'M' or CALL, is computed by a function, not by an instruction
   or two.  */
extern bool tns_op_is_function (tns_op op);

/* OP gives whole numbers: what floor, ceil, trunc, round and rint do.  */
extern bool tns_op_rounds (tns_op op);

/* The operator called NAME, or TNS_N_OPS.  */
extern tns_op tns_op_from_name (const char *name);

/* "+" where C writes OP between its operands, else NULL.  */
extern const char *tns_op_infix (tns_op op);

/* How tightly an infix OP binds, as in C: 1 for || to 10 for *; 0 for an
   operator that is not infix.  */
extern int tns_op_binding (tns_op op);

/* The type of OP's result when A is the type of its first operand: BOOL for
   comparisons, a scalar for REDUCE_ADD and its like, else A.  */
extern tns_type tns_op_result (tns_op op, tns_type a);

/* OP may update a cell in any order under fp (reassoc): ADD, MUL, MIN, MAX,
   FMIN, FMAX, AND, OR, XOR, LAND, LOR.  Exactly so for integers.  */
extern bool tns_op_is_reduction (tns_op op);

/* The combination of the lanes of partial results of updates with OP:
   REDUCE_ADD for ADD, REDUCE_AND for LAND, ...; NONE where there is none
   (FMIN and FMAX).  OP itself combines two partial results.  */
extern tns_op tns_op_reduce (tns_op op);

/* Floating operations that OP counts for on one lane of floating operands:
   an FMA two, a function of math.h one, a change of sign, a comparison and
   a conversion none.  */
extern int tns_op_flops (tns_op op);

/* The name in math.h of a class M operator on ELEM: "expf".  */
extern const char *tns_op_math_name (tns_op op, tns_elem elem);

#endif
