/* Products of warpgroups, wgmma, on the CPU: the threads of four warps meet to
   begin one, which reads shared memory from then on until they wait for it.

     begin   the operands are looked at, and nobody may write them from here on;
             the sums are NaN
     wait    the products are computed, in the order in which they began; with
             the last one the threads have their sums again

   Where elements lie is what the PTX ISA says of matrix descriptors and of
   swizzles of 64 and of 128 bytes.  */

#include "cuda_cpu_block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LANES        128
#define ROWS         64
#define DEPTH        16
#define MOST_COLUMNS 256
#define MOST_SUMS    (MOST_COLUMNS / 2)
#define CHUNK        8
#define MOST_GROUPS  (TNS_CPU_MOST_THREADS / LANES)

/* A product under way, which is of group BATCH of each thread.  */
struct product
{
  enum tns_cpu_element element;
  int columns;
  struct tns_cpu_places at;
  unsigned batch;
};

/* What a thread brings to a product: where its sums are.  To a wait: the first
   group that it does not wait for.  */
struct part
{
  struct product product;
  float *sum;
  unsigned upto;
};

/* What a warpgroup has under way, the oldest first: N products with COLUMNS
   columns; where the threads' sums are, and what they hold meanwhile.  */
struct group
{
  struct product *product;
  int n, room, columns;
  float *sum[LANES];
  float held[LANES][MOST_SUMS];
};

static struct group groups[MOST_GROUPS];

/* The object is unloaded.  */
static __attribute__ ((destructor)) void
free_groups (void)
{
  for (int g = 0; g < MOST_GROUPS; g++)
    {
      free (groups[g].product);
      groups[g] = (struct group){ 0 };
    }
}

void
tns_cpu_group_forget (void)
{
  for (int g = 0; g < MOST_GROUPS; g++)
    groups[g].n = 0;
}

void
tns_cpu_group_meet (struct tns_cpu_site at, void *operand,
                    tns_cpu_group_all *all)
{
  struct tns_cpu_thread *self = tns_cpu_here.current;
  self->at = at;
  self->operand = operand;
  self->meets = all;
  self->state = TNS_CPU_AT_GROUP;
  tns_cpu_yield ();
}

/* Whether A and B wait in one function.  */
static bool
is_one_place (const struct tns_cpu_thread *a, const struct tns_cpu_thread *b)
{
  return b->state == TNS_CPU_AT_GROUP && a->at.line == b->at.line
         && !strcmp (a->at.file, b->at.file)
         && !strcmp (a->at.name, b->at.name);
}

/* The first thread of group NUMBER that does not wait where its first one does;
   NULL: all do.  */
static const struct tns_cpu_thread *
first_elsewhere (unsigned number)
{
  const struct tns_cpu_thread *first = &tns_cpu_here.thread[LANES * number];
  for (unsigned i = 0; i < LANES; i++)
    if (LANES * number + i >= tns_cpu_here.n_threads
        || !is_one_place (first, first + i))
      return first + i;
  return NULL;
}

/* All threads of group NUMBER wait: they go on.  */
static void
complete (unsigned number)
{
  struct tns_cpu_thread *first = &tns_cpu_here.thread[LANES * number];
  void *operand[LANES];
  for (int i = 0; i < LANES; i++)
    {
      operand[i] = first[i].operand;
      first[i].state = TNS_CPU_READY;
    }
  first->meets (first->at, number, operand);
}

bool
tns_cpu_group_settle (void)
{
  bool settled = false;
  for (unsigned g = 0; g < tns_cpu_here.n_threads / LANES; g++)
    if (tns_cpu_here.thread[LANES * g].state == TNS_CPU_AT_GROUP
        && !first_elsewhere (g))
      {
        complete (g);
        settled = true;
      }
  return settled;
}

void
tns_cpu_group_tell (void)
{
  const struct tns_cpu_thread *one = tns_cpu_here.thread;
  while (one->state != TNS_CPU_AT_GROUP)
    one++;
  const struct tns_cpu_thread *other = first_elsewhere (one->number / LANES);
  tns_cpu_stop (CUDA_CPU_DIVERGED,
                "%s:%d: thread %u of block %u waits in %s for its warpgroup, "
                "of which thread %u does not come",
                one->at.file, one->at.line, one->number, tns_cpu_here.place,
                one->at.name, (unsigned) (other - tns_cpu_here.thread));
}

/* The group of the current thread.  */
static struct group *
own_group (void)
{
  return &groups[tns_cpu_here.current->number / LANES];
}

unsigned
tns_cpu_group_address (const void *shared)
{
  size_t at = (size_t) ((const char *) shared - tns_cpu_here.dynamic);
  if (at >= tns_cpu_here.dynamic_bytes || at % 16)
    tns_cpu_stop (CUDA_CPU_BOUNDS,
                  "thread %u of block %u: no operand of wgmma lies at %p",
                  tns_cpu_here.current->number, tns_cpu_here.place, shared);
  return (unsigned) at;
}

void
tns_cpu_group_show (void)
{
  tns_cpu_here.current->shown = ++tns_cpu_now;
}

void
tns_cpu_group_fence (void)
{
  tns_cpu_here.current->fenced = true;
}

void
tns_cpu_group_commit (void)
{
  tns_cpu_here.current->batch++;
}

/* The bytes in field FIELD of DESCRIPTOR.  */
static size_t
bytes_in (unsigned long long descriptor, int field)
{
  return (size_t) (descriptor >> 16 * field & 0x3fff) << 4;
}

/* Where element (LINE, K) of operand O of P lies.  */
static char *
place_of (const struct product *p, int o, int line, int k)
{
  unsigned long long descriptor = p->at.descriptor[o];
  size_t width = descriptor >> 62 == 1 ? 128 : 64;
  int row = p->at.across[o] ? k : line;
  size_t at = bytes_in (descriptor, 0)
              + (size_t) row / 8 * bytes_in (descriptor, 2)
              + (size_t) row % 8 * width;
  at += p->at.across[o] ? (size_t) line / 64 * bytes_in (descriptor, 1)
                            + (size_t) line % 64 * 2
                        : (size_t) k * 2;
  return tns_cpu_here.dynamic + (at ^ (at >> 7 & (width / 16 - 1)) << 4);
}

/* How many lines operand O of P has.  */
static int
lines_of (const struct product *p, int o)
{
  return o ? p->columns : ROWS;
}

/* How many runs of eight neighbours operand O of P has; where number N is.  */
static int
chunks_of (const struct product *p, int o)
{
  return lines_of (p, o) * DEPTH / CHUNK;
}
static char *
chunk_at (const struct product *p, int o, int n)
{
  int lines = lines_of (p, o);
  return p->at.across[o]
           ? place_of (p, o, n % (lines / CHUNK) * CHUNK, n / (lines / CHUNK))
           : place_of (p, o, n / 2, n % 2 * CHUNK);
}

/* The current thread's part of reading P's operands, called from PC: it begins,
   or ends.  */
static void
read_part (const struct product *p, bool begins, const void *pc)
{
  int lane = (int) tns_cpu_here.current->number % LANES;
  for (int o = 0; o < 2; o++)
    for (int n = lane; n < chunks_of (p, o); n += LANES)
      {
        char *chunk = chunk_at (p, o, n);
        tns_cpu_look (chunk, 2 * CHUNK, 2 * CHUNK, TNS_CPU_READS, pc);
        tns_cpu_order_group ((uintptr_t) chunk, 2 * CHUNK, begins, pc);
      }
}

/* Room for one more product in G; false where there is no memory.  */
static bool
has_room (struct group *g)
{
  if (g->n < g->room)
    return true;
  int room = 2 * g->room + 8;
  struct product *more
    = realloc (g->product, (size_t) room * sizeof *g->product);
  if (!more)
    return false;
  g->product = more;
  g->room = room;
  return true;
}

/* The parts A and B are of one product, or wait.  */
static bool
is_same (const struct part *a, const struct part *b)
{
  const struct tns_cpu_places *x = &a->product.at, *y = &b->product.at;
  return a->upto == b->upto && a->product.batch == b->product.batch
         && x->descriptor[0] == y->descriptor[0]
         && x->descriptor[1] == y->descriptor[1];
}

/* All OPERANDs are parts of one; says so where not.  */
static bool
are_same (struct tns_cpu_site at, void *const *operand)
{
  for (int i = 1; i < LANES; i++)
    if (!is_same (operand[0], operand[i]))
      {
        tns_cpu_stop (CUDA_CPU_DIVERGED,
                      "%s:%d: threads of block %u do not agree on %s", at.file,
                      at.line, tns_cpu_here.place, at.name);
        return false;
      }
  return true;
}

/* Nobody has G's sums from here on.  */
static void
hold_sums (struct group *g, void *const *operand)
{
  for (int i = 0; i < LANES; i++)
    {
      const struct part *part = operand[i];
      g->sum[i] = part->sum;
      for (int e = 0; e < g->columns / 2; e++)
        {
          g->held[i][e] = part->sum[e];
          part->sum[e] = NAN;
        }
    }
}

/* The threads of group NUMBER begin a product.  */
static void
begin_all (struct tns_cpu_site at, unsigned number, void *const *operand)
{
  struct group *g = &groups[number];
  const struct part *first = operand[0];
  if (!are_same (at, operand))
    return;
  if (g->n == 0)
    {
      g->columns = first->product.columns;
      hold_sums (g, operand);
    }
  if (g->sum[0] != first->sum || !has_room (g))
    tns_cpu_stop (CUDA_CPU_MEMORY, "%s:%d: no room for more than %d sums",
                  at.file, at.line, g->columns / 2);
  else
    g->product[g->n++] = first->product;
}

void
tns_cpu_group_multiply (struct tns_cpu_site at, enum tns_cpu_element element,
                        int columns, float *sum, struct tns_cpu_places places)
{
  struct tns_cpu_thread *self = tns_cpu_here.current;
  struct part part = { { element, columns, places, self->batch }, sum, 0 };
  if (!self->fenced)
    tns_cpu_stop (CUDA_CPU_RACE,
                  "%s:%d: thread %u of block %u has sums of wgmma that no "
                  "wgmma.fence has given away",
                  at.file, at.line, self->number, tns_cpu_here.place);
  read_part (&part.product, true, TNS_CPU_CALLER);
  tns_cpu_group_meet (at, &part, begin_all);
}

/* Element (LINE, K) of operand O of P.  */
static float
value_at (const struct product *p, int o, int line, int k)
{
  uint16_t bits;
  memcpy (&bits, place_of (p, o, line, k), sizeof bits);
  return tns_cpu_value (p->element, bits);
}

/* Operand O of P, to VALUE.  */
static void
read_operand (const struct product *p, int o, float (*value)[DEPTH])
{
  for (int line = 0; line < lines_of (p, o); line++)
    for (int k = 0; k < DEPTH; k++)
      value[line][k] = value_at (p, o, line, k);
}

/* G's sums get P: thread 32 w + l has those of rows 16 w + l / 4 and eight
   behind it, of eight columns columns 2 (l % 4) and the next.  */
static void
compute (struct group *g, const struct product *p)
{
  static float a[ROWS][DEPTH], b[MOST_COLUMNS][DEPTH];
  read_operand (p, 0, a);
  read_operand (p, 1, b);
  for (int i = 0; i < LANES; i++)
    for (int e = 0; e < p->columns / 2; e++)
      {
        int row = i / 32 * 16 + i % 32 / 4 + e / 2 % 2 * 8;
        int column = e / 4 * 8 + i % 4 * 2 + e % 2;
        for (int k = 0; k < DEPTH; k++)
          g->held[i][e] += a[row][k] * b[column][k];
      }
}

/* The threads of group NUMBER wait.  */
static void
wait_all (struct tns_cpu_site at, unsigned number, void *const *operand)
{
  struct group *g = &groups[number];
  const struct part *first = operand[0];
  int done = 0;
  if (g->n == 0 || !are_same (at, operand))
    return;
  while (done < g->n && (int) (g->product[done].batch - first->upto) < 0)
    compute (g, &g->product[done++]);
  g->n -= done;
  memmove (g->product, g->product + done, (size_t) g->n * sizeof *g->product);
  if (g->n == 0)
    for (int i = 0; i < LANES; i++)
      memcpy (g->sum[i], g->held[i],
              (size_t) g->columns / 2 * sizeof *g->held[i]);
}

void
tns_cpu_group_wait (int n)
{
  struct tns_cpu_thread *self = tns_cpu_here.current;
  const struct group *g = own_group ();
  struct part part = { .upto = self->batch - (unsigned) n };
  for (int k = 0; k < g->n; k++)
    if ((int) (g->product[k].batch - part.upto) < 0)
      read_part (&g->product[k], false, TNS_CPU_CALLER);
  struct tns_cpu_site at = { "wgmma.wait_group", "tns_group_wait", n };
  tns_cpu_group_meet (at, &part, wait_all);
  self->fenced = self->fenced && g->n > 0;
}
