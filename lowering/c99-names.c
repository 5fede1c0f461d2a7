/* Names in the C text: the user's own, where they mean nothing else there.

     local f32 sum_2;               float sum;
     for j_3 = 0 to m         ->    for (long j = 0; j < m; j++)
       sum_2 += x[i_1][j_3];          sum += x[i * m + j];

   What the user calls a symbol is tried first, then that with a number behind
   it, until no symbol that is seen at that place has the name.  Loops beside
   each other thus have the same iterators.  */

#include "lowering/c99-text.h"

#include <ctype.h>
#include <string.h>

#include "ir/walk.h"

/* Names of math.h and of stdlib.h, and those that the text uses itself.  */
static bool
is_taken (const char *name)
{
  static const char *const taken[] = { "malloc", "free", "abort", "I" };
  for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
    if (!strcmp (name, taken[k]))
      return true;
  for (int op = 0; op < TNS_N_OPS; op++)
    if (tns_op_class ((tns_op) op) == 'M'
        && (!strcmp (name, tns_op_math_name ((tns_op) op, TNS_F32))
            || !strcmp (name, tns_op_math_name ((tns_op) op, TNS_F64))
            || !strcmp (name, tns_op_math_name ((tns_op) op, TNS_F80))))
      return true;
  return !strncmp (name, "tensor_", 7) || !strncmp (name, "fabs", 4);
}

/* Words of C, GNU's among them, and macros of the headers that the text
   includes: a value called "o" has an adjoint.  */
static bool
is_of_c (tns_arena *arena, const char *name)
{
  static const char words[]
    = " asm auto bool break case char const continue default do double else"
      " enum extern false float for goto if inline int long register restrict"
      " return short signed sizeof static struct switch true typedef typeof"
      " union unsigned void volatile while NULL NAN INFINITY OVERFLOW UNDERFLOW"
      " DOMAIN SING PLOSS TLOSS RAND_MAX errno unix linux ";
  return strstr (words, tns_arena_format (arena, " %s ", name))
         || !strncmp (name, "FP_", 3) || !strncmp (name, "M_", 2)
         || !strncmp (name, "HUGE_VAL", 8) || !strncmp (name, "EXIT_", 5)
         || !strncmp (name, "MATH_", 5);
}

/* Words that mean something else in CUDA C than in C.  */
static bool
is_of_cuda (tns_arena *arena, const char *name)
{
  static const char words[]
    = " alignas alignof and and_eq asm bitand bitor blockDim blockIdx bool"
      " catch char16_t char32_t class compl const_cast constexpr decltype"
      " delete dynamic_cast explicit export false friend gridDim mutable"
      " namespace new noexcept not not_eq nullptr operator or or_eq private"
      " protected public reinterpret_cast static_assert static_cast template"
      " this thread_local threadIdx throw true try typeid typename using"
      " virtual warpSize wchar_t xor xor_eq ";
  return strstr (words, tns_arena_format (arena, " %s ", name))
         || !strncmp (name, "tns_", 4) || !strncmp (name, "TNS_", 4);
}

/* seen[0..n)       symbols that can be named here
   seen_everywhere  by symbol id: named before all others, since they are not
                    declared in one block only  */
typedef struct naming
{
  tns_c99 *c;
  int n;
  const tns_sym **seen;
  bool *seen_everywhere;
} naming;

/* A symbol that is seen is called NAME.  */
static bool
is_seen (const naming *w, const char *name)
{
  for (int k = 0; k < w->n; k++)
    if (!strcmp (w->c->name[w->seen[k]->id], name))
      return true;
  return false;
}

/* NAME can be a name in C.  */
static bool
is_identifier (const char *name)
{
  for (const char *p = name; *p; p++)
    if (*p != '_' && !(p > name ? isalnum : isalpha) ((unsigned char) *p))
      return false;
  return *name;
}

/* NAME without numbers behind it: "dx" of "dx_1_2".  */
static const char *
without_numbers (tns_arena *arena, const char *name)
{
  size_t length = strlen (name);
  for (size_t k = length; k > 1 && isdigit ((unsigned char) name[k - 1]);)
    if (name[--k - 1] == '_')
      length = --k;
  return tns_arena_format (arena, "%.*s", (int) length, name);
}

/* What SYM is called where nothing else is.  What a gradient keeps, and
   adjoints, are spelled as the values that they belong to.  */
static const char *
own_name (tns_arena *arena, const tns_sym *sym)
{
  if (tns_sym_is_local (sym) && tns_sym_role (sym))
    return without_numbers (arena, sym->name);
  return sym->spelled && is_identifier (sym->spelled) ? sym->spelled
                                                      : sym->name;
}

/* Name SYM, and see it.  */
static void
see (naming *w, const tns_sym *sym)
{
  tns_arena *arena = w->c->text->arena;
  const char *own = own_name (arena, sym);
  const char *name = own;
  for (int k = 1; is_taken (name) || is_of_c (arena, name) || is_seen (w, name)
                  || (w->c->is_cuda && is_of_cuda (arena, name));
       k++)
    name = tns_arena_format (arena, "%s_%d", own, k);
  w->c->name[sym->id] = name;
  w->seen[w->n++] = sym;
}

/* Name what NODE declares.  */
static void
name_in (naming *w, const tns_node *node)
{
  int n = w->n;
  if (!node)
    return;
  if (node->kind == TNS_LOOP)
    see (w, node->iter);
  for (int k = 0; k < node->n_kids; k++)
    if (node->kid[k]->kind != TNS_LOCAL)
      name_in (w, node->kid[k]);
    else if (!w->seen_everywhere[node->kid[k]->sym->id])
      see (w, node->kid[k]->sym);
  name_in (w, node->body);
  name_in (w, node->then);
  name_in (w, node->otherwise);
  w->n = n;
}

/* Name SYM, which is seen in all of the function.  */
static void
see_everywhere (naming *w, const tns_sym *sym)
{
  if (w->seen_everywhere[sym->id])
    return;
  see (w, sym);
  w->seen_everywhere[sym->id] = true;
}

/* The visitor that counts in SELF, by symbol id, where locals begin.  */
static bool
count_local (tns_node *node, void *self)
{
  int *locals = self;
  if (node->kind == TNS_LOCAL)
    locals[node->sym->id]++;
  return true;
}

void
tns_c99_names (tns_c99 *c)
{
  const tns_region *region = c->region;
  tns_arena *arena = c->text->arena;
  int n = region->n_syms + 1;
  int *locals = TNS_NEW_ARRAY (arena, int, n);
  naming w = { c, 0, TNS_NEW_ARRAY (arena, const tns_sym *, n),
               TNS_NEW_ARRAY (arena, bool, n) };
  c->name = TNS_NEW_ARRAY (arena, const char *, n);
  tns_node_walk (region->body, count_local, locals);
  for (int k = 0; k < region->n_syms; k++)
    if (region->syms[k]->kind == TNS_SYM_FUNCTION)
      see_everywhere (&w, region->syms[k]);
  for (int k = 0; k < region->n_params; k++)
    see_everywhere (&w, region->params[k]);
  for (int k = 0; region->before && k < region->before->n_kids; k++)
    if (region->before->kid[k]->kind == TNS_LOCAL)
      see_everywhere (&w, region->before->kid[k]->sym);
  for (int k = 0; k < region->n_syms; k++)
    if (c->taken[k] || locals[k] > 1)
      see_everywhere (&w, region->syms[k]);
  name_in (&w, region->body);
}

const char *
tns_c99_name (const tns_c99 *c, const tns_sym *sym)
{
  bool is_own = sym->id < c->region->n_syms && c->name[sym->id]
                && c->region->syms[sym->id]->name == sym->name;
  return is_own ? c->name[sym->id] : sym->name;
}
