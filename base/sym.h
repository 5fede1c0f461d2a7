/* The names of a region: values, iterators, arrays, functions.

   VALUE   a scalar that the region only reads (int n, float alpha, or a
           subexpression such as t->n that the region cannot change)
   ITER    the iterator of one loop; always I64, whatever the user wrote
   ARRAY   memory: rank >= 1, or rank 0 for a scalar that is written (a
           "cell")
   FUNCTION  of rank numbers, gives one of type; nobody looks inside.  It
           depends on its arguments alone and does nothing else; where it works
           on arrays, on what these hold

   The element of an array A at subscripts s[0..rank) stands at

     A + sum_k s[k] * stride_k     elements
     stride_k = stride[k], or, when stride is NULL,
                product of extent[k+1 .. rank)

   extent[k] and stride[k] are expressions over VALUE symbols, of type I64;
   extent[0] is NULL when unknown.  In correct programs
   0 <= s[k] - first[k] < extent[k] for k >= 1; poly/scop.c proves it or guards
   it.  first is 0 but in arrays shaped by their subscripts (ir/shapes.c).  */

#ifndef TNS_BASE_SYM_H
#define TNS_BASE_SYM_H

#include "base/loc.h"
#include "base/type.h"

struct tns_expr;
struct tns_sym;

/* What an argument of a FUNCTION that works on arrays is.

   NUMBER   a number
   PLACE    a LOAD: the function reads its array from there on
   WRITTEN  the same, and it may write it
   COUNT    how many elements the function touches behind the place before it,
            below 0 where nobody knows; it is not handed over  */
typedef enum tns_handed_kind
{
  TNS_HANDED_NUMBER,
  TNS_HANDED_PLACE,
  TNS_HANDED_WRITTEN,
  TNS_HANDED_COUNT
} tns_handed_kind;

/* of       (of a derivative's) the argument of the function that it is about,
            -1: what the function returns
   adjoint  (of a derivative's) its adjoint, not its value
   enters   (WRITTEN, of a derivative's) the adjoint comes in as that of what
            the function leaves, and goes out as that of what it found; a
            tangent the other way  */
typedef struct tns_handed
{
  tns_handed_kind kind;
  int of;
  bool adjoint;
  bool enters;
} tns_handed;

/* The most elements of an array that the compiler knows.  */
enum
{
  TNS_MOST_HELD = 64
};

typedef enum tns_sym_kind
{
  TNS_SYM_VALUE,
  TNS_SYM_ITER,
  TNS_SYM_ARRAY,
  TNS_SYM_FUNCTION
} tns_sym_kind;

/* What is known of an array, or of a VALUE.

   LOCAL     lives inside the region: declared by a LOCAL node, undefined
             there, dead after its block
   TEMP      a parameter whose contents nobody reads after the region
   CONST     never written through this name in the region
   OBJECT    a named object of C (not reached through a pointer): two
             different OBJECTs never overlap
   RESTRICT  a restrict-qualified pointer
   HEAP      (LOCAL, after lowering/buffers.c) too large for the stack
   PER_THREAD (LOCAL, after lowering/buffers.c) one copy for each thread
   APART     the user's word: elements that index arrays name are one where
             the indices' own places are; of an ITER, its iterations do not
             meet in such elements (independent)
   KEPT      (LOCAL, of a gradient) values for the backward pass
   ADJOINT   (of a gradient) holds adjoints
   STEERS    (LOCAL, of I64) decides which loops run, and how far: what stores
             to it is control, what does not is planned (driver/parts.h)
   SHORT     shaped by its subscripts (ir/shapes.c): where its last row ends
             nobody says
   NEAR      (VALUE of I64) has fewer bits in the program
   INT       (an array as it was read, of rank 1) its subscripts are ints in the
             program, and constants
   KEPT and ADJOINT are for the report; these, SHORT, NEAR and INT are not in
   the text form, nor is what is known of an ITER.  */
enum
{
  TNS_SYM_LOCAL = 1,
  TNS_SYM_TEMP = 2,
  TNS_SYM_CONST = 4,
  TNS_SYM_OBJECT = 8,
  TNS_SYM_RESTRICT = 16,
  TNS_SYM_HEAP = 32,
  TNS_SYM_PER_THREAD = 64,
  TNS_SYM_STEERS = 128,
  TNS_SYM_APART = 256,
  TNS_SYM_KEPT = 512,
  TNS_SYM_ADJOINT = 1024,
  TNS_SYM_SHORT = 2048,
  TNS_SYM_NEAR = 4096,
  TNS_SYM_INT = 8192
};

/* id      position in the region's table; the plug-in's table of trees is
           parallel to it
   name    unique in the region, a C identifier (the user's own where that
           is one)
   spelled as the user wrote it, for messages ("t->data")
   held    [n_held], of a CONST array without strides whose elements are known:
           all of them, as they lie in memory, numbers of its type
   partial [rank], of a FUNCTION f: the FUNCTIONs that give, of f's arguments
           and an adjoint of its result, what each argument's adjoint gains;
           NULL where nobody knows.  NULL: of none
   argument  [rank], of a FUNCTION that works on arrays, NULL: it is of numbers.
           What it gives is the value of a cell, or, where it WRITES an array,
           nothing: then the ASSIGN to the array's place is the call alone
   back    of such a FUNCTION: the one that adds to adjoints, or NULL
   ahead   and the one that sets tangents  */
typedef struct tns_sym
{
  int id;
  const char *name;
  const char *spelled;
  tns_sym_kind kind;
  tns_type type;
  int rank;
  struct tns_expr **extent;
  struct tns_expr **stride;
  const long long *first;
  unsigned flags;
  tns_loc loc;
  int n_held;
  struct tns_expr **held;
  struct tns_sym **partial;
  tns_handed *argument;
  struct tns_sym *back;
  struct tns_sym *ahead;
} tns_sym;

static inline bool
tns_sym_is_local (const tns_sym *sym)
{
  return (sym->flags & TNS_SYM_LOCAL) != 0;
}

/* Where subscript K of SYM begins.  */
static inline long long
tns_sym_first (const tns_sym *sym, int k)
{
  return sym->first ? sym->first[k] : 0;
}

/* What SYM, a part of which becomes another array, hands on to it.  */
static inline unsigned
tns_sym_role (const tns_sym *sym)
{
  return sym->flags & (TNS_SYM_KEPT | TNS_SYM_ADJOINT);
}

/* What the user calls SYM.  */
static inline const char *
tns_sym_words (const tns_sym *sym)
{
  return sym->spelled ? sym->spelled : sym->name;
}

/* Nobody outside the region sees what SYM holds after it.  */
static inline bool
tns_sym_is_dead_after (const tns_sym *sym)
{
  return (sym->flags & (TNS_SYM_LOCAL | TNS_SYM_TEMP)) != 0;
}

#endif
