/* A function's region as the gradient looks at it.

     {                          level 0: the region's body
       local f32 s;             home of s: 0
       for i = 0 to n {         site 0, level 0; level 1: its body
         local f32 u;           home of u: 1
         u = x[i] * x[i];       site 1, level 1, under site 0
         if (u > 1.0f32)        site 2, level 1, under site 0
           s += u;              site 3, level 1, under site 2
       }
     }

   A level is what one iteration of a loop does; an array's home is the level
   at which it begins its life, parameters' is 0.  Sites are statements,
   conditions and loops in the order of the text.  */

#ifndef TNS_AUTODIFF_VIEW_H
#define TNS_AUTODIFF_VIEW_H

#include "base/ctx.h"
#include "ir/nest.h"

/* loop   whose body it is, NULL for level 0
   outer  the level around it, -1 for level 0  */
typedef struct tns_level
{
  tns_node *loop;
  int outer;
} tns_level;

/* level  that it stands in; a LOOP's own body is a deeper one
   under  the site of the LOOP or IF right around it, -1: none
   inner  (a LOOP) the level of its body  */
typedef struct tns_site
{
  tns_node *node;
  int level;
  int under;
  int inner;
} tns_site;

/* home  by symbol id, of arrays  */
typedef struct tns_view
{
  tns_region *region;
  int n_levels;
  tns_level *level;
  int n_sites;
  tns_site *site;
  int *home;
} tns_view;

extern tns_view *tns_view_of (tns_arena *arena, tns_region *region);

/* Level A is B or around it.  */
extern bool tns_view_holds (const tns_view *view, int a, int b);

/* The loops around site S inside level LEVEL, outermost first, into LOOP;
   how many.  */
extern int tns_view_loops (const tns_view *view, int s, int level,
                           tns_node **loop);

/* Site S is reached once at most while what begins its life at level HOME
   lives.  */
extern bool tns_view_is_once (const tns_view *view, int s, int home);

/* The site of NODE.  */
extern int tns_view_site (const tns_view *view, const tns_node *node);

#endif
