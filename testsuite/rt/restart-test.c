/* Training that is stopped and goes on.

   A process learns, and saves every third step; it is killed again and again,
   at no moment of its own choice, and each time another one goes on from the
   file: at the end the weights are those of a process that nobody stopped, bit
   for bit.  A disk that is full while a checkpoint is saved leaves the one
   before, and nothing beside; so does a file system without room, where one may
   be mounted.  */

#define _GNU_SOURCE

#include "expect.h"

#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STEPS 60
#define EVERY 3

static char folder[64] = "/tmp/restart-test-XXXXXX", kept[96], whole[96];

/* The loss of step STEP, whose batch depends on STEP alone.  */
static trm_tensor *
loss_of (trm_model *m, int64_t step)
{
  trm_random random = { 5, (uint64_t) step << 32 };
  trm_tensor *x = trm_normal (&random, TRM_F32, TRM_SHAPE (32, 40), 0, 1);
  trm_tensor *y = trm_normal (&random, TRM_F32, TRM_SHAPE (32, 4), 0, 1);
  x = trm_relu (trm_layer_linear (m, "a", x, 60));
  x = trm_layer_dropout (m, trm_layer_batch_norm (m, "norm", x), 0.2);
  return trm_mse (trm_layer_linear (m, "b", x, 4), y);
}

/* Go on from the checkpoint at PATH, or from nothing, to the last step; save
   there every EVERY steps.  */
static bool
learn (const char *path)
{
  trm_model *m = trm_model_new ((trm_random){ 9, 0 });
  trm_optimiser *o = trm_optimiser_new (
    m, (trm_optimiser_settings){ TRM_ADAM, .rate = 0.01, .clip = 1 });
  int64_t step = 0;
  bool good = access (path, F_OK) || !trm_checkpoint_load (path, m, o, &step);
  for (; step < STEPS && good; step++)
    {
      trm_tape_open ();
      good = !trm_backward (loss_of (m, step), NULL);
      trm_tape_close ();
      good = good && !trm_step (o, NULL);
      if (good && (step + 1) % EVERY == 0)
        good = !trm_checkpoint_save (path, m, o, step + 1);
    }
  if (!good)
    printf ("# %s\n", trm_message ());
  trm_optimiser_free (o);
  trm_model_free (m);
  return good;
}

/* Whether the files A and B have the same bytes.  */
static bool
is_same (const char *a, const char *b)
{
  FILE *x = fopen (a, "rb"), *y = fopen (b, "rb");
  int c = 0, d = 0;
  while (x && y && c == d && c != EOF)
    {
      c = fgetc (x);
      d = fgetc (y);
    }
  if (x)
    fclose (x);
  if (y)
    fclose (y);
  return x && y && c == d;
}

/* Remove what a killed CHILD left of a file that it wrote.  */
static void
remove_left (pid_t child)
{
  char name[160];
  snprintf (name, sizeof name, "%s.tmp-%d", kept, (int) child);
  unlink (name);
}

/* How a child ended.  */
typedef enum end
{
  DONE,
  FAILED,
  KILLED,
  NOT_HERE
} end;

/* Learn in a child that is killed after MICROSECONDS, never where they are
   0.  */
static end
learn_in_child (const char *path, long microseconds)
{
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0)
    _exit (learn (path) ? DONE : FAILED);
  struct timespec wait
    = { microseconds / 1000000, microseconds % 1000000 * 1000 };
  nanosleep (&wait, NULL);
  if (microseconds)
    kill (child, SIGKILL);
  int status;
  waitpid (child, &status, 0);
  remove_left (child);
  return WIFSIGNALED (status) ? KILLED : (end) WEXITSTATUS (status);
}

static void
test_killed (void)
{
  end now = KILLED;
  int kills = 0;
  bool good = learn_in_child (whole, 0) == DONE;
  for (long wait = 1000; now == KILLED && wait < 100000000; wait += wait / 8)
    {
      now = learn_in_child (kept, wait);
      kills += now == KILLED;
    }
  printf ("# killed %d times\n", kills);
  expect (good && now == DONE && kills > 2 && is_same (kept, whole),
          "killed at any time, training ends with the same bits");
}

/* How many files are in the folder.  */
static int
count_files (void)
{
  DIR *all = opendir (folder);
  int n = 0;
  while (all && readdir (all))
    n++;
  if (all)
    closedir (all);
  return n;
}

/* Let files of this process have at most BYTES.  */
static void
limit_files (rlim_t bytes)
{
  struct rlimit limit = { .rlim_max = RLIM_INFINITY, .rlim_cur = bytes };
  setrlimit (RLIMIT_FSIZE, &limit);
}

/* Save M, which has no room; whether that failed for that reason, and the file
   is still the one that was copied, alone.  */
static bool
fails_to_save (trm_model *m)
{
  int files = count_files ();
  trm_status status = trm_checkpoint_save (kept, m, NULL, 2);
  return status == TRM_NO_FILE && expect_failed (TRM_NO_FILE, "cannot write")
         && count_files () == files;
}

/* A model whose weights are about 30,000 bytes, all VALUE.  */
static trm_model *
model_of (double value)
{
  trm_model *m = trm_model_new ((trm_random){ 1, 0 });
  trm_tensor *w = trm_full (TRM_F32, TRM_SHAPE (7500), value);
  trm_names_put (trm_model_names (m), "w", trm_want_gradient (w));
  trm_drop (w);
  return m;
}

/* Whether the file holds the step 1 and weights of 1.  */
static bool
is_first (void)
{
  trm_model *m = trm_model_new ((trm_random){ 1, 0 });
  int64_t step = 0;
  bool is = !trm_checkpoint_load (kept, m, NULL, &step) && step == 1;
  trm_tensor *w = is ? trm_names_get (trm_model_names (m), "w") : NULL;
  for (int64_t i = 0; w && i < 7500; i++)
    is = is && ((float *) w->at)[i] == 1;
  trm_model_free (m);
  return is;
}

static void
test_limit (void)
{
  trm_model *first = model_of (1), *second = model_of (2);
  signal (SIGXFSZ, SIG_IGN);
  bool good = !trm_checkpoint_save (kept, first, NULL, 1);
  for (rlim_t bytes = 0; bytes < 30000 && good; bytes += 1999)
    {
      limit_files (bytes);
      good = fails_to_save (second);
      limit_files (RLIM_INFINITY);
      good = good && is_first ();
    }
  expect (good, "a checkpoint that finds no room leaves the one before");
  trm_model_free (first);
  trm_model_free (second);
}

/* The same on a file system of 48 KiB; NOT_HERE where none may be mounted.  */
static end
fill_disk (void)
{
  if (unshare (CLONE_NEWNS)
      || mount ("none", "/", NULL, MS_REC | MS_PRIVATE, NULL)
      || mount ("none", folder, "tmpfs", 0, "size=49152"))
    return NOT_HERE;
  trm_model *first = model_of (1), *second = model_of (2);
  bool good = !trm_checkpoint_save (kept, first, NULL, 1)
              && fails_to_save (second) && is_first ();
  trm_model_free (first);
  trm_model_free (second);
  return good ? DONE : FAILED;
}

static void
test_full_disk (void)
{
  int status = 0;
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0)
    _exit (fill_disk ());
  waitpid (child, &status, 0);
  if (WIFEXITED (status) && WEXITSTATUS (status) == NOT_HERE)
    printf ("UNSUPPORTED: a full disk: no file system can be mounted\n");
  else
    expect (status == DONE, "a full disk leaves the checkpoint before");
}

int
main (void)
{
  if (!mkdtemp (folder))
    return 1;
  snprintf (kept, sizeof kept, "%s/kept.safetensors", folder);
  snprintf (whole, sizeof whole, "%s/whole.safetensors", folder);
  test_killed ();
  test_limit ();
  test_full_disk ();
  unlink (kept);
  unlink (whole);
  rmdir (folder);
  return expect_status ();
}
