/* Tapes: arrays of what the forward slice destroys and the backward pass reads.

   A tape is filled at a place, an ASSIGN, a condition or a loop of the slice,
   before this is done.  It is over the loops between the home of the array and
   the place, and over the subscripts that loops inside of the place move:

     for t {                              for t {
       for i  v[i] += x[i + 1] - x[i];      for e  T[t][e] = x[e];
       for i  x[i] += v[i];         ->      for i  v[i] += x[i + 1] - x[i];
     }                                      ...

   So all reads share one that nothing of the same iteration has destroyed
   before them.  The place of a read is the outermost loop that

     moves subscripts by one each, by its iterator or that of a loop inside,
     between ends that are the same in each iteration of the loops outside;
     holds no statement that writes the element before the read;

   where none is, or where a single read's tape would be no shorter, the place
   is the statement that reads.  Where memory has the bounds of a loop around
   the place the tape counts from its first iteration on, and is as long as a
   look finds that the longest one is (autodiff/look.h).  Source: Hascoet and
   Pascual's to-be-recorded analysis, per array and place.  */

#ifndef TNS_AUTODIFF_TAPES_H
#define TNS_AUTODIFF_TAPES_H

#include "autodiff/needs.h"
#include "autodiff/rows.h"

/* site     the place
   load     what is read; its subscripts are as in the function
   moved    by subscript: loops inside of the place move it
   lo, hi   by such a subscript: the elements [lo, hi) are on the tape
   rows     that there are of a parameter, for the first subscript
   when     they are there only where it holds, NULL: always
   sure     what is read is read each time that the place is reached; else other
            subscripts may be of elements that are not there
   under    it is filled where this holds, an expression of the function's at
            the place; NULL: always
   whole    all that a call is handed is on it
   n_rows   (whole) how many rows that are at most, NULL: not known
   readers  how many needs share it  */
typedef struct tns_tape
{
  tns_sym *sym;
  int site;
  int home;
  tns_expr *load;
  bool *moved;
  tns_expr **lo;
  tns_expr **hi;
  tns_rows rows;
  tns_expr *when;
  bool sure;
  tns_expr *under;
  bool whole;
  tns_expr *n_rows;
  int readers;
} tns_tape;

/* Make the tapes of all that is TAPED in NEEDS.  False with the reason
   said.  */
extern bool tns_tapes_make (tns_needs *needs);

/* Where nobody knows what there is of the array that NEED reads: the condition
   under which it is read at its site; NULL: always.  */
extern tns_expr *tns_tapes_condition (tns_needs *needs, const tns_need *need);

/* TAPE is over LOOP, one of level 0.  */
extern bool tns_tape_is_over (const tns_needs *needs, const tns_tape *tape,
                              const tns_node *loop);

/* From now on COUNT iterations of LOOP are on the tapes at a time, from FIRST
   on.  */
extern void tns_tapes_cut (tns_needs *needs, const tns_node *loop,
                           tns_expr *first, tns_expr *count);

/* LOAD, read at SITE, as the backward pass has it: itself, or its tape's
   element.  */
extern tns_expr *tns_tape_value (const tns_needs *needs, int site,
                                 tns_expr *load);

/* Append to BLOCK: TAPE is filled with LOAD where UNDER holds, both of them
   TAPE's as the slice has them.  */
extern void tns_tape_fill (const tns_needs *needs, const tns_tape *tape,
                           tns_expr *load, tns_expr *under, tns_node *block);

#endif
