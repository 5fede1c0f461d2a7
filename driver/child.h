/* A program that is run aside: it gets a folder of its own for what is
   temporary, and so much time.  */

#ifndef TNS_DRIVER_CHILD_H
#define TNS_DRIVER_CHILD_H

#include "base/arena.h"

/* A new folder, readable by nobody else, below TMPDIR or /tmp; NULL: none could
   be made.  From here on the signals that end a process wait until the folder
   is removed.  There is one at a time.  */
extern const char *tns_folder_new (tns_arena *arena);

/* Remove FOLDER with all that is in it; then what has waited ends the
   process.  */
extern void tns_folder_remove (const char *folder);

/* How it ended, when it was not by itself.

   NOT   it could not be run; errno says why
   LATE  it ran out of its time
   CUT   a signal ended it, or is to end us  */
enum
{
  TNS_CHILD_NOT = -1,
  TNS_CHILD_LATE = -2,
  TNS_CHILD_CUT = -3
};

/* Run ARGV[0], a path, with ARGV, TMPDIR being FOLDER, and all that it prints
   going to the file LOG.  Its exit status, or one of the above.  Past SECONDS
   it is killed, and so is all that it has started.  */
extern int tns_child_run (tns_arena *arena, char *const *argv,
                          const char *folder, const char *log, int seconds);

/* All of FILE, a zero behind it, and how many bytes that is; NULL: it cannot be
   read.  */
extern char *tns_file_read (tns_arena *arena, const char *file, size_t *bytes);

#endif
