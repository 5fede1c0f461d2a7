/* Where an access falls: what g++ calls before each access of a text compiled
   with -fsanitize=thread,bounds,alignment.  What is beside an array, what no
   kernel may touch and what is not aligned ends the launch; the rest is
   looked at by cuda_cpu_order.c.

   A text has its variables of a block in one section:

     gap | tile | gap | sums          or, the other way round,
     tile | gap | sums | gap

   so that each has a gap behind it, but perhaps the last; what is there is
   the object's own, which no kernel writes either.  A template's variables GCC
   puts elsewhere: a kernel that touches these is stopped.  */

#define _GNU_SOURCE

#include "cuda_cpu_block.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64

extern char __start_tns_shared[] __attribute__ ((weak, visibility ("hidden")));
extern char __stop_tns_shared[] __attribute__ ((weak, visibility ("hidden")));
extern struct tns_cpu_gap *const __start_tns_gaps[]
  __attribute__ ((weak, visibility ("hidden")));
extern struct tns_cpu_gap *const __stop_tns_gaps[]
  __attribute__ ((weak, visibility ("hidden")));
extern const char _end[] __attribute__ ((visibility ("hidden")));

/* Memory that kernels may access.  */
struct interval
{
  uintptr_t first, end;
  bool writable;
};

static struct
{
  struct interval *interval;
  size_t n, room;
} allowed;

/* Where an access falls: all behind GLOBAL are wrong.  */
enum place
{
  PRIVATE,
  OF_BLOCK,
  GLOBAL,
  NOWHERE,
  BESIDE,
  OF_TEXT
};

static const char *const verb[] = { "reads", "writes", "adds to" };

int
cuda_cpu_allow (const void *address, size_t bytes, int writable)
{
  if (!address)
    {
      allowed.n = 0;
      return 1;
    }
  if (allowed.n == allowed.room)
    {
      size_t room = 2 * allowed.room + 8;
      struct interval *more = realloc (allowed.interval, room * sizeof *more);
      if (!more)
        return 0;
      allowed.interval = more;
      allowed.room = room;
    }
  uintptr_t first = (uintptr_t) address;
  allowed.interval[allowed.n++]
    = (struct interval){ first, first + bytes, writable != 0 };
  return 1;
}

/* The object is unloaded.  */
static __attribute__ ((destructor)) void
free_allowed (void)
{
  free (allowed.interval);
}

void
tns_cpu_shared_fill (void)
{
  size_t bytes = (size_t) (__stop_tns_shared - __start_tns_shared);
  if (bytes)
    memset (__start_tns_shared, 0xff, bytes);
  memset (tns_cpu_here.dynamic, 0xff, tns_cpu_here.dynamic_bytes);
}

/* Whether [FIRST, END) touches a gap, up to the variable behind it.  */
static bool
is_in_gap (uintptr_t first, uintptr_t end)
{
  for (struct tns_cpu_gap *const *at = __start_tns_gaps; at < __stop_tns_gaps;
       at++)
    {
      uintptr_t gap = (uintptr_t) *at;
      uintptr_t behind
        = (gap + sizeof **at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
      if (end > gap && first < behind)
        return true;
    }
  return false;
}

/* What dl_iterate_phdr looks for: whether ADDRESS lies in this object, in what
   may be written there.  */
struct sought
{
  uintptr_t address;
  bool is_ours, is_writable;
};

/* Look at one object.  */
static int
see_object (struct dl_phdr_info *object, size_t bytes, void *sought_pointer)
{
  struct sought *sought = sought_pointer;
  (void) bytes;
  for (int i = 0; i < object->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *part = &object->dlpi_phdr[i];
      uintptr_t first = object->dlpi_addr + part->p_vaddr;
      if (part->p_type == PT_LOAD && sought->address >= first
          && sought->address < first + part->p_memsz)
        {
          sought->is_ours = true;
          sought->is_writable = part->p_flags & PF_W;
          return 1;
        }
    }
  return 0;
}

/* Whether [FIRST, END) is in an interval that is allowed for ACCESS.  */
static bool
is_allowed (uintptr_t first, uintptr_t end, enum tns_cpu_access access)
{
  for (size_t i = 0; i < allowed.n; i++)
    if (first >= allowed.interval[i].first && end <= allowed.interval[i].end
        && (access == TNS_CPU_READS || allowed.interval[i].writable))
      return true;
  return allowed.n == 0;
}

/* Where [FIRST, END) in this object is: constants may be read.  */
static enum place
place_in_object (uintptr_t first, uintptr_t end, enum tns_cpu_access access)
{
  if (first >= (uintptr_t) __start_tns_shared
      && end <= (uintptr_t) __stop_tns_shared)
    return is_in_gap (first, end) ? BESIDE : OF_BLOCK;
  struct sought sought = { first, false, false };
  dl_iterate_phdr (see_object, &sought);
  return sought.is_ours && !sought.is_writable && access == TNS_CPU_READS
           ? PRIVATE
           : OF_TEXT;
}

/* Where [FIRST, END) is.  */
static enum place
place_of (uintptr_t first, uintptr_t end, enum tns_cpu_access access)
{
  if (tns_cpu_on_stack (first, end - first, false))
    return PRIVATE;
  if (end > (uintptr_t) __ehdr_start && first < (uintptr_t) _end)
    return place_in_object (first, end, access);
  uintptr_t dynamic = (uintptr_t) tns_cpu_here.dynamic;
  uintptr_t dynamic_end = dynamic + tns_cpu_here.dynamic_bytes;
  if (first >= dynamic && end <= dynamic_end)
    return OF_BLOCK;
  if (end > dynamic - TNS_CPU_GUARD && first < dynamic_end + TNS_CPU_GUARD)
    return BESIDE;
  if (tns_cpu_on_stack (first, end - first, true))
    return NOWHERE;
  return is_allowed (first, end, access) ? GLOBAL : NOWHERE;
}

void
tns_cpu_look (const void *address, size_t bytes, size_t alignment,
              enum tns_cpu_access access, const void *pc)
{
  const struct tns_cpu_thread *self = tns_cpu_here.current;
  if (!self || !bytes)
    return;
  uintptr_t first = (uintptr_t) address;
  enum place place = place_of (first, first + bytes, access);
  const char *why = place == BESIDE    ? "beside a variable of the block"
                    : place == NOWHERE ? "where it may not"
                    : place == OF_TEXT
                      ? "of the text, in no variable of a block"
                      : "not aligned";
  if (place > GLOBAL || first % alignment)
    {
      char line[300];
      tns_cpu_stop (CUDA_CPU_BOUNDS,
                    "%s: thread %u of block %u %s %zu bytes %s, at %p",
                    tns_cpu_line (pc, line, sizeof line), self->number,
                    tns_cpu_here.place, verb[access], bytes, why, address);
    }
  if (place != PRIVATE)
    tns_cpu_order (first, bytes, access, place == OF_BLOCK, pc);
}

/* The names that -fsanitize=thread calls; 16 bytes may be two stores that GCC
   has put together.  */
#define TSAN(name, bytes, alignment, access)                                   \
  extern CUDA_CPU_HIDDEN void __tsan_##name (const void *address);             \
  void __tsan_##name (const void *address)                                     \
  {                                                                            \
    tns_cpu_look (address, bytes, alignment, access, TNS_CPU_CALLER);          \
  }
#define TSAN_SIZE(bytes)                                                       \
  TSAN (read##bytes, bytes, bytes < 8 ? bytes : 8, TNS_CPU_READS)              \
  TSAN (write##bytes, bytes, bytes < 8 ? bytes : 8, TNS_CPU_WRITES)            \
  TSAN (volatile_read##bytes, bytes, bytes < 8 ? bytes : 8, TNS_CPU_READS)     \
  TSAN (volatile_write##bytes, bytes, bytes < 8 ? bytes : 8, TNS_CPU_WRITES)   \
  TSAN (unaligned_read##bytes, bytes, 1, TNS_CPU_READS)                        \
  TSAN (unaligned_write##bytes, bytes, 1, TNS_CPU_WRITES)

TSAN_SIZE (1)
TSAN_SIZE (2)
TSAN_SIZE (4)
TSAN_SIZE (8)
TSAN_SIZE (16)

#define TSAN_RANGE(name, access)                                               \
  extern CUDA_CPU_HIDDEN void __tsan_##name (const void *, size_t);            \
  void __tsan_##name (const void *address, size_t bytes)                       \
  {                                                                            \
    tns_cpu_look (address, bytes, 1, access, TNS_CPU_CALLER);                  \
  }

TSAN_RANGE (read_range, TNS_CPU_READS)
TSAN_RANGE (write_range, TNS_CPU_WRITES)

extern CUDA_CPU_HIDDEN void __tsan_init (void);
extern CUDA_CPU_HIDDEN void __tsan_func_entry (void *);
extern CUDA_CPU_HIDDEN void __tsan_func_exit (void);

void
__tsan_init (void)
{
}

void
__tsan_func_entry (void *caller)
{
  (void) caller;
}

void
__tsan_func_exit (void)
{
}

/* What -fsanitize=bounds,alignment tell, in their order.  */
struct ubsan_site
{
  const char *file;
  uint32_t line, column;
};
struct ubsan_type
{
  uint16_t kind, more;
  char name[];
};
struct ubsan_bounds
{
  struct ubsan_site at;
  const struct ubsan_type *array, *subscript;
};
struct ubsan_mismatch
{
  struct ubsan_site at;
  const struct ubsan_type *type;
  unsigned char alignment, access;
};

extern CUDA_CPU_HIDDEN void
__ubsan_handle_out_of_bounds (const struct ubsan_bounds *, uintptr_t);
extern CUDA_CPU_HIDDEN void
__ubsan_handle_type_mismatch_v1 (const struct ubsan_mismatch *, uintptr_t);

/* FILE:LINE says a site without its folders.  */
static const char *
base_name (const char *file)
{
  const char *slash = strrchr (file, '/');
  return slash ? slash + 1 : file;
}

void
__ubsan_handle_out_of_bounds (const struct ubsan_bounds *what,
                              uintptr_t subscript)
{
  if (tns_cpu_here.current)
    tns_cpu_stop (
      CUDA_CPU_BOUNDS, "%s:%u: thread %u of block %u: subscript %ld of %s",
      base_name (what->at.file), what->at.line, tns_cpu_here.current->number,
      tns_cpu_here.place, (long) subscript, what->array->name);
}

void
__ubsan_handle_type_mismatch_v1 (const struct ubsan_mismatch *what,
                                 uintptr_t address)
{
  if (tns_cpu_here.current)
    tns_cpu_stop (CUDA_CPU_BOUNDS,
                  "%s:%u: thread %u of block %u: %#lx is not aligned for %s",
                  base_name (what->at.file), what->at.line,
                  tns_cpu_here.current->number, tns_cpu_here.place,
                  (unsigned long) address, what->type->name);
}
