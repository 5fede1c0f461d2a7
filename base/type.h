/* The types of values: an element type and a number of lanes.

   lanes 1 is a scalar; more is a vector, made only by lowering/vectors.c.
   Comparisons of vectors give a vector of BOOL with as many lanes.  */

#ifndef TNS_BASE_TYPE_H
#define TNS_BASE_TYPE_H

#include <stdbool.h>

typedef enum tns_elem
{
#define TNS_ELEM(id, name, c, bytes, kind) TNS_##id,
#include "base/type.def"
#undef TNS_ELEM
  TNS_N_ELEMS
} tns_elem;

typedef struct tns_type
{
  tns_elem elem;
  int lanes;
} tns_type;

/* A scalar type.  */
static inline tns_type
tns_scalar (tns_elem elem)
{
  return (tns_type){ elem, 1 };
}

/* A vector type of LANES lanes.  */
static inline tns_type
tns_vector (tns_elem elem, int lanes)
{
  return (tns_type){ elem, lanes };
}

static inline bool
tns_type_equal (tns_type a, tns_type b)
{
  return a.elem == b.elem && a.lanes == b.lanes;
}

/* "f32", "float", 4, 'F' of base/type.def.  */
extern const char *tns_elem_name (tns_elem elem);
extern const char *tns_elem_c_name (tns_elem elem);
extern int tns_elem_bytes (tns_elem elem);
extern char tns_elem_class (tns_elem elem);

extern bool tns_elem_is_float (tns_elem elem);
extern bool tns_elem_is_integer (tns_elem elem);
extern bool tns_elem_is_unsigned (tns_elem elem);

/* The element type called NAME ("f32"), or TNS_N_ELEMS.  */
extern tns_elem tns_elem_from_name (const char *name);

#endif
