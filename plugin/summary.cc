/* What was done, in one line for the user: counted in the region before and
   in the loops that came out.  */

#include "plugin/record.hh"

/* What a walk over the loops that came out finds.

   parallel  iterators of the loops that threads share, with commas  */
typedef struct findings
{
  const tns_region *in;
  tns_text parallel;
  int n_parallel;
} findings;

/* The number of outermost loops below NODE; of two branches that have some, of
   the one with fewer: the other may be theirs in chunks.  */
static int
count_nests (const tns_node *node)
{
  if (!node)
    return 0;
  if (node->kind == TNS_LOOP)
    return 1;
  int n = 0;
  for (int k = 0; k < node->n_kids; k++)
    n += count_nests (node->kid[k]);
  if (node->kind != TNS_IF)
    return n;
  int then = count_nests (node->then);
  int otherwise = count_nests (node->otherwise);
  bool both = then > 0 && otherwise > 0;
  return n + (both ? MIN (then, otherwise) : then + otherwise);
}

/* How often STEP stands at the beginning of a line of PLAN.  */
static int
count_steps (const char *plan, const char *step)
{
  int n = 0;
  size_t length = strlen (step);
  for (const char *line = plan; line && *line;)
    {
      n += strncmp (line, step, length) == 0;
      line = strchr (line, '\n');
      line = line ? line + 1 : NULL;
    }
  return n;
}

/* NAME is USER's, or that of its tiles or chunks.  */
static bool
is_made_of (const char *name, const char *user)
{
  size_t length = strlen (user);
  return name && strncmp (name, user, length) == 0
         && (name[length] == '\0' || name[length] == '_'
             || name[length] == '.');
}

/* The user's iterator that ITER, perhaps of a tile, was made of.  */
static const char *
user_iterator (const tns_region *in, const tns_sym *iter)
{
  for (int k = 0; k < in->n_syms; k++)
    {
      const tns_sym *sym = in->syms[k];
      const char *spelled = sym->spelled ? sym->spelled : sym->name;
      if (sym->kind == TNS_SYM_ITER
          && (is_made_of (iter->name, sym->name)
              || is_made_of (iter->spelled, spelled)))
        return spelled;
    }
  return iter->spelled ? iter->spelled : iter->name;
}

/* NAME stands in the list WORDS.  */
static bool
tells_of (const char *words, const char *name)
{
  size_t length = strlen (name);
  for (const char *at = words; (at = strstr (at, name)); at += length)
    if ((at == words || at[-1] == ' ')
        && (at[length] == ',' || at[length] == '\0'))
      return true;
  return false;
}

/* Note LOOP, if threads share it, and those that are in one space with it.  */
static void
find_shared (findings *f, const tns_node *loop)
{
  int n = loop->marks.collapse ? loop->marks.collapse : loop->marks.parallel;
  for (int k = 0; k < n; k++)
    {
      const char *name = user_iterator (f->in, loop->iter);
      if (loop->marks.owner)
        name = tns_arena_format (f->parallel.arena, "%s by owner", name);
      if (!tells_of (tns_text_chars (&f->parallel), name))
        tns_text_format (&f->parallel, "%s%s", f->n_parallel++ ? ", " : "",
                         name);
      const tns_node *inner = loop->body;
      while (inner->kind == TNS_BLOCK && inner->n_kids == 1)
        inner = inner->kid[0];
      loop = inner->kind == TNS_LOOP ? inner : loop;
    }
}

/* Note the loops below NODE.  */
static void
find (findings *f, const tns_node *node)
{
  if (!node)
    return;
  if (node->kind == TNS_LOOP)
    {
      find_shared (f, node);
      find (f, node->body);
    }
  for (int k = 0; k < node->n_kids; k++)
    find (f, node->kid[k]);
  if (node->kind == TNS_IF)
    {
      find (f, node->then);
      find (f, node->otherwise);
    }
}

/* Append a part of the line: what stands between two parts first.  */
static void
begin_part (tns_text *text)
{
  if (text->length > 0)
    tns_text_add (text, "; ");
}

/* How many loops became how many.  */
static void
tell_fusion (tns_text *text, const tns_result *result)
{
  int before = count_nests (result->in->body);
  int after = count_nests (result->scheduled->body) + result->side_by_side;
  int fusions = count_steps (result->plan, "fuse");
  if (after < before)
    {
      begin_part (text);
      tns_text_format (text, "fused %d loop%s into %d", before,
                       before == 1 ? "" : "s", after);
    }
  else if (fusions > 0)
    {
      begin_part (text);
      tns_text_format (text, "fused %d inner loops into others", fusions);
    }
}

/* How many arrays became registers, and how many smaller.  */
static void
tell_contraction (tns_text *text, const tns_result *result)
{
  int registers = 0;
  for (int k = result->in->n_syms; k < result->scheduled->n_syms; k++)
    {
      const tns_sym *sym = result->scheduled->syms[k];
      registers += sym->kind == TNS_SYM_ARRAY && tns_sym_is_local (sym)
                   && sym->rank == 0;
    }
  registers += count_steps (result->plan, "forward");
  if (registers > result->contracted)
    registers = result->contracted;
  int smaller = result->contracted - registers;
  if (registers > 0)
    {
      begin_part (text);
      tns_text_format (text, "%d %s", registers,
                       registers == 1 ? "array became a register"
                                      : "arrays became registers");
    }
  if (smaller > 0)
    {
      begin_part (text);
      tns_text_format (text, "%d array%s became smaller", smaller,
                       smaller == 1 ? "" : "s");
    }
}

/* Which loops run in parallel, as the command line lets them, and in
   vectors.  */
static void
tell_marks (tns_ctx *ctx, tns_text *text, const tns_result *result)
{
  findings f = {};
  f.in = result->in;
  f.parallel = tns_text_new (ctx->arena);
  find (&f, result->scheduled->body);
  f.n_parallel = ctx->flags.openmp ? f.n_parallel : 0;
  if (f.n_parallel > 0)
    {
      begin_part (text);
      tns_text_format (text, "parallel over %s", tns_text_chars (&f.parallel));
    }
  if (result->simd_loops > 0)
    tns_text_format (text, "%ssimd %d",
                     f.n_parallel       ? ", "
                     : text->length > 0 ? "; "
                                        : "",
                     result->made.lanes);
}

/* WORDS, and what LIST, a clause that was met, names, with the sizes.  */
static void
tell_asked (tns_text *text, const char *words, const tns_wish_list *list)
{
  if (list->n > 0)
    begin_part (text);
  for (int k = 0; k < list->n; k++)
    {
      const tns_wish_name *name = &list->names[k];
      tns_text_format (text, "%s %s", k > 0 ? "," : words, name->name);
      if (name->number > 0)
        tns_text_format (text, " by %ld", name->number);
    }
}

/* The user's own changes of the loops.  */
static void
tell_wishes (tns_text *text, const tns_wish *wish)
{
  tell_asked (text, "interchanged", &wish->interchange);
  tell_asked (text, "tiled", &wish->tile);
  tell_asked (text, "unrolled", &wish->unroll);
}

/* How many loops hand a value on in a register.  */
static void
tell_recurrences (tns_text *text, const tns_result *result)
{
  int n = result->recurrences;
  if (n == 0)
    return;
  begin_part (text);
  tns_text_format (text, "%d recurrence%s in registers", n, n == 1 ? "" : "s");
}

/* What the stages noted.  */
static void
tell_notes (const tns_ctx *ctx, tns_text *text)
{
  for (const tns_remark *r = ctx->remarks; r; r = r->next)
    if (r->kind == TNS_REMARK_NOTE)
      {
        begin_part (text);
        tns_text_add (text, r->words);
      }
}

const char *
tns_summary (tns_ctx *ctx, const tns_result *result)
{
  tns_text text = tns_text_new (ctx->arena);
  if (!result->kept && result->in && result->scheduled)
    {
      tell_fusion (&text, result);
      tell_contraction (&text, result);
      tell_wishes (&text, &ctx->wish);
      tell_marks (ctx, &text, result);
      tell_recurrences (&text, result);
    }
  tell_notes (ctx, &text);
  const char *words = tns_text_chars (&text);
  if (result->kept)
    return tns_arena_format (ctx->arena, "kept as written: %s",
                             *words ? words
                                    : "no change was predicted to gain");
  return *words ? words : "transformed";
}
