/* Levels, sites and homes of a region, as autodiff/view.h says: one walk.  */

#include "autodiff/view.h"

#include "ir/walk.h"

/* The walk.  level, under: of what is being walked.  */
typedef struct walk
{
  tns_arena *arena;
  tns_view *view;
  int level;
  int under;
} walk;

static void enter (walk *w, tns_node *node);

/* The visitor that counts sites and levels.  */
static bool
count (tns_node *node, void *self)
{
  tns_view *view = self;
  view->n_sites += node->kind == TNS_ASSIGN || node->kind == TNS_IF
                   || node->kind == TNS_LOOP;
  view->n_levels += node->kind == TNS_LOOP;
  return true;
}

/* A site for NODE.  */
static tns_site *
add_site (walk *w, tns_node *node)
{
  tns_site *site = &w->view->site[w->view->n_sites++];
  *site = (tns_site){ node, w->level, w->under, -1 };
  return site;
}

/* NODE stands under SITE, at LEVEL.  */
static void
enter_below (walk *w, const tns_site *site, int level, tns_node *node)
{
  walk below = *w;
  below.level = level;
  below.under = (int) (site - w->view->site);
  if (node)
    enter (&below, node);
}

/* NODE, a LOOP, and its body.  */
static void
enter_loop (walk *w, tns_node *node)
{
  tns_site *site = add_site (w, node);
  site->inner = w->view->n_levels++;
  w->view->level[site->inner] = (tns_level){ node, w->level };
  enter_below (w, site, site->inner, node->body);
}

/* NODE and what it holds.  */
static void
enter (walk *w, tns_node *node)
{
  tns_site *site;
  switch (node->kind)
    {
    case TNS_BLOCK:
      for (int k = 0; k < node->n_kids; k++)
        enter (w, node->kid[k]);
      break;
    case TNS_LOOP:
      enter_loop (w, node);
      break;
    case TNS_ASSIGN:
      add_site (w, node);
      break;
    case TNS_IF:
      site = add_site (w, node);
      enter_below (w, site, w->level, node->then);
      enter_below (w, site, w->level, node->otherwise);
      break;
    case TNS_LOCAL:
      w->view->home[node->sym->id] = w->level;
      break;
    case TNS_PREFETCH:
      break;
    }
}

tns_view *
tns_view_of (tns_arena *arena, tns_region *region)
{
  tns_view *view = TNS_NEW (arena, tns_view);
  view->region = region;
  tns_node_walk (region->body, count, view);
  view->site = TNS_NEW_ARRAY (arena, tns_site, view->n_sites + 1);
  view->level = TNS_NEW_ARRAY (arena, tns_level, view->n_levels + 1);
  view->home = TNS_NEW_ARRAY (arena, int, region->n_syms + 1);
  view->level[0] = (tns_level){ NULL, -1 };
  view->n_sites = 0;
  view->n_levels = 1;
  walk w = { arena, view, 0, -1 };
  enter (&w, region->body);
  return view;
}

bool
tns_view_holds (const tns_view *view, int a, int b)
{
  while (b >= 0 && b != a)
    b = view->level[b].outer;
  return b == a;
}

int
tns_view_loops (const tns_view *view, int s, int level, tns_node **loop)
{
  int n = 0;
  for (int at = view->site[s].level; at != level; at = view->level[at].outer)
    loop[n++] = view->level[at].loop;
  for (int k = 0; k < n / 2; k++)
    {
      tns_node *other = loop[k];
      loop[k] = loop[n - 1 - k];
      loop[n - 1 - k] = other;
    }
  return n;
}

int
tns_view_site (const tns_view *view, const tns_node *node)
{
  for (int s = 0; s < view->n_sites; s++)
    if (view->site[s].node == node)
      return s;
  return -1;
}

bool
tns_view_is_once (const tns_view *view, int s, int home)
{
  const tns_site *site = view->site;
  for (int at = site[s].under; at >= 0; at = site[at].under)
    if (site[at].node->kind == TNS_LOOP
        && !tns_view_holds (view, site[at].inner, home))
      return false;
  return true;
}
