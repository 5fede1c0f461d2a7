/* A region as a program that tells how long it takes (lowering/c99-bench.h).

     region sum { value i64 n; array     #define GIVEN_n 100
       f32 x[]; cell f32 s;              static void sum_alone (long n, ...)
       for i = 0 to n                    { #pragma tensor ... }
         s += x[i]; }              ->    static float *bench_x;
                                         static void bench_prepare (void)
                                         { ... bench_x = bench_room (0, n, ..) }
                                         bench_fill, bench_call, main

   What depends on the region stands in bench_prepare, which takes memory for
   the elements that are accessed, bench_fill, which sets them, the same in
   every run, and bench_call.  The rest is the same for all.

   Floating numbers are near 1, so that products over many calls stay numbers;
   whole numbers are small, and none is 0.  Numbers of 16 bits without a sign
   are also such that as a half or bfloat16 they are near 1.  */

#include "lowering/c99-bench.h"

#include <string.h>

#include "ir/walk.h"
#include "lowering/c99-text.h"

/* The text under construction.

   c      prints the region, its helpers what the text needs for it
   reach  prints what arrays span
   name   of the region, as an identifier  */
typedef struct writing
{
  tns_ctx *ctx;
  const tns_bench *bench;
  tns_text *text;
  tns_c99 *c;
  tns_c99 *reach;
  const char *name;
} writing;

/* SYM, a parameter, is no VALUE.  */
static bool
is_array (const tns_sym *sym)
{
  return sym->kind == TNS_SYM_ARRAY;
}

/* It is not known how far array K of BENCH reaches.  */
static bool
is_unknown (const tns_bench *bench, int k)
{
  const tns_sym *sym = bench->region->params[k];
  return is_array (sym) && sym->rank > 0 && !bench->array[k].hi;
}

/* The region of BENCH changes where it reaches: then a run is a call, which
   finds what all others do.  */
static bool
is_lost (const tns_bench *bench)
{
  bool found = false;
  for (int k = 0; k < bench->region->n_params; k++)
    found |= bench->array[k].is_lost;
  return found;
}

/* Places decide something of BENCH.  */
static bool
has_places (const tns_bench *bench)
{
  bool found = false;
  for (int k = 0; k < bench->region->n_params; k++)
    found |= bench->array[k].use == TNS_BENCH_PLACES;
  return found;
}

/* The comment at the head.  */
static void
add_head (const writing *w)
{
  const tns_region *region = w->bench->region;
  tns_text *text = w->text;
  tns_text_format (text, "/* %s", w->name);
  if (region->file)
    tns_text_format (text, ", %s:%d", region->file, region->line);
  if (region->function)
    tns_text_format (text, ", in %s", region->function);
  tns_text_add (text,
                ": the loops alone, on arrays of their own.\n\n"
                "     gcc -O3 -march=native bench.c -lm     as GCC "
                "compiles the loops\n"
                "     tensorcc -O3 -march=native bench.c    as #pragma tensor "
                "does\n\n"
                "   -DGIVEN_x=N gives it another x.  Clauses that name loops "
                "are left out;\n"
                "   arrays do not overlap.");
  if (has_places (w->bench))
    tns_text_add (text, "  Subscripts that are read from arrays are\n   spread "
                        "over -DPLACES=N places, which no run has told.");
  for (int k = 0; k < region->n_params; k++)
    if (is_unknown (w->bench, k))
      tns_text_format (text,
                       "\n   How far it reaches into %s is not known: "
                       "-DELEMENTS_%s=N says so.",
                       tns_sym_words (region->params[k]),
                       region->params[k]->name);
  tns_text_add (text, "  */\n");
}

/* #define NAME VALUE, unless it is defined.  */
static void
add_macro (tns_text *text, const char *word, const char *name,
           const char *value)
{
  tns_text_line (text, "#ifndef %s%s", word, name);
  tns_text_line (text, "#define %s%s %s", word, name, value);
  tns_text_line (text, "#endif");
}

/* What may be given.  */
static void
add_macros (const writing *w)
{
  const tns_region *region = w->bench->region;
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      bool is_size = !is_array (sym) && sym->type.elem != TNS_BOOL
                     && tns_elem_is_integer (sym->type.elem);
      if (!is_array (sym))
        add_macro (w->text, "GIVEN_", sym->name, is_size ? "100" : "1");
      else if (is_unknown (w->bench, k))
        add_macro (w->text, "ELEMENTS_", sym->name, "65536");
    }
  if (has_places (w->bench))
    add_macro (w->text, "PLACES", "", "0");
  tns_text_line (w->text, "%s", "");
}

/* The variables.  */
static void
add_variables (const writing *w)
{
  const tns_region *region = w->bench->region;
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      if (!is_array (sym))
        continue;
      tns_text_line (w->text, "static %s *bench_array_%s;",
                     tns_elem_c_name (sym->type.elem), sym->name);
      tns_text_line (w->text, "static long bench_first_%s, bench_last_%s;",
                     sym->name, sym->name);
    }
  tns_text_line (w->text, "static long bench_places = 1;");
  tns_text_line (w->text, "static double bench_flops, bench_bytes;");
  tns_text_line (w->text, "static const int bench_once = %d;",
                 is_lost (w->bench));
  tns_text_line (w->text, "static const char bench_bound[] = \"%s\";",
                 w->bench->counted ? "" : "at most ");
  tns_text_line (w->text, "%s", "");
}

/* What every such program has.  */
static void
add_room (tns_text *text)
{
  tns_text_add (
    text,
    "static inline long\n"
    "bench_most (long a, long b)\n"
    "{\n"
    "  return a > b ? a : b;\n"
    "}\n\n"
    "static inline long\n"
    "bench_least (long a, long b)\n"
    "{\n"
    "  return a < b ? a : b;\n"
    "}\n\n"
    "/* The address of element 0 of an array of elements of BYTES bytes, of\n"
    "   which those from FIRST to before LAST are there.  */\n"
    "static void *\n"
    "bench_room (long first, long last, size_t bytes)\n"
    "{\n"
    "  void *room = NULL;\n"
    "  if (posix_memalign (&room, 64, (size_t) (last - first) * bytes))\n"
    "    {\n"
    "      fputs (\"no memory\\n\", stderr);\n"
    "      exit (1);\n"
    "    }\n"
    "  return (char *) room - first * (long) bytes;\n"
    "}\n\n");
}

/* FRONT, EXPR as the reach's symbols are called, BACK.  */
static void
add_value (const writing *w, const char *front, tns_expr *expr,
           const char *back)
{
  tns_text_begin (w->text);
  tns_text_add (w->text, front);
  w->reach->text = w->text;
  tns_c99_expr (w->reach, tns_c99_tidy_expr (w->ctx->arena, expr), 0);
  tns_text_format (w->text, "%s\n", back);
}

/* Set the first and the last element of array K.  */
static void
add_span (const writing *w, int k)
{
  const tns_bench_array *array = &w->bench->array[k];
  tns_arena *arena = w->ctx->arena;
  const tns_sym *sym = w->bench->region->params[k];
  const char *name = sym->name;
  if (sym->rank == 0)
    tns_text_line (w->text, "bench_last_%s = 1;", name);
  else if (is_unknown (w->bench, k))
    tns_text_line (w->text, "bench_last_%s = ELEMENTS_%s;", name, name);
  else
    {
      const char *first
        = tns_arena_format (arena, "bench_first_%s = bench_least (0, ", name);
      const char *last = tns_arena_format (
        arena, "bench_last_%s = bench_most (bench_first_%s + 1, ", name, name);
      add_value (w, first, array->lo, ");");
      add_value (w, last, array->hi, ");");
    }
}

/* The span of array K depends on how many places there are.  */
static bool
needs_places (const tns_bench *bench, int k)
{
  const tns_bench_array *array = &bench->array[k];
  return array->hi
         && (tns_expr_mentions (array->lo, bench->places)
             || tns_expr_mentions (array->hi, bench->places));
}

/* Set the spans of the arrays that do, or do not, depend on places.  */
static void
add_spans (const writing *w, bool by_places)
{
  const tns_region *region = w->bench->region;
  for (int k = 0; k < region->n_params; k++)
    if (is_array (region->params[k]) && needs_places (w->bench, k) == by_places)
      {
        add_span (w, k);
        if (!by_places)
          tns_text_line (
            w->text, "bench_places = bench_most (bench_places, bench_last_%s);",
            region->params[k]->name);
      }
}

/* The VALUEs, as the reach calls them.  */
static void
add_values (const writing *w)
{
  const tns_region *region = w->bench->region;
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      if (is_array (sym))
        continue;
      const char *name = tns_c99_name (w->reach, sym);
      tns_text_line (w->text, "const %s %s = GIVEN_%s;",
                     tns_elem_c_name (sym->type.elem), name, sym->name);
      tns_text_line (w->text, "(void) %s;", name);
    }
}

/* bench_fits: the guards that ask for nothing that arrays hold.  */
static void
add_fits (const writing *w)
{
  const tns_region *reach = w->bench->reach;
  tns_text *text = w->text;
  tns_text_line (text,
                 "/* The region may be given this, with so many places.  */");
  tns_text_line (text, "static int");
  tns_text_line (text, "bench_fits (long %s)",
                 tns_c99_name (w->reach, w->bench->places));
  tns_text_line (text, "{");
  text->indent += 2;
  add_values (w);
  tns_text_line (text, "(void) %s;", tns_c99_name (w->reach, w->bench->places));
  for (int k = 0; k < reach->n_guard; k++)
    if (!tns_expr_loads (reach->guard[k]))
      {
        add_value (w, "if (!(", reach->guard[k], "))");
        tns_text_line (text, "  return 0;");
      }
  tns_text_line (text, "return 1;");
  text->indent -= 2;
  tns_text_line (text, "}");
  tns_text_line (text, "%s", "");
  tns_text_add (text,
                "/* The most places, up to MOST, that fit.  */\n"
                "static long\n"
                "bench_fitting (long most)\n"
                "{\n"
                "  long fits = 0, too_many = most + 1;\n"
                "  while (fits + 1 < too_many)\n"
                "    {\n"
                "      long middle = fits + (too_many - fits) / 2;\n"
                "      if (bench_fits (middle))\n"
                "        fits = middle;\n"
                "      else\n"
                "        too_many = middle;\n"
                "    }\n"
                "  if (!fits)\n"
                "    {\n"
                "      fputs (\"the region cannot be given these numbers\\n\", "
                "stderr);\n"
                "      exit (1);\n"
                "    }\n"
                "  return fits;\n"
                "}\n\n");
}

/* bench_prepare.  */
static void
add_prepare (const writing *w)
{
  const tns_region *region = w->bench->region;
  const char *places = tns_c99_name (w->reach, w->bench->places);
  tns_text *text = w->text;
  tns_text_line (text, "/* Memory for what is accessed.  */");
  tns_text_line (text, "static void");
  tns_text_line (text, "bench_prepare (void)");
  tns_text_line (text, "{");
  text->indent += 2;
  add_values (w);
  add_spans (w, false);
  if (has_places (w->bench))
    tns_text_line (text, "bench_places = PLACES > 0 ? PLACES : bench_places;");
  tns_text_line (text, "bench_places = bench_fitting (bench_places);");
  tns_text_line (text, "const long %s = bench_places;", places);
  tns_text_line (text, "(void) %s;", places);
  add_spans (w, true);
  for (int k = 0; k < region->n_params; k++)
    if (is_array (region->params[k]))
      {
        const char *name = region->params[k]->name;
        tns_text_line (text,
                       "bench_array_%s = bench_room (bench_first_%s, "
                       "bench_last_%s, sizeof *bench_array_%s);",
                       name, name, name, name);
      }
  add_value (w, "bench_flops = ", w->bench->flops, ";");
  add_value (w, "bench_bytes = ", w->bench->bytes, ";");
  text->indent -= 2;
  tns_text_line (text, "}");
  tns_text_line (text, "%s", "");
}

/* What element k of ARRAY, SYM, is.  */
static const char *
element (tns_arena *arena, const tns_bench_array *array, const tns_sym *sym)
{
  tns_elem elem = sym->type.elem;
  int bits = 8 * tns_elem_bytes (elem) - !tns_elem_is_unsigned (elem);
  const char *places = "bench_places";
  if (bits < 31)
    places = tns_arena_format (arena, "(bench_places < %d ? bench_places : %d)",
                               1 << bits, 1 << bits);
  if (array->use == TNS_BENCH_BOUNDS)
    return tns_arena_format (arena, "%d * k", TNS_BENCH_ROW);
  if (array->use == TNS_BENCH_PLACES)
    return tns_arena_format (
      arena, "(long) ((unsigned long) k * 40503 %% 65537 * 40961 %% %s)",
      places);
  if (elem == TNS_BOOL)
    return "k % 2";
  if (elem == TNS_U16)
    return "0x3f80 + k % 7";
  return tns_elem_is_float (elem) ? "1 + (k % 7 - 3) / 256.0f" : "1 + k % 7";
}

/* bench_fill.  */
static void
add_fill (const writing *w)
{
  const tns_region *region = w->bench->region;
  tns_text *text = w->text;
  tns_text_line (text, "/* All elements, the same each time.  */");
  tns_text_line (text, "static void");
  tns_text_line (text, "bench_fill (void)");
  tns_text_line (text, "{");
  text->indent += 2;
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      if (!is_array (sym))
        continue;
      tns_text_line (text,
                     "for (long k = bench_first_%s; k < bench_last_%s; k++)",
                     sym->name, sym->name);
      tns_text_line (text, "  bench_array_%s[k] = (%s) (%s);", sym->name,
                     tns_elem_c_name (sym->type.elem),
                     element (w->ctx->arena, &w->bench->array[k], sym));
    }
  text->indent -= 2;
  tns_text_line (text, "}");
  tns_text_line (text, "%s", "");
}

/* bench_call.  */
static void
add_call (const writing *w)
{
  const tns_region *region = w->bench->region;
  tns_text *text = w->text;
  tns_text_line (text, "static void");
  tns_text_line (text, "bench_call (void)");
  tns_text_line (text, "{");
  tns_text_format (text, "  %s_alone (", w->name);
  for (int k = 0; k < region->n_params; k++)
    tns_text_format (text, "%s%s%s", k ? ", " : "",
                     is_array (region->params[k]) ? "bench_array_" : "GIVEN_",
                     region->params[k]->name);
  tns_text_add (text, ");\n");
  tns_text_line (text, "}");
  tns_text_line (text, "%s", "");
}

/* What is printed of the numbers given.  */
static void
add_tell (const writing *w)
{
  const tns_region *region = w->bench->region;
  tns_text *text = w->text;
  tns_text_line (text, "static void");
  tns_text_line (text, "bench_tell (void)");
  tns_text_line (text, "{");
  tns_text_line (text, "  fputs (\"%s\", stdout);", w->name);
  for (int k = 0; k < region->n_params; k++)
    if (!is_array (region->params[k]))
      tns_text_line (text, "  printf (\" %s=%%g\", (double) GIVEN_%s);",
                     region->params[k]->name, region->params[k]->name);
  if (has_places (w->bench))
    tns_text_line (text, "  printf (\" places=%%ld\", bench_places);");
  tns_text_line (text, "}");
  tns_text_line (text, "%s", "");
}

/* The timing, from the clock to main.  */
static void
add_main (tns_text *text)
{
  tns_text_add (text,
                "static double\n"
                "bench_now (void)\n"
                "{\n"
                "  struct timespec now;\n"
                "  clock_gettime (CLOCK_MONOTONIC, &now);\n"
                "  return 1e9 * (double) now.tv_sec + (double) now.tv_nsec;\n"
                "}\n\n"
                "static double\n"
                "bench_run (long calls)\n"
                "{\n"
                "  bench_fill ();\n"
                "  double begin = bench_now ();\n"
                "  for (long i = 0; i < calls; i++)\n"
                "    bench_call ();\n"
                "  return bench_now () - begin;\n"
                "}\n\n"
                "static int\n"
                "bench_compare (const void *a, const void *b)\n"
                "{\n"
                "  double x = *(const double *) a, y = *(const double *) b;\n"
                "  return x < y ? -1 : x > y;\n"
                "}\n\n");
  tns_text_add (
    text,
    "int\n"
    "main (void)\n"
    "{\n"
    "  double ns[31], begin = bench_now ();\n"
    "  long calls = 1, n = 0;\n"
    "  bench_prepare ();\n"
    "  double run = 0;\n"
    "  while ((run < 2e4 && !bench_once) || bench_now () - begin < 1e8)\n"
    "    {\n"
    "      run = bench_run (calls);\n"
    "      calls *= run < 2e4 && !bench_once ? 2 : 1;\n"
    "    }\n"
    "  begin = bench_now ();\n"
    "  while (n < 5 || (n < 31 && bench_now () - begin < 1e9))\n"
    "    ns[n++] = bench_run (calls) / (double) calls;\n"
    "  qsort (ns, (size_t) n, sizeof *ns, bench_compare);\n"
    "  double median = ns[n / 2];\n"
    "  bench_tell ();\n"
    "  printf (\": median %.4g us, least %.4g us, %ld runs of %ld calls\", "
    "median / 1000,\n"
    "          ns[0] / 1000, n, calls);\n"
    "  if (bench_flops > 0)\n"
    "    printf (\", %s%.3f GFLOP/s\", bench_bound, bench_flops / median);\n"
    "  if (bench_bytes > 0)\n"
    "    printf (\", %s%.3f GB/s\", bench_bound, bench_bytes / median);\n"
    "  putchar ('\\n');\n"
    "  return 0;\n"
    "}\n");
}

/* Headers beside those of every such text.  */
static void
add_headers (tns_text *text)
{
  tns_c99_includes (text);
  tns_text_line (text, "#include <stdio.h>");
  tns_text_line (text, "#include <time.h>");
  tns_text_line (text, "%s", "");
}

/* All of the program but its head, and the helpers that it calls.  */
static void
add_parts (writing *w, tns_text *parts)
{
  tns_text *text = w->text;
  w->text = parts;
  add_variables (w);
  add_room (parts);
  add_fits (w);
  add_prepare (w);
  add_fill (w);
  add_call (w);
  add_tell (w);
  w->text = text;
}

/* BENCH's clauses, and temp with the names that C has for arrays.  */
static const char *
clauses (tns_arena *arena, const tns_bench *bench, const tns_c99 *c)
{
  tns_text text = tns_text_new (arena);
  int n = 0;
  tns_text_add (&text, bench->clauses);
  for (int k = 0; k < bench->region->n_params; k++)
    {
      const tns_sym *sym = bench->region->params[k];
      if (is_array (sym) && sym->rank > 0 && (sym->flags & TNS_SYM_TEMP))
        tns_text_format (&text, "%s%s", n++ ? ", " : " temp(",
                         tns_c99_name (c, sym));
    }
  tns_text_add (&text, n ? ")" : "");
  return tns_text_chars (&text);
}

void
tns_c99_bench (tns_ctx *ctx, tns_text *text, const tns_bench *bench)
{
  const tns_region *tidied = tns_c99_tidy (ctx, bench->region, false);
  tns_text function = tns_text_new (ctx->arena);
  tns_text parts = tns_text_new (ctx->arena);
  writing w = { ctx,
                bench,
                text,
                tns_c99_new (ctx, tidied, false),
                tns_c99_new (ctx, bench->reach, false),
                NULL };
  w.name = tns_c99_identifier (ctx->arena, bench->region->name);
  w.c->is_plain = true;
  w.c->clauses = clauses (ctx->arena, bench, w.c);
  w.c->text = &function;
  tns_c99_function (w.c, w.name);
  w.c->text = text;
  add_parts (&w, &parts);
  add_head (&w);
  add_headers (text);
  add_macros (&w);
  tns_c99_prototypes (w.c);
  tns_c99_helpers (w.c, text);
  tns_c99_helpers (w.reach, text);
  tns_c99_wrap (text, tns_text_chars (&function));
  tns_c99_wrap (text, tns_text_chars (&parts));
  add_main (text);
}
