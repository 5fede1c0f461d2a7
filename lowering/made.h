/* What the passes made of a plan's loops: what reports count.

   A loop is known by its iterator, which all copies of it share.  */

#ifndef TNS_LOWERING_MADE_H
#define TNS_LOWERING_MADE_H

#include "base/arena.h"
#include "base/sym.h"

typedef struct tns_made_list
{
  int n;
  const tns_sym **iter;
} tns_made_list;

/* shared   loops that threads share, as they are or in chunks
   in_lanes loops whose iterations are lanes of vectors; lanes: of the widest
   carried  loops that hand a value on in a register  */
typedef struct tns_made
{
  tns_made_list shared;
  tns_made_list in_lanes;
  tns_made_list carried;
  int lanes;
} tns_made;

/* ITER's loop belongs to LIST from now on.  */
extern void tns_made_note (tns_arena *arena, tns_made_list *list,
                           const tns_sym *iter);

/* ITER's loop belongs to LIST.  */
extern bool tns_made_has (const tns_made_list *list, const tns_sym *iter);

#endif
