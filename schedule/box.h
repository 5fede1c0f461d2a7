/* What iterations touch of an array: footprints and their boxes.  */

#ifndef TNS_SCHEDULE_BOX_H
#define TNS_SCHEDULE_BOX_H

#include "schedule/tree.h"

/* { S[i] -> [d_0 .. d_(n-1)] } for the DIMs DIM[0..N).  */
extern __isl_give isl_map *tns_box_prefix (const tns_scop *scop, int stmt,
                                           int n, tns_tree *const *dim);

/* { [d] -> X[e] }: what the statements below AT (NULL: all) touch of ARRAY
   in iterations of DIM[0..N), which stand above them.  NULL when they do
   not touch it.  */
extern __isl_give isl_map *tns_box_footprint (const tns_scop *scop,
                                              const tns_tree *at, int array,
                                              int n, tns_tree *const *dim);

/* The least and the greatest value of coordinate K in RANGE, as expressions
   over VALUE symbols; false when there is none.  */
extern bool tns_box_bounds (const tns_scop *scop, __isl_keep isl_set *range,
                            int k, tns_expr **lo, tns_expr **hi);

/* Wherever in WHERE, a set of parameters, RANGE is empty, an interval of its
   bounds, taken as affine functions of all parameters, is empty too.  */
extern bool tns_box_vanishes (__isl_keep isl_set *range,
                              __isl_keep isl_set *where);

/* DIM and ABOVE take each pair of the values that they take in the instances of
   STMT, as far as that is plain: no constraint, nor one after another, joins
   the iterators of one with those of the other.  */
extern bool tns_box_is_product (const tns_scop *scop, int stmt,
                                const tns_tree *dim, const tns_tree *above);

/* RANGE is the box of the bounds of its coordinates: without gaps.  */
extern bool tns_box_is_full (__isl_keep isl_set *range);

#endif
