/* nvcc, which is a script here: where it is looked for, what it is given, what
   it may not do, and what is left of it.  */

#include "driver/child.h"
#include "driver/nvcc.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verdict.h"

/* The test's folder, and the context of all.  */
static char folder[] = "/tmp/nvcc-test-XXXXXX";
static tns_ctx *ctx;
static bool has_groups;

#define FORMAT(...) tns_arena_format (ctx->arena, __VA_ARGS__)

/* A script called NAME that does LINES.  */
static const char *
script (const char *name, const char *lines)
{
  const char *path = FORMAT ("%s/%s", folder, name);
  FILE *file = fopen (path, "w");
  fprintf (file, "#!/bin/sh\n%s\n", lines);
  fclose (file);
  chmod (path, 0755);
  return path;
}

/* All that SHELL prints.  */
static const char *
shell (const char *words)
{
  char *text = tns_arena_get (ctx->arena, 4096);
  FILE *pipe = popen (words, "r");
  size_t n = pipe ? fread (text, 1, 4095, pipe) : 0;
  text[n] = 0;
  if (pipe)
    pclose (pipe);
  return text;
}

/* Whether nothing is left in the folder of what is temporary.  */
static bool
is_tidy (void)
{
  return !*shell (FORMAT ("ls -A %s/temporary", folder));
}

/* A row of what the script does where it is to compile, its verdict, a part of
   the words.  */
typedef struct row
{
  const char *shown;
  const char *lines;
  const char *archs;
  tns_nvcc_verdict verdict;
  const char *words;
} row;

static const row rows[] = {
  { "an image", "echo image >$out", NULL, TNS_NVCC_DONE, "" },
  { "an error of the text", "echo \"$last(3): error: x\"; exit 2", NULL,
    TNS_NVCC_FAULT, "kernels.cu(3): error: x" },
  { "a device that is not known",
    "echo \"nvcc fatal   : Unsupported gpu architecture 'compute_12'\"; exit 1",
    "sm_12", TNS_NVCC_NOT, "nvcc fatal   : Unsupported" },
  { "no reason", "exit 1", NULL, TNS_NVCC_NOT, "nvcc fails" },
  { "an end by a signal", "echo error; kill -9 $$", NULL, TNS_NVCC_NOT,
    "nvcc fails" },
  { "no image", "exit 0", NULL, TNS_NVCC_NOT, "has made nothing" },
  { "an image that is empty", ": >$out", NULL, TNS_NVCC_NOT,
    "has made nothing" },
};

/* The scripts' head: they write down what they are given, and list devices;
   what follows is done where they are to compile.  */
static const char *
nvcc_script (const char *devices, const char *lines)
{
  return FORMAT ("echo \"$@\" >>%s/calls\n"
                 "if test \"$1\" = --list-gpu-arch; then\n"
                 "  printf 'compute_%%s\\n' %s; exit 0; fi\n"
                 "echo left >$TMPDIR/left; mkdir -p $TMPDIR/a/b\n"
                 "while test $# -gt 0; do\n"
                 "  test \"$1\" = -o && out=$2; last=$1; shift; done\n"
                 "cat $last >>%s/texts\n%s",
                 folder, devices, folder, lines);
}

/* What comes of TEXT for ARCHS by a script of that.  */
static tns_nvcc_verdict
compile (const char *devices, const char *lines, const char *archs, tns_nvcc *n)
{
  *n = (tns_nvcc){ .text = "text of kernels\n",
                   .options = "-std=c++17  -fmad=false",
                   .archs = archs,
                   .groups = has_groups };
  script ("nvcc", nvcc_script (devices, lines));
  shell (FORMAT ("rm -f %s/calls %s/texts", folder, folder));
  return tns_nvcc_compile (ctx->arena, n);
}

/* The rows.  */
static void
test_ends (void)
{
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    {
      tns_nvcc n;
      tns_nvcc_verdict got
        = compile ("75 80 90 100", rows[k].lines, rows[k].archs, &n);
      bool right = got == rows[k].verdict;
      if (right && got != TNS_NVCC_DONE)
        right = strstr (n.words, rows[k].words) && !n.image;
      if (right && got == TNS_NVCC_FAULT)
        right = strcmp (n.words, rows[k].words) == 0;
      verdict (right && is_tidy (), "nvcc: %s", rows[k].shown);
    }
}

/* Whether nvcc is given WORDS for ARCHS, where it knows DEVICES.  */
static bool
gives (const char *devices, const char *archs, const char *words)
{
  tns_nvcc n;
  return compile (devices, "echo image >$out", archs, &n) == TNS_NVCC_DONE
         && n.bytes == 6 && memcmp (n.image, "image\n", 6) == 0
         && verdict_has (ctx, shell (FORMAT ("tail -1 %s/calls", folder)),
                         words);
}

#define PTX80 "-gencode arch=compute_80,code=compute_80 "
#define PTX90 "-gencode arch=compute_90,code=compute_90 "
#define SM80  "-gencode arch=compute_80,code=sm_80 "
#define SM90  "-gencode arch=compute_90,code=sm_90 "
#define SM90A "-gencode arch=compute_90a,code=sm_90a "

/* What nvcc is given, and how often.  */
static void
test_arguments (void)
{
  tns_nvcc n;
  verdict (gives ("80 90 100", NULL,
                  "-fatbin -std=c++17 -fmad=false " SM80 SM90 PTX90
                  "-Xptxas -v -o "),
           "nvcc: the usual devices");
  verdict (gives ("75 80", NULL, "-fmad=false " SM80 PTX80 "-Xptxas"),
           "nvcc: those of them that it knows");
  verdict (
    gives ("100", "sm_90a,sm_80",
           "-fmad=false -gencode arch=compute_90a,code=sm_90a " SM80 PTX80
           "-Xptxas"),
    "nvcc: the user's devices");
  verdict (!strcmp (shell (FORMAT ("wc -l <%s/calls", folder)), "1\n"),
           "nvcc: is run once where devices are named");
  verdict (
    !strcmp (shell (FORMAT ("cat %s/texts", folder)), "text of kernels\n"),
    "nvcc: the text");
  verdict (compile ("70 75", "", NULL, &n) == TNS_NVCC_NOT
             && verdict_has (ctx, n.words, "knows neither sm_80 nor sm_90")
             && is_tidy (),
           "nvcc: no device that is usual");
}

/* Where the text has products of warpgroups.  */
static void
test_groups (void)
{
  tns_nvcc n;
  const char *older
    = FORMAT ("if tail -n 1 %s/calls | grep 90a >/dev/null; then echo \"nvcc "
              "fatal   : Unsupported gpu architecture 'compute_90a'\"; exit 1; "
              "fi; echo image >$out",
              folder);
  has_groups = true;
  verdict (gives ("80 90", NULL, "-fmad=false " SM80 SM90A PTX90 "-Xptxas"),
           "nvcc: sm_90 with groups");
  verdict (gives ("80 90", "sm_80", "-fmad=false " SM80 PTX80 "-Xptxas"),
           "nvcc: other devices with groups");
  verdict (compile ("80 90", older, "sm_90", &n) == TNS_NVCC_DONE
             && !strcmp (n.arch, "sm_90")
             && verdict_has (ctx, shell (FORMAT ("tail -1 %s/calls", folder)),
                             SM90 PTX90),
           "nvcc: an older one with groups");
  verdict (compile ("80 90", "echo image >$out", "sm_90", &n) == TNS_NVCC_DONE
             && !strcmp (n.arch, "sm_90a"),
           "nvcc: the last device with groups");
  has_groups = false;
}

/* What ptxas says.  */
static void
test_facts (void)
{
  static const char says[]
    = "echo image >$out; cat <<'END'\n"
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'f_k0' for 'sm_80'\n"
      "    8 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads\n"
      "ptxas info    : Used 255 registers, 368 bytes cmem[0]\n"
      "ptxas info    : Compiling entry function 'f_k10' for 'sm_90'\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 7 registers, used 0 barriers\n"
      "ptxas info    : Compiling entry function 'f_k0' for 'sm_90'\n"
      "ptxas info    : Function properties for f_k0\n"
      "    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads\n"
      "ptxas info    : Used 20 registers, used 1 barriers, 128 bytes smem\n"
      "END";
  tns_nvcc n;
  tns_kernel_facts f = {};
  compile ("80 90", says, NULL, &n);
  verdict (!strcmp (n.arch, "sm_90") && tns_nvcc_facts (&n, "f_k0", &f)
             && f.registers == 20 && f.shared == 128 && f.spills == 16,
           "facts: of the last device");
  verdict (tns_nvcc_facts (&n, "f_k10", &f) && f.registers == 7 && f.shared == 0
             && f.spills == 0,
           "facts: another kernel");
  verdict (!tns_nvcc_facts (&n, "f_k1", &f), "facts: no such kernel");
}

/* Words of devices.  */
static void
test_words (void)
{
  static const char *const right[] = { "sm_80", "sm_80,sm_90a,sm_100f" };
  static const char *const wrong[]
    = { "",       "80",     "sm_",     "sm_8",       "sm_90,", ",sm_90",
        "sm_90 ", "sm_90x", "sm_9000", "sm_90,none", "-o" };
  for (size_t k = 0; k < sizeof right / sizeof *right; k++)
    verdict (tns_nvcc_are_archs (right[k]), "devices: %s", right[k]);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
    verdict (!tns_nvcc_are_archs (wrong[k]), "no devices: \"%s\"", wrong[k]);
}

/* Where nvcc is looked for.  */
static void
test_path (void)
{
  tns_nvcc n;
  const char *path = tns_arena_string (ctx->arena, getenv ("PATH"));
  script ("other/nvcc", "exit 3");
  setenv ("PATH", FORMAT ("%s/none:%s/other:%s", folder, folder, path), 1);
  verdict (compile ("80", "echo image >$out", "sm_80", &n) == TNS_NVCC_NOT
             && verdict_has (ctx, n.words, "other/nvcc fails"),
           "path: the first nvcc there");
  shell (FORMAT ("chmod a-x %s/other/nvcc", folder));
  verdict (compile ("80", "echo image >$out", "sm_80", &n) == TNS_NVCC_DONE,
           "path: a program only");
  setenv ("PATH", path, 1);
}

/* The status of the script LINES, which has so many SECONDS.  */
static int
run (const char *lines, int seconds)
{
  const char *below = tns_folder_new (ctx->arena);
  char *argv[] = { (char *) script ("child", lines), "word", NULL };
  int status = tns_child_run (ctx->arena, argv, below,
                              FORMAT ("%s/log", folder), seconds);
  tns_folder_remove (below);
  return status;
}

/* What a child prints, and how it may end.  */
static void
test_child (void)
{
  size_t bytes = 0;
  setenv ("GCC_EXEC_PREFIX", "/other", 1);
  verdict (run ("echo $1; echo more >&2; exit 3", 60) == 3,
           "child: its status");
  const char *said
    = tns_file_read (ctx->arena, FORMAT ("%s/log", folder), &bytes);
  verdict (said && bytes == 10 && !strcmp (said, "word\nmore\n"),
           "child: what it prints");
  verdict (run ("test -z \"$GCC_EXEC_PREFIX\" && test -d \"$TMPDIR\"", 60) == 0,
           "child: its environment");
  verdict (run (FORMAT ("sleep 1000 & echo $! >%s/pid; sleep 1000", folder), 1)
             == TNS_CHILD_LATE,
           "child: it is late");
  shell ("sleep 0.1");
  verdict (
    !*shell (FORMAT ("ps -o stat= -p $(cat %s/pid) | grep -v Z", folder)),
    "child: and what it started ends as well");
  char *argv[] = { "/none/child", NULL };
  verdict (
    tns_child_run (ctx->arena, argv, folder, FORMAT ("%s/log", folder), 60)
        == TNS_CHILD_NOT
      && errno == ENOENT && is_tidy (),
    "child: there is no such program");
}

/* A signal ends us when the folder is gone.  */
static void
test_signal (void)
{
  int status = 0;
  fflush (stdout);
  pid_t pid = fork ();
  if (pid == 0)
    {
      run (FORMAT ("kill -INT $PPID; sleep 1000"), 60);
      _exit (3);
    }
  waitpid (pid, &status, 0);
  verdict (WIFSIGNALED (status) && WTERMSIG (status) == SIGINT && is_tidy (),
           "child: the user's interrupt");
}

int
main (void)
{
  ctx = verdict_ctx (TNS_FP_STRICT);
  if (!mkdtemp (folder))
    return 1;
  mkdir (FORMAT ("%s/temporary", folder), 0700);
  mkdir (FORMAT ("%s/other", folder), 0700);
  setenv ("TMPDIR", FORMAT ("%s/temporary", folder), 1);
  setenv ("PATH", FORMAT ("%s:%s", folder, getenv ("PATH")), 1);
  test_words ();
  test_ends ();
  test_arguments ();
  test_groups ();
  test_facts ();
  test_path ();
  test_child ();
  test_signal ();
  shell (FORMAT ("rm -rf %s", folder));
  tns_ctx_free (ctx);
  return verdict_status ();
}
