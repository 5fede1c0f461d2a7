/* Windows that move over an array by a number that is a VALUE.

     for i for j for a for b          guard s == 1
       y[i][j]                   ->     y[i][j]
         += x[(i*s + a)*w                 += x[(i + a)*w
              + j*s + b]                       + j + b]
            * k[a][b]                        * k[a][b]

   i*s is not affine, so nothing is known of where neighbours lie.  The usual
   numbers are few: a version for each of them is an affine nest.  s is told
   from the size w, beside which it stands, by this: an iterator is multiplied
   by s alone, one by s*w, and one by w without s; fewer terms have s, or it
   goes with an outer loop.

   Elements that lie apart by such a number have a version for 1:

     for i                            guard incx == 1 && incy == 1
       y[i*incy] += x[i*incx]   ->      y[i] += x[i]

   All that moves in the subscript is multiplied by it, and no loop runs up to
   it: it is not how long rows are.

   Versions have numbers.  In version 1 all such numbers are 1.  In version
   1 + k the k-th step of a window is 2 and the other steps, as a dilation
   beside a stride, are 1; what lies apart stays as it is.  */

#ifndef TNS_IR_WINDOW_H
#define TNS_IR_WINDOW_H

#include "base/ctx.h"
#include "ir/nest.h"

/* There are so many versions at most.  Each is a try: a phase of it has so
   many operations where the user sets no budget, half of what the region
   itself has.  */
enum
{
  TNS_MOST_WINDOWS = 3,
  TNS_WINDOW_BUDGET = 1000000
};

/* What is asked of windows.

   version  the number of the version; 0: they move as they do
   most     the greatest number of a version; 0: there are none
   words    by how many they are to move, a clause for people: s = 1  */
typedef struct tns_window
{
  int version;
  int most;
  const char *words;
} tns_window;

/* REGION, as it was read (NULL: NULL), with its windows as W asks, which is
   told how many versions there are; NULL where there is no such version.  */
extern tns_region *tns_region_for_window (tns_ctx *ctx, tns_region *region,
                                          tns_window *w);

/* REGION, as it was read, in VERSION, 1 or more, which is a guard; NULL where
   there is no such version.  *WORDS, a clause for people: s = 1.  */
extern tns_region *tns_region_window (tns_ctx *ctx, const tns_region *region,
                                      int version, const char **words);

#endif
