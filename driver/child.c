/* A program that is run aside, as driver/child.h says.

   It starts a group of processes, so that what it has started ends with it.  A
   signal that is to end us, as the user's interrupt, ends the group first, and
   us when the folder is gone.  What GCC's driver tells its own programs in the
   environment is not told: the compiler below may be another one.  */

#define _XOPEN_SOURCE 700

#include "driver/child.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static const int ends[] = { SIGHUP, SIGINT, SIGTERM };

#define N_ENDS (sizeof ends / sizeof *ends)

static struct sigaction before[N_ENDS];

/* The signal that came; 0: none.  */
static volatile sig_atomic_t came;

/* SIGNAL has come.  */
static void
note_signal (int signal)
{
  came = signal;
}

/* Let signals wait, but those that are ignored.  */
static void
hold_signals (void)
{
  struct sigaction noting = { .sa_handler = note_signal };
  came = 0;
  for (size_t k = 0; k < N_ENDS; k++)
    {
      sigaction (ends[k], NULL, &before[k]);
      if (before[k].sa_handler != SIG_IGN)
        sigaction (ends[k], &noting, NULL);
    }
}

/* Signals are what they were; so is one that has come.  */
static void
release_signals (void)
{
  for (size_t k = 0; k < N_ENDS; k++)
    sigaction (ends[k], &before[k], NULL);
  if (came)
    raise (came);
}

const char *
tns_folder_new (tns_arena *arena)
{
  const char *below = getenv ("TMPDIR");
  char *name = tns_arena_format (arena, "%s/tensor-XXXXXX",
                                 below && *below ? below : "/tmp");
  hold_signals ();
  if (mkdtemp (name))
    return name;
  release_signals ();
  return NULL;
}

/* nftw's visitor, children first.  */
static int
remove_one (const char *path, const struct stat *s, int kind, struct FTW *at)
{
  (void) s;
  (void) kind;
  (void) at;
  remove (path);
  return 0;
}

void
tns_folder_remove (const char *folder)
{
  nftw (folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  release_signals ();
}

/* SETTING is told to the program.  */
static bool
is_told (const char *setting)
{
  static const char *const own[] = { "TMPDIR=",
                                     "LC_ALL=",
                                     "COLLECT_",
                                     "GCC_EXEC_PREFIX=",
                                     "COMPILER_PATH=",
                                     "LIBRARY_PATH=",
                                     "DEPENDENCIES_OUTPUT=",
                                     "SUNPRO_DEPENDENCIES=" };
  for (size_t k = 0; k < sizeof own / sizeof *own; k++)
    if (!strncmp (setting, own[k], strlen (own[k])))
      return false;
  return true;
}

/* The program's environment.  */
static char **
environment (tns_arena *arena, const char *folder)
{
  int n = 0;
  for (char **at = environ; *at; at++)
    n++;
  char **told = TNS_NEW_ARRAY (arena, char *, n + 3);
  n = 0;
  for (char **at = environ; *at; at++)
    if (is_told (*at))
      told[n++] = *at;
  told[n++] = tns_arena_format (arena, "TMPDIR=%s", folder);
  told[n] = tns_arena_string (arena, "LC_ALL=C");
  return told;
}

/* Start it in a group of its own: its number, or -1 with errno.  */
static pid_t
start (char *const *argv, char *const *told, const char *log)
{
  pid_t pid = -1;
  posix_spawnattr_t how;
  posix_spawn_file_actions_t files;
  posix_spawnattr_init (&how);
  posix_spawnattr_setflags (&how, POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_init (&files);
  posix_spawn_file_actions_addopen (&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen (&files, 1, log,
                                    O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2 (&files, 1, 2);
  int fault = posix_spawn (&pid, argv[0], &files, &how, argv, told);
  posix_spawn_file_actions_destroy (&files);
  posix_spawnattr_destroy (&how);
  errno = fault;
  return fault ? -1 : pid;
}

/* Seconds of a clock that nobody sets.  */
static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Wait until PID has ended, with *STATUS, a signal has come, or SECONDS have
   gone; whether it has ended.  */
static bool
wait_for (pid_t pid, int seconds, int *status)
{
  struct timespec pause = { 0, 2000000 };
  double end = now () + seconds;
  pid_t ended;
  while ((ended = waitpid (pid, status, WNOHANG)) == 0 && !came && now () < end)
    nanosleep (&pause, NULL);
  return ended == pid;
}

int
tns_child_run (tns_arena *arena, char *const *argv, const char *folder,
               const char *log, int seconds)
{
  int status;
  pid_t pid = start (argv, environment (arena, folder), log);
  if (pid < 0)
    return TNS_CHILD_NOT;
  if (wait_for (pid, seconds, &status))
    return WIFEXITED (status) ? WEXITSTATUS (status) : TNS_CHILD_CUT;
  kill (-pid, SIGKILL);
  waitpid (pid, &status, 0);
  return came ? TNS_CHILD_CUT : TNS_CHILD_LATE;
}

char *
tns_file_read (tns_arena *arena, const char *file, size_t *bytes)
{
  struct stat s;
  FILE *stream = fopen (file, "rb");
  if (!stream)
    return NULL;
  char *made = NULL;
  if (fstat (fileno (stream), &s) == 0)
    {
      made = tns_arena_get (arena, (size_t) s.st_size + 1);
      *bytes = fread (made, 1, (size_t) s.st_size, stream);
    }
  bool right = made && *bytes == (size_t) s.st_size;
  fclose (stream);
  return right ? made : NULL;
}
