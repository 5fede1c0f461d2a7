/* Which instruction set the kernels are for.  */

#ifndef TRM_CHOOSE_H
#define TRM_CHOOSE_H

/* 2, 3 or 4: the level of the x86-64 psABI; 0 where this processor has none of
   those that were compiled.  */
extern int trm_level (void);

#endif
