/* The known word that was probably meant.  */

#ifndef TNS_PRAGMAS_NEAR_H
#define TNS_PRAGMAS_NEAR_H

/* The word of KNOWN[0..N) nearest to WORD (the first of several), or NULL
   when none is near: a third of the letters may be missing, too many,
   wrong, or swapped with their neighbour.  */
extern const char *tns_near (const char *word, const char *const *known, int n);

#endif
