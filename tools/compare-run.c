/* Running a program and waiting for it.  */

#include "compare.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Nanoseconds of a clock that only goes forward.  */
static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return 1e9 * (double) t.tv_sec + (double) t.tv_nsec;
}

/* Let DESCRIPTOR be the file PATH, /dev/null when that is NULL.  */
static void
redirect (int descriptor, const char *path, int flags)
{
  int fd = open (path ? path : "/dev/null", flags, 0666);
  if (fd < 0 || dup2 (fd, descriptor) < 0)
    _exit (126);
  close (fd);
}

/* What the child does; it does not return.  */
static void
become (char *const *argv, const char *output, const char *errors)
{
  redirect (0, NULL, O_RDONLY);
  redirect (1, output, O_WRONLY | O_CREAT | O_TRUNC);
  redirect (2, errors, O_WRONLY | O_CREAT | O_TRUNC);
  execvp (argv[0], argv);
  _exit (127);
}

int
compare_run (char *const *argv, const char *output, const char *errors,
             double *ns)
{
  int status = 0;
  double start = now ();
  pid_t child = fork ();
  if (child < 0)
    compare_fail ("cannot start %s", argv[0]);
  if (child == 0)
    become (argv, output, errors);
  while (waitpid (child, &status, 0) < 0)
    ;
  if (ns)
    *ns = now () - start;
  return status;
}
