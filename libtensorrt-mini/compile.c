/* C text to functions, at run time:

     mkdtemp  FOLDER/
     write    FOLDER/code.c
     spawn    tensorcc -shared -fPIC -O3 -march=native FLAGS -o code.so code.c,
              whose messages go to FOLDER/messages
     load     FOLDER/code.so
     remove   FOLDER

   No shell is asked.  The file stays in memory when its name has gone.  */

#include "load.h"

#include "tensor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH_BYTES    4096
#define MESSAGE_BYTES 480

extern char **environ;

/* Where the compiler works.  */
typedef struct workplace
{
  char folder[PATH_BYTES - 16];
  char source[PATH_BYTES];
  char object[PATH_BYTES];
  char messages[PATH_BYTES];
} workplace;

/* Make a folder for W; a failure says why not.  */
static trm_status
make_folder (workplace *w)
{
  const char *base = getenv ("TMPDIR");
  int n = snprintf (w->folder, sizeof w->folder, "%s/tensor-XXXXXX",
                    base && *base ? base : "/tmp");
  if (n >= (int) sizeof w->folder)
    return trm_fail (TRM_NO_FILE, "compile: TMPDIR is too long");
  if (!mkdtemp (w->folder))
    return trm_fail (TRM_NO_FILE, "compile: cannot make %s: %s", w->folder,
                     strerror (errno));
  snprintf (w->source, sizeof w->source, "%s/code.c", w->folder);
  snprintf (w->object, sizeof w->object, "%s/code.so", w->folder);
  snprintf (w->messages, sizeof w->messages, "%s/messages", w->folder);
  return TRM_OK;
}

/* Remove W's folder and the files in it.  */
static void
remove_folder (const workplace *w)
{
  DIR *folder = opendir (w->folder);
  const struct dirent *entry;
  while (folder && (entry = readdir (folder)))
    unlinkat (dirfd (folder), entry->d_name, 0);
  if (folder)
    closedir (folder);
  rmdir (w->folder);
}

/* Write TEXT to W's source.  Messages name it trm_compile.  */
static trm_status
write_source (const workplace *w, const char *text)
{
  FILE *file = fopen (w->source, "w");
  bool written
    = file && fprintf (file, "#line 1 \"trm_compile\"\n%s\n", text) > 0;
  if (file && fclose (file))
    written = false;
  return written ? TRM_OK
                 : trm_fail (TRM_NO_FILE, "compile: cannot write %s: %s",
                             w->source, strerror (errno));
}

/* The compiler's arguments, ended by NULL, in one block: pointers, then the
   words of FLAGS.  NULL without memory.  */
static char **
arguments (const workplace *w, const char *flags)
{
  const char *const first[]
    = { "tensorcc", "-shared", "-fPIC", "-O3", "-march=native" };
  const char *const last[] = { "-o", w->object, w->source };
  size_t most = 8 + strlen (flags) / 2 + 2, n = 0;
  char **word = malloc (most * sizeof *word + strlen (flags) + 1);
  if (!word)
    return trm_fail_null (TRM_NO_MEMORY, "compile: no memory");
  for (size_t i = 0; i < sizeof first / sizeof *first; i++)
    word[n++] = (char *) first[i];
  char *rest = NULL, *copy = strcpy ((char *) (word + most), flags);
  for (char *flag = strtok_r (copy, " \t\n", &rest); flag;
       flag = strtok_r (NULL, " \t\n", &rest))
    word[n++] = flag;
  for (size_t i = 0; i < sizeof last / sizeof *last; i++)
    word[n++] = (char *) last[i];
  word[n] = NULL;
  return word;
}

/* Start the compiler with ARGUMENT; 0, or an error number.  */
static int
spawn_compiler (const workplace *w, const char *compiler, char **argument,
                pid_t *process)
{
  posix_spawn_file_actions_t streams;
  int error = posix_spawn_file_actions_init (&streams);
  if (error)
    return error;
  error
    = posix_spawn_file_actions_addopen (&streams, 0, "/dev/null", O_RDONLY, 0);
  if (!error)
    error = posix_spawn_file_actions_addopen (
      &streams, 1, w->messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (!error)
    error = posix_spawn_file_actions_adddup2 (&streams, 1, 2);
  if (!error)
    error = posix_spawnp (process, compiler, &streams, NULL, argument, environ);
  posix_spawn_file_actions_destroy (&streams);
  return error;
}

/* Why COMPILER, which ended with STATUS, failed: its messages.  A status of 127
   without any is that of a process in which it could not be started.  */
static trm_status
tell_messages (const workplace *w, const char *compiler, int status)
{
  char text[MESSAGE_BYTES];
  FILE *file = fopen (w->messages, "r");
  size_t n = file ? fread (text, 1, sizeof text - 1, file) : 0;
  if (file)
    fclose (file);
  while (n > 0 && text[n - 1] == '\n')
    n--;
  text[n] = 0;
  if (n > 0)
    return trm_fail (TRM_BAD_ARGUMENT, "compile: %s", text);
  bool started = !WIFEXITED (status) || WEXITSTATUS (status) != 127;
  return trm_fail (started ? TRM_BAD_ARGUMENT : TRM_NOT_HERE, "compile: %s %s",
                   started ? "no message of" : "cannot run", compiler);
}

/* Compile W's source.  Where the process does not wait for children (SIGCHLD is
   ignored) the object tells whether it went well.  */
static trm_status
run_compiler (const workplace *w, const char *flags)
{
  const char *named = getenv ("TRM_TENSORCC");
  const char *compiler = named && *named ? named : "tensorcc";
  char **argument = arguments (w, flags);
  pid_t process;
  int ended = 0;
  if (!argument)
    return TRM_NO_MEMORY;
  int error = spawn_compiler (w, compiler, argument, &process);
  free (argument);
  if (error)
    return trm_fail (TRM_NOT_HERE, "compile: cannot run %s: %s", compiler,
                     strerror (error));
  pid_t waited;
  do
    waited = waitpid (process, &ended, 0);
  while (waited < 0 && errno == EINTR);
  bool made = waited < 0 ? access (w->object, R_OK) == 0
                         : WIFEXITED (ended) && WEXITSTATUS (ended) == 0;
  return made ? TRM_OK : tell_messages (w, compiler, ended);
}

trm_code *
trm_compile (const char *text, const char *flags)
{
  workplace w;
  if (!text)
    return trm_fail_null (TRM_BAD_ARGUMENT, "compile: no text");
  if (make_folder (&w))
    return NULL;
  trm_status status = write_source (&w, text);
  if (!status)
    status = run_compiler (&w, flags ? flags : "");
  trm_code *code = status ? NULL : trm_code_open ("compile", w.object, false);
  remove_folder (&w);
  return code;
}
