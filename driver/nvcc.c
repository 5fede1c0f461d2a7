/* Text -> fat binary, by one run of nvcc:

     nvcc -fatbin -std=c++17 -gencode arch=compute_80,code=sm_80
          -gencode arch=compute_90,code=sm_90
          -gencode arch=compute_90,code=compute_90
          -Xptxas -v -o FOLDER/kernels.fatbin FOLDER/kernels.cu

   and before, where the user names no devices, one that lists those that it
   knows.  The text has no includes: any C++ compiler will do in front of it, of
   which -allow-unsupported-compiler tells.

   What nvcc calls fatal is nothing in the text: a device that it does not know,
   a C++ compiler that is not there.

   Code for sm_90 runs on devices of 9.0 and on no others that there are, as
   code for sm_90a does, which may use all that they have: a text with products
   of warpgroups is compiled for that instead, and by an nvcc that is older than
   it for sm_90 after all.  */

#include "driver/nvcc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/child.h"

#define MOST_ARCHS 16
#define MOST_WORDS 64
#define SECONDS    60
#define OTHER      "/usr/local/cuda/bin"

/* One compilation.

   path     of nvcc
   folder   for what is temporary
   log      the file of what nvcc prints
   archs    [n_archs]: "80", "90a"
   groups   code for sm_90 is for sm_90a
   argv     [argc]  */
typedef struct compilation
{
  tns_arena *arena;
  tns_nvcc *nvcc;
  const char *path;
  const char *folder;
  const char *log;
  int n_archs;
  const char *archs[MOST_ARCHS];
  bool groups;
  int argc;
  char *argv[MOST_WORDS];
} compilation;

/* There is no image because of WORDS.  */
static tns_nvcc_verdict
cannot (tns_nvcc *n, const char *words)
{
  n->words = words;
  return TNS_NVCC_NOT;
}

/* PATH is a program.  */
static bool
is_program (const char *path)
{
  struct stat s;
  return stat (path, &s) == 0 && S_ISREG (s.st_mode)
         && access (path, X_OK) == 0;
}

/* nvcc's path; NULL: it is not there.  Folders of PATH that are not named from
   the root on do not count.  */
static const char *
find_nvcc (tns_arena *arena)
{
  const char *path = getenv ("PATH");
  for (path = path ? path : ""; *path;)
    {
      int length = (int) strcspn (path, ":");
      const char *name = tns_arena_format (arena, "%.*s/nvcc", length, path);
      if (*path == '/' && is_program (name))
        return name;
      path += length + (path[length] == ':');
    }
  return is_program (OTHER "/nvcc") ? OTHER "/nvcc" : NULL;
}

/* How many characters of WORDS are a device, as sm_90a; 0: none.  */
static int
arch_length (const char *words)
{
  int head = (int) strlen ("sm_");
  if (strncmp (words, "sm_", (size_t) head))
    return 0;
  int digits = (int) strspn (words + head, "0123456789");
  char letter = words[head + digits];
  if (digits < 2 || digits > 3)
    return 0;
  return head + digits + (letter == 'a' || letter == 'f');
}

bool
tns_nvcc_are_archs (const char *words)
{
  for (int n = 1; n <= MOST_ARCHS; n++)
    {
      int length = arch_length (words);
      words += length;
      if (length == 0 || (*words && *words != ','))
        return false;
      if (!*words)
        return true;
      words++;
    }
  return false;
}

/* Add the word of LENGTH characters at FROM to C's arguments.  */
static void
add_part (compilation *c, const char *from, int length)
{
  if (c->argc < MOST_WORDS - 1)
    c->argv[c->argc++] = tns_arena_format (c->arena, "%.*s", length, from);
}

/* Add WORD.  */
static void
add (compilation *c, const char *word)
{
  add_part (c, word, (int) strlen (word));
}

/* The device that C's code for ARCH is for.  */
static const char *
code_of (const compilation *c, const char *arch)
{
  return c->groups && !strcmp (arch, "90") ? "90a" : arch;
}

/* Code for device ARCH, or, where KIND is compute, PTX.  */
static void
add_code (compilation *c, const char *arch, const char *kind)
{
  add (c, "-gencode");
  add (c, tns_arena_format (c->arena, "arch=compute_%s,code=%s_%s", arch, kind,
                            arch));
}

/* Add the words of the options.  */
static void
add_options (compilation *c)
{
  for (const char *at = c->nvcc->options; *at;)
    {
      int length = (int) strcspn (at, " ");
      if (length > 0)
        add_part (c, at, length);
      at += length + (at[length] == ' ');
    }
}

/* Run what C's arguments say, and read what it prints: its status.  */
static int
run (compilation *c)
{
  size_t bytes;
  c->argv[c->argc] = NULL;
  int status = tns_child_run (c->arena, c->argv, c->folder, c->log, SECONDS);
  int why = errno;
  const char *log = tns_file_read (c->arena, c->log, &bytes);
  c->nvcc->log = log ? log : "";
  errno = why;
  return status;
}

/* The devices that the user names.  */
static void
read_archs (compilation *c)
{
  const char *at = c->nvcc->archs;
  while (*at && c->n_archs < MOST_ARCHS)
    {
      int length = (int) strcspn (at, ",");
      int head = (int) strlen ("sm_");
      c->archs[c->n_archs++]
        = tns_arena_format (c->arena, "%.*s", length - head, at + head);
      at += length + (at[length] == ',');
    }
}

/* Those that are compiled for unless the user names any, as far as nvcc knows
   them; whether there are any.  */
static bool
ask_archs (compilation *c)
{
  static const char *const usual[] = { "80", "90" };
  c->argc = 0;
  add (c, c->path);
  add (c, "--list-gpu-arch");
  if (run (c) != 0)
    return false;
  for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
    if (strstr (c->nvcc->log,
                tns_arena_format (c->arena, "compute_%s\n", usual[k])))
      c->archs[c->n_archs++] = usual[k];
  return c->n_archs > 0;
}

/* The first line of LOG that has WORD in it, from FROM on where that is in it;
   NULL: there is none.  */
static const char *
line_with (tns_arena *arena, const char *log, const char *word,
           const char *from)
{
  while (*log)
    {
      int length = (int) strcspn (log, "\n");
      const char *line = tns_arena_format (arena, "%.*s", length, log);
      const char *start = strstr (line, from);
      if (strstr (line, word))
        return start ? start : line;
      log += length + (log[length] == '\n');
    }
  return NULL;
}

/* nvcc has ended with STATUS, which is not 0.  */
static tns_nvcc_verdict
judge (compilation *c, int status)
{
  tns_nvcc *n = c->nvcc;
  if (status == TNS_CHILD_NOT)
    return cannot (n, tns_arena_format (c->arena, "%s cannot be run: %s",
                                        c->path, strerror (errno)));
  if (status == TNS_CHILD_LATE)
    return cannot (n, tns_arena_format (c->arena, "%s takes longer than %d s",
                                        c->path, SECONDS));
  const char *fatal = line_with (c->arena, n->log, "fatal", "nvcc fatal");
  const char *fault = line_with (c->arena, n->log, "error", "kernels.cu");
  if (!fatal && fault && status > 0)
    {
      n->words = fault;
      return TNS_NVCC_FAULT;
    }
  return cannot (n, fatal ? fatal
                          : tns_arena_format (c->arena, "%s fails", c->path));
}

/* Write the text to FILE; whether it could be.  */
static bool
write_text (const char *file, const char *text)
{
  FILE *stream = fopen (file, "w");
  bool right = stream && fputs (text, stream) >= 0;
  return stream && fclose (stream) == 0 && right;
}

/* The arguments that compile TEXT to IMAGE.  */
static void
set_arguments (compilation *c, const char *text, const char *image)
{
  c->argc = 0;
  add (c, c->path);
  add (c, "-allow-unsupported-compiler");
  add (c, "-fatbin");
  add_options (c);
  for (int k = 0; k < c->n_archs; k++)
    add_code (c, code_of (c, c->archs[k]), "sm");
  add_code (c, c->archs[c->n_archs - 1], "compute");
  add (c, "-Xptxas");
  add (c, "-v");
  add (c, "-o");
  add (c, image);
  add (c, text);
}

/* Compile TEXT to IMAGE: nvcc's status.  */
static int
run_for_devices (compilation *c, const char *text, const char *image)
{
  c->groups = c->nvcc->groups;
  set_arguments (c, text, image);
  int status = run (c);
  if (status <= 0 || !c->groups
      || !line_with (c->arena, c->nvcc->log, "compute_90a", "nvcc fatal"))
    return status;
  c->groups = false;
  set_arguments (c, text, image);
  return run (c);
}

/* Compile, in C's folder.  */
static tns_nvcc_verdict
compile (compilation *c)
{
  tns_nvcc *n = c->nvcc;
  const char *text = tns_arena_format (c->arena, "%s/kernels.cu", c->folder);
  const char *image
    = tns_arena_format (c->arena, "%s/kernels.fatbin", c->folder);
  if (n->archs)
    read_archs (c);
  else if (!ask_archs (c))
    return cannot (n, tns_arena_format (
                        c->arena, "%s knows neither sm_80 nor sm_90", c->path));
  if (!write_text (text, n->text))
    return cannot (n, tns_arena_format (c->arena, "%s cannot be written: %s",
                                        text, strerror (errno)));
  int status = run_for_devices (c, text, image);
  if (status != 0)
    return judge (c, status);
  n->arch = tns_arena_format (c->arena, "sm_%s",
                              code_of (c, c->archs[c->n_archs - 1]));
  const char *made = tns_file_read (c->arena, image, &n->bytes);
  if (!made || n->bytes == 0)
    return cannot (n,
                   tns_arena_format (c->arena, "%s has made nothing", c->path));
  n->image = made;
  return TNS_NVCC_DONE;
}

tns_nvcc_verdict
tns_nvcc_compile (tns_arena *arena, tns_nvcc *n)
{
  compilation c = { .arena = arena, .nvcc = n, .path = find_nvcc (arena) };
  if (!c.path)
    return cannot (n, "nvcc is neither in PATH nor in " OTHER);
  c.folder = tns_folder_new (arena);
  if (!c.folder)
    return cannot (
      n, tns_arena_format (arena, "no folder for nvcc: %s", strerror (errno)));
  c.log = tns_arena_format (arena, "%s/log", c.folder);
  tns_nvcc_verdict verdict = compile (&c);
  tns_folder_remove (c.folder);
  return verdict;
}
