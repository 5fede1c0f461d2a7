/* What the profiler wrote, for tests that look at it.  */

#ifndef TRM_PROFILE_TEXT_H
#define TRM_PROFILE_TEXT_H

/* What trm_profile_write gives for WHAT, a word that takes a file; "" when it
   writes nothing.  free () is the caller's.  */
extern char *profile_text (const char *what);

/* The text of the file called NAME, which is removed; "" when there is none.
   free () is the caller's.  */
extern char *profile_take_file (const char *name);

/* The number behind KEY in TEXT, from AFTER on; NAN when it is not there.  */
extern double profile_number (const char *text, const char *after,
                              const char *key);

#endif
