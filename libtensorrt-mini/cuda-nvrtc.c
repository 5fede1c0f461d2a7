/* NVRTC, NVIDIA's compiler of CUDA C as a library, where it is there.

   A library whose major version is above the driver's would make code that the
   driver does not know: the newest that is not above it is used.  One that is
   older than the device makes PTX for the newest device that it knows, which
   the driver compiles further.  Code for a device of 9.0 may use all that it
   has, sm_90a, from NVRTC 12 on.  */

#include "file.h"

#include "cuda-unit.h"

#include <stdlib.h>
#include <string.h>

#define MOST_OPTIONS 32
#define MOST_ARCHS   64

/* The devices that have warpgroups, and NVRTC's version from which on it knows
   sm_90a.  */
#define GROUPS       90
#define GROUPS_KNOWN 12

typedef struct nvrtc_program_tag *program;

/* The functions, in the order of their names below.  */
static struct
{
  int (*version) (int *major, int *minor);
  int (*n_archs) (int *n);
  int (*archs) (int *archs);
  int (*create) (program *p, const char *text, const char *name, int n_headers,
                 const char *const *headers, const char *const *names);
  int (*compile) (program p, int n, const char *const *options);
  int (*cubin_bytes) (program p, size_t *bytes);
  int (*cubin) (program p, char *to);
  int (*ptx_bytes) (program p, size_t *bytes);
  int (*ptx) (program p, char *to);
  int (*log_bytes) (program p, size_t *bytes);
  int (*log) (program p, char *to);
  int (*destroy) (program *p);
} nvrtc;

static const char *const names[] = { "nvrtcVersion",
                                     "nvrtcGetNumSupportedArchs",
                                     "nvrtcGetSupportedArchs",
                                     "nvrtcCreateProgram",
                                     "nvrtcCompileProgram",
                                     "nvrtcGetCUBINSize",
                                     "nvrtcGetCUBIN",
                                     "nvrtcGetPTXSize",
                                     "nvrtcGetPTX",
                                     "nvrtcGetProgramLogSize",
                                     "nvrtcGetProgramLog",
                                     "nvrtcDestroyProgram" };

#define N_NAMES (sizeof names / sizeof *names)

_Static_assert(sizeof nvrtc == N_NAMES * sizeof (void *),
               "a pointer for each name");

static trm_nvrtc opened;
static int opened_for;

/* Open the newest library that the driver can follow.  */
static bool
open_library (void)
{
  static const struct
  {
    const char *name;
    int major;
  } libraries[] = { { "libnvrtc.so.13", 13 },
                    { "libnvrtc.so.12", 12 },
                    { "libnvrtc.so.11.2", 11 } };
  void *found[N_NAMES];
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
    if (libraries[i].major <= trm_cuda.version / 1000
        && trm_library_open (libraries[i].name, (int) N_NAMES, names, found))
      {
        memcpy (&nvrtc, found, sizeof nvrtc);
        return true;
      }
  return trm_cuda_fault (TRM_CUDA_NO_COMPILER, "libnvrtc.so.%d is not there",
                         trm_cuda.version / 1000);
}

/* The newest device that NVRTC knows and that is not newer than ours; 0 when
   there is none.  */
static int
known_arch (void)
{
  int archs[MOST_ARCHS], n = 0, best = 0;
  if (nvrtc.n_archs (&n) || n > MOST_ARCHS || nvrtc.archs (archs))
    return 0;
  for (int i = 0; i < n; i++)
    if (archs[i] <= trm_cuda_here->arch && archs[i] > best)
      best = archs[i];
  return best;
}

const trm_nvrtc *
trm_nvrtc_open (void)
{
  int major = 0, minor = 0;
  if (opened.version && opened_for == trm_cuda_here->arch)
    return &opened;
  if (!opened.version && !open_library ())
    return NULL;
  int arch = known_arch ();
  if (nvrtc.version (&major, &minor) || !arch)
    {
      trm_cuda_fault (TRM_CUDA_NO_COMPILER, "NVRTC does not know the device");
      return NULL;
    }
  bool exact = arch == trm_cuda_here->arch;
  opened.format = exact ? "cubin" : "ptx";
  snprintf (opened.option, sizeof opened.option, "--gpu-architecture=%s_%d%s",
            exact ? "sm" : "compute", arch,
            exact && arch == GROUPS && major >= GROUPS_KNOWN ? "a" : "");
  opened.version = 100 * major + minor;
  opened_for = trm_cuda_here->arch;
  return &opened;
}

/* Split WORDS, which is changed, into OPTION; how many there are.  */
static int
split (char *words, const char **option)
{
  int n = 0;
  for (char *word; n < MOST_OPTIONS && (word = strsep (&words, " "));)
    if (*word)
      option[n++] = word;
  return n;
}

/* Why NVRTC refused P: the first line of its log.  */
static void
tell_log (program p, int status)
{
  size_t bytes = 0;
  char *log = nvrtc.log_bytes (p, &bytes) ? NULL : malloc (bytes + 1);
  if (log && !nvrtc.log (p, log))
    {
      log[bytes] = 0;
      log[strcspn (log, "\n")] = 0;
      trm_cuda_fault (TRM_CUDA_NOT_COMPILED, "%s", log);
    }
  trm_cuda_fault (TRM_CUDA_NOT_COMPILED, "nvrtcCompileProgram gives %d",
                  status);
  free (log);
}

/* What P was compiled to.  */
static bool
take_code (program p, void **code, size_t *bytes)
{
  bool cubin = strcmp (opened.format, "cubin") == 0;
  if (cubin ? nvrtc.cubin_bytes (p, bytes) : nvrtc.ptx_bytes (p, bytes))
    return trm_cuda_fault (TRM_CUDA_NOT_COMPILED, "NVRTC made nothing");
  *code = malloc (*bytes + 1);
  if (!*code)
    return trm_cuda_fault (TRM_CUDA_NO_HOST_MEMORY, "for the kernels");
  if ((cubin ? nvrtc.cubin (p, *code) : nvrtc.ptx (p, *code)) == 0)
    return true;
  free (*code);
  *code = NULL;
  return trm_cuda_fault (TRM_CUDA_NOT_COMPILED, "NVRTC made nothing");
}

bool
trm_nvrtc_compile (const char *text, const char *options, void **code,
                   size_t *bytes)
{
  const char *option[MOST_OPTIONS + 1];
  program p = NULL;
  char *words = strdup (options);
  *code = NULL;
  if (!words || nvrtc.create (&p, text, "kernels.cu", 0, NULL, NULL))
    {
      free (words);
      return trm_cuda_fault (TRM_CUDA_NO_HOST_MEMORY, "for the kernels' text");
    }
  int n = split (words, option);
  option[n++] = opened.option;
  int status = nvrtc.compile (p, n, option);
  bool made = status == 0 && take_code (p, code, bytes);
  if (status)
    tell_log (p, status);
  nvrtc.destroy (&p);
  free (words);
  return made;
}
