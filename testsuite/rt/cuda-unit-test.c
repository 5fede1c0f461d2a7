/* Kernels from their image, their text and the cache: what is taken when, what
   damages the cache and what does not, and what NVRTC is asked for.  */

#include "cuda-fake.h"
#include "cuda-unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#define N 500

static char cache[128], path[512];

/* One region; where it ran, and by how many modules that were asked for.  */
static void
part_one (void)
{
  float *x = fake_numbers (N, 1), *y = fake_numbers (N, 0);
  bool on = fake_run (FAKE_TWICE, y, x, N, NULL, 0);
  fake_run (FAKE_ADD, y, x, N, NULL, 0);
  printf ("%s %s %ld loads\n", fake_are (y, N, 3, 3) ? "right" : "wrong",
          on ? "device" : "cpu", fake_count ("cuModuleLoadData"));
  free (x);
  free (y);
}

/* A text that is refused.  */
static void
part_refused (void)
{
  fake_unit.text = "#define TNS_SHARED\nthis is no C\n";
  part_one ();
}

/* A text that lacks a kernel.  */
static void
part_lacking (void)
{
  static const char *const names[] = { "twice", "add", "third" };
  fake_unit.names = names;
  part_one ();
}

/* Options that another text has.  */
static void
part_options (void)
{
  fake_unit.options = "";
  part_one ();
}

/* The file of the cache, or "".  */
static const char *
cached (void)
{
  DIR *folder = opendir (cache);
  struct dirent *d;
  *path = 0;
  while (folder && (d = readdir (folder)))
    if (strstr (d->d_name, ".cubin"))
      snprintf (path, sizeof path, "%s/%s", cache, d->d_name);
  if (folder)
    closedir (folder);
  return path;
}

/* The image that NVRTC made, from the cache's file, whose head is 88 bytes.  */
static void
read_image (void)
{
  FILE *file = fopen (cached (), "rb");
  static char image[1 << 20];
  if (!file || fseek (file, 88, SEEK_SET)
      || !fread (image, 1, sizeof image, file))
    printf ("no image\n");
  fake_unit.image = image;
  fake_unit.image_bytes = sizeof image;
}

/* Kernels from the image, with and without their text.  */
static void
part_image (void)
{
  read_image ();
  fake_unit.text = "none";
  part_one ();
}

/* An image that no driver takes: the text is taken.  */
static void
part_bad_image (void)
{
  fake_unit.image = "no image at all";
  part_one ();
}

/* The text by NVIDIA's own NVRTC, for ARCH; what it made.  */
static void
compile_for (int arch)
{
  void *code = NULL;
  size_t bytes = 0;
  trm_cuda.version = 99000;
  trm_cuda_here->arch = arch;
  const trm_nvrtc *nvrtc = trm_nvrtc_open ();
  if (!nvrtc
      || !trm_nvrtc_compile (fake_unit.text, fake_unit.options, &code, &bytes))
    {
      printf ("none: %s\n", trm_cuda.words);
      return;
    }
  bool elf = bytes > 64 && memcmp (code, "\177ELF", 4) == 0;
  bool ptx = bytes > 64 && strstr (code, ".visible .entry twice");
  printf ("%s %s %s\n", nvrtc->format, nvrtc->option,
          elf   ? "is ELF"
          : ptx ? "is PTX"
                : "is nothing");
  free (code);
}

/* For a device that it knows, and for one that it does not.  */
static void
part_real (void)
{
  compile_for (90);
}

static void
part_newer (void)
{
  compile_for (999);
}

/* SHA-256 of messages of FIPS 180-4, and of lengths around a block.  */
static void
test_hash (void)
{
  static const struct
  {
    const char *text;
    int times;
    const char *digits;
  } rows[] = {
    { "", 0,
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
    { "abc", 1,
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
    { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
    { "a", 1000000,
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
    { "a", 64,
      "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb" },
    { "a", 55,
      "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318" },
  };
  bool fine = true;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      trm_sha256 h;
      char digits[65];
      trm_sha256_begin (&h);
      for (int k = 0; k < rows[i].times; k++)
        trm_sha256_add (&h, rows[i].text, strlen (rows[i].text));
      trm_sha256_end (&h, digits);
      fine = fine && strcmp (digits, rows[i].digits) == 0;
    }
  expect (fine, "SHA-256");
}

/* How many lines LOG, of compilations, has; it goes.  */
static int
compilations (const char *log)
{
  FILE *file = fopen (log, "r");
  int lines = 0;
  for (int c; file && (c = getc (file)) != EOF;)
    lines += c == '\n';
  if (file)
    fclose (file);
  unlink (log);
  return lines;
}

/* Run PART; whether its region ran on the device after N compilations.  */
static bool
compiles (const char *settings, const char *part, int n)
{
  char all[512], log[128];
  snprintf (log, sizeof log, "%s/log", fake_folder ());
  snprintf (all, sizeof all, "FAKE_NVRTC_LOG=%s %s", log, settings);
  bool fine = fake_says (all, part, "right device");
  int got = compilations (log);
  if (got != n)
    printf ("  %s %s: %d compilations\n", settings, part, got);
  return fine && got == n;
}

/* Change byte AT of the cache's file, or cut the file there.  */
static void
damage (long at, bool cut)
{
  FILE *file = fopen (cached (), "r+b");
  if (!file)
    return;
  fseek (file, at, at < 0 ? SEEK_END : SEEK_SET);
  int c = cut ? ftruncate (fileno (file), ftell (file)) : getc (file);
  if (!cut && fseek (file, -1, SEEK_CUR) == 0)
    putc (c ^ 1, file);
  fclose (file);
}

/* What is found in the cache, and what is not.  */
static void
test_cache (void)
{
  struct stat s;
  expect (compiles ("", "one", 1), "the text is compiled");
  expect (stat (cache, &s) == 0 && (s.st_mode & 0777) == 0700,
          "the cache is the user's alone");
  expect (stat (cached (), &s) == 0 && (s.st_mode & 0777) == 0600,
          "and so are its files");
  expect (compiles ("", "one", 0), "and kept");
  expect (compiles ("", "options", 1), "other options are another text");
  static const long places[] = { 0, 10, 73, 81, 1000 };
  bool fine = true;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    for (int cut = 0; cut < 2; cut++)
      {
        unlink (cached ());
        unlink (cached ());
        fine = compiles ("", "one", 1) && fine;
        damage (places[i], cut);
        fine = compiles ("", "one", 1) && compiles ("", "one", 0) && fine;
      }
  expect (fine, "a damaged file is none, and made anew");
  expect (compiles ("TRM_CUDA_CACHE=0", "one", 1), "without a cache");
  expect (compiles ("XDG_CACHE_HOME=not-absolute HOME=also", "one", 1),
          "no folder for one");
  chmod (cache, 0777);
  expect (compiles ("", "one", 1),
          "a folder that others may write is not used");
  chmod (cache, 0700);
  expect (compiles ("", "one", 0), "but it was left as it is");
}

/* A file that is whole and not what its name says.  */
static void
test_other_key (void)
{
  char other[600], command[1400];
  unlink (cached ());
  compiles ("", "options", 1);
  snprintf (other, sizeof other, "%s", cached ());
  snprintf (command, sizeof command, "cp %s %s/kept; rm %s", other,
            fake_folder (), other);
  expect (system (command) == 0 && compiles ("", "one", 1), "another key");
  snprintf (command, sizeof command, "cp %s/kept %s", fake_folder (),
            cached ());
  expect (system (command) == 0 && compiles ("", "one", 1),
          "code of another text is not taken");
}

/* Files of the cache go by age when there are too many, by its limit of 1
   MB.  */
static void
test_limit (void)
{
  static char half[400000];
  const char *const old[] = { "a.cubin", "b.cubin", "c.cubin" };
  unlink (cached ());
  for (int i = 0; i < 3; i++)
    {
      snprintf (path, sizeof path, "%s/%s", cache, old[i]);
      FILE *file = fopen (path, "wb");
      fwrite (half, 1, sizeof half, file);
      fclose (file);
      utime (path, &(struct utimbuf){ 1000 - 10 * i, 1000 - 10 * i });
    }
  bool fine = compiles ("TRM_CUDA_CACHE=1", "one", 1);
  snprintf (path, sizeof path, "%s/c.cubin", cache);
  fine = fine && access (path, F_OK) != 0;
  snprintf (path, sizeof path, "%s/b.cubin", cache);
  fine = fine && access (path, F_OK) == 0;
  expect (fine && compiles ("", "one", 0), "the oldest go");
  snprintf (path, sizeof path, "rm %s/?.cubin", cache);
  expect (system (path) == 0, "the others were there");
}

/* Many processes at once.  */
static void
test_race (void)
{
  char command[8192], self[4096] = "";
  unlink (cached ());
  if (readlink ("/proc/self/exe", self, sizeof self - 1) < 0)
    return;
  snprintf (command, sizeof command,
            "export LD_LIBRARY_PATH='%s' XDG_CACHE_HOME='%s' TRM_DEVICE=cuda; "
            "for i in 1 2 3 4; do '%s' one >%s/race-$i & done; wait; "
            "test $(cat %s/race-? | grep -c 'right device') = 4",
            fake_place (), fake_folder (), self, fake_folder (),
            fake_folder ());
  expect (system (command) == 0 && compiles ("", "one", 0),
          "processes that start at once");
  snprintf (command, sizeof command, "test $(ls %s | wc -l) = 1", cache);
  expect (system (command) == 0, "leave one file");
}

/* Images, and what else NVRTC is asked for, and refuses.  */
static void
test_makers (void)
{
  expect (compiles ("", "image", 0), "an image needs no compiler");
  expect (compiles ("FAKE_CUDA_VERSION=11080", "image", 0),
          "nor a driver that is as new as NVRTC");
  unlink (cached ());
  expect (compiles ("", "bad-image", 1),
          "the text of an image that is refused");
  expect (fake_says ("TRM_VERBOSE=1", "refused",
                     "right cpu 0 loads|2 times: NVRTC refused the kernels: "
                     "kernels.cu: refused"),
          "a text that is refused");
  expect (fake_says ("TRM_VERBOSE=1", "lacking",
                     "right cpu 1 loads|2 times: the kernels could not be "
                     "loaded: cuModuleGetFunction"),
          "a kernel that is not there");
  expect (fake_says ("TRM_VERBOSE=1 FAKE_CUDA_VERSION=11080 TRM_CUDA_CACHE=0",
                     "one",
                     "right cpu|2 times: no code for the device, and no NVRTC "
                     "to make it: libnvrtc.so.11 is not there"),
          "no NVRTC that the driver can follow");
  expect (fake_says ("FAKE_CUDA_FAIL=cuModuleLoadData:1:2 TRM_VERBOSE=1", "one",
                     "right cpu 2 loads|1 times: no memory"),
          "kernels are loaded again where memory was short");
  expect (compiles ("FAKE_NVRTC_ARCH=80", "one", 1), "an older NVRTC");
}

/* The options of a compilation, of its only line.  */
static void
test_options (void)
{
  char all[300], log[128], line[200] = "";
  unlink (cached ());
  snprintf (log, sizeof log, "%s/log", fake_folder ());
  snprintf (all, sizeof all, "TRM_CUDA_CACHE=0 FAKE_NVRTC_LOG=%s", log);
  fake_child (all, "one");
  snprintf (all, sizeof all,
            "TRM_CUDA_CACHE=0 FAKE_NVRTC_ARCH=80 FAKE_NVRTC_LOG=%s", log);
  fake_child (all, "one");
  FILE *file = fopen (log, "r");
  bool read = file && fgets (line, sizeof line, file);
  expect (
    read
      && strcmp (line, "-fmad=false -lineinfo --gpu-architecture=sm_90a\n")
           == 0,
    "options: code for the device");
  read = file && fgets (line, sizeof line, file);
  expect (
    read
      && strcmp (line, "-fmad=false -lineinfo --gpu-architecture=compute_80\n")
           == 0,
    "options: PTX where NVRTC does not know the device");
  if (file)
    fclose (file);
}

/* NVIDIA's NVRTC, where it is installed: the fake driver is out of its way.  */
static void
test_real (void)
{
  const char *home = getenv ("CUDA_HOME");
  char setting[300];
  snprintf (setting, sizeof setting, "LD_LIBRARY_PATH=%.200s/lib64",
            home ? home : "/usr/local/cuda");
  fake_child (setting, "real");
  if (strstr (fake_out, "none: libnvrtc"))
    {
      printf ("UNSUPPORTED: NVRTC is not installed\n");
      return;
    }
  expect (strcmp (fake_out, "cubin --gpu-architecture=sm_90a is ELF\n") == 0,
          "NVRTC compiles for a device that it knows");
  fake_child (setting, "newer");
  expect (strncmp (fake_out, "ptx --gpu-architecture=compute_", 31) == 0
            && strstr (fake_out, " is PTX\n"),
          "and PTX for one that is newer");
}

int
main (int argc, char **argv)
{
  static const fake_part parts[] = { { "one", part_one },
                                     { "refused", part_refused },
                                     { "lacking", part_lacking },
                                     { "options", part_options },
                                     { "image", part_image },
                                     { "bad-image", part_bad_image },
                                     { "real", part_real },
                                     { "newer", part_newer },
                                     { NULL, NULL } };
  snprintf (cache, sizeof cache, "%.100s/gcc-tensor",
            argc > 1 ? getenv ("XDG_CACHE_HOME") : fake_folder ());
  if (fake_main (argc, argv, parts))
    return 0;
  test_hash ();
  test_cache ();
  test_other_key ();
  test_limit ();
  test_race ();
  test_makers ();
  test_options ();
  test_real ();
  return expect_status ();
}
