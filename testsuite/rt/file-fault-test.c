/* Readers and writers on a machine that refuses: memory, descriptors, room on
   the disk.  They fail with a message, leave nothing behind, and the file that
   was there stays as it was; writers that meet do not mix.  */

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failing.h"
#include "file-sample.h"

static trm_tensor *matrix, *turned, *picture;
static trm_names *names;

static trm_status
write_npy (const char *path)
{
  return trm_npy_write (path, turned);
}

static trm_status
write_npz (const char *path)
{
  return trm_npz_write (path, names);
}

static trm_status
write_safetensors (const char *path)
{
  return trm_safetensors_write (path, names, "text");
}

static trm_status
write_csv (const char *path)
{
  return trm_csv_write (path, turned, ',');
}

static trm_status
write_image (const char *path)
{
  return trm_image_write (path, picture);
}

static const struct
{
  const char *name;
  trm_status (*write) (const char *path);
} writers[] = { { "out.npy", write_npy },
                { "out.npz", write_npz },
                { "out.safetensors", write_safetensors },
                { "out.csv", write_csv },
                { "out.ppm", write_image },
                { "out.png", write_image } };

#define N_WRITERS ((int) (sizeof writers / sizeof *writers))

static void
make_tensors (void)
{
  matrix = sample_tensor (TRM_F32, TRM_SHAPE (40, 50));
  turned = trm_t (matrix);
  picture = sample_tensor (TRM_U8, TRM_SHAPE (30, 20, 3));
  names = trm_names_new ();
  trm_names_put (names, "matrix", matrix);
  trm_names_put (names, "turned", turned);
  trm_names_put (names, "picture", picture);
  for (int i = 0; i < 40; i++)
    {
      char name[20];
      snprintf (name, sizeof name, "more.%d", i);
      trm_names_put (names, name, i % 2 ? picture : turned);
    }
}

static void
free_tensors (void)
{
  trm_drop (matrix);
  trm_drop (turned);
  trm_drop (picture);
  trm_names_free (names);
}

/* The next descriptor that open would give.  */
static int
next_descriptor (void)
{
  int file = open ("/dev/null", O_RDONLY);
  close (file);
  return file;
}

/* Whether the file at PATH is OLD[0..n).  */
static bool
is_old (const char *path, const char *old, size_t n)
{
  size_t bytes;
  char *now = sample_read (path, &bytes);
  bool same = now && bytes == n && !memcmp (now, old, n);
  free (now);
  return same;
}

static trm_tensor *held[5000];
static int n_held;

/* Take the blocks of memory that the library keeps, so that the next one comes
   from the system; leave it blocks for tensors, which stay its own.  */
static void
take_kept (void)
{
  int64_t before = trm_memory_now ().from_system;
  while (trm_memory_now ().from_system == before && n_held < 5000)
    held[n_held++] = trm_number (TRM_F64, 0);
  trm_scope_open ();
  for (int i = 0; i < 60; i++)
    trm_t (matrix);
  trm_scope_close ();
}

/* Read the file of S, or make it where WRITE, with the N-th allocation failing;
   whether nothing was lost, and in *REACHED whether there were as many.  */
static bool
fail_once (const sample *s, bool write, long n, bool *reached)
{
  const char *path = sample_path (s->name);
  int descriptor = next_descriptor (), files = sample_count ();
  take_kept ();
  trm_forget_error ();
  long before = live;
  int64_t bytes = trm_memory_now ().bytes;
  countdown = n;
  bool done = write ? !s->make (path) : s->read (path, s);
  *reached = countdown == 0;
  countdown = 0;
  bool right = done || trm_error () == TRM_NO_MEMORY;
  bool lost = live != before || trm_memory_now ().bytes != bytes;
  if (!right || lost)
    printf ("  allocation %ld: %d %s, %ld blocks\n", n, done, trm_message (),
            live - before);
  return right && !lost && next_descriptor () == descriptor
         && sample_count () == files;
}

/* Let each allocation fail in turn while the file of S is read, or made.  */
static void
fail_all (const sample *s, bool write)
{
  const char *path = sample_path (s->name);
  bool all = true, reached = true;
  size_t n;
  if (s->make (path) || (!write && !s->read (path, s)))
    {
      printf ("UNSUPPORTED: %s: %s\n", s->name, trm_message ());
      return;
    }
  char *old = sample_read (path, &n);
  for (long k = 1; k < 1000 && reached; k++)
    all &= fail_once (s, write, k, &reached) && is_old (path, old, n);
  free (old);
  expect (all && !reached, "%s: any allocation of the %s may fail", s->name,
          write ? "writer" : "reader");
}

static void
test_memory (void)
{
  const sample out[]
    = { { "out.npz", false, write_npz, samples[3].read },
        { "out.safetensors", false, write_safetensors, samples[6].read } };
  if (!CAN_FAIL)
    {
      printf ("UNSUPPORTED: allocations that fail, with this C library\n");
      return;
    }
  for (int s = 0; s < n_samples; s++)
    fail_all (&samples[s], false);
  for (int i = 0; i < 2; i++)
    fail_all (&out[i], false);
  for (int w = 0; w < N_WRITERS; w++)
    fail_all (&(sample){ writers[w].name, false, writers[w].write, NULL },
              true);
  for (; n_held > 0; n_held--)
    trm_drop (held[n_held - 1]);
}

static void
test_memory_limit (void)
{
  static const char *const copied[]
    = { "columns.npy", "deflated.npz", "grey.pgm", "picture.png", "table.csv" };
  bool all = true;
  for (int s = 0, i = 0; s < n_samples && i < 5; s++)
    {
      const char *path = sample_path (samples[s].name);
      if (strcmp (samples[s].name, copied[i]))
        continue;
      i++;
      if (samples[s].make (path))
        continue;
      trm_memory_limit (trm_memory_now ().bytes + 1);
      all &= !samples[s].read (path, &samples[s])
             && (trm_error () == TRM_NO_MEMORY || trm_error () == TRM_NOT_HERE);
      trm_memory_limit (0);
    }
  expect (all, "what is above the limit is not read");
}

/* Let limits of the kind WHICH be N for this process; what it was.  */
static rlim_t
set_limit (int which, rlim_t n)
{
  struct rlimit limit;
  getrlimit (which, &limit);
  rlim_t before = limit.rlim_cur;
  limit.rlim_cur = n;
  setrlimit (which, &limit);
  return before;
}

static void
test_full_disk (void)
{
  signal (SIGXFSZ, SIG_IGN);
  for (int w = 0; w < N_WRITERS; w++)
    {
      const char *path = sample_path (writers[w].name);
      size_t n;
      if (writers[w].write (path))
        continue;
      int files = sample_count ();
      char *old = sample_read (path, &n);
      bool all = true;
      for (size_t most = 0; most < n; most += 1 + n / 50)
        {
          trm_forget_error ();
          rlim_t before = set_limit (RLIMIT_FSIZE, most);
          trm_status status = writers[w].write (path);
          set_limit (RLIMIT_FSIZE, before);
          all &= status == TRM_NO_FILE
                 && expect_failed (TRM_NO_FILE, "cannot write")
                 && is_old (path, old, n) && sample_count () == files;
        }
      free (old);
      expect (all, "%s: the old file outlives a full disk", writers[w].name);
    }
}

static void
test_no_descriptors (void)
{
  const char *in = sample_path ("f32.npy"), *out = sample_path ("out.npy");
  samples[0].make (in);
  write_npy (out);
  rlim_t before = set_limit (RLIMIT_NOFILE, (rlim_t) next_descriptor ());
  bool all = !trm_npy_read (in) && expect_failed (TRM_NO_FILE, "Too many")
             && write_npy (out) && expect_failed (TRM_NO_FILE, "Too many");
  set_limit (RLIMIT_NOFILE, before);
  expect (all, "no descriptors are left");
}

static void
test_places (void)
{
  const char *folder = sample_path ("folder"), *fifo = sample_path ("fifo");
  int files = sample_count ();
  bool all = !mkdir (folder, 0700) && !mkfifo (fifo, 0600);
  const char *const paths[]
    = { folder, fifo, sample_path ("none/out.npy"), "/dev/null" };
  for (int i = 0; i < 4; i++)
    {
      trm_forget_error ();
      all &= write_npy (paths[i]) == TRM_NO_FILE && trm_message ()[0];
    }
  struct stat is;
  all &= !stat ("/dev/null", &is) && S_ISCHR (is.st_mode);
  rmdir (folder);
  unlink (fifo);
  expect (all && sample_count () == files,
          "folders and devices are not replaced");
}

static void
test_rights (void)
{
  struct stat is;
  const char *path = sample_path ("rights.npy");
  write_npy (path);
  chmod (path, 0640);
  expect (!write_npy (path) && !stat (path, &is) && (is.st_mode & 0777) == 0640,
          "the new file has the rights of the old one");
}

static void
test_taken (void)
{
  char beside[500];
  const char *path = sample_path ("taken.npy");
  snprintf (beside, sizeof beside, "%s.tmp-%ld", path, (long) getpid ());
  sample_write (beside, "old", 3);
  bool done = !write_npy (path);
  trm_tensor *t = trm_npy_read (path);
  expect (done && expect_close (t, turned, 0) && is_old (beside, "old", 3),
          "a name beside that is taken stays");
  trm_drop (t);
  unlink (beside);
}

#define ROUNDS 20

static char shared[300];

/* Write a file all of VALUE to the shared path, ROUNDS times; whether each was
   written.  */
static bool
write_rounds (double value)
{
  trm_tensor *t = trm_full (TRM_F64, TRM_SHAPE (30000), value);
  bool all = true;
  for (int i = 0; i < ROUNDS && all; i++)
    all = !trm_npy_write (shared, t);
  trm_drop (t);
  return all;
}

/* Whether the shared file is whole: all of one value.  */
static bool
is_whole (void)
{
  trm_tensor *t = trm_npy_read (shared);
  bool whole = t && trm_count (t) == 30000;
  for (int64_t i = 0; whole && i < 30000; i++)
    whole = ((double *) t->at)[i] == ((double *) t->at)[0];
  trm_drop (t);
  return whole;
}

static void
test_two_processes (void)
{
  int status, files = sample_count ();
  snprintf (shared, sizeof shared, "%s", sample_path ("shared.npy"));
  bool all = write_rounds (0);
  pid_t child[2];
  fflush (stdout);
  for (int i = 0; i < 2; i++)
    if ((child[i] = fork ()) == 0)
      _exit (!write_rounds (i + 1));
  for (int i = 0; i < 100; i++)
    all &= is_whole ();
  for (int i = 0; i < 2; i++)
    all &= waitpid (child[i], &status, 0) == child[i] && status == 0;
  expect (all && is_whole () && sample_count () == files + 1,
          "two processes write one file, and it is always whole");
}

/* A thread's rounds of the value *AT, which becomes -1 on failure.  */
static void *
thread_writes (void *at)
{
  double *value = at;
  if (!write_rounds (*value))
    *value = -1;
  return NULL;
}

static void
test_two_threads (void)
{
  double value[] = { 3, 4 };
  pthread_t thread[2];
  int files = sample_count ();
  bool all = true;
  for (int i = 0; i < 2; i++)
    all &= !pthread_create (&thread[i], NULL, thread_writes, &value[i]);
  for (int i = 0; i < 100; i++)
    all &= is_whole ();
  for (int i = 0; i < 2; i++)
    all &= !pthread_join (thread[i], NULL) && value[i] > 0;
  expect (all && is_whole () && sample_count () == files,
          "two threads write one file, and it is always whole");
}

static void
test_killed (void)
{
  bool all = true;
  for (int i = 0; i < 10; i++)
    {
      fflush (stdout);
      pid_t child = fork ();
      if (child == 0)
        for (;;)
          write_rounds (7);
      usleep (2000 + 1500 * i);
      kill (child, SIGKILL);
      waitpid (child, NULL, 0);
      all &= is_whole ();
    }
  expect (all && write_rounds (8) && is_whole (),
          "a writer that is killed leaves a whole file");
}

int
main (void)
{
  make_tensors ();
  test_memory ();
  test_memory_limit ();
  test_full_disk ();
  test_no_descriptors ();
  test_places ();
  test_rights ();
  test_taken ();
  test_two_processes ();
  test_two_threads ();
  test_killed ();
  free_tensors ();
  return expect_status ();
}
