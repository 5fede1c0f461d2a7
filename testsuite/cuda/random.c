/* Races of random programs of two blocks, against a look at each two accesses:
   none is found where there is none, none is missed where there is one.
   random FOLDER [COUNT]: random.so is there.  */

#include "launch.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define N_BLOCKS  2
#define N_THREADS 64
#define ALL       (N_BLOCKS * N_THREADS)
#define N_STEPS   6
#define N_BYTES   256

enum kind
{
  NONE,
  READ_SHARED,
  WRITE_SHARED,
  READ_GLOBAL,
  WRITE_GLOBAL,
  ADD_GLOBAL
};

/* A program: what each thread accesses in each step, as random.cu wants it, and
   what is behind the step: 1 a barrier, 2 __syncwarp, 3 that of halves.  */
struct program
{
  uint16_t access[N_STEPS][ALL];
  uint8_t behind[N_STEPS];
};

static unsigned state = 1;

/* A number below N.  */
static unsigned
any (unsigned n)
{
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % n;
}

/* A program; most threads keep to bytes of their own.  */
static void
make_program (struct program *program)
{
  unsigned strays = any (20) + 1, kinds = any (2) ? 6 : 3;
  for (int s = 0; s < N_STEPS; s++)
    {
      program->behind[s] = (uint8_t) any (4);
      for (unsigned t = 0; t < ALL; t++)
        {
          unsigned kind = any (3) ? any (kinds) : NONE;
          unsigned at = any (15 * strays) ? t : any (N_BYTES);
          if (kind == ADD_GLOBAL)
            at = N_BYTES - 4 + t % 4;
          program->access[s][t] = (uint16_t) (8 * at + kind);
        }
    }
}

/* Whether something stands between steps FROM and TO of threads A and B.  */
static bool
is_ordered (const struct program *program, int from, int to, int a, int b)
{
  if (a / N_THREADS != b / N_THREADS)
    return false;
  for (int s = from; s < to; s++)
    if (program->behind[s] == 1 || (program->behind[s] == 2 && a / 32 == b / 32)
        || (program->behind[s] == 3 && a / 16 == b / 16))
      return true;
  return false;
}

/* Whether accesses X of thread A and Y of thread B touch a byte, and not both
   read or add.  */
static bool
is_conflict (unsigned x, int a, unsigned y, int b)
{
  unsigned one = x % 8, other = y % 8, at = x / 8, other_at = y / 8;
  bool shared = one == READ_SHARED || one == WRITE_SHARED;
  bool other_shared = other == READ_SHARED || other == WRITE_SHARED;
  if (one == NONE || other == NONE || shared != other_shared
      || (shared && a / N_THREADS != b / N_THREADS))
    return false;
  if (one == ADD_GLOBAL || other == ADD_GLOBAL)
    return one != other && at / 4 == other_at / 4;
  return at == other_at
         && (one == WRITE_SHARED || one == WRITE_GLOBAL || other == WRITE_SHARED
             || other == WRITE_GLOBAL);
}

/* Whether step S of thread A races with a later one of another thread, or the
   same step.  */
static bool
is_racing (const struct program *program, int s, int a)
{
  unsigned access = program->access[s][a];
  for (int later = s; later < N_STEPS; later++)
    for (int b = 0; b < ALL; b++)
      if (a != b && is_conflict (access, a, program->access[later][b], b)
          && !is_ordered (program, s, later, a, b))
        return true;
  return false;
}

/* Whether two accesses of PROGRAM race.  */
static bool
has_race (const struct program *program)
{
  for (int s = 0; s < N_STEPS; s++)
    for (int a = 0; a < ALL; a++)
      if (program->access[s][a] % 8 != NONE && is_racing (program, s, a))
        return true;
  return false;
}

/* The status of PROGRAM's launch.  */
static int
run (const struct object *object, const struct program *program)
{
  static uint8_t out[ALL], global[N_BYTES] __attribute__ ((aligned (4)));
  struct shape shape = { { N_BLOCKS, 1, 1 }, { N_THREADS, 1, 1 }, 0 };
  struct
  {
    uint8_t *out, *global;
    const uint16_t *access;
    const uint8_t *behind;
    long long n_steps;
  } args = { out, global, program->access[0], program->behind, N_STEPS };
  return object_launch (object, "random", shape, &args, sizeof args);
}

int
main (int argc, char **argv)
{
  struct object object = object_open (argc > 1 ? argv[1] : ".", "random");
  int count = argc > 2 ? atoi (argv[2]) : 300, racing = 0, found = 0, wrong = 0;
  for (int i = 0; i < count; i++)
    {
      static struct program program;
      make_program (&program);
      object.seed ((unsigned long) i);
      bool race = has_race (&program);
      int status = run (&object, &program);
      racing += race;
      found += race && status == CUDA_CPU_RACE;
      wrong += !race && status != CUDA_CPU_DONE;
      if (status != (race ? CUDA_CPU_RACE : CUDA_CPU_DONE))
        printf ("program %d: status %d, %s\n", i, status, object.message ());
    }
  expect (found == racing && racing > count / 8,
          "races of %d random programs: %d of %d found", count, found, racing);
  expect (wrong == 0 && racing < count * 7 / 8, "none found of %d without",
          count - racing);
  object_close (&object);
  return expect_status ();
}
