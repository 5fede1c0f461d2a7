/* Pointers that a region moves and that live on behind it.

     for (i = 0; i < n; i++)            p_bytes = 0;
       *p++ = x[i];               ->    the region: p[i] = x[i];
     *p = 0;                                        p_bytes = 4 * n;
                                        p += p_bytes;
                                        *p = 0;

   In the region the variable stays what it was at the entry.  Where the loops
   as written run instead, they move the pointer themselves, and the bytes stay
   0.  Not under check, where both run, nor in what is derived.  */

#ifndef TNS_PLUGIN_MOVED_HH
#define TNS_PLUGIN_MOVED_HH

#include "plugin/reader.hh"

/* Pointer variable DECL, which is no memory, may live on with another value:
   noted in READER's symbols.  */
extern bool tns_note_moved (tns_reader *reader, tree decl);

/* Read, at the end of the region, by how much each has moved.  False, with the
   reason said, where one holds what is not known, or points elsewhere.  */
extern bool tns_read_moved (tns_reader *reader);

/* MADE, which is in place of the loops in FNDECL, with what moves the pointers
   of SYMBOLS around it.  */
extern tree tns_with_moved (tree made, const tns_symbols *symbols, tree fndecl);

#endif
