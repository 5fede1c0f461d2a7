/* The text form of nodes and regions, read; expressions are read by
   ir/parse-expr.c, the grammar stands at the head of ir/parse.h.

   A symbol must stand above its first use.  A loop declares its iterator;
   two loops that are not nested may share one, and a local that is declared
   again in another block is the same symbol.  */

#include "ir/parser.h"

#include <limits.h>
#include <string.h>

/* The rest of a statement or head line.  */
static void
end_line (tns_parser *p)
{
  tns_parser_expect (p, ";");
}

/* The string that is the current token, without quotes and escapes, or
   NULL when there is none.  */
static const char *
take_string (tns_parser *p)
{
  tns_word *token = &p->lexer.token;
  if (token->kind != TNS_WORD_STRING)
    return NULL;
  char *string = tns_arena_get (p->arena, token->length);
  size_t n = 0;
  for (size_t k = 1; k < token->length - 1; k++)
    {
      char c = token->start[k];
      if (c == '\\')
        {
          c = token->start[++k];
          c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
      string[n++] = c;
    }
  tns_lexer_next (&p->lexer);
  return string;
}

/* An element type.  */
static tns_elem
parse_elem (tns_parser *p)
{
  tns_elem elem = tns_elem_from_name (tns_parser_name (p));
  if (elem == TNS_N_ELEMS)
    tns_parser_fail (p, "there is no such element type");
  return elem;
}

/* A name that no symbol has yet.  */
static const char *
parse_new_name (tns_parser *p)
{
  tns_word token = p->lexer.token;
  const char *name = tns_parser_name (p);
  if (!tns_region_find (p->region, name))
    return name;
  p->lexer.token = token;
  tns_parser_fail (p, "this name is taken");
}

/* The name of a symbol, of an array when IS_ARRAY.  */
static tns_sym *
parse_sym (tns_parser *p, bool is_array)
{
  tns_sym *sym = tns_region_find (p->region, tns_parser_name (p));
  if (!sym || (is_array && sym->kind != TNS_SYM_ARRAY))
    tns_parser_fail (p, is_array ? "that was no array" : "that was no symbol");
  return sym;
}

/* Extents in brackets into EXTENT, where subscripts begin into FIRST; the
   number of them.  */
static int
parse_extents (tns_parser *p, tns_expr **extent, long long *first)
{
  int rank = 0;
  while (tns_parser_take (p, "["))
    {
      if (rank == TNS_MOST_RANK)
        tns_parser_fail (p, "too many subscripts");
      extent[rank] = NULL;
      if (!tns_word_is (&p->lexer.token, "]"))
        extent[rank] = tns_parser_expr (p);
      if (rank && !extent[rank])
        tns_parser_fail (p, "only the first extent may be unknown");
      first[rank] = 0;
      if (rank && tns_parser_take (p, "from"))
        first[rank] = tns_parser_number (p);
      tns_parser_expect (p, "]");
      rank++;
    }
  return rank;
}

/* "stride (list)", when it stands there.  */
static void
parse_stride (tns_parser *p, tns_sym *sym)
{
  if (!tns_parser_take (p, "stride"))
    return;
  sym->stride = TNS_NEW_ARRAY (p->arena, tns_expr *, sym->rank);
  for (int k = 0; k < sym->rank; k++)
    {
      tns_parser_expect (p, k ? "," : "(");
      sym->stride[k] = tns_parser_expr (p);
    }
  tns_parser_expect (p, ")");
}

/* What is known of an array.  */
static unsigned
parse_flags (tns_parser *p)
{
  static const char *const names[]
    = { "temp", "const",      "object", "restrict",
        "heap", "per_thread", "steers", "apart" };
  unsigned flags = 0;
  for (int k = 0; k < 8; k++)
    if (tns_parser_take (p, names[k]))
      {
        flags |= (unsigned) TNS_SYM_TEMP << k;
        k = -1;
      }
  return flags;
}

/* "= {1, 2, 3}", when it stands there.  */
static void
parse_held (tns_parser *p, tns_sym *sym)
{
  if (!tns_parser_take (p, "="))
    return;
  sym->held = TNS_NEW_ARRAY (p->arena, tns_expr *, TNS_MOST_HELD);
  tns_parser_expect (p, "{");
  do
    {
      if (sym->n_held == TNS_MOST_HELD)
        tns_parser_fail (p, "too many elements");
      sym->held[sym->n_held++] = tns_parser_expr (p);
    }
  while (tns_parser_take (p, ","));
  tns_parser_expect (p, "}");
}

/* ELEM NAME[n][m] stride (...) flags = {...}.  */
static tns_sym *
parse_array (tns_parser *p, unsigned flags)
{
  tns_expr *extent[TNS_MOST_RANK];
  tns_type type = tns_parser_type (p);
  const char *name = parse_new_name (p);
  long long *first = TNS_NEW_ARRAY (p->arena, long long, TNS_MOST_RANK);
  int rank = parse_extents (p, extent, first);
  if (type.lanes > 1 && (rank || !(flags & TNS_SYM_LOCAL)))
    tns_parser_fail (p, "only a local of rank 0 may be a vector");
  tns_sym *sym
    = tns_region_add_array (p->arena, p->region, name, type.elem, rank, flags);
  sym->type = type;
  if (rank)
    memcpy (sym->extent, extent, sizeof *extent * (size_t) rank);
  for (int k = 0; k < rank; k++)
    sym->first = first[k] ? first : sym->first;
  parse_stride (p, sym);
  sym->flags |= parse_flags (p);
  parse_held (p, sym);
  return sym;
}

/* "partial f g _", when it stands there, for each argument of SYM.  */
static void
parse_partials (tns_parser *p, tns_sym *sym)
{
  if (!tns_parser_take (p, "partial"))
    return;
  sym->partial = TNS_NEW_ARRAY (p->arena, tns_sym *, sym->rank + 1);
  for (int k = 0; k < sym->rank; k++)
    sym->partial[k] = tns_parser_take (p, "_") ? NULL : parse_sym (p, false);
}

/* "places vpcwc", when it stands there, a letter for each argument of SYM.  */
static void
parse_places (tns_parser *p, tns_sym *sym)
{
  static const char kinds[] = "vpwc";
  if (!tns_parser_take (p, "places"))
    return;
  const char *word = tns_parser_name (p);
  if ((int) strlen (word) != sym->rank
      || (int) strspn (word, kinds) != sym->rank)
    tns_parser_fail (p, "these are not the places of its arguments");
  sym->argument = TNS_NEW_ARRAY (p->arena, tns_handed, sym->rank + 1);
  for (int k = 0; k < sym->rank; k++)
    sym->argument[k].kind = (tns_handed_kind) (strchr (kinds, word[k]) - kinds);
}

/* "function ELEM NAME(n) partial ... places ...".  */
static bool
parse_function (tns_parser *p)
{
  if (!tns_parser_take (p, "function"))
    return false;
  tns_loc loc = tns_parser_loc (p);
  tns_elem elem = parse_elem (p);
  const char *name = parse_new_name (p);
  tns_parser_expect (p, "(");
  long long rank = tns_parser_number (p);
  if (rank < 0 || rank > TNS_MOST_RANK)
    tns_parser_fail (p, "the number is out of range");
  tns_parser_expect (p, ")");
  tns_sym *sym
    = tns_region_add_function (p->arena, p->region, name, elem, (int) rank);
  parse_partials (p, sym);
  parse_places (p, sym);
  const char *spelled = take_string (p);
  sym->spelled = spelled ? spelled : sym->spelled;
  sym->loc = loc;
  return true;
}

/* "value", "array" and "cell" lines.  */
static bool
parse_declaration (tns_parser *p)
{
  tns_loc loc = tns_parser_loc (p);
  tns_sym *sym;
  if (tns_parser_take (p, "value"))
    {
      tns_elem elem = parse_elem (p);
      sym
        = tns_region_add_value (p->arena, p->region, parse_new_name (p), elem);
    }
  else if (tns_parser_take (p, "array") || tns_parser_take (p, "cell"))
    sym = parse_array (p, 0);
  else
    return false;
  const char *spelled = take_string (p);
  sym->spelled = spelled ? spelled : sym->spelled;
  sym->loc = loc;
  tns_region_add_param (p->arena, p->region, sym);
  return true;
}

/* "params x n y".  */
static bool
parse_params (tns_parser *p)
{
  if (!tns_parser_take (p, "params"))
    return false;
  p->region->n_params = 0;
  while (p->lexer.token.kind == TNS_WORD_NAME)
    tns_region_add_param (p->arena, p->region, parse_sym (p, false));
  return true;
}

/* "span A lo to hi written".  */
static bool
parse_span (tns_parser *p)
{
  if (!tns_parser_take (p, "span"))
    return false;
  tns_span span = { .sym = parse_sym (p, true) };
  if (!tns_parser_take (p, "unknown"))
    {
      span.lo = tns_parser_expr (p);
      tns_parser_expect (p, "to");
      span.hi = tns_parser_expr (p);
    }
  span.written = tns_parser_take (p, "written");
  tns_region_add_span (p->arena, p->region, span);
  return true;
}

/* "overlap", "still", "assume", "guard" and "before" lines.  */
static bool
parse_fact (tns_parser *p)
{
  if (tns_parser_take (p, "overlap"))
    {
      tns_sym *a = parse_sym (p, true);
      tns_region_add_overlap (p->arena, p->region, a, parse_sym (p, true));
    }
  else if (tns_parser_take (p, "still"))
    tns_region_add_still (p->arena, p->region, tns_parser_expr (p));
  else if (tns_parser_take (p, "assume"))
    tns_region_add_assume (p->arena, p->region, tns_parser_expr (p));
  else if (tns_parser_take (p, "guard"))
    tns_region_add_guard (p->arena, p->region, tns_parser_expr (p));
  else if (tns_parser_take (p, "before"))
    p->region->before = tns_parser_block (p);
  else
    return false;
  return true;
}

/* What was counted.  */
static bool
parse_count (tns_parser *p)
{
  if (tns_parser_take (p, "flops"))
    p->region->flops = tns_parser_expr (p);
  else if (tns_parser_take (p, "bytes_before"))
    p->region->bytes_before = tns_parser_expr (p);
  else if (tns_parser_take (p, "bytes_after"))
    p->region->bytes_after = tns_parser_expr (p);
  else if (tns_parser_take (p, "exact"))
    p->region->exact = true;
  else
    return false;
  return true;
}

/* "[offset : extent]" for each subscript of R, behind its name.  */
static void
parse_box (tns_parser *p, tns_reduction *r)
{
  int rank = r->sym->rank;
  for (int k = 0; k < rank; k++)
    {
      if (k > 0)
        tns_parser_expect (p, "[");
      else if (!tns_parser_take (p, "["))
        return;
      if (!r->offset)
        {
          r->offset = TNS_NEW_ARRAY (p->arena, tns_expr *, rank);
          r->extent = TNS_NEW_ARRAY (p->arena, tns_expr *, rank);
        }
      r->offset[k] = tns_parser_expr (p);
      tns_parser_expect (p, ":");
      r->extent[k] = tns_parser_expr (p);
      tns_parser_expect (p, "]");
    }
}

/* "reduce (add: s, t[0 : N])" behind its name.  */
static void
parse_reductions (tns_parser *p, tns_node *loop)
{
  tns_parser_expect (p, "(");
  tns_op op = tns_op_from_name (tns_parser_name (p));
  if (op == TNS_N_OPS || !tns_op_is_reduction (op))
    tns_parser_fail (p, "that is no operator of reductions");
  tns_parser_expect (p, ":");
  do
    {
      tns_marks *marks = &loop->marks;
      tns_marks_add_reduction (p->arena, marks, parse_sym (p, true), op);
      parse_box (p, &marks->reductions[marks->n_reductions - 1]);
    }
  while (tns_parser_take (p, ","));
  tns_parser_expect (p, ")");
}

/* "(n)" of a mark, a count.  */
static int
parse_count_mark (tns_parser *p)
{
  tns_parser_expect (p, "(");
  long long n = tns_parser_number (p);
  if (n < 0 || n > INT_MAX)
    tns_parser_fail (p, "the number is out of range");
  tns_parser_expect (p, ")");
  return (int) n;
}

/* "(expr)" behind the name of a mark.  */
static tns_expr *
parse_expr_mark (tns_parser *p)
{
  tns_parser_expect (p, "(");
  tns_expr *expr = tns_parser_expr (p);
  tns_parser_expect (p, ")");
  return expr;
}

/* "(x)" behind the name of a mark.  */
static tns_sym *
parse_array_mark (tns_parser *p)
{
  tns_parser_expect (p, "(");
  tns_sym *sym = parse_sym (p, true);
  tns_parser_expect (p, ")");
  return sym;
}

/* One mark of LOOP; false where none stands.  */
static bool
parse_mark (tns_parser *p, tns_node *loop)
{
  tns_marks *marks = &loop->marks;
  if (tns_parser_take (p, "parallel"))
    marks->parallel = true;
  else if (tns_parser_take (p, "when"))
    marks->when = parse_expr_mark (p);
  else if (tns_parser_take (p, "work"))
    marks->work = parse_expr_mark (p);
  else if (tns_parser_take (p, "balanced"))
    marks->balanced = true;
  else if (tns_parser_take (p, "collapse"))
    marks->collapse = parse_count_mark (p);
  else if (tns_parser_take (p, "simd"))
    marks->simd = parse_count_mark (p);
  else if (tns_parser_take (p, "unroll"))
    marks->unroll = parse_count_mark (p);
  else if (tns_parser_take (p, "accumulators"))
    marks->accumulators = parse_count_mark (p);
  else if (tns_parser_take (p, "rows"))
    marks->rows = parse_count_mark (p);
  else if (tns_parser_take (p, "skew"))
    marks->skew = parse_count_mark (p);
  else if (tns_parser_take (p, "chunks"))
    marks->chunks = parse_count_mark (p);
  else if (tns_parser_take (p, "owners"))
    marks->owners = parse_count_mark (p);
  else if (tns_parser_take (p, "owner"))
    marks->owner = parse_expr_mark (p);
  else if (tns_parser_take (p, "stages"))
    marks->stages = parse_count_mark (p);
  else if (tns_parser_take (p, "align"))
    marks->align = parse_array_mark (p);
  else if (tns_parser_take (p, "panel"))
    marks->panel = parse_array_mark (p);
  else if (tns_parser_take (p, "sweeps"))
    marks->sweeps = parse_count_mark (p);
  else if (tns_parser_take (p, "summed"))
    marks->summed = parse_array_mark (p);
  else if (tns_parser_take (p, "reduce"))
    parse_reductions (p, loop);
  else
    return false;
  return true;
}

/* The iterator of a loop, new or used before.  */
static tns_sym *
parse_iterator (tns_parser *p)
{
  const char *name = tns_parser_name (p);
  tns_sym *sym = tns_region_find (p->region, name);
  if (!sym)
    return tns_region_add_iter (p->arena, p->region, name);
  if (sym->kind != TNS_SYM_ITER)
    tns_parser_fail (p, "that name is not an iterator's");
  return sym;
}

/* Behind "local": a new local, or one that another block had.  */
static tns_node *
parse_local (tns_parser *p, tns_loc loc)
{
  tns_lexer start = p->lexer;
  tns_type type = tns_parser_type (p);
  tns_sym *sym = tns_region_find (p->region, tns_parser_name (p));
  tns_node *node = tns_local (p->arena, loc, sym);
  if (sym)
    {
      tns_expr *extent[TNS_MOST_RANK];
      long long first[TNS_MOST_RANK];
      int rank = parse_extents (p, extent, first);
      if (sym->kind != TNS_SYM_ARRAY || !tns_sym_is_local (sym)
          || sym->rank != rank || !tns_type_equal (sym->type, type))
        tns_parser_fail (p, "this name is taken");
      (void) parse_flags (p);
    }
  else
    {
      p->lexer = start;
      node->sym = parse_array (p, TNS_SYM_LOCAL);
    }
  end_line (p);
  return node;
}

/* "=", "+=" or "max=".  */
static tns_op
parse_update (tns_parser *p)
{
  if (tns_parser_take (p, "="))
    return TNS_NONE;
  for (int op = 0; op < TNS_N_OPS; op++)
    {
      const char *infix = tns_op_infix ((tns_op) op);
      if (infix && tns_op_class ((tns_op) op) == 'A'
          && tns_parser_take (p, tns_arena_format (p->arena, "%s=", infix)))
        return (tns_op) op;
    }
  tns_op op = tns_op_from_name (tns_parser_name (p));
  if (op == TNS_N_OPS || tns_op_arity (op) != 2)
    tns_parser_fail (p, "that is no operator of updates");
  tns_parser_expect (p, "=");
  return op;
}

/* [NAME :] [where (mask)] target = value;  */
static tns_node *
parse_assign (tns_parser *p, tns_loc loc)
{
  tns_lexer behind = p->lexer;
  tns_lexer_next (&behind);
  const char *name = NULL;
  if (tns_word_is (&behind.token, ":"))
    {
      name = tns_parser_name (p);
      tns_parser_expect (p, ":");
      behind = p->lexer;
      tns_lexer_next (&behind);
    }
  tns_expr *mask = NULL;
  if (tns_word_is (&p->lexer.token, "where")
      && tns_word_is (&behind.token, "("))
    {
      tns_parser_expect (p, "where");
      tns_parser_expect (p, "(");
      mask = tns_parser_expr (p);
      tns_parser_expect (p, ")");
    }
  tns_expr *target = tns_parser_expr (p);
  if (target->op != TNS_LOAD)
    tns_parser_fail (p, "only an element of an array can be assigned");
  tns_op update = parse_update (p);
  tns_node *node
    = tns_assign (p->arena, loc, target, update, tns_parser_expr (p));
  node->mask = mask;
  node->name = name;
  end_line (p);
  return node;
}

/* What the word at the head of a statement says it is; a word that is the
   name of an array there counts as none.  */
static bool
takes_keyword (tns_parser *p, const char *word)
{
  tns_lexer behind = p->lexer;
  tns_lexer_next (&behind);
  bool is_followed
    = behind.token.kind == TNS_WORD_NAME
      || (!strcmp (word, "if") && tns_word_is (&behind.token, "("));
  tns_lexer_next (&behind);
  bool is_update = strcmp (word, "for") && tns_word_is (&behind.token, "=");
  return is_followed && !is_update && tns_parser_take (p, word);
}

/* for i = lo to hi step s MARKS { }, behind its keyword.  */
static tns_node *
parse_loop (tns_parser *p, tns_loc loc)
{
  tns_sym *iter = parse_iterator (p);
  tns_parser_expect (p, "=");
  tns_expr *lo = tns_parser_expr (p);
  tns_parser_expect (p, "to");
  tns_expr *hi = tns_parser_expr (p);
  long long step = tns_parser_take (p, "step") ? tns_parser_number (p) : 1;
  tns_node *loop = tns_loop (p->arena, loc, iter, lo, hi, step, NULL);
  while (parse_mark (p, loop))
    continue;
  loop->body = tns_parser_block (p);
  return loop;
}

/* if (cond) { } else { }, behind its keyword.  */
static tns_node *
parse_if (tns_parser *p, tns_loc loc)
{
  tns_parser_expect (p, "(");
  tns_expr *cond = tns_parser_expr (p);
  tns_parser_expect (p, ")");
  tns_node *then = tns_parser_block (p);
  bool has_else = tns_parser_take (p, "else");
  return tns_if (p->arena, loc, cond, then,
                 has_else ? tns_parser_block (p) : NULL);
}

/* prefetch A[i];  behind its keyword.  */
static tns_node *
parse_prefetch (tns_parser *p, tns_loc loc)
{
  tns_node *node
    = tns_assign (p->arena, loc, tns_parser_expr (p), TNS_NONE, NULL);
  node->kind = TNS_PREFETCH;
  if (node->target->op != TNS_LOAD)
    tns_parser_fail (p, "only an element of an array can be prefetched");
  end_line (p);
  return node;
}

/* One statement.  */
static tns_node *
parse_node (tns_parser *p)
{
  tns_loc loc = tns_parser_loc (p);
  if (tns_word_is (&p->lexer.token, "{"))
    return tns_parser_block (p);
  if (takes_keyword (p, "for"))
    return parse_loop (p, loc);
  if (takes_keyword (p, "if"))
    return parse_if (p, loc);
  if (takes_keyword (p, "local"))
    return parse_local (p, loc);
  if (takes_keyword (p, "prefetch"))
    return parse_prefetch (p, loc);
  return parse_assign (p, loc);
}

tns_node *
tns_parser_block (tns_parser *p)
{
  tns_node *block = tns_block (p->arena, tns_parser_loc (p));
  tns_parser_enter (p);
  tns_parser_expect (p, "{");
  while (!tns_parser_take (p, "}"))
    tns_block_add (p->arena, block, parse_node (p));
  p->depth--;
  return block;
}

/* NAME "file":LINE in FUNCTION, behind "region".  */
static void
parse_title (tns_parser *p)
{
  const char *name = take_string (p);
  p->region->name = name ? name : tns_parser_name (p);
  p->region->file = take_string (p);
  if (p->region->file)
    {
      tns_parser_expect (p, ":");
      p->region->line = (int) tns_parser_number (p);
    }
  if (tns_parser_take (p, "in"))
    p->region->function = tns_parser_name (p);
}

/* One region.  */
static void
parse_region (tns_parser *p)
{
  tns_parser_expect (p, "region");
  parse_title (p);
  tns_parser_expect (p, "{");
  while (!tns_word_is (&p->lexer.token, "{"))
    {
      if (!parse_function (p) && !parse_declaration (p) && !parse_params (p)
          && !parse_span (p) && !parse_fact (p) && !parse_count (p))
        tns_parser_fail (p, "expected a declaration, a fact or the body");
      end_line (p);
    }
  p->region->body = tns_parser_block (p);
  tns_parser_expect (p, "}");
}

tns_region *
tns_region_parse (tns_arena *arena, const char **chars, tns_parse_error *error)
{
  tns_parser p = { .arena = arena,
                   .lexer = tns_lexer_new (*chars, error->line + !error->line),
                   .error = error };
  *error = (tns_parse_error){ 0, 0, NULL };
  if (p.lexer.token.kind == TNS_WORD_END)
    return NULL;
  p.region = tns_region_new (arena, "");
  p.region->loc = tns_parser_loc (&p);
  if (setjmp (p.failed))
    return NULL;
  parse_region (&p);
  *chars = p.lexer.token.start;
  error->line = p.lexer.token.line;
  return p.region;
}
