/* Regions with a version for the device, written by hand, and children of the
   test that run them on the fake driver.  */

#include "cuda-fake.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOP                                                                   \
  "  for (long long i = (long long) blockIdx.x * blockDim.x + threadIdx.x;\n"  \
  "       i < a.n; i += (long long) gridDim.x * blockDim.x)\n"
#define KERNEL(NAME, BODY)                                                     \
  "extern \"C\" __global__ void\n" NAME                                        \
  " (const __grid_constant__ struct args a)\n"                                 \
  "{\n" LOOP "    " BODY "\n}\n"

typedef struct args
{
  int64_t y, x, n;
} args;

static const char *const names[] = { "twice", "add", "half" };

trm_cuda_unit fake_unit
  = { .version = TRM_CUDA_VERSION,
      .text
      = "#define TNS_SHARED\n"
        "struct args { float *y; const float *x; long long n; };\n" KERNEL (
          "twice", "a.y[i] = 2 * a.x[i];") KERNEL ("add", "a.y[i] += a.x[i];")
          KERNEL ("half", "if (i < a.n / 2) a.y[i] = i;"),
      .options = "-fmad=false  -lineinfo",
      .names = names,
      .n_kernels = FAKE_KERNELS,
      .hash = "" };

trm_site fake_site = { .version = TRM_ABI_VERSION,
                       .line = 10,
                       .name = "fake",
                       .file = "t.c",
                       .function = "f" };

char fake_out[16384];

void
fake_on_cpu (int kernel, float *y, const float *x, long n)
{
  for (long i = 0; i < n; i++)
    if (kernel == FAKE_TWICE)
      y[i] = 2 * x[i];
    else if (kernel == FAKE_ADD)
      y[i] += x[i];
    else if (i < n / 2)
      y[i] = (float) i;
}

/* Do on the CPU what fake_run was given.  */
static int
again (const void *kept)
{
  const int64_t *given = kept;
  fake_on_cpu ((int) given[0], (float *) given[1], (const float *) given[2],
               (long) given[3]);
  return 1;
}

/* RUN ends, which was given the rest.  */
static bool
end (void *run, int kernel, float *y, const float *x, long n)
{
  int64_t given[] = { kernel, (int64_t) y, (int64_t) x, n };
  return getenv ("TEST_LATER")
           ? trm_cuda_end_later (run, again, given, sizeof given)
           : trm_cuda_end (run);
}

bool
fake_run (int kernel, float *y, const float *x, long n,
          const trm_cuda_cost *cost, intptr_t use)
{
  static const intptr_t uses[]
    = { TRM_CUDA_WRITE | TRM_CUDA_ALL, TRM_CUDA_READ | TRM_CUDA_WRITE,
        TRM_CUDA_WRITE };
  trm_cuda_array a[2]
    = { { y, 4 * n, use ? use : uses[kernel], "y", 0 },
        { (void *) (uintptr_t) x, 4 * n, TRM_CUDA_READ, "x", 0 } };
  void *run = trm_cuda_begin (&fake_unit, &fake_site, a, x ? 2 : 1, cost);
  if (run)
    {
      args arg = { a[0].device, a[1].device, n };
      trm_cuda_launch (run, kernel, n, 64, 0, 0, &arg, sizeof arg);
    }
  if (run && end (run, kernel, y, x, n))
    return true;
  fake_on_cpu (kernel, y, x, n);
  return false;
}

float *
fake_numbers (long n, float shift)
{
  float *x = malloc ((size_t) n * sizeof *x);
  for (long i = 0; i < n; i++)
    x[i] = (float) i + shift;
  return x;
}

bool
fake_are (const float *x, long n, float factor, float shift)
{
  for (long i = 0; i < n; i++)
    if (x[i] != factor * (float) i + shift)
      return false;
  return true;
}

const char *
fake_place (void)
{
  static char place[4096];
  ssize_t n = *place ? 0 : readlink ("/proc/self/exe", place, 4000);
  for (char *slash; n > 0 && (slash = strrchr (place, '/'));)
    {
      strcpy (slash, "/cuda/libcuda.so.1");
      if (access (place, R_OK) == 0)
        {
          slash[5] = 0;
          break;
        }
      *slash = 0;
    }
  return place;
}

/* Remove the folder.  */
static void
remove_folder (void)
{
  char command[128];
  snprintf (command, sizeof command, "rm -rf %s", fake_folder ());
  if (system (command))
    printf ("FAIL: %s\n", command);
}

const char *
fake_folder (void)
{
  static char folder[64];
  if (!*folder)
    {
      strcpy (folder, "/tmp/cuda-test-XXXXXX");
      if (!mkdtemp (folder))
        abort ();
      atexit (remove_folder);
    }
  return folder;
}

int
fake_child (const char *settings, const char *part)
{
  char self[4096] = "", command[16384];
  ssize_t length = readlink ("/proc/self/exe", self, sizeof self - 1);
  if (length < 0)
    return -1;
  snprintf (command, sizeof command,
            "env LD_LIBRARY_PATH='%s' XDG_CACHE_HOME='%s' TRM_DEVICE=cuda "
            "TRM_CUDA_CACHE= %s '%s' %s 2>&1",
            fake_place (), fake_folder (), settings, self, part);
  fflush (stdout);
  FILE *pipe = popen (command, "r");
  size_t n = pipe ? fread (fake_out, 1, sizeof fake_out - 1, pipe) : 0;
  fake_out[n] = 0;
  return pipe ? pclose (pipe) : -1;
}

bool
fake_says (const char *settings, const char *part, const char *texts)
{
  int status = fake_child (settings, part);
  bool all = status == 0;
  char *copy = strdup (texts), *rest = copy, *text;
  while ((text = strsep (&rest, "|")))
    all = all && strstr (fake_out, text);
  free (copy);
  if (!all)
    printf ("  %s %s: status %d, wanted %s, got %s\n", settings, part, status,
            texts, fake_out);
  return all;
}

bool
fake_main (int argc, char **argv, const fake_part *part)
{
  trm_register (&fake_site);
  for (; argc > 1 && part->name; part++)
    if (strcmp (part->name, argv[1]) == 0)
      part->run ();
  return argc > 1;
}

void
say (const char *what, bool holds)
{
  printf ("%s %s\n", what, holds ? "right" : "wrong");
  fflush (stdout);
}

bool
copied (int in, int out)
{
  static int64_t seen_in, seen_out;
  int64_t n_in, n_out, bytes;
  trm_cuda_copies (false, &n_in, &bytes);
  trm_cuda_copies (true, &n_out, &bytes);
  bool as_wanted = n_in - seen_in == in && n_out - seen_out == out;
  if (!as_wanted)
    printf ("%lld in, %lld out\n", (long long) (n_in - seen_in),
            (long long) (n_out - seen_out));
  seen_in = n_in;
  seen_out = n_out;
  return as_wanted;
}

/* The function NAME of the fake driver.  */
static void *
find (const char *name)
{
  void *library = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  return library ? dlsym (library, name) : NULL;
}

long
fake_count (const char *name)
{
  long (*count) (const char *) = NULL;
  void *found = find ("fake_cuda_count");
  memcpy (&count, &found, sizeof found);
  return count ? count (name) : 0;
}

long
fake_used (void)
{
  size_t (*bytes) (void) = NULL;
  void *found = find ("fake_cuda_used");
  memcpy (&bytes, &found, sizeof found);
  return bytes ? (long) bytes () : 0;
}
