/* Shows adjoints of members: whole structures, members by name, of pointers,
   of arrays of structures, of structures by value, variables of the file.  */

#include "check.h"

typedef struct
{
  real x, y;
  int kind;
} body;

typedef struct
{
  int n;
  real *x;
  real mass;
  real k[3];
  body *all;
} set;

static real scale[2] = { 1.5, 2 };
static real scale_adjoint[2];

static real
energy (int m, const body *b, set s, const set *t)
{
  real e = 0;
  for (int i = 0; i < m; i++)
    e += b[i].x * b[i].y * s.mass * s.k[1] * s.x[i]
         * sin (t->all[i].y * t->mass) * t->k[i % 3] * scale[1];
  return e;
}

#pragma tensor gradient(energy) of(return: g) wrt(b: db, s.mass: dmass, s.x: ds.x, t: dt, scale: scale_adjoint)
void energy_whole (int m, const body *b, set s, const set *t, real g, body *db,
                   real *dmass, set ds, set *dt);

#pragma tensor gradient(energy) of(return: g) wrt(s.k: dk, t->k: dt->k, t->mass: dt->mass, t->all: all)
void energy_parts (int m, const body *b, set s, const set *t, real g, real *dk,
                   set *dt, body *all);

/* The structures, with the memory they point to.  */
typedef struct
{
  body b[17], all[17];
  real x[17];
  set s, t;
} world;

/* W from the values A: of bodies in rows 0 and 1, of sets in row 2, of x in row
   3.  */
static void
fill (world *w, values at)
{
  w->s = (set){ .x = w->x, .mass = at[2][0] };
  w->t = (set){ .all = w->all, .mass = at[2][1] };
  for (int k = 0; k < 3; k++)
    {
      w->s.k[k] = at[2][2 + k];
      w->t.k[k] = at[2][5 + k];
    }
  for (int i = 0; i < n; i++)
    {
      w->b[i] = (body){ at[0][i], at[0][20 + i], i };
      w->all[i] = (body){ 1, at[1][i], i };
      w->x[i] = at[3][i];
    }
}

static void
kernel_energy (values at, real *out)
{
  static world w;
  fill (&w, at);
  out[0] = energy (n, w.b, w.s, &w.t);
}

/* What is in W, adjoints, added to G.  */
static void
collect (const world *w)
{
  g[2][0] += w->s.mass;
  g[2][1] += w->t.mass;
  for (int k = 0; k < 3; k++)
    {
      g[2][2 + k] += w->s.k[k];
      g[2][5 + k] += w->t.k[k];
    }
  for (int i = 0; i < n; i++)
    {
      g[0][i] += w->b[i].x;
      g[0][20 + i] += w->b[i].y;
      g[1][i] += w->all[i].y;
      g[3][i] += w->x[i];
    }
}

int
main (void)
{
  for (int k = 0; k < 5; k++)
    {
      static const world zero;
      world w = zero, whole = zero, parts = zero;
      start (sizes[k]);
      fill (&w, a);
      whole.s.x = whole.x;
      whole.t.all = whole.all;
      energy_whole (n, w.b, w.s, &w.t, u[0], whole.b, &whole.s.mass, whole.s,
                    &whole.t);
      energy_parts (n, w.b, w.s, &w.t, u[0], parts.s.k, &parts.t, parts.all);
      for (int j = 0; j < 3; j++)
        whole.s.k[j] = parts.s.k[j];
      real e = u[0] * energy (n, w.b, w.s, &w.t);
      faults += fabs (scale_adjoint[1] * scale[1] - e) > 1e-12 * fabs (e);
      faults += memcmp (parts.all, whole.all, sizeof parts.all) != 0;
      faults += parts.t.mass != whole.t.mass;
      faults += memcmp (parts.t.k, whole.t.k, sizeof parts.t.k) != 0;
      scale_adjoint[1] = 0;
      collect (&whole);
      for (int j = 0; j < 4; j++)
        agree ("energy", kernel_energy, j);
    }
  return faults != 0;
}
