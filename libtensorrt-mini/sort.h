/* Keys: whole numbers in the order of elements, and where these stood.  Not
   installed.  */

#ifndef TRM_SORT_OWN_H
#define TRM_SORT_OWN_H

#include "tensor.h"

typedef struct trm_keyed
{
  uint64_t key;
  int64_t at;
} trm_keyed;

/* sort-keys.c: LINE[0..n) := the keys of the N elements of TYPE from FROM on,
   STEP apart, and 0, 1, ...; NaN has the greatest key, 0 and -0 have the same;
   DESCENDING turns the order of all keys round.  How many bytes of a key
   count.  */
extern void trm_keys_read (trm_type type, int64_t n, const void *from,
                           int64_t step, bool descending, trm_keyed *line);
extern int trm_key_bytes (trm_type type);

/* sort-keys.c: sort LINE[0..n) by keys of BYTES bytes, stable; OTHER is as
   large.  */
extern void trm_keys_sort (int bytes, int64_t n, trm_keyed *line,
                           trm_keyed *other);

#endif
