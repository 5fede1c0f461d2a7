/* NVRTC for tests: libnvrtc.so.12, whose cubin is the shared object that
   build-cpu, or what FAKE_NVRTC_BUILD names, makes of the text: it runs the
   kernels on the CPU (fake-driver.c): without warpgroups, -DTNS_GROUPS=0, but
   for sm_90a.

     FAKE_NVRTC_ARCH=N   the newest device that it knows, 90 unless set
     FAKE_NVRTC_LOG=FILE the options of each compilation, a line each  */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct program
{
  char *text;
  char *code;
  size_t bytes;
  char log[200];
} program;

int
nvrtcVersion (int *major, int *minor)
{
  *major = 12;
  *minor = 8;
  return 0;
}

int
nvrtcGetNumSupportedArchs (int *n)
{
  *n = 2;
  return 0;
}

int
nvrtcGetSupportedArchs (int *archs)
{
  const char *told = getenv ("FAKE_NVRTC_ARCH");
  archs[0] = 50;
  archs[1] = told ? atoi (told) : 90;
  return 0;
}

int
nvrtcCreateProgram (program **to, const char *text, const char *name, int n,
                    const char *const *headers, const char *const *names)
{
  (void) name;
  (void) headers;
  (void) names;
  program *p = calloc (1, sizeof *p);
  p->text = strdup (text);
  *to = p;
  return n;
}

/* Note the N options at OPTION.  */
static void
log_options (int n, const char *const *option)
{
  const char *path = getenv ("FAKE_NVRTC_LOG");
  FILE *file = path ? fopen (path, "a") : NULL;
  for (int i = 0; file && i < n; i++)
    fprintf (file, "%s%c", option[i], i == n - 1 ? '\n' : ' ');
  if (file)
    fclose (file);
}

/* Whether the N options at OPTION ask for a device with warpgroups.  */
static int
has_groups (int n, const char *const *option)
{
  for (int i = 0; i < n; i++)
    if (strstr (option[i], "=sm_90a"))
      return 1;
  return 0;
}

/* Read the file PATH into P.  */
static int
read_code (program *p, const char *path)
{
  FILE *file = fopen (path, "rb");
  if (!file)
    return 1;
  fseek (file, 0, SEEK_END);
  p->bytes = (size_t) ftell (file);
  rewind (file);
  p->code = malloc (p->bytes);
  size_t n = fread (p->code, 1, p->bytes, file);
  fclose (file);
  return n != p->bytes;
}

int
nvrtcCompileProgram (program *p, int n, const char *const *options)
{
  char folder[] = "/tmp/fake-nvrtc-XXXXXX", text[64], object[64];
  char command[1024];
  const char *build = getenv ("FAKE_NVRTC_BUILD");
  log_options (n, options);
  if (!mkdtemp (folder))
    return 6;
  snprintf (text, sizeof text, "%s/kernels.cu", folder);
  snprintf (object, sizeof object, "%s/kernels.so", folder);
  FILE *file = fopen (text, "w");
  fputs (p->text, file);
  fclose (file);
  snprintf (command, sizeof command,
            "CHECKS= CUDA_CPU='%s' sh '%s' %s %s %s >%s/log 2>&1", FAKE_SHARED,
            build ? build : FAKE_BUILD, text, object,
            has_groups (n, options) ? "" : "-DTNS_GROUPS=0", folder);
  int failed = system (command) || read_code (p, object);
  if (failed)
    snprintf (p->log, sizeof p->log, "kernels.cu: refused\nby g++\n");
  snprintf (command, sizeof command, "rm -rf %s", folder);
  return system (command) || failed ? 6 : 0;
}

int
nvrtcGetCUBINSize (program *p, size_t *bytes)
{
  *bytes = p->bytes;
  return 0;
}

int
nvrtcGetCUBIN (program *p, char *to)
{
  memcpy (to, p->code, p->bytes);
  return 0;
}

int
nvrtcGetPTXSize (program *p, size_t *bytes)
{
  return nvrtcGetCUBINSize (p, bytes);
}

int
nvrtcGetPTX (program *p, char *to)
{
  return nvrtcGetCUBIN (p, to);
}

int
nvrtcGetProgramLogSize (program *p, size_t *bytes)
{
  *bytes = strlen (p->log) + 1;
  return 0;
}

int
nvrtcGetProgramLog (program *p, char *to)
{
  strcpy (to, p->log);
  return 0;
}

int
nvrtcDestroyProgram (program **at)
{
  free ((*at)->text);
  free ((*at)->code);
  free (*at);
  return 0;
}
