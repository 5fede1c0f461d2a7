/* A random C program.

     random-c SEED [KERNELS]     prints it

   The program prints a line for each call of each kernel: its number, the
   sizes, how its pointers overlap, and a hash of all memory that it may have
   written.  tensor.random/compare tells what its builds must agree on.  */

#include <stdio.h>
#include <stdlib.h>

#include "random-c.h"

/* What the programs begin with.  AT is pointer J of kind T: apart when SHIFT
   is 99, else each SHIFT elements behind the one before.  */
static const char prologue[]
  = "#ifdef GUARD\n"
    "#define _GNU_SOURCE\n"
    "#include \"guard.h\"\n"
    "#else\n"
    "#define guard_begin()\n"
    "#define guard_end()\n"
    "#endif\n"
    "#include <math.h>\n"
    "#include <stdio.h>\n"
    "#include <string.h>\n"
    "\n"
    "#define SIDE 104\n"
    "#define PART 11008\n"
    "#define NOIPA __attribute__ ((noipa))\n"
    "#define CLAMP(x, k) ((x) > (k) ? (k) : (x) < -(k) ? -(k) : (x))\n"
    "#define WHOLE(x) ((x) > -1000 && (x) < 1000 ? (int) (x) : 3)\n"
    "#define AT(t, j) (at_##t + 2048 + (shift == 99 ? j * PART : j * shift))\n"
    "\n"
    "static int idx[PART], rows[SIDE + 8];\n"
    "static const int near[8] = { 2, 0, 1, 3, 0, 1, 1, 2 };\n"
    "static long stride;\n"
    "static double kept_real;\n"
    "static unsigned long kept, state, total;\n"
    "static unsigned count;\n"
    "\n"
    "static unsigned long\n"
    "next (void)\n"
    "{\n"
    "  state = state * 6364136223846793005UL + 1442695040888963407UL;\n"
    "  return state >> 33;\n"
    "}\n"
    "\n"
    "static unsigned long\n"
    "hash (unsigned long h, const void *from, size_t bytes)\n"
    "{\n"
    "  const unsigned char *p = from;\n"
    "  for (size_t i = 0; i < bytes; i += 8)\n"
    "    {\n"
    "      unsigned long w = 0;\n"
    "      memcpy (&w, p + i, bytes - i < 8 ? bytes - i : 8);\n"
    "      h = (h ^ w) * 1099511628211UL;\n"
    "      h ^= h >> 29;\n"
    "    }\n"
    "  return h;\n"
    "}\n";

/* Floats that behave in ways of their own.  */
static const char special[]
  = "static const double special[8]\n"
    "  = { NAN, -0.0, 0, INFINITY, -INFINITY, 1, 1, 1e30 };\n\n";

/* The memory of kind K, and functions of the unit over it.  NaNs are one value;
   where algebra is allowed, so are the two zeros.  */
static void
write_memory (maker *g, kind k)
{
  const char *t = kind_name (k);
  const char *s = kind_suffix (k);
  printf ("\nstatic %s b_%s[2048 + 5 * PART];\n", t, s);
  printf ("#ifdef GUARD\nstatic %s *at_%s = b_%s;\n"
          "#else\n#define at_%s b_%s\n#endif\n",
          t, s, s, s, s);
  printf ("static %s g_%s[PART];\nstatic %s h_%s[SIDE][SIDE];\n", t, s, t, s);
  printf ("struct %s\n{\n  int n;\n  long m;\n  %s *p;\n  %s a[PART];\n};\n", s,
          t, t);
  printf ("static struct %s v_%s;\n", s, s);
  printf ("static struct\n{\n  %s x, y[3];\n} r_%s[PART / 4];\n", t, s);
  printf ("static struct\n{\n  %s a;\n  struct\n  {\n    %s b, c[2];\n  } in;\n"
          "} q_%s[PART / 4];\n",
          t, t, s);
  printf ("static const %s table_%s[8] = { 3, 0, 1, 1, 7, 2, 0, 5 };\n", t, s);
  if (k >= C8 && k <= U64)
    printf ("static %s e_%s[PART];\n", t, s);
  random_rows (k);
  if (k == U32)
    printf ("\nstatic void\nadd_rows_%s (%s *y, const %s *x, int n)\n{\n"
            "  for (int i = 0; i < n; i++)\n    y[i] += 3 * x[i];\n}\n",
            s, t, t);
  const char *fill = "(int) (next () % 4000) - 2000";
  if (k == F32 && g->exact)
    fill = "(int) (next () % 33) - 16";
  else if (is_float (k) && !g->exact)
    fill = g->is_special ? "next () % 48 ? (int) (next () % 4001) / 1000.0 - 2"
                           " : special[next () % 8]"
                         : "(int) (next () % 4001) / 1000.0 - 2";
  else if (k == B1)
    fill = "next () & 1";
  else if (k == U32 || k == U64)
    fill = "next () * 2654435761UL";
  printf ("\nstatic void\nfill_%s (%s *p, size_t n)\n{\n"
          "  for (size_t i = 0; i < n; i++)\n    p[i] = %s;\n}\n",
          s, t, fill);
  if (k >= C8 && k <= U64)
    printf (
      "\nstatic void\nextreme_%s (%s *p, size_t n)\n{\n"
      "  unsigned long half = 1UL << (8 * sizeof *p - 1);\n"
      "  for (size_t i = 0; i < n; i++)\n"
      "    p[i] = next () & 2 ? next () * 2654435761UL >> 9\n"
      "                       : (next () & 1) * half - next () %% 3 + 1;\n"
      "}\n",
      s, t);
  const char *zero
    = g->exact ? "    else if (p[i] == 0)\n      p[i] = 0;\n" : "";
  if (is_float (k))
    printf ("\nstatic void\nplain_%s (%s *p, size_t n)\n{\n"
            "  for (size_t i = 0; i < n; i++)\n    if (p[i] != p[i])\n"
            "      p[i] = 12345;\n%s}\n",
            s, t, zero);
}

/* Something that g may hold: A, when there is room.  */
static void
add_array (maker *g, const char *name, kind k, shape form, bool is_const)
{
  if (g->n_arrays < MOST_ARRAYS)
    g->arrays[g->n_arrays++] = (array){ name, k, form, is_const, false, 0 };
  g->used |= 1u << k;
}

/* Memory of the unit that is only read: tables, integers of any value.  */
static void
choose_tables (maker *g)
{
  kind k = some_kind (g);
  if (chance (g, 15))
    add_array (g, words (g, "table_%s", kind_suffix (k)), k, SMALL, true);
  k = C8 + below (g, F32 - C8);
  if (chance (g, 20))
    {
      add_array (g, words (g, "e_%s", kind_suffix (k)), k, ROW, true);
      g->arrays[g->n_arrays - 1].most = 2 * whole_of (k);
    }
}

/* A pointer to memory of kind K by a name of its own, which overlaps what has
   that kind: characters, or integers of the other sign.  */
static bool
choose_view (maker *g, kind k, tns_text *parameters, tns_text *arguments)
{
  if (k < C8 || k > U64 || !chance (g, 20))
    return false;
  kind as = chance (g, 50)  ? (kind) (C8 + below (g, 2))
            : is_signed (k) ? k + 1
                            : k - 1;
  bool is_const = as > U16 || k == I32 || k == I64 || chance (g, 30);
  const char *name = fresh (g, "v");
  const char *type
    = words (g, "%s%s *", is_const ? "const " : "", kind_name (as));
  tns_text_format (parameters, ", %s%s", type, name);
  tns_text_format (arguments, ", (%s) AT (%s, 1)", type, kind_suffix (k));
  add_array (g, name, as, ROW, is_const);
  g->arrays[g->n_arrays - 1].most = 2 * whole_of (as);
  g->used |= 1u << k;
  return true;
}

/* The declarator of a pointer NAME of SHAPE.  */
static const char *
declarator (maker *g, const char *name, shape form, bool is_restrict)
{
  const char *star = is_restrict ? "*restrict " : "*";
  return form == VLA    ? words (g, "%s[n][m]", name)
         : form == PAIR ? words (g, "(%s%s)[SIDE]", star, name)
                        : words (g, "%s%s", star, name);
}

/* Parameters and globals; ARGUMENTS gets those of a call, PARAMETERS their
   declarations.  Returns how many pointers may overlap.  */
static int
choose_memory (maker *g, tns_text *parameters, tns_text *arguments)
{
  int n_pointers = 1 + below (g, 4);
  bool is_restrict = chance (g, 40);
  g->gathers = is_restrict || chance (g, 20);
  g->is_apart = is_restrict || n_pointers == 1;
  g->linear = below (g, 8);
  kind k = some_kind (g);
  for (int j = 0; j < n_pointers; j++)
    {
      if (chance (g, 50))
        k = some_kind (g);
      const char *name = fresh (g, "p");
      bool is_const = j && chance (g, 30);
      shape form = chance (g, 15)  ? (g->is_negative ? FLAT : VLA)
                   : chance (g, 8) ? PAIR
                                   : FLAT;
      tns_text_format (parameters, ", %s%s %s", is_const ? "const " : "",
                       kind_name (k), declarator (g, name, form, is_restrict));
      tns_text_format (arguments, ", %sAT (%s, %d)",
                       form == FLAT ? "" : "(void *) ", kind_suffix (k), j);
      add_array (g, name, k, form, is_const);
    }
  if (!is_restrict && choose_view (g, k, parameters, arguments))
    {
      n_pointers++;
      g->is_apart = false;
    }
  if (g->has_stride)
    {
      tns_text_format (parameters, ", %s stride",
                       kind_name (chance (g, 50) ? I32 : I64));
      tns_text_format (arguments, ", stride");
    }
  choose_tables (g);
  if (chance (g, 40))
    add_array (g, words (g, "g_%s", kind_suffix (k)), k, LINE, chance (g, 20));
  if (chance (g, 40))
    {
      k = some_kind (g);
      add_array (g, words (g, "h_%s", kind_suffix (k)), k, PAIR, false);
    }
  if (chance (g, 25))
    add_array (g, words (g, "r_%s", kind_suffix (k)), k, PARTS, false);
  if (chance (g, 15))
    add_array (g, words (g, "q_%s", kind_suffix (k)), k, NEST, false);
  return is_restrict ? 1 : n_pointers;
}

/* A struct with sizes and memory, perhaps.  */
static void
choose_struct (maker *g, tns_text *parameters, tns_text *arguments)
{
  g->n = "n";
  g->m = "m";
  if (!chance (g, 25))
    return;
  kind k = some_kind (g);
  tns_text_format (parameters, ", struct %s *s", kind_suffix (k));
  tns_text_format (arguments, ", &v_%s", kind_suffix (k));
  if (chance (g, 60))
    {
      g->n = "s->n";
      g->n_kind = I32;
    }
  if (chance (g, 30))
    {
      g->m = "s->m";
      g->m_kind = I64;
    }
  add_array (g, "s->p", k, FLAT, false);
  if (chance (g, 50))
    add_array (g, "s->a", k, ROW, false);
}

/* What reports NAME at the function's end, in one of the places where a
   variable can be read: a statement, a declaration, one in a block of a loop,
   a condition, a path beside an assignment.  */
static void
report_scalar (maker *g, const char *name, kind k)
{
  const char *type = is_float (k) ? "double" : "unsigned long";
  const char *kept
    = is_float (k) ? "kept_real = 3 * kept_real +" : "kept = kept * 31 +";
  tns_text *after = &g->after;
  switch (below (g, 6))
    {
    case 0:
      tns_text_line (after, "%s const at_%s = (%s) %s;", type, name, type,
                     name);
      tns_text_line (after, "%s at_%s;", kept, name);
      break;
    case 1:
      tns_text_line (after, "for (int turn = 0; turn < 2; turn++)");
      tns_text_line (after, "  if (n >= turn)");
      tns_text_line (after, "    { %s was = (%s) %s; %s was; }", type, type,
                     name, kept);
      break;
    case 2:
      tns_text_line (after, "if (%s > 2)", name);
      tns_text_line (after, "  %s 5;", kept);
      break;
    case 3:
      tns_text_line (after, "if (n == 1)");
      tns_text_line (after, "  %s = 6;", name);
      tns_text_line (after, "%s (%s) %s;", kept, type, name);
      break;
    default:
      tns_text_line (after, "%s (%s) %s;", kept, type, name);
    }
}

/* Scalars of the function, with what reports them at its end.  */
static void
choose_scalars (maker *g)
{
  for (int n = below (g, 4); n > 0; n--)
    {
      kind k = some_kind (g);
      const char *name = fresh (g, "s");
      tns_text_line (&g->top, "%s %s = %d;", kind_name (k), name, below (g, 9));
      report_scalar (g, name, k);
      double most = is_float (k) && !g->exact ? small_of (g, k)
                    : is_signed (k)           ? limit_of (g, k)
                                              : whole_of (k) + 1;
      g->scalars[g->n_scalars++] = (scalar){ name, k, most, false };
    }
  if (chance (g, 10))
    g->scalars[g->n_scalars++]
      = (scalar){ "total", U64, whole_of (U64) + 1, false };
  if (chance (g, 10))
    g->scalars[g->n_scalars++]
      = (scalar){ "count", U32, whole_of (U32) + 1, false };
}

/* The words behind #pragma tensor.  */
static const char *
clauses (maker *g, bool is_apart)
{
  static const char *const any[]
    = { "",           "",           "",
        "",           " fuse(max)", " fuse(none)",
        " tile(off)", " simd(off)", " parallel(off)" };
  const char *fp = !g->exact        ? " fp(strict)"
                   : chance (g, 20) ? " fp(fast)"
                                    : "";
  return words (g, "%s%s%s", fp, any[below (g, 9)],
                is_apart && chance (g, 30) ? " noalias" : "");
}

/* A region: a loop or a block.  */
static void
write_region (maker *g, tns_text *body, const char *words_behind)
{
  g->depth = 0;
  tns_text_format (body, "#pragma tensor%s\n", words_behind);
  if (chance (g, 25) && random_nest (g))
    return;
  if (chance (g, 40))
    random_loop (g);
  else
    {
      body->indent -= 2;
      random_block (g, 2 + below (g, 3));
      body->indent += 2;
    }
}

/* The regions of a kernel, in loops or under conditions of its own.  */
static void
write_regions (maker *g, tns_text *body, bool is_apart)
{
  g->out = body;
  for (int n = chance (g, 80) ? 1 : 2 + below (g, 2); n > 0; n--)
    {
      int where = below (g, 12);
      if (where == 0)
        tns_text_line (body, "for (int again = 0; again < 2; again++)");
      else if (where == 1)
        tns_text_line (body, "if (n %% 3 < 2)");
      if (where > 1)
        {
          write_region (g, body, clauses (g, is_apart));
          continue;
        }
      tns_text_line (body, "  {");
      body->indent += 4;
      write_region (g, body, clauses (g, is_apart));
      body->indent -= 4;
      tns_text_line (body, "  }");
    }
}

/* Print the function of kernel K and the one that calls it.  */
static void
write_kernel (maker *g, int number)
{
  tns_text parameters = tns_text_new (g->arena);
  tns_text arguments = tns_text_new (g->arena);
  tns_text body = tns_text_new (g->arena);
  g->top = tns_text_new (g->arena);
  g->after = tns_text_new (g->arena);
  g->top.indent = g->after.indent = body.indent = 2;
  g->n_arrays = g->n_scalars = g->n_iters = 0;
  g->is_c89 = chance (g, 50);
  g->deepest = 1 + below (g, 3);
  g->has_stride = chance (g, 15);
  for (kind k = 0; k < N_KINDS; k++)
    g->sums[k] = chance (g, 40);
  static const kind sizes[] = { I32, I32, I32, I64, U64, U32 };
  g->n_kind = sizes[below (g, 6)];
  g->m_kind = chance (g, 60) ? g->n_kind : sizes[below (g, 6)];
  g->is_negative
    = is_signed (g->n_kind) && is_signed (g->m_kind) && chance (g, 30);
  const char *n_name = kind_name (g->n_kind);
  const char *m_name = kind_name (g->m_kind);
  unsigned used = g->used;
  g->used = 0;
  int n_pointers = choose_memory (g, &parameters, &arguments);
  choose_struct (g, &parameters, &arguments);
  choose_scalars (g);
  write_regions (g, &body, n_pointers == 1);
  printf ("\nstatic %svoid\nk%d (%s n, %s m%s)\n{\n%s%s%s}\n",
          chance (g, 75) ? "NOIPA " : "", number, n_name, m_name,
          tns_text_chars (&parameters), tns_text_chars (&g->top),
          tns_text_chars (&body), tns_text_chars (&g->after));
  printf ("\nstatic void\ncall%d (int n, int m, int shift)\n{\n"
          "  k%d (n, m%s);\n}\n",
          number, number, tns_text_chars (&arguments));
  printf ("enum\n{\n  OVERLAPS_%d = %d,\n  DEEP_%d = %d,\n  LESS_%d = %d,\n"
          "  USED_%d = %u\n};\n",
          number, n_pointers > 1, number, g->deepest, number, g->is_negative,
          number, g->used);
  g->used |= used;
}

/* The kinds' parts of fill and hash.  */
static void
write_each_kind (const char *format)
{
  for (kind k = 0; k < N_KINDS; k++)
    {
      const char *s = kind_suffix (k);
      printf ("  if (used >> %d & 1)\n    {\n", k);
      printf (format, s, s, s, s, s, s, s, s, s, s, s, s, s, s);
      printf ("    }\n");
    }
}

/* The function that fills the memory of the kinds that are used.  */
static void
write_fill (void)
{
  printf ("\nstatic void\nfill (unsigned used, int n, int m)\n{\n  state = n * "
          "100 + m;\n  kept = 1;\n  kept_real = total = count = 0;\n");
  write_each_kind ("      fill_%s (b_%s, sizeof b_%s / sizeof *b_%s);\n"
                   "      fill_%s (g_%s, PART);\n"
                   "      fill_%s (h_%s[0], SIDE * SIDE);\n"
                   "      fill_%s ((void *) r_%s, PART);\n"
                   "      fill_%s ((void *) q_%s, PART);\n"
                   "      fill_%s (v_%s.a, PART);\n");
  for (kind k = 0; k < N_KINDS; k++)
    printf ("  v_%s.n = n;\n  v_%s.m = m;\n", kind_suffix (k), kind_suffix (k));
  for (kind k = C8; k <= U64; k++)
    printf ("  if (used >> %d & 1)\n    extreme_%s (e_%s, PART);\n", k,
            kind_suffix (k), kind_suffix (k));
  printf ("  for (int k = 0; k < PART; k++)\n    idx[k] = next () %% 40;\n"
          "  for (int k = 1; k < SIDE + 8; k++)\n"
          "    rows[k] = rows[k - 1] + next () %% 4;\n}\n");
}

/* The function that points to memory where it is, and a list of it for
   guard.h.  */
static void
write_places (void)
{
  printf ("\nstatic void\naim (void)\n{\n");
  for (kind k = 0; k < N_KINDS; k++)
    printf ("  v_%s.p = at_%s + 2048 + 4 * PART;\n", kind_suffix (k),
            kind_suffix (k));
  printf ("}\n\n#ifdef GUARD\nstatic struct guarded memory[] = {\n");
  for (kind k = 0; k < N_KINDS; k++)
    {
      const char *s = kind_suffix (k);
      printf ("  { (char *) b_%s, sizeof b_%s, sizeof *b_%s, &at_%s },\n", s, s,
              s, s);
    }
  printf ("};\n#endif\n");
}

/* The function that hashes all memory.  */
static void
write_hash (void)
{
  printf ("\nstatic unsigned long\nhash_all (unsigned used)\n{\n"
          "  if (kept_real != kept_real)\n    kept_real = 12345;\n"
          "  unsigned long h = hash (kept + 3 * total + 5 * count, "
          "&kept_real, 8);\n");
  for (kind k = F32; k <= F64; k++)
    {
      const char *s = kind_suffix (k);
      printf ("  plain_%s (b_%s, sizeof b_%s / sizeof *b_%s);\n"
              "  plain_%s (g_%s, PART);\n  plain_%s (h_%s[0], SIDE * SIDE);\n"
              "  plain_%s ((void *) r_%s, PART);\n"
              "  plain_%s (v_%s.a, PART);\n"
              "  plain_%s ((void *) q_%s, PART);\n",
              s, s, s, s, s, s, s, s, s, s, s, s, s, s);
    }
  write_each_kind ("      h = hash (h, b_%s, sizeof b_%s);\n"
                   "      h = hash (h, g_%s, sizeof g_%s);\n"
                   "      h = hash (h, h_%s, sizeof h_%s);\n"
                   "      h = hash (h, r_%s, sizeof r_%s);\n"
                   "      h = hash (h, q_%s, sizeof q_%s);\n"
                   "      h = hash (h, v_%s.a, sizeof v_%s.a);\n");
  printf ("  return h;\n}\n");
}

/* What calls a kernel with all sizes, overlaps and strides, the sizes below 0
   first.  */
static const char run[]
  = "\nstatic void\nrun (int number, void (*call) (int, int, int),\n"
    "     unsigned used, int deep, int overlaps, int is_less)\n{\n"
    "  static const int sizes[][2]\n"
    "    = { { -3, 4 }, { 5, -2 }, { -6, -1 }, { 0, 5 }, { 1, 1 }, { 2, 7 },\n"
    "        { 5, 3 }, { 16, 16 }, { 17, 23 }, { 37, 33 }, { 70, 100 } };\n"
    "  static const int shifts[] = { 99, 0, 1, -1, 3, -16, 33 };\n"
    "  for (int i = is_less ? 0 : 3; i < (deep > 2 ? 10 : 11); i++)\n"
    "    for (int j = 0; j < (overlaps ? 7 : 1); j++)\n      {\n"
    "        int n = sizes[i][0], m = sizes[i][1];\n"
    "        int strides[] = { m, m + 5, n, 1, 0, -1, 104 };\n"
    "        stride = strides[(2 * i + j) % 7];\n"
    "        fill (used, n, m);\n        guard_begin ();\n"
    "        aim ();\n        call (n, m, shifts[j]);\n"
    "        guard_end ();\n"
    "        printf (\"k%d n %d m %d shift %d: %016lx\\n\", number, n, m,\n"
    "                shifts[j], hash_all (used));\n      }\n}\n";

/* The functions that fill, hash and call.  */
static void
write_main (int n_kernels)
{
  write_fill ();
  write_places ();
  write_hash ();
  printf ("%s\nint\nmain (void)\n{\n#ifdef GUARD\n  guarded = memory;\n"
          "  n_guarded = sizeof memory / sizeof *memory;\n#endif\n",
          run);
  for (int k = 0; k < n_kernels; k++)
    printf ("  run (%d, call%d, USED_%d, DEEP_%d, OVERLAPS_%d, LESS_%d);\n", k,
            k, k, k, k, k);
  printf ("  return 0;\n}\n");
}

int
main (int argc, char **argv)
{
  unsigned long long seed = argc > 1 ? strtoull (argv[1], NULL, 10) : 1;
  int n_kernels = argc > 2 ? atoi (argv[2]) : 6;
  tns_arena *arena = tns_arena_new (tns_allocator_malloc ());
  maker g = { .arena = arena, .state = seed * 2654435761ULL + seed };
  for (int k = 0; k < 8; k++)
    below (&g, 2);
  g.exact = chance (&g, 60);
  g.is_special = chance (&g, 30);
  printf ("/* Seed %llu.  */\n\n%s\n%s%s", seed, prologue,
          g.is_special && !g.exact ? special : "", random_called);
  for (kind k = 0; k < N_KINDS; k++)
    write_memory (&g, k);
  for (int k = 0; k < n_kernels; k++)
    write_kernel (&g, k);
  write_main (n_kernels);
  tns_arena_free (arena);
  return 0;
}
