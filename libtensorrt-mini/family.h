/* The tables of one family, TRM_FAMILY, whose rows are in the file TRM_ROWS
   (kernel.h, which includes this once for each family).

     struct trm_FAMILY_f32, trm_FAMILY_f64  pointers to its functions
     struct trm_FAMILY_table                both
     trm_kernels_FAMILY                     the one that is used here  */

#define TRM_KERNEL(result, name, arguments)   result (*name) arguments;
#define TRM_GRADIENT(result, name, arguments) result (*name) arguments;

#define R float
struct TRM_PASTE (trm_, TRM_PASTE (TRM_FAMILY, _f32))
{
#include TRM_ROWS
};
#undef R

#define R double
struct TRM_PASTE (trm_, TRM_PASTE (TRM_FAMILY, _f64))
{
#include TRM_ROWS
};
#undef R

struct TRM_PASTE (trm_, TRM_PASTE (TRM_FAMILY, _table))
{
  struct TRM_PASTE (trm_, TRM_PASTE (TRM_FAMILY, _f32)) f32;
  struct TRM_PASTE (trm_, TRM_PASTE (TRM_FAMILY, _f64)) f64;
};
extern const struct TRM_PASTE (trm_, TRM_PASTE (TRM_FAMILY, _table))
  *TRM_PASTE (trm_kernels_, TRM_FAMILY);

#undef TRM_KERNEL
#undef TRM_GRADIENT
#undef TRM_FAMILY
#undef TRM_ROWS
