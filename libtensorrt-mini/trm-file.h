/* Files of tensors, tables and pictures.

   Readers trust nothing: sizes, offsets, types and names are checked against
   the file's length before they are used; what is wrong is TRM_BAD_FILE with
   the place.  Writers write NAME.tmp-PID beside, force it to the disk and
   rename: a full disk or the end of the process leaves the old file.  */

#ifndef TRM_FILE_H
#define TRM_FILE_H

#include "trm-tensor.h"

#ifdef __cplusplus
extern "C"
{
#endif
#pragma GCC visibility push(default)

  /* Tensors with names, as .npz and safetensors hold them.  Names are unique.
   trm_names_put keeps one more reference to T; get gives a tensor that stays
   NAMES's, NULL with a message when there is none called NAME.  */
  typedef struct trm_names trm_names;
  extern trm_names *trm_names_new (void);
  extern void trm_names_free (trm_names *names);
  extern trm_status trm_names_put (trm_names *names, const char *name,
                                   trm_tensor *t);
  extern trm_tensor *trm_names_get (const trm_names *names, const char *name);
  extern int trm_names_count (const trm_names *names);
  extern const char *trm_names_name (const trm_names *names, int i);
  extern trm_tensor *trm_names_at (const trm_names *names, int i);

  /* NumPy's .npy and .npz (stored members; deflated ones where zlib is there).
   An aligned .npy in C order is mapped, privately: opening copies nothing, and
   changes never reach the file.  Fortran order gives a transposed view.  bf16
   has no name there and fails.  */
  extern trm_tensor *trm_npy_read (const char *path);
  extern trm_status trm_npy_write (const char *path, const trm_tensor *t);
  extern trm_names *trm_npz_read (const char *path);
  extern trm_status trm_npz_write (const char *path, const trm_names *names);

  /* safetensors: mapped like .npy.  META, text or NULL, is kept under the key
   "meta" of __metadata__; trm_safetensors_meta gives a copy for free () or
   NULL.  */
  extern trm_names *trm_safetensors_read (const char *path);
  extern trm_status trm_safetensors_write (const char *path,
                                           const trm_names *names,
                                           const char *meta);
  extern char *trm_safetensors_meta (const char *path);

  /* Numbers between SEPARATOR, a row a line, SKIP lines left out: [rows]
   [columns].  All rows have as many; an empty field is NaN.  */
  extern trm_tensor *trm_csv_read (const char *path, trm_type type,
                                   char separator, int skip);
  extern trm_status trm_csv_write (const char *path, const trm_tensor *t,
                                   char separator);

  /* Pictures as u8 [height][width][channels], 1 or 3 or 4 channels: binary PGM
   and PPM always, PNG where libpng is there (loaded at first use).  The
   writer goes by the name's end.  */
  extern trm_tensor *trm_image_read (const char *path);
  extern trm_status trm_image_write (const char *path, const trm_tensor *t);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
