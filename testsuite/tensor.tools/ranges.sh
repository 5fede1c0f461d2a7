# Regions as ranges of other profilers: NVTX of versions 2 and 3, ITT, each a
# library made here that writes what it is told; and none where there is none.
# one GCC
tensorcc=${TENSORCC:-$BUILD/tools/tensorcc}
TENSOR_CC=${CC_UNDER_TEST:-$GCC}
export TENSOR_CC
unset NVTX_INJECTION64_PATH INTEL_LIBITTNOTIFY64 TRM_PROFILE

verdict ()
{
  if test "$1" -eq 0; then
    echo "PASS: $2"
  else
    echo "FAIL: $2"
    test ! -f told || sed 's/^/  /' told
  fi
}

# Run the program with the variables $2...; what it says must be "$1".
says ()
{
  wanted=$1
  shift
  env "$@" ./program >told 2>&1 && test "$(cat told)" = "$wanted"
}

cat >program.c <<'END'
#include <pthread.h>
#include <tensorrt-mini.h>

static float x[1000], y[1000];

static __attribute__ ((noinline)) void
inner (int n)
{
#pragma tensor name("inner")
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i];
}

static void *
work (void *argument)
{
  trm_profile_range_begin ("outer");
  inner (argument ? 1000 : 10);
  inner (100);
  trm_profile_range_end ("outer");
  return argument;
}

/* End inside a range.  */
static void *
leave (void *argument)
{
  trm_profile_range_begin ("left");
  return argument;
}

int
main (void)
{
  pthread_t thread;
  work (NULL);
  pthread_create (&thread, NULL, work, x);
  pthread_join (thread, NULL);
  pthread_create (&thread, NULL, leave, NULL);
  pthread_join (thread, NULL);
  return 0;
}
END
"$tensorcc" --tensor-report=none -O2 -pthread program.c -o program
verdict $? 'a program'

once='outer( inner( ) inner( ) )'
all="$once
$once
left( )"

# Ends a line with the outermost range of a thread.
cat >told.h <<'END'
#include <stdio.h>

static _Thread_local int depth;

static void
tell_begin (const char *name)
{
  printf ("%s%s(", depth ? " " : "", name);
  depth++;
}

static void
tell_end (void)
{
  depth--;
  printf (" )%s", depth ? "" : "\n");
  fflush (stdout);
}
END

cat >injection.c <<'END'
#include <stddef.h>
#include <stdint.h>
#include "told.h"

typedef struct
{
  size_t bytes;
  int (*functions) (int module, void ****table, unsigned *n);
} callbacks;

typedef struct
{
  size_t bytes;
  uint32_t version;
  uint32_t reserved;
  void (*set) (uint32_t version);
} version;

static int push (const char *name) { tell_begin (name); return depth - 1; }
static int pop (void) { tell_end (); return depth; }

int
InitializeInjectionNvtx2 (const void *(*export) (uint32_t))
{
  const callbacks *c = export (1);
  const version *v = export (3);
  void ***table;
  unsigned n;
  if (!c || c->bytes != sizeof *c || !v || v->version != 3 || export (2))
    return 0;
  v->set (3);
  if (c->functions (0, &table, &n) || c->functions (7, &table, &n))
    return 0;
  for (int module = 6; module > 0; module--)
    {
      if (!c->functions (module, &table, &n) || table[0] || table[n])
        return 0;
      for (unsigned i = 1; i < n; i++)
        *table[i] = (void *) push;
    }
  if (n != 16)
    return 0;
  *table[9] = (void *) push;
  *table[11] = (void *) pop;
  return 1;
}
END
cat >old.c <<'END'
#include "told.h"
int nvtxRangePushA (const char *name) { tell_begin (name); return 0; }
int nvtxRangePop (void) { tell_end (); return 0; }
END

# A collector that makes domains and handles, one that leaves them to whoever
# loads it, one whose functions are looked up, one that is switched off.
cat >collector.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "told.h"

typedef struct { volatile int flags; const char *name; void *a; int b; void *c;
  void *next; } domain;
typedef struct { const char *text; void *a; int b; void *c; void *next; } handle;
typedef struct { unsigned long long d1, d2, d3; } id;
typedef struct { const char *name; void **place; void *first; void *none;
  int group; } function;
typedef struct { unsigned char magic[8]; unsigned long major, minor, build;
  volatile long a, b, c; pthread_mutex_t mutex; void *library, *error;
  const char **path; function *function; } global;

static domain ours = { .flags = !OFF, .name = "tensor" };

static domain *
make_domain (const char *name)
{
  return strcmp (name, "tensor") ? NULL : &ours;
}

static handle *
make_handle (const char *text)
{
  handle *h = calloc (1, sizeof *h);
  h->text = strdup (text);
  h->b = 7;
  return h;
}

#if LOOKED_UP
#define LOCAL
#else
#define LOCAL static
#endif

LOCAL void
__itt_task_begin (const domain *d, id task, id parent, handle *h)
{
  if (!strcmp (d->name, "tensor") && (d == &ours) == MAKES
      && h->b == (MAKES ? 7 : 0) && !task.d1 && !parent.d3)
    tell_begin (h->text);
}

LOCAL void
__itt_task_end (const domain *d)
{
  if (!strcmp (d->name, "tensor"))
    tell_end ();
}

#if !LOOKED_UP
static const struct { const char *name; void *function; } known[] = {
  { "__itt_task_begin", (void *) __itt_task_begin },
  { "__itt_task_end", (void *) __itt_task_end },
#if MAKES
  { "__itt_domain_create", (void *) make_domain },
  { "__itt_string_handle_create", (void *) make_handle },
#endif
};

void
__itt_api_init (global *g, int groups)
{
  static const unsigned char magic[8]
    = { 0xed, 0xab, 0xab, 0xec, 0x0d, 0xee, 0xda, 0x30 };
  if (memcmp (g->magic, magic, 8) || g->major != 3 || !g->library
      || !(groups & 1 << 12))
    return;
  for (function *f = g->function; f->name; f++)
    {
      *f->place = f->none;
      for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp (f->name, known[i].name))
          *f->place = known[i].function;
    }
}
#endif
END
printf 'int unused;\n' >other.c

# The library $1.so of $1.c, or of $2.c with the flags $3...
library ()
{
  name=$1 source=${2:-$1}
  shift
  test $# -eq 0 || shift
  $TENSOR_CC -shared -fPIC -w -O1 "$@" $source.c -o $name.so
}
library injection && library other && library old \
  && mkdir place && mv old.so place/libnvToolsExt.so.1 \
  && library makes collector -DMAKES=1 -DLOOKED_UP=0 -DOFF=0 \
  && library leaves collector -DMAKES=0 -DLOOKED_UP=0 -DOFF=0 \
  && library looked collector -DMAKES=0 -DLOOKED_UP=1 -DOFF=0 \
  && library off collector -DMAKES=1 -DLOOKED_UP=0 -DOFF=1
verdict $? 'profilers'
here=$(pwd)

says '' A=
verdict $? 'nothing is told without a profiler'
says "$all" NVTX_INJECTION64_PATH=$here/injection.so
verdict $? 'an injection of NVTX'
says "$all" LD_LIBRARY_PATH=$here/place TRM_PROFILE=ranges,table:/dev/null
verdict $? 'the library of NVTX'
says '' LD_LIBRARY_PATH=$here/place
verdict $? 'which is looked for when ranges are asked for'
for collector in makes leaves looked; do
  says "$all" INTEL_LIBITTNOTIFY64=$here/$collector.so
  verdict $? "a collector of ITT: $collector"
done
says '' INTEL_LIBITTNOTIFY64=$here/off.so
verdict $? 'one that is switched off'
env NVTX_INJECTION64_PATH=$here/injection.so \
  INTEL_LIBITTNOTIFY64=$here/makes.so ./program >told
test "$(grep -o 'inner(' told | wc -l)" -eq 8 \
  && test "$(grep -o ')' told | wc -l)" -eq 14
verdict $? 'both at once'
says "tensor: no ranges: $here/other.so cannot be used" \
  NVTX_INJECTION64_PATH=$here/other.so
verdict $? 'a library that is no injection'
says 'tensor: no ranges: ./nothing.so cannot be used' \
  INTEL_LIBITTNOTIFY64=./nothing.so
verdict $? 'a collector that is not there'
says "tensor: no ranges: $here/other.so cannot be used" \
  INTEL_LIBITTNOTIFY64=$here/other.so
verdict $? 'a library that is no collector'
env NVTX_INJECTION64_PATH=$here/injection.so TRM_PROFILE=json:p.json \
  ./program >told 2>&1
grep '"name": "inner".*"calls": 4,' p.json >/dev/null && test "$(cat told)" = "$all"
verdict $? 'beside our own profile'
