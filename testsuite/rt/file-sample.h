/* What the tests of readers and writers share: a folder that goes at exit,
   whole files, small valid files of each kind.  */

#ifndef TRM_FILE_SAMPLE_H
#define TRM_FILE_SAMPLE_H

#include "expect.h"

/* A path in the test's folder, for the next seven calls.  */
extern const char *sample_path (const char *name);

/* Write BYTES as the file at PATH; read a whole file, for free (), NULL when
   there is none.  The numbers of files in the folder.  */
extern void sample_write (const char *path, const void *bytes, size_t n);
extern char *sample_read (const char *path, size_t *n);
extern int sample_count (void);

/* Write a .npy of version MAJOR with the dictionary TEXT, whose head is filled
   to BYTES, and N bytes of ELEMENTS; its path.  */
extern const char *sample_npy (int major, const char *text, int bytes,
                               const void *elements, int n);

/* Elements that differ from each other where TYPE allows that.  */
extern trm_tensor *sample_tensor (trm_type type, int rank,
                                  const int64_t *extent);

/* name: of its file; make: write a small valid one; read: whether it is read,
   every element was looked at and there are no more of them than the file can
   hold.  unpacks: elements may be more than the file's bytes.  */
typedef struct sample
{
  const char *name;
  bool unpacks;
  trm_status (*make) (const char *path);
  bool (*read) (const char *path, const struct sample *s);
} sample;

extern const sample samples[];
extern const int n_samples;

#endif
