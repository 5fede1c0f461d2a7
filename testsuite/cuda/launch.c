/* See launch.h.  */

#include "launch.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Bytes between two arrays.  */
#define FAR 4096

static int status;

/* The function NAME of HANDLE in FUNCTION, a pointer to one.  */
static bool
find (void *handle, const char *name, void *function)
{
  void *found = dlsym (handle, name);
  memcpy (function, &found, sizeof found);
  return found;
}

struct object
object_open (const char *folder, const char *name)
{
  struct object object = { NULL };
  char path[1000];
  snprintf (path, sizeof path, "%s/%s.so", folder, name);
  object.handle = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (!object.handle || !find (object.handle, "cuda_cpu_launch", &object.launch)
      || !find (object.handle, "cuda_cpu_message", &object.message)
      || !find (object.handle, "cuda_cpu_seed", &object.seed)
      || !find (object.handle, "cuda_cpu_allow", &object.allow))
    {
      printf ("FAIL: open %s: %s\n", path, dlerror ());
      exit (1);
    }
  return object;
}

void
object_close (struct object *object)
{
  dlclose (object->handle);
}

int
object_launch (const struct object *object, const char *kernel,
               struct shape shape, void *args, size_t bytes)
{
  void (*function) (void);
  if (!find (object->handle, kernel, &function))
    return -1;
  return object->launch (function, shape.grid, shape.block, shape.shared_bytes,
                         &args, bytes);
}

float *
object_floats (const struct object *object, long long n, bool writable)
{
  size_t bytes = (size_t) n * sizeof (float);
  size_t room = (bytes + FAR + 63) / 64 * 64;
  float *memory = aligned_alloc (64, room);
  if (!memory || !object->allow (memory, bytes, writable))
    {
      printf ("FAIL: no memory\n");
      exit (1);
    }
  memset (memory, 0xff, room);
  return memory;
}

void
expect (bool claim, const char *name, ...)
{
  va_list rest;
  printf (claim ? "PASS: " : "FAIL: ");
  va_start (rest, name);
  vprintf (name, rest);
  va_end (rest);
  putchar ('\n');
  if (!claim)
    status = 1;
}

int
expect_status (void)
{
  return status;
}
