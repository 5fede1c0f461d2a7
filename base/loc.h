/* A place in the user's source.

   handle  what the host calls it (GCC's location_t), 0 when unknown
   line, column  for texts; 0 when unknown  */

#ifndef TNS_BASE_LOC_H
#define TNS_BASE_LOC_H

typedef struct tns_loc
{
  unsigned handle;
  int line;
  int column;
} tns_loc;

#endif
