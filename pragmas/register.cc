/* #pragma tensor, scop and endscop: from GCC's parser to markers.

     #pragma tensor temp(t)           (void) 3;     mark number 3
     for (...)                 ->     for (...)
       ...                              ...

   A marker is a constant of a type of its own, cast to void, that the
   gimplifier drops.  It is put where the parser is with add_stmt, so that

     if (c)
     #pragma tensor
       for (...)

   is a block of the marker and the loop, both under the condition: what the
   program means does not change.  GCC 11 parses the line above as the whole
   statement under the condition, and the loop as the next one: there it is
   an error that asks for braces.

   keep_next_level has the parser make a BIND_EXPR of the block or the loop
   that follows even when it declares nothing: a block without declarations
   would dissolve into the statements around it, and its end could not be
   seen.

   #pragma tensor function leaves no marker: the next definition of a function
   is remembered.  What is not known while the line is read is checked by
   callbacks of the parser: a function begins, a declaration is over, a
   function is over.  */

#include "pragmas/register.hh"

#include "plugin/derivative.hh"
#include "plugin/derive.hh"
#include "plugin/report.hh"
#include "plugin/symbols.hh"
#include "pragmas/collect.hh"
#include "pragmas/fact.hh"
#include "pragmas/section.hh"

extern "C"
{
#include "base/text.h"
#include "pragmas/parse.h"
}

/* marks      of the function that is being parsed, by number; NULL: in error
   scop       the mark of a scop that waits for its endscop, or NULL
   scop_list  the statement list that it stands in
   awaited    where a function directive waits for its function, or
              UNKNOWN_LOCATION
   prototype  of a gradient or tangent directive that waits for its prototype,
              or NULL
   functions  DECL_UIDs of those that have come
   n_misuses  errors of the compilation that are about pragmas
   n_errors   other errors when the outermost function at hand began  */
static struct
{
  const tns_options *options;
  tns_arena *arena;
  tns_mark **marks;
  int n_marks;
  int marks_room;
  tns_mark *scop;
  tree scop_list;
  location_t awaited;
  tns_wish *prototype;
  unsigned *functions;
  int n_functions;
  int n_misuses;
  int n_errors;
} state;

/* What the collector must not take: the type of the markers' constants, and
   the facts and sections of the function that is being parsed.  */
static tree marker_type;
static tree live_facts;

static const struct ggc_root_tab roots[]
  = { { &marker_type, 1, sizeof (tree), &gt_ggc_mx_tree_node,
        &gt_pch_nx_tree_node },
      { &live_facts, 1, sizeof (tree), &gt_ggc_mx_tree_node,
        &gt_pch_nx_tree_node },
      LAST_GGC_ROOT_TAB };

/* WORDS with its quotes as the locale has them.  */
static const char *
with_quotes (const char *words)
{
  tns_text text = tns_text_new (state.arena);
  bool inside = false;
  for (; *words; words++)
    if (*words == '\'')
      {
        tns_text_add (&text, inside ? close_quote : open_quote);
        inside = !inside;
      }
    else
      tns_text_format (&text, "%c", *words);
  return tns_text_chars (&text);
}

/* Give ERROR as GCC's, with the caret on the word and a fix-it.  */
static void
give_error (const tns_pragma_error *error)
{
  rich_location place (line_table, error->loc.handle);
  const char *words = with_quotes (error->words);
  if (!error->meant)
    {
      error_at (&place, "%s", words);
      return;
    }
  place.add_fixit_replace (error->meant);
  error_at (&place, "%s; did you mean %qs?", words, error->meant);
}

/* A new mark of KIND at LOC, wishing for WISH.  */
static tns_mark *
new_mark (tns_mark_kind kind, const tns_wish *wish, location_t loc)
{
  if (state.n_marks == state.marks_room)
    {
      int room = 2 * state.marks_room + 8;
      state.marks = (tns_mark **) tns_arena_grow (
        state.arena, state.marks, sizeof (tns_mark *) * state.marks_room,
        sizeof (tns_mark *) * room);
      state.marks_room = room;
    }
  tns_mark *mark = TNS_NEW (state.arena, tns_mark);
  mark->kind = kind;
  mark->wish = *wish;
  mark->wish.loc = tns_loc_of (loc);
  mark->loc = loc;
  mark->fndecl = current_function_decl;
  state.marks[state.n_marks++] = mark;
  return mark;
}

/* Put the marker of the newest mark where the parser is.  */
static void
place_marker (location_t loc)
{
  if (!marker_type)
    marker_type = make_signed_type (32);
  tree marker = build1 (NOP_EXPR, void_type_node,
                        build_int_cst (marker_type, state.n_marks - 1));
  SET_EXPR_LOCATION (marker, loc);
  add_stmt (marker);
}

tns_mark *
tns_mark_of_stmt (tree stmt)
{
  if (!marker_type || !stmt || TREE_CODE (stmt) != NOP_EXPR
      || !VOID_TYPE_P (TREE_TYPE (stmt)))
    return NULL;
  tree number = TREE_OPERAND (stmt, 0);
  if (TREE_CODE (number) != INTEGER_CST || TREE_TYPE (number) != marker_type)
    return NULL;
  HOST_WIDE_INT k = tree_to_shwi (number);
  return k < state.n_marks ? state.marks[k] : NULL;
}

/* MARK is in error: its marker is an ordinary statement.  */
static void
forget_mark (const tns_mark *mark)
{
  for (int k = 0; k < state.n_marks; k++)
    if (state.marks[k] == mark)
      state.marks[k] = NULL;
}

/* Make trees of WISH's facts; false when one is in error.  */
static bool
read_facts (tns_wish *wish)
{
  for (int k = 0; k < wish->n_facts; k++)
    {
      tree fact = tns_fact_tree ((const tns_condition *) wish->facts[k].tree);
      if (fact == error_mark_node)
        return false;
      live_facts = tree_cons (NULL_TREE, fact, live_facts);
      wish->facts[k].tree = fact;
    }
  return true;
}

/* Keep MADE, a tree in a wish, or nothing, from the collector.  */
static void
keep_alive (void *made)
{
  if (made)
    live_facts = tree_cons (NULL_TREE, (tree) made, live_facts);
}

/* Make trees of WISH's sections; false when one is in error.  */
static bool
read_sections (tns_wish *wish)
{
  for (int k = 0; k < wish->n_sections; k++)
    {
      tns_wish_section *given = &wish->sections[k];
      if (!tns_section_trees (given))
        return false;
      keep_alive (given->base);
      keep_alive (given->from);
      keep_alive (given->length);
    }
  return true;
}

/* We stand inside a function; else the pragma called NAME is an error.  */
static bool
in_function (location_t loc, const char *name)
{
  if (current_function_decl)
    return true;
  error_at (loc, "%<#pragma %s%> outside of a function", name);
  return false;
}

/* #pragma tensor function at LOC.  */
static void
await_function (location_t loc)
{
  if (current_function_decl)
    error_at (loc, "%<#pragma tensor function%> inside of a function");
  else if (state.awaited != UNKNOWN_LOCATION)
    error_at (loc, "%<#pragma tensor function%> is given twice");
  else
    state.awaited = loc;
}

/* #pragma tensor gradient, tangent or derivative at LOC, with WISH.  */
static void
await_prototype (location_t loc, const tns_wish *wish)
{
  if (current_function_decl)
    error_at (loc, "%<#pragma tensor %s%> inside of a function",
              tns_wish_mode (wish));
  else if (state.prototype)
    error_at (loc, "two %<#pragma tensor %s%> before one %s",
              tns_wish_mode (wish),
              wish->derived.own ? "function" : "prototype");
  else
    {
      state.prototype = TNS_NEW (state.arena, tns_wish);
      *state.prototype = *wish;
      state.prototype->loc = tns_loc_of (loc);
    }
}

void
tns_note_misuses (int n)
{
  state.n_misuses += n;
}

/* The errors that are not about pragmas, so far.  */
static int
count_errors (void)
{
  return errorcount + sorrycount - state.n_misuses;
}

/* #pragma tensor; the parser stands behind the word.  */
static void
read_tensor (location_t loc)
{
  int n;
  tns_token *token = tns_pragma_collect (state.arena, &n);
  tns_directive directive;
  tns_wish wish;
  tns_pragma_error error;
  if (!tns_pragma_parse (state.arena, token, n, &state.options->wish,
                         &directive, &wish, &error))
    give_error (&error);
  else if (directive == TNS_DIRECTIVE_FUNCTION)
    await_function (loc);
  else if (directive == TNS_DIRECTIVE_GRADIENT)
    await_prototype (loc, &wish);
  else if (in_function (loc, "tensor") && read_facts (&wish)
           && read_sections (&wish))
    {
      bool is_data = directive == TNS_DIRECTIVE_DATA;
      new_mark (is_data ? TNS_MARK_DATA : TNS_MARK_REGION, &wish, loc);
      place_marker (loc);
      keep_next_level ();
    }
}

/* Nothing may follow #pragma NAME.  */
static bool
at_end_of_line (const char *name)
{
  tree value;
  location_t loc;
  if (pragma_lex (&value, &loc) == CPP_EOF)
    return true;
  error_at (loc, "%<#pragma %s%> takes no clauses", name);
  return false;
}

/* #pragma scop.  */
static void
read_scop (location_t loc)
{
  if (!at_end_of_line ("scop") || !in_function (loc, "scop"))
    return;
  if (state.scop)
    {
      error_at (loc, "%<#pragma scop%> inside of another");
      inform (state.scop->loc, "which begins here");
      return;
    }
  state.scop = new_mark (TNS_MARK_SCOP, &state.options->wish, loc);
  state.scop_list = cur_stmt_list;
  place_marker (loc);
}

/* #pragma endscop.  */
static void
read_endscop (location_t loc)
{
  if (!at_end_of_line ("endscop") || !in_function (loc, "endscop"))
    return;
  tns_mark *scop = state.scop;
  state.scop = NULL;
  if (!scop)
    {
      error_at (loc, "%<#pragma endscop%> without %<#pragma scop%>");
      return;
    }
  if (state.scop_list != cur_stmt_list)
    {
      error_at (loc, "%<#pragma endscop%> in another block than its "
                     "%<#pragma scop%>");
      inform (scop->loc, "which stands here");
      forget_mark (scop);
      return;
    }
  new_mark (TNS_MARK_ENDSCOP, &state.options->wish, loc);
  place_marker (loc);
}

/* A pragma, and who reads it.  */
typedef struct pragma
{
  const char *name;
  void (*read) (location_t loc);
} pragma;

static pragma pragmas[] = {
  { "tensor", read_tensor },
  { "scop", read_scop },
  { "endscop", read_endscop },
};

/* The parser stands behind the name of SELF, a pragma.  */
static void
handle_pragma (struct cpp_reader *, void *self)
{
  int before = count_errors ();
  ((const pragma *) self)->read (input_location);
  tns_note_misuses (count_errors () - before);
}

/* What was announced is no prototype, and no function either.  */
static void
complain_of_prototype (void)
{
  const tns_wish *wish = state.prototype;
  if (wish)
    error_at ((location_t) wish->loc.handle,
              wish->derived.own
                ? G_ ("%<#pragma tensor %s%> before something that is no "
                      "function")
                : G_ ("%<#pragma tensor %s%> before something that is not the "
                      "prototype of a function"),
              tns_wish_mode (wish));
  state.prototype = NULL;
}

/* FNDECL, which begins or is declared, may stand behind derivative.  */
static bool
take_derivative (tree fndecl)
{
  if (!state.prototype || !state.prototype->derived.own)
    return false;
  tns_derivative_declare (fndecl, state.prototype);
  state.prototype = NULL;
  return true;
}

/* PLUGIN_START_PARSE_FUNCTION: it is the one that a pragma announced.  */
static void
on_function_start (void *fndecl, void *)
{
  take_derivative ((tree) fndecl);
  complain_of_prototype ();
  if (!decl_function_context ((tree) fndecl))
    state.n_errors = count_errors ();
  if (state.awaited == UNKNOWN_LOCATION)
    return;
  state.awaited = UNKNOWN_LOCATION;
  int n = state.n_functions++;
  state.functions = (unsigned *) tns_arena_grow (state.arena, state.functions,
                                                 sizeof (unsigned) * n,
                                                 sizeof (unsigned) * (n + 1));
  state.functions[n] = DECL_UID ((tree) fndecl);
}

/* Nothing that was announced has come.  */
static void
complain_of_awaited (void)
{
  if (state.awaited != UNKNOWN_LOCATION)
    error_at (state.awaited, "%<#pragma tensor function%> before something "
                             "that is not the definition of a function");
  state.awaited = UNKNOWN_LOCATION;
  complain_of_prototype ();
}

/* DECL belongs to a list of parameters: it is one, or the type without a name
   that GCC declares for what double (*a)[n] points to.  */
static bool
is_of_parameters (const_tree decl)
{
  return TREE_CODE (decl) == PARM_DECL
         || (TREE_CODE (decl) == TYPE_DECL && !DECL_NAME (decl));
}

/* PLUGIN_FINISH_DECL: a declaration of the file that is no parameter.  */
static void
on_declaration (void *self, void *)
{
  tree decl = (tree) self;
  if (current_function_decl || is_of_parameters (decl))
    return;
  tns_wish *wish = state.prototype;
  bool is_function = wish && TREE_CODE (decl) == FUNCTION_DECL;
  tns_derive_sizes (decl);
  tns_derive_declared ();
  if (is_function && take_derivative (decl))
    tns_derivative_check (decl);
  else if (is_function)
    {
      state.prototype = NULL;
      tns_derive_declare (decl, wish, state.options);
    }
  complain_of_awaited ();
}

/* PLUGIN_FINISH_UNIT.  */
static void
on_unit_end (void *, void *)
{
  complain_of_awaited ();
}

/* A marker has no statement behind it in its list.  */
static void
complain_of_last (const tns_mark *mark)
{
  const char *name = mark->kind == TNS_MARK_SCOP ? "scop" : "tensor";
  error_at (mark->loc,
            "%<#pragma %s%> before nothing; directly under a condition or a "
            "loop it needs braces around it and what follows",
            name);
  forget_mark (mark);
}

/* walk_tree's visitor: a marker that stands where no list is, or, from
   check_list, last in its list.  */
static tree
check_marker (tree *at, int *walk_subtrees, void *)
{
  tns_mark *mark = tns_mark_of_stmt (*at);
  if (TYPE_P (*at))
    *walk_subtrees = 0;
  if (mark && mark->kind != TNS_MARK_ENDSCOP && !mark->followed)
    complain_of_last (mark);
  if (TREE_CODE (*at) != STATEMENT_LIST)
    return NULL_TREE;
  for (tree_stmt_iterator i = tsi_start (*at); !tsi_end_p (i); tsi_next (&i))
    if ((mark = tns_mark_of_stmt (tsi_stmt (i))))
      mark->followed = !tsi_one_before_end_p (i);
  return NULL_TREE;
}

/* PLUGIN_PRE_GENERICIZE, before plugin/walk.cc has seen FNDECL.  GCC 11 takes
   a pragma directly under a condition or a loop as the statement that it
   governs: what follows would be executed in any case.  */
static void
on_function_body (void *fndecl, void *)
{
  int before = count_errors ();
  if (state.scop)
    {
      error_at (state.scop->loc,
                "%<#pragma scop%> without %<#pragma endscop%>");
      forget_mark (state.scop);
      state.scop = NULL;
    }
  if (state.n_marks > 0)
    walk_tree_without_duplicates (&DECL_SAVED_TREE ((tree) fndecl),
                                  check_marker, NULL);
  tns_note_misuses (count_errors () - before);
}

/* Nobody has used MARK: say so.  */
static void
report_unseen (const tns_mark *mark)
{
  tns_ctx *ctx = tns_ctx_new (tns_allocator_malloc ());
  if (!ctx)
    return;
  tns_result result = {};
  result.status = TNS_REFUSED;
  ctx->wish = mark->wish;
  tns_refuse (ctx, mark->wish.loc,
              count_errors () > state.n_errors ? TNS_WHY_ERRORS
                                               : TNS_WHY_UNSEEN);
  tns_report (ctx, state.options, &result, mark->fndecl);
  tns_ctx_free (ctx);
}

/* PLUGIN_FINISH_PARSE_FUNCTION: after the outermost one its marks are
   over.  */
static void
on_function_end (void *fndecl, void *)
{
  if (decl_function_context ((tree) fndecl))
    return;
  for (int k = 0; k < state.n_marks; k++)
    if (state.marks[k] && !state.marks[k]->used
        && state.marks[k]->kind != TNS_MARK_ENDSCOP)
      report_unseen (state.marks[k]);
  state.n_marks = 0;
  state.scop = NULL;
  live_facts = NULL_TREE;
}

/* Have the parser tell us what the pragmas wait for.  */
static void
register_callbacks (void)
{
  static const char name[] = "tensor";
  register_callback (name, PLUGIN_START_PARSE_FUNCTION, on_function_start,
                     NULL);
  register_callback (name, PLUGIN_FINISH_DECL, on_declaration, NULL);
  register_callback (name, PLUGIN_PRE_GENERICIZE, on_function_body, NULL);
  register_callback (name, PLUGIN_FINISH_PARSE_FUNCTION, on_function_end, NULL);
  register_callback (name, PLUGIN_FINISH_UNIT, on_unit_end, NULL);
}

/* Make the pragmas known to the parser.  */
static void
register_handlers (void)
{
  int n = state.options->scop ? (int) ARRAY_SIZE (pragmas) : 1;
  for (int k = 0; k < n; k++)
    c_register_pragma_with_expansion_and_data (NULL, pragmas[k].name,
                                               handle_pragma, &pragmas[k]);
}

void
tns_pragmas_register (const tns_options *options)
{
  state.options = options;
  state.arena = tns_arena_new (tns_allocator_malloc ());
  if (flag_preprocess_only)
    {
      cpp_register_pragma (parse_in, NULL, "tensor", tns_pragma_print, true);
      return;
    }
  register_handlers ();
  ggc_register_root_tab (roots);
  register_callbacks ();
}

/* walk_tree's visitor: stops at what GCC has for an error.  */
static tree
find_error (tree *at, int *walk_subtrees, void *)
{
  if (TYPE_P (*at))
    *walk_subtrees = 0;
  bool is_error
    = *at == error_mark_node || (DECL_P (*at) && error_operand_p (*at));
  return is_error ? *at : NULL_TREE;
}

bool
tns_is_broken_function (tree fndecl)
{
  return count_errors () > state.n_errors
         || (seen_error ()
             && walk_tree_without_duplicates (&DECL_SAVED_TREE (fndecl),
                                              find_error, NULL));
}

bool
tns_is_tensor_function (tree fndecl)
{
  for (int k = 0; k < state.n_functions; k++)
    if (state.functions[k] == DECL_UID (fndecl))
      return true;
  return false;
}
