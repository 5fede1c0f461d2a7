/* What all threads counted, put together:

     the threads' trees  ->  paths: one tree
                         ->  rows: a region, or a group of them, each

   A group is all regions of one name, one line, or one file; or a region is
   several rows, one for each set of sizes of its calls.  A row's total leaves
   out calls inside calls of the same row.  A region with kernels has two sites,
   and what the CPU runs where the device does not is called inside of the
   device's: that is one call of one row.  */

#define _GNU_SOURCE

#include "profile.h"

#include <dirent.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* While things are put together: the result, how many rows, paths and sizes
   there is room for, and where the slots of a hash table of paths stand.  */
typedef struct gathering
{
  trm_profile *p;
  trm_group by;
  int rows;
  int paths;
  int sized;
  int slots;
  int *slot;
} gathering;

/* Room for one thing of BYTES bytes more in ARRAY, which holds N of *ROOM;
   false without memory.  */
static bool
make_room (void *array, int n, int *room, size_t bytes)
{
  void **at = array;
  if (n < *room)
    return true;
  int more = *room ? 2 * *room : 64;
  void *moved = realloc (*at, (size_t) more * bytes);
  if (!moved)
    return false;
  *at = moved;
  *room = more;
  return true;
}

/* Whether X and Y are in the same row.  Ranges have no line.  */
static bool
same_row (const trm_site *x, const trm_site *y, trm_group by)
{
  return x == y
         || (by == TRM_BY_NAME && x && y && strcmp (x->name, y->name) == 0)
         || (by == TRM_BY_LINE && x && y && x->line > 0 && x->line == y->line
             && strcmp (x->file, y->file) == 0)
         || (by == TRM_BY_FILE && x && y && strcmp (x->file, y->file) == 0);
}

/* The row of SITE in CONTEXT, a gathering; NULL when there is none.  */
static trm_row *
row_of (void *context, trm_site *site)
{
  gathering *g = context;
  trm_profile *p = g->p;
  site = trm_site_shown (site, g->by);
  for (int i = p->n; i-- > 0;)
    if (same_row (p->row[i].site, site, g->by))
      return &p->row[i];
  return NULL;
}

/* SITE's row, a new one if there is none; NULL without memory.  */
static trm_row *
find_row (gathering *g, trm_site *site)
{
  trm_profile *p = g->p;
  trm_row *row = row_of (g, site);
  if (row)
    return row;
  if (!make_room (&p->row, p->n, &g->rows, sizeof *p->row))
    return NULL;
  p->row[p->n] = (trm_row){ .site = site };
  return &p->row[p->n++];
}

/* The slot for SITE inside PARENT.  */
static int *
find_slot (const gathering *g, const trm_site *site, int parent)
{
  uintptr_t i = ((uintptr_t) site >> 4) * 31 + (uintptr_t) (parent + 2) * 7919;
  for (;; i++)
    {
      int *slot = &g->slot[i % (uintptr_t) g->slots];
      const trm_path *path = &g->p->path[*slot - 1];
      if (!*slot || (path->site == site && path->parent == parent))
        return slot;
    }
}

/* Make the table of slots twice as large as there are paths, or more.  */
static bool
widen_slots (gathering *g)
{
  if (2 * (g->p->n_paths + 1) <= g->slots)
    return true;
  int more = g->slots ? 2 * g->slots : 256;
  int *slot = calloc ((size_t) more, sizeof *slot);
  if (!slot)
    return false;
  free (g->slot);
  g->slot = slot;
  g->slots = more;
  for (int i = 0; i < g->p->n_paths; i++)
    *find_slot (g, g->p->path[i].site, g->p->path[i].parent) = i + 1;
  return true;
}

/* The number of the path of SITE inside PARENT; -1 without memory.  */
static int
find_path (gathering *g, trm_site *site, int parent)
{
  trm_profile *p = g->p;
  if (!widen_slots (g)
      || !make_room (&p->path, p->n_paths, &g->paths, sizeof *p->path))
    return -1;
  int *slot = find_slot (g, site, parent);
  if (!*slot)
    {
      p->path[p->n_paths] = (trm_path){ .site = site, .parent = parent };
      *slot = ++p->n_paths;
    }
  return *slot - 1;
}

#define LOAD(field) __atomic_load_n (&node->field, __ATOMIC_RELAXED)

/* A copy of NODE, which its thread may be changing.  */
static trm_node
load_node (const trm_node *node)
{
  trm_node copy = { .site = node->site,
                    .parent = node->parent,
                    .calls = LOAD (calls),
                    .ticks = LOAD (ticks),
                    .first_at = LOAD (first_at),
                    .first = LOAD (first),
                    .least = LOAD (least),
                    .most = LOAD (most),
                    .fallback = LOAD (fallback),
                    .spanned = LOAD (spanned),
                    .cpu = LOAD (cpu),
                    .counted = LOAD (counted),
                    .allocated = LOAD (allocated),
                    .samples = LOAD (samples) };
  __atomic_load (&node->self, &copy.self, __ATOMIC_RELAXED);
  for (int i = 0; i < TRM_COUNTERS; i++)
    copy.count[i] = LOAD (count[i]);
  return copy;
}

/* Add NODE's finer times to ROW.  */
static void
add_finer (trm_row *row, const trm_node *node, double tick)
{
  double least = tick * (double) node->least, most = tick * (double) node->most;
  if (!row->first_at || node->first_at < row->first_at)
    {
      row->first_at = node->first_at;
      row->first = tick * (double) node->first;
    }
  row->least = row->most == 0 || least < row->least ? least : row->least;
  row->most = most > row->most ? most : row->most;
  row->fallback += tick * (double) node->fallback;
}

/* Add NODE to ROW, its time too unless it is INSIDE a call of that row.  */
static void
add_node (trm_row *row, const trm_node *node, double tick, bool inside)
{
  row->calls += node->calls;
  row->self += tick * node->self;
  row->samples += node->samples;
  row->allocated += node->allocated;
  if (node->first_at)
    add_finer (row, node, tick);
  if (inside)
    return;
  row->total += tick * (double) node->ticks;
  row->spanned += tick * (double) node->spanned;
  row->cpu += (double) node->cpu;
  row->counted += tick * (double) node->counted;
  for (int i = 0; i < TRM_COUNTERS; i++)
    row->count[i] += (double) node->count[i];
}

/* Whether one of the places around path I is in its row.  */
static bool
is_inside_itself (const gathering *g, int i)
{
  const trm_path *path = g->p->path;
  for (int k = path[i].parent; k >= 0; k = path[k].parent)
    if (same_row (path[k].site, path[i].site, g->by))
      return true;
  return false;
}

/* Add NODE, of calls with SIZES.  */
static void
add_sized (gathering *g, const trm_node *node, const trm_sizes *sizes)
{
  trm_profile *p = g->p;
  int i = 0;
  while (i < p->n_sized && p->sized[i].sizes != sizes)
    i++;
  if (!make_room (&p->sized, i, &g->sized, sizeof *p->sized))
    return;
  if (i == p->n_sized)
    p->sized[p->n_sized++] = (trm_sized){ .sizes = sizes };
  trm_sized *sized = &p->sized[i];
  sized->calls += node->calls;
  sized->total += p->tick * (double) node->ticks;
  sized->self += p->tick * node->self;
  sized->allocated += node->allocated;
  sized->samples += node->samples;
}

/* INNER is what the CPU runs for OUTER, a region with kernels; of calls with
   some sizes, too.  */
static bool
is_other_version (const trm_site *outer, const trm_site *inner)
{
  if (!outer || !inner)
    return false;
  outer = trm_site_region (outer);
  inner = trm_site_region (inner);
  return outer != inner && inner->line > 0 && outer->line == inner->line
         && strcmp (outer->name, inner->name) == 0
         && strcmp (outer->file, inner->file) == 0;
}

/* Add NODE of a thread to path I, whose other version it is, and its row.  */
static void
add_other_version (gathering *g, trm_node *node, int i)
{
  g->p->path[i].self += g->p->tick * node->self;
  node->calls = 0;
  node->first_at = 0;
  trm_row *row = find_row (g, g->p->path[i].site);
  if (row)
    add_node (row, node, g->p->tick, true);
}

/* Add NODE of a thread to path I and its row.  */
static void
add_to_path (gathering *g, const trm_node *node, int i)
{
  trm_path *path = &g->p->path[i];
  path->calls += node->calls;
  path->total += g->p->tick * (double) node->ticks;
  path->self += g->p->tick * node->self;
  trm_row *row = find_row (g, node->site);
  if (row)
    add_node (row, node, g->p->tick, is_inside_itself (g, i));
}

/* Add the tree of T.  */
static void
add_thread (gathering *g, const trm_thread *t)
{
  int n = __atomic_load_n (&t->nodes, __ATOMIC_ACQUIRE);
  int *number = malloc ((size_t) n * sizeof *number);
  if (!number)
    return;
  number[0] = -1;
  for (int i = 1; i < n; i++)
    {
      trm_node node = load_node (&t->node[i]);
      number[i] = -1;
      if (i == 1 && !node.calls)
        continue;
      if (node.site->flags & TRM_SITE_SIZES)
        add_sized (g, &node, (const trm_sizes *) node.site);
      int outer = number[node.parent];
      if (outer >= 0 && is_other_version (g->p->path[outer].site, node.site))
        {
          number[i] = outer;
          add_other_version (g, &node, outer);
          continue;
        }
      node.site = trm_site_shown (node.site, g->by);
      number[i] = find_path (g, node.site, outer);
      if (number[i] >= 0)
        add_to_path (g, &node, number[i]);
    }
  free (number);
}

/* Leave out rows of regions whose first call has not ended.  */
static void
drop_empty_rows (trm_profile *p)
{
  int n = 0;
  for (int i = 0; i < p->n; i++)
    if (p->row[i].calls > 0)
      p->row[n++] = p->row[i];
  p->n = n;
}

/* What the CPU runs for REGION, with kernels, where some of it was counted;
   NULL: there is none.  */
static const trm_site *
other_counted (const trm_site *region)
{
  const trm_site *s = trm_sites ();
  while (s && !(is_other_version (region, s) && (s->flops > 0 || s->bytes > 0)))
    s = s->next;
  return s;
}

/* Add what the compiler counted of the calls of ROW where they are those of
   some sizes; of a region whose fused loops never ran nothing was counted.  */
static void
add_counts_of_sizes (trm_row *row)
{
  const trm_site *s = row->site;
  const trm_site *region = trm_site_region (s);
  if (region == s)
    return;
  row->fallbacks = __atomic_load_n (&s->fallbacks, __ATOMIC_RELAXED);
  const trm_site *other = row->fallbacks ? other_counted (region) : NULL;
  double taken = (double) (row->calls - (other ? 0 : row->fallbacks));
  const trm_site *counted = other ? other : region;
  row->flops = counted->flops > 0 ? taken * s->flops : 0;
  row->bytes = counted->bytes > 0 ? taken * s->bytes : 0;
}

/* Add what the compiler counted of S, which has no row, to that of the device's
   version of it.  */
static void
add_other_counts (gathering *g, const trm_site *s)
{
  for (int i = 0; i < g->p->n; i++)
    if (is_other_version (g->p->row[i].site, s)
        && trm_site_region (g->p->row[i].site) == g->p->row[i].site)
      {
        g->p->row[i].flops += s->flops;
        g->p->row[i].bytes += s->bytes;
        return;
      }
}

/* Add what the compiler counted of the regions to their rows.  */
static void
add_counts (gathering *g)
{
  for (int i = 0; i < g->p->n; i++)
    add_counts_of_sizes (&g->p->row[i]);
  for (trm_site *s = trm_sites (); s; s = s->next)
    {
      bool found = false;
      for (int i = 0; i < g->p->n; i++)
        if (same_row (g->p->row[i].site, s, g->by))
          {
            trm_row *row = &g->p->row[i];
            found = true;
            row->flops += s->flops;
            row->bytes += s->bytes;
            row->fallbacks += __atomic_load_n (&s->fallbacks, __ATOMIC_RELAXED);
          }
      if (!found)
        add_other_counts (g, s);
    }
}

/* What rows are ordered by, the largest first.  */
static double
sort_key (const trm_row *row, trm_order order)
{
  switch (order)
    {
    case TRM_SORT_TOTAL:
      return row->total;
    case TRM_SORT_MEAN:
      return row->total / (double) row->calls;
    case TRM_SORT_CALLS:
      return (double) row->calls;
    case TRM_SORT_ALLOCATED:
      return (double) row->allocated;
    default:
      return row->self;
    }
}

/* The order asked for; equal ones by self time, then by place.  */
static int
compare_rows (const void *a, const void *b, void *argument)
{
  const trm_row *x = a, *y = b;
  const trm_order *order = argument;
  if (*order == TRM_SORT_NAME)
    {
      int by_name = strcmp (x->site->name, y->site->name);
      if (by_name)
        return by_name;
    }
  double d = sort_key (y, *order) - sort_key (x, *order);
  if (d == 0)
    d = y->self - x->self;
  if (d != 0)
    return d > 0 ? 1 : -1;
  int by_file = strcmp (x->site->file, y->site->file);
  return by_file ? by_file : x->site->line - y->site->line;
}

/* How many threads the process has, 0 where that is not shown.  */
static int
count_tasks (void)
{
  int n = 0;
  DIR *tasks = opendir ("/proc/self/task");
  for (struct dirent *e; tasks && (e = readdir (tasks));)
    n += e->d_name[0] != '.';
  if (tasks)
    closedir (tasks);
  return n;
}

/* The larger of N and how many threads ran regions at once.  */
static int
count_lanes (int n)
{
  for (trm_thread *t = trm_threads (); t; t = t->next)
    if (trm_thread_is_fresh (t) && t->lane > n)
      n = t->lane;
  return n;
}

/* How many processors the process may use.  */
static int
count_processors (void)
{
  cpu_set_t set;
  return sched_getaffinity (0, sizeof set, &set) ? 1 : CPU_COUNT (&set);
}

/* How many events there were, and were dropped.  */
static void
count_events (trm_profile *p)
{
  for (trm_thread *t = trm_threads (); t; t = t->next)
    if (trm_thread_is_fresh (t) && t->ring)
      {
        int64_t n = __atomic_load_n (&t->written, __ATOMIC_RELAXED) - t->origin;
        p->events += n;
        p->dropped += n > TRM_EVENTS ? n - TRM_EVENTS : 0;
      }
}

trm_profile
trm_profile_take (const trm_wish *wish)
{
  trm_profile p = { .tick = trm_clock_tick (), .by = wish->by };
  gathering g = { .p = &p, .by = wish->by };
  trm_order order = wish->order;
  int tasks = count_tasks ();
  trm_threads_lock ();
  for (trm_thread *t = trm_threads (); t; t = t->next)
    if (trm_thread_is_fresh (t))
      add_thread (&g, t);
  count_events (&p);
  p.tasks = count_lanes (tasks);
  trm_wall wall = trm_share_wall ();
  trm_threads_unlock ();
  p.begin = wall.begin;
  p.wall = p.tick * wall.all;
  p.outside = p.tick * wall.outside;
  drop_empty_rows (&p);
  trm_samples_add (&p, row_of, &g);
  add_counts (&g);
  p.under_way = p.wall - p.outside;
  for (int i = 0; i < p.n; i++)
    p.under_way -= p.row[i].self;
  if (p.n)
    qsort_r (p.row, (size_t) p.n, sizeof *p.row, compare_rows, &order);
  p.processors = count_processors ();
  p.refused = trm_threads_refused ();
  trm_held_add (&p);
  if (wish->peaks)
    p.peaks = trm_peaks_measure ();
  free (g.slot);
  return p;
}

void
trm_profile_free (trm_profile *profile)
{
  free (profile->row);
  free (profile->path);
  free (profile->sized);
  free (profile->function);
  free (profile->line);
  free (profile->held);
}
