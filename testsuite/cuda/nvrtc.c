/* Compile a text of kernels as a program does that finds no nvcc: by the NVRTC
   library, without any header, to PTX for each architecture: compute_90; with
   -G for debuggers, not optimised, which takes a tenth of the time.
   nvrtc LIBRARY TEXT [-G] ARCHITECTURE...  */

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TEXT (1 << 24)

/* The functions of NVRTC, which returns 0 for success.  */
static struct
{
  int (*create) (void **, const char *, const char *, int, const char *const *,
                 const char *const *);
  int (*compile) (void *, int, const char *const *);
  int (*log_size) (void *, size_t *);
  int (*log) (void *, char *);
  int (*ptx_size) (void *, size_t *);
} nvrtc;

/* The function NAME of HANDLE in FUNCTION, a pointer to one.  */
static bool
find (void *handle, const char *name, void *function)
{
  void *found = dlsym (handle, name);
  memcpy (function, &found, sizeof found);
  return found;
}

/* Compile TEXT for ARCHITECTURE, for debuggers where IS_DEBUG; whether that
   went without a word.  */
static bool
is_compiled (const char *text, const char *architecture, bool is_debug)
{
  char option[100];
  const char *options[] = { option, "--device-debug" };
  void *program;
  size_t n_log = 0, n_ptx = 0;
  snprintf (option, sizeof option, "-arch=%s", architecture);
  if (nvrtc.create (&program, text, "text.cu", 0, NULL, NULL))
    return false;
  bool right = !nvrtc.compile (program, is_debug ? 2 : 1, options)
               && !nvrtc.ptx_size (program, &n_ptx) && n_ptx > 1;
  char *log = !nvrtc.log_size (program, &n_log) && n_log > 1
                ? calloc (n_log + 1, 1)
                : NULL;
  if (log && !nvrtc.log (program, log))
    puts (log);
  free (log);
  return right && n_log <= 1;
}

int
main (int argc, char **argv)
{
  static char text[MOST_TEXT];
  void *library = argc > 3 ? dlopen (argv[1], RTLD_NOW) : NULL;
  FILE *stream = argc > 3 ? fopen (argv[2], "r") : NULL;
  if (!library || !stream || fread (text, 1, MOST_TEXT - 1, stream) == 0
      || !find (library, "nvrtcCreateProgram", &nvrtc.create)
      || !find (library, "nvrtcCompileProgram", &nvrtc.compile)
      || !find (library, "nvrtcGetProgramLogSize", &nvrtc.log_size)
      || !find (library, "nvrtcGetProgramLog", &nvrtc.log)
      || !find (library, "nvrtcGetPTXSize", &nvrtc.ptx_size) || !feof (stream))
    {
      printf ("nvrtc: no library or no text\n");
      return 2;
    }
  int status = 0;
  bool is_debug = !strcmp (argv[3], "-G");
  for (int i = 3 + is_debug; i < argc; i++)
    if (!is_compiled (text, argv[i], is_debug))
      status = 1;
  return status;
}
