/* The IR's text form read back.

   # to the end of the line is a comment.  [ ] optional, { } repeated,
   quoted what stands so.

     region   "region" NAME [STRING ":" NUMBER] ["in" NAME] "{"
                {head ";"} block "}"
     head     "value" ELEM NAME [STRING]
            | "array" ELEM NAME {"[" [expr ["from" NUMBER]] "]"}
                ["stride" "(" list ")"]
                {flag} ["=" "{" list "}"] [STRING]   its elements, if known
            | "cell" ELEM NAME {flag} [STRING]         an array of rank 0
            | "params" {NAME}     their order, when it is not the one above
            | "overlap" NAME NAME
            | "still" expr                             a load
            | "assume" expr | "guard" expr
            | "span" NAME ("unknown" | expr "to" expr) ["written"]
            | "flops" expr | "bytes_before" expr | "bytes_after" expr
            | "exact"
     flag     "temp" | "const" | "object" | "restrict" | "heap"
            | "per_thread" | "steers"

     block    "{" {node} "}"
     node     block
            | "for" NAME "=" expr "to" expr ["step" ["-"] NUMBER] {mark}
                block
            | "if" "(" expr ")" block ["else" block]
            | "local" TYPE NAME {"[" expr "]"} [stride] {flag} ";"
            | "prefetch" expr ";"
            | [NAME ":"] ["where" "(" expr ")"] expr update expr ";"
     update   "=" | "+=" | "*=" ... where C has one | OPERATOR "=":
              m max= e
     mark     "parallel" | "balanced" | "collapse" "(" NUMBER ")"
            | "simd" (n) | "unroll" (n) | "accumulators" (n) | "chunks" (n)
            | "owners" (n) | "owner" "(" expr ")" | "panel" "(" NAME ")"
            | "sweeps" (n) | "stages" (n) | "align" "(" NAME ")"
            | "summed" "(" NAME ")"
            | "reduce" "(" OPERATOR ":" NAME {"," NAME} ")"

     expr     the infix operators of C on the unary ones, with C's
              precedence, and
     primary  NUMBER        3 is an i64; 3i32, 1bool, 1.5f32, 0x1.8p+1f64
            | "inf" "(" ELEM ")" | "nan" "(" ELEM ")"
            | NAME          a VALUE, an ITER, or the cell of that name
            | NAME {"[" expr "]"} [":" TYPE]            a load; with lanes
            | "(" expr ")" | "(" expr "?" expr ":" expr ")"
            | TYPE "(" expr ")"                         a cast
            | OPERATOR "(" list ")"                     exp(x), min(a, b)
            | OPERATOR ":" TYPE "(" list ")"            splat, iota; masked
              and gather, whose first operand is an element: A[i], mask
            | "past_line" "(" NAME {"[" expr "]"} ")"   of an element
     TYPE     f32, f32x16

   Names of operators and marks are not reserved: a NAME before "(" is an
   operator or type, another one a symbol.  A minus before a NUMBER, inf or
   nan belongs to the constant.  The colon before the type of a load
   touches its bracket, that of a choice does not.  The type of an
   expression follows from its operands.  A hexadecimal NUMBER needs its
   exponent.  Each node gets the line and column of its text.  */

#ifndef TNS_IR_PARSE_H
#define TNS_IR_PARSE_H

#include "ir/nest.h"

/* A place and words about the first thing that was not understood.  */
typedef struct tns_parse_error
{
  int line;
  int column;
  const char *words;
} tns_parse_error;

/* Read one region from *CHARS, which is moved behind it.  NULL at the end
   of the text (error->words is NULL) or at an error.  error->line is given
   as the line at *CHARS (0 counts as 1) and set to the one behind.  */
extern tns_region *tns_region_parse (tns_arena *arena, const char **chars,
                                     tns_parse_error *error);

/* Read one expression over the symbols of REGION: all of CHARS.  */
extern tns_expr *tns_expr_parse (tns_arena *arena, tns_region *region,
                                 const char *chars, tns_parse_error *error);

#endif
