/* Random C programs: what the files of this folder share.

   A program has some kernels, each a function with one region, written the
   way people write loops.  One sequence of numbers decides all: a seed is a
   program.  None has undefined behaviour: each expression carries a bound of
   its magnitude, and what would be too large is reduced by % or clamped.

   With exact set, floating arrays hold whole numbers so small that every sum
   is exact in any order, and a region may reassociate; else the regions are
   fp(strict) and floats are any.  Either way all that is left in memory must
   be the same bit for bit.

   With is_apart set no memory overlaps other memory; with is_negative the sizes
   may be less than 0; with is_special floats may be NaN, infinite or -0; with
   has_stride there is a stride of rows.

   With differentiable set (random-gradient.c), memory is of floats, functions
   of math.h are called where they are smooth, and the text is C++ too.  */

#ifndef TNS_TESTSUITE_RANDOM_C_H
#define TNS_TESTSUITE_RANDOM_C_H

#include <stdbool.h>

#include "base/text.h"

enum
{
  MOST_ITERS = 6,
  MOST_ARRAYS = 16,
  MOST_SCALARS = 24,
  MOST_INDEX = 9000,
  SIDE = 104
};

typedef enum kind
{
  B1,
  C8,
  U8,
  S16,
  U16,
  I32,
  U32,
  I64,
  U64,
  F32,
  F64,
  N_KINDS
} kind;

/* A C expression of type KIND, its magnitude at most MOST.  leaf: it is a
   name, an element or a constant.  */
typedef struct expr
{
  const char *text;
  kind kind;
  double most;
  bool leaf;
} expr;

/* What an iterator is below: n, m, or a number c; k: it is a counter.  */
typedef struct range
{
  char of;
  int number;
} range;

typedef struct iter
{
  const char *name;
  kind kind;
  range range;
} iter;

/* Memory that can be named.

   FLAT   one subscript from -2 to below MOST_INDEX
   LINE   one from 0 to below MOST_INDEX
   ROW    a place in such memory: one subscript, small
   PAIR   two, below SIDE
   VLA    two, exactly [n][m]
   SMALL  one, below 8
   PARTS  one, of structs with members x and y[3]
   NEST   one, of structs with members a and in, a struct of b and c[2]  */
typedef enum shape
{
  FLAT,
  LINE,
  ROW,
  PAIR,
  VLA,
  SMALL,
  PARTS,
  NEST
} shape;

/* is_out  nothing reads it
   most    what it holds at most when that is more than elsewhere, else 0  */
typedef struct array
{
  const char *name;
  kind kind;
  shape shape;
  bool is_const;
  bool is_out;
  double most;
} array;

typedef struct scalar
{
  const char *name;
  kind kind;
  double most;
  bool is_fixed;
} scalar;

typedef struct maker
{
  tns_arena *arena;
  unsigned long long state;
  bool exact;
  bool differentiable;
  kind reals;
  bool is_c89;
  bool gathers;
  int linear;
  bool is_apart;
  bool is_negative;
  bool is_special;
  bool has_stride;
  bool sums[N_KINDS];
  unsigned used;
  const char *n;
  const char *m;
  kind n_kind;
  kind m_kind;
  tns_text *out;
  tns_text top;
  tns_text after;
  iter iters[MOST_ITERS];
  int n_iters;
  array arrays[MOST_ARRAYS];
  int n_arrays;
  scalar scalars[MOST_SCALARS];
  int n_scalars;
  int n_names;
  int depth;
  int deepest;
  int conditional;
  bool in_loop;
} maker;

/* random-unit.c: functions that kernels call, as text; those that set rows of
   kind K, printed.  */
extern const char random_called[];
extern void random_rows (kind k);

/* random-number.c; also: chance, never for what is derived.  */
extern int below (maker *g, int n);
extern bool chance (maker *g, int percent);
extern bool also (maker *g, int percent);
extern const char *fresh (maker *g, const char *stem);
extern const char *words (maker *g, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
extern const char *kind_name (kind k);
extern const char *kind_suffix (kind k);
extern bool is_float (kind k);
extern bool is_signed (kind k);
extern double small_of (const maker *g, kind k);
extern double whole_of (kind k);
extern double limit_of (const maker *g, kind k);
extern kind some_kind (maker *g);

/* random-smooth.c: a float that varies smoothly in floats where those do, in
   about the range that they are in; in a range that further steps keep.  */
extern expr random_smooth (maker *g, int depth);
extern expr random_tame (maker *g, expr e);

/* random-expr.c: an expression; one of kind K and of magnitude MOST; an
   element of some array that may be written, NULL where there is none; the
   type of an operator's value, its operands A and B.  */
extern kind random_joined (kind a, kind b);
extern expr random_expr (maker *g, int depth);
extern expr random_fitting (maker *g, kind k, double most, int depth);
extern const char *random_cond (maker *g);
extern const char *random_place (maker *g, kind *k);
extern const char *random_subscript (maker *g, bool is_flat);
extern bool random_pair (maker *g, const char **i, const char **j);

/* random-active.c: statements of floats, where there is room for them, in a
   block; LAST in it.  False where there is none.  */
extern bool random_active (maker *g, bool last);

/* random-field.c: a block as functions with gradients have them; false when
   there is no memory for it.  */
extern bool random_field (maker *g);

/* random-stmt.c: a body of some statements between braces.  */
extern void random_block (maker *g, int n_statements);

/* random-nest.c: a nest of loops as programs have them; false when there is no
   memory for it.  */
extern bool random_nest (maker *g);

/* random-idiom.c: a statement or some that people write as one; false when
   there is no room for it.  */
extern bool random_idiom (maker *g);

/* A loop's header being written.

   name, kind, range  of the iterator
   bound       its end, as text
   first       text of its declaration or assignment: "int i" or "i"
   bound_kind  of bound  */
typedef struct header
{
  const char *name;
  kind kind;
  range range;
  const char *bound;
  kind bound_kind;
  const char *first;
} header;

/* random-loop.c: a loop and its body.  */
extern void random_loop (maker *g);

/* random-odd.c: the header H of a loop that counts in a way of its own: near
   the ends of its type, around them, along memory or between two elements of
   a table.  H's name becomes what is a small index.  False: none fits.  */
extern bool random_odd (maker *g, header *h);

#endif
