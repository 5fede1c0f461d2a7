/* A unit of random functions of floats and their gradients or tangents.

     random-gradient SEED [FUNCTIONS]     prints it

   It is compiled twice, as C with the plug-in and as C++ without, and the two
   are linked; the program checks each gradient against forward mode
   (transpose.h) and exits with 0 when all are right.  -DNO_3 leaves out the
   gradient of function 3, -DNO_TWICE_3 what is derived from that.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random-c.h"

/* What is derived, as transpose.h has it.  */
typedef enum mode
{
  GRADIENT,
  PRIMAL,
  TANGENT
} mode;

/* A parameter of floats.  */
typedef struct parameter
{
  const char *name;
  kind kind;
  bool is_scalar;
  bool is_const;
  bool is_pair;
  bool is_record;
  bool is_result;
  bool is_of;
  bool is_wrt;
  bool is_absent;
  bool is_given;
  bool is_clear;
} parameter;

/* A function being made: its parameters, a result last.  */
typedef struct signature
{
  int n;
  parameter parameter[8];
  mode how;
  bool has_workspace;
  bool has_steps;
  bool is_restrict;
  kind size_kind[2];
  bool is_exact;
  bool is_twice_back;
} signature;

/* A kind of float for the next thing.  */
static kind
some_float (maker *g)
{
  return g->reals == F32 || (g->reals != F64 && chance (g, 30)) ? F32 : F64;
}

/* An array.  */
static void
choose_array (maker *g, signature *s, bool is_first)
{
  parameter p = { .name = fresh (g, "p"), .kind = some_float (g) };
  p.is_const = !is_first && chance (g, 30);
  p.is_pair = chance (g, 20);
  p.is_record = !p.is_pair && chance (g, 15);
  bool is_out = !p.is_const && chance (g, is_first ? 50 : 20);
  p.is_of = !p.is_const && (is_first || chance (g, 40));
  p.is_absent = is_out && chance (g, 60);
  p.is_wrt = !p.is_absent && chance (g, is_out ? 20 : 75);
  p.is_given
    = s->how == GRADIENT && !p.is_const && !p.is_absent && chance (g, 15);
  s->parameter[s->n++] = p;
  g->arrays[g->n_arrays++] = (array){
    p.name,     p.kind, p.is_pair ? PAIR : p.is_record ? PARTS : FLAT,
    p.is_const, is_out, 0
  };
}

/* A number.  */
static void
choose_number (maker *g, signature *s)
{
  parameter p = { .name = fresh (g, "a"), .kind = some_float (g) };
  p.is_scalar = p.is_const = true;
  p.is_wrt = chance (g, 60);
  s->parameter[s->n++] = p;
  g->scalars[g->n_scalars++]
    = (scalar){ p.name, p.kind, small_of (g, p.kind), true };
}

/* All parameters and the result.  */
static signature
choose_signature (maker *g)
{
  static const kind sizes[] = { I32, I32, I32, I64, U64, U32 };
  signature s = { .is_restrict = chance (g, 40),
                  .how = chance (g, 70)   ? GRADIENT
                         : chance (g, 50) ? PRIMAL
                                          : TANGENT };
  s.has_workspace = s.how != TANGENT && chance (g, 12);
  g->n_kind = s.size_kind[0] = sizes[below (g, 6)];
  g->m_kind = s.size_kind[1] = chance (g, 60) ? g->n_kind : sizes[below (g, 6)];
  g->gathers = chance (g, 25);
  g->linear = below (g, 8);
  for (int n = 2 + below (g, 3); n > 0; n--)
    choose_array (g, &s, s.n == 0);
  for (int n = below (g, 3); n > 0; n--)
    choose_number (g, &s);
  if (chance (g, 25))
    s.parameter[s.n++] = (parameter){ .name = "return",
                                      .kind = some_float (g),
                                      .is_scalar = true,
                                      .is_result = true,
                                      .is_of = true };
  bool has_wrt = false;
  for (int k = 0; k < s.n; k++)
    has_wrt |= s.parameter[k].is_wrt;
  if (!has_wrt)
    {
      s.parameter[1].is_wrt = true;
      s.parameter[1].is_absent = false;
    }
  return s;
}

/* Variables of the function, sums and counters.  */
static void
choose_variables (maker *g)
{
  for (int n = below (g, 4); n > 0; n--)
    {
      kind k = some_kind (g);
      const char *name = fresh (g, "s");
      tns_text_line (&g->top, "%s %s = %d;", kind_name (k), name, below (g, 9));
      double most = is_float (k) && !g->exact ? small_of (g, k)
                    : is_signed (k)           ? limit_of (g, k)
                                              : whole_of (k) + 1;
      g->scalars[g->n_scalars++] = (scalar){ name, k, most, false };
    }
}

/* The body between its braces into BODY.  */
static void
write_body (maker *g, signature *s, tns_text *body)
{
  const parameter *last = &s->parameter[s->n - 1];
  g->out = body;
  g->depth = 0;
  bool steps = s->has_steps = chance (g, 25);
  if (steps)
    {
      tns_text_line (body, "for (int t = 0; t < %d; t++)",
                     2 + below (g, chance (g, 30) ? 7 : 2));
      body->indent += 2;
    }
  body->indent -= 2;
  random_block (g, 2 + below (g, 3));
  body->indent += 2;
  if (steps)
    body->indent -= 2;
  if (!last->is_result)
    return;
  const char *what
    = random_fitting (g, last->kind, small_of (g, last->kind), 2).text;
  for (int k = 0; k < g->n_scalars; k++)
    if (!g->scalars[k].is_fixed && is_float (g->scalars[k].kind))
      what = g->scalars[k].name;
  tns_text_line (body, "return (%s) %s;", kind_name (last->kind), what);
}

/* The type of P's elements.  */
static const char *
type_name (const parameter *p)
{
  return !p->is_record    ? kind_name (p->kind)
         : p->kind == F32 ? "partsf"
                          : "parts";
}

/* The declaration of the array or number P, called NAME with D in front.  */
static void
write_parameter (const signature *s, const parameter *p, const char *d,
                 bool is_const)
{
  printf (", %s%s ", is_const && !p->is_scalar ? "const " : "", type_name (p));
  if (p->is_pair)
    printf ("(*%s%s%s)[SIDE]", s->is_restrict ? "restrict " : "", d, p->name);
  else if (p->is_scalar && !*d)
    printf ("%s", p->name);
  else
    printf ("*%s%s%s", s->is_restrict && !p->is_scalar ? "restrict " : "", d,
            p->name);
}

/* The function NUMBER.  */
static void
write_function (const signature *s, int number, maker *g, const tns_text *body)
{
  const parameter *last = &s->parameter[s->n - 1];
  printf ("\nstatic NOIPA %s\nf%d (%s n, %s m",
          last->is_result ? kind_name (last->kind) : "void", number,
          kind_name (s->size_kind[0]), kind_name (s->size_kind[1]));
  for (int k = 0; k < s->n; k++)
    if (!s->parameter[k].is_result)
      write_parameter (s, &s->parameter[k], "", s->parameter[k].is_const);
  printf (")\n{\n%s%s}\n", tns_text_chars (&g->top), tns_text_chars (body));
}

/* The words "of" or "wrt" and their pairs.  */
static void
write_pairs (const signature *s, const char *word, bool of)
{
  const char *between = "";
  printf (" %s(", word);
  for (int k = 0; k < s->n; k++)
    {
      const parameter *p = &s->parameter[k];
      if (!(of ? p->is_of : p->is_wrt))
        continue;
      printf ("%s%s: d%s", between, p->name, p->is_result ? "seed" : p->name);
      between = ", ";
    }
  printf (")");
}

/* The name of what is derived from function NUMBER.  */
static void
write_name (const signature *s, int number)
{
  printf ("f%d_%s", number, s->how == TANGENT ? "tangent" : "gradient");
}

/* The result of function NUMBER, or of the gradient that gives it.  */
static const char *
result_name (const signature *s)
{
  const parameter *last = &s->parameter[s->n - 1];
  return last->is_result ? kind_name (last->kind) : "void";
}

/* The adjoints among the parameters.  */
static void
write_adjoints (const signature *s)
{
  for (int k = 0; k < s->n; k++)
    {
      const parameter *p = &s->parameter[k];
      bool goes_out = s->how == TANGENT ? p->is_of : p->is_wrt;
      if (!p->is_result && (p->is_of || p->is_wrt))
        write_parameter (s, p, "d", !goes_out);
    }
}

/* The clause of the arrays that are given.  */
static void
write_given (const signature *s)
{
  const char *between = " given(";
  for (int k = 0; k < s->n; k++)
    if (s->parameter[k].is_given)
      {
        printf ("%s%s", between, s->parameter[k].name);
        between = ", ";
      }
  printf ("%s", *between == ',' ? ")" : "");
}

/* Some adjoints that only go out are set; what comes later does not depend on
   it.  */
static void
choose_clear (const maker *g, signature *s)
{
  maker dice = *g;
  for (int k = 0; k < s->n && s->how != TANGENT; k++)
    {
      parameter *p = &s->parameter[k];
      p->is_clear = p->is_wrt && !p->is_of && chance (&dice, 25);
    }
}

/* The clause of these.  */
static void
write_clear (const signature *s)
{
  const char *between = " clear(";
  for (int k = 0; k < s->n; k++)
    if (s->parameter[k].is_clear)
      {
        printf ("%sd%s", between, s->parameter[k].name);
        between = ", ";
      }
  printf ("%s", *between == ',' ? ")" : "");
}

/* The prototype of what is derived from function NUMBER, with CLAUSES.  */
static void
write_prototype (const signature *s, int number, const char *clauses)
{
  printf ("\n#ifndef NO_%d\n#pragma tensor %s(f%d)", number,
          s->how == TANGENT ? "tangent" : "gradient", number);
  write_pairs (s, "of", true);
  write_pairs (s, "wrt", false);
  write_given (s);
  write_clear (s);
  printf ("%s%s%s\n%s ", clauses, s->how == PRIMAL ? " with(primal)" : "",
          s->has_workspace ? " workspace" : "",
          s->how == PRIMAL ? result_name (s) : "void");
  write_name (s, number);
  printf (" (%s n, %s m", kind_name (s->size_kind[0]),
          kind_name (s->size_kind[1]));
  for (int k = 0; k < s->n; k++)
    {
      const parameter *p = &s->parameter[k];
      if (p->is_result)
        printf (", %s %sdseed", kind_name (p->kind),
                s->how == TANGENT ? "*" : "");
      else if (!p->is_absent)
        write_parameter (s, p, "", p->is_const || s->how != PRIMAL);
    }
  write_adjoints (s);
  printf ("%s);\n", s->has_workspace ? ", void *workspace" : "");
  if (s->has_workspace)
    printf ("size_t f%d_gradient_workspace (%s n, %s m);\n", number,
            kind_name (s->size_kind[0]), kind_name (s->size_kind[1]));
}

/* Argument K of a call: what MEMORY[K] points to.  */
static void
write_argument (const parameter *p, int k, const char *memory, bool by_value)
{
  if (by_value)
    printf (", *(%s *) %s[%d]", kind_name (p->kind), memory, k);
  else if (p->is_pair)
    printf (", (%s (*)[SIDE]) %s[%d]", kind_name (p->kind), memory, k);
  else
    printf (", (%s *) %s[%d]", type_name (p), memory, k);
}

/* The function of C that calls what is derived.  */
static void
write_call (const signature *s, int number)
{
  const parameter *last = &s->parameter[s->n - 1];
  printf ("\nstatic void\ncall_%d (int n, int m, void **value, void **adjoint)"
          "\n{\n",
          number);
  if (s->has_workspace)
    printf ("  void *workspace = malloc (f%d_gradient_workspace (n, m));\n",
            number);
  printf ("  ");
  if (s->how == PRIMAL && last->is_result)
    printf ("*(%s *) value[%d] = ", kind_name (last->kind), s->n - 1);
  write_name (s, number);
  printf (" (n, m");
  for (int k = 0; k < s->n; k++)
    {
      const parameter *p = &s->parameter[k];
      bool by_value = p->is_scalar && !(p->is_result && s->how == TANGENT);
      if (!p->is_absent)
        write_argument (p, k, p->is_result ? "adjoint" : "value", by_value);
    }
  for (int k = 0; k < s->n; k++)
    if (!s->parameter[k].is_result
        && (s->parameter[k].is_of || s->parameter[k].is_wrt))
      write_argument (&s->parameter[k], k, "adjoint", false);
  printf ("%s);\n%s}\n#else\n# define call_%d NULL\n#endif\n",
          s->has_workspace ? ", workspace" : "",
          s->has_workspace ? "  free (workspace);\n" : "", number);
}

/* The derivative of what is derived from S may be asked for.  */
static bool
may_be_twice (const signature *s)
{
  bool may = s->how != PRIMAL && !s->has_workspace;
  for (int k = 0; k < s->n; k++)
    may &= !s->parameter[k].is_given && !s->parameter[k].is_clear;
  return may;
}

/* The adjoint of P comes out of what is derived from S.  */
static bool
comes_out (const signature *s, const parameter *p)
{
  return s->how == TANGENT ? p->is_of : p->is_wrt;
}

/* The words "of" or "wrt" of the second derivative and their pairs: of adjoints
   that come out, of values.  */
static void
write_pairs_twice (const signature *s, const char *word, bool of)
{
  const char *between = "";
  printf (" %s(", word);
  for (int k = 0; k < s->n; k++)
    {
      const parameter *p = &s->parameter[k];
      const char *name = p->is_result ? "seed" : p->name;
      if (!(of ? comes_out (s, p) : p->is_wrt))
        continue;
      printf (of ? "%sd%s: td%s" : "%s%s: t%s", between, name, name);
      between = ", ";
    }
  printf (")");
}

/* The prototype of the derivative of what is derived from function NUMBER.  */
static void
write_prototype_twice (const signature *s, int number)
{
  bool back = s->is_twice_back;
  printf ("\n#ifndef NO_TWICE_%d\n#pragma tensor %s(", number,
          back ? "gradient" : "tangent");
  write_name (s, number);
  printf (")");
  write_pairs_twice (s, "of", true);
  write_pairs_twice (s, "wrt", false);
  printf ("%s\nvoid f%d_twice (%s n, %s m", s->is_exact ? "" : " fp(strict)",
          number, kind_name (s->size_kind[0]), kind_name (s->size_kind[1]));
  for (int k = 0; k < s->n; k++)
    {
      parameter p = s->parameter[k];
      bool is_number = p.is_result && s->how != TANGENT;
      if (p.is_result)
        p.name = "seed";
      if (!p.is_result && !p.is_absent)
        write_parameter (s, &p, "", true);
      if (p.is_of || p.is_wrt)
        printf (is_number ? ", %s dseed" : "", kind_name (p.kind));
      if ((p.is_of || p.is_wrt) && !is_number)
        write_parameter (s, &p, "d", !comes_out (s, &p));
      if (p.is_wrt)
        write_parameter (s, &p, "t", !back);
      if (comes_out (s, &p))
        write_parameter (s, &p, "td", back);
    }
  printf (");\n");
}

/* The function of C that calls it.  */
static void
write_call_twice (const signature *s, int number)
{
  printf ("\nstatic void\ntwice_%d (int n, int m, void **value, void **adjoint,"
          "\n          void **of_value, void **of_adjoint)\n{\n"
          "  (void) of_value, (void) of_adjoint;\n  f%d_twice (n, m",
          number, number);
  for (int k = 0; k < s->n; k++)
    {
      const parameter *p = &s->parameter[k];
      if (!p->is_result && !p->is_absent)
        write_argument (p, k, "value", p->is_scalar);
      if (p->is_of || p->is_wrt)
        write_argument (p, k, "adjoint", p->is_result && s->how != TANGENT);
      if (p->is_wrt)
        write_argument (p, k, "of_value", false);
      if (comes_out (s, p))
        write_argument (p, k, "of_adjoint", false);
    }
  printf (");\n}\n#else\n# define twice_%d NULL\n#endif\n", number);
}

/* The function of C++ that calls f.  */
static void
write_dual (const signature *s, int number)
{
  const parameter *last = &s->parameter[s->n - 1];
  printf ("\nextern \"C\" void\ndual_%d (int n, int m, void **value)\n{\n  ",
          number);
  if (last->is_result)
    printf ("*(%s *) value[%d] = ", kind_name (last->kind), s->n - 1);
  printf ("f%d (n, m", number);
  for (int k = 0; k < s->n; k++)
    if (!s->parameter[k].is_result)
      write_argument (&s->parameter[k], k, "value", s->parameter[k].is_scalar);
  printf (");\n}\n");
}

/* The rows of the table.  */
static void
write_places (const signature *s, int number)
{
  printf ("\nstatic const place places_%d[] = {\n", number);
  for (int k = 0; k < s->n; k++)
    {
      const parameter *p = &s->parameter[k];
      printf ("  { \"%s\", %d, %d },\n", p->name, p->kind == F32,
              p->is_of + 2 * p->is_wrt + 4 * p->is_absent + 8 * p->is_given
                + 16 * p->is_clear);
    }
  printf ("};\nextern void dual_%d (int n, int m, void **value);\n", number);
}

/* The words behind #pragma tensor gradient: sums of what is not whole stay in
   their order.  */
static const char *
clauses (maker *g, const signature *s)
{
  static const char *const any[]
    = { "",           "",           "",
        "",           " fuse(max)", " fuse(none)",
        " tile(off)", " simd(off)", " parallel(off)" };
  const char *fp = !g->exact        ? " fp(strict)"
                   : chance (g, 20) ? " fp(fast)"
                                    : "";
  static const char *const bounds[]
    = { " checkpoint(1)", " checkpoint(2)", " checkpoint(3)",
        " memory(\"16K\")", " memory(\"256K\")" };
  const char *keeps = "";
  for (int k = 0; k < s->n && s->how != TANGENT && chance (g, 8); k++)
    if (!s->parameter[k].is_const && !s->parameter[k].is_result)
      keeps = words (g, " store(%s)", s->parameter[k].name);
  bool may_be_bound = s->has_steps && !s->has_workspace && s->how != TANGENT;
  bool is_bound = may_be_bound && chance (g, 50);
  return words (g, "%s%s%s%s", fp, keeps, any[below (g, 9)],
                is_bound ? bounds[below (g, 5)] : "");
}

/* The derivative of what is derived from function NUMBER, if there is to be
   one; what comes later does not depend on it.  */
static void
write_twice (const maker *g, signature *s, int number)
{
  maker dice = *g;
  bool is_asked = may_be_twice (s) && chance (&dice, 40);
  s->is_exact = g->exact;
  s->is_twice_back = chance (&dice, 50);
  printf ("\n#ifndef NO_%d\n", number);
  if (is_asked)
    {
      write_prototype_twice (s, number);
      write_call_twice (s, number);
    }
  else
    printf ("# define twice_%d NULL\n", number);
  printf ("#else\n# define twice_%d NULL\n#endif\n", number);
}

/* Everything of function NUMBER; its row into TABLE.  */
static void
write_all (maker *g, int number, tns_text *table)
{
  tns_text body = tns_text_new (g->arena);
  g->top = tns_text_new (g->arena);
  g->after = tns_text_new (g->arena);
  g->top.indent = body.indent = 2;
  g->n_arrays = g->n_scalars = g->n_iters = 0;
  g->is_c89 = false;
  g->exact = chance (g, 50);
  g->reals = chance (g, 60) ? F64 : chance (g, 40) ? F32 : N_KINDS;
  g->deepest = 1 + below (g, 3);
  for (kind k = 0; k < N_KINDS; k++)
    g->sums[k] = chance (g, 40);
  signature s = choose_signature (g);
  choose_clear (g, &s);
  choose_variables (g);
  write_body (g, &s, &body);
  write_function (&s, number, g, &body);
  const char *text = tns_text_chars (&body);
  bool is_f32 = g->reals != F64 || strstr (text, "float")
                || strstr (tns_text_chars (&g->top), "float")
                || strstr (text, "above") || strstr (text, ".f");
  printf ("\n#ifdef __cplusplus\n");
  write_dual (&s, number);
  printf ("#else\n");
  write_prototype (&s, number, clauses (g, &s));
  write_call (&s, number);
  write_twice (g, &s, number);
  write_places (&s, number);
  printf ("#endif\n");
  tns_text_line (table,
                 "{ \"f%d\", %d, places_%d, %d, call_%d, dual_%d, %d, %d, %d, "
                 "twice_%d, %d },",
                 number, s.n, number, s.how, number, number, is_f32, g->exact,
                 s.is_restrict, number, s.is_twice_back);
}

int
main (int argc, char **argv)
{
  unsigned long long seed = argc > 1 ? strtoull (argv[1], NULL, 10) : 1;
  int n_functions = argc > 2 ? atoi (argv[2]) : 6;
  tns_arena *arena = tns_arena_new (tns_allocator_malloc ());
  maker g = { .arena = arena,
              .state = seed * 2654435761ULL + seed,
              .differentiable = true,
              .n = "n",
              .m = "m" };
  tns_text table = tns_text_new (arena);
  table.indent = 2;
  for (int k = 0; k < 8; k++)
    below (&g, 2);
  printf ("/* Seed %llu.  */\n\n#include \"gradient-unit.h\"\n\n%s", seed,
          random_called);
  for (kind k = F32; k <= F64; k++)
    random_rows (k);
  for (int k = 0; k < n_functions; k++)
    write_all (&g, k, &table);
  printf ("\n#ifndef __cplusplus\nint\nmain (void)\n{\n  static const function "
          "functions[] = {\n%s  };\n  return check_all (functions, %d);\n}\n"
          "#endif\n",
          tns_text_chars (&table), n_functions);
  tns_arena_free (arena);
  return 0;
}
