/* The fused groups of a region before and after.

   As DOT a digraph for each, whose clusters are loops and whose nodes are
   statements; an arrow from the statement that wrote an array last (in the
   text) to one that reads it.  As JSON a line for the region: lists of
   groups, statements that stand next to each other under the same loops.  */

#include "plugin/record.hh"

extern "C"
{
#include "ir/walk.h"
#include "lowering/c99.h"
}

enum
{
  MAX_DEPTH = 64
};

/* c                what statements are called in C
   loops[0..depth)  the loops we are in
   writer           by sym->id: the number of the statement that wrote it
                    last, from 1
   reader           likewise of the last one that its arrow goes to
   edges            arrows found so far
   open             (JSON) the path of the group that is being printed  */
typedef struct drawing
{
  tns_arena *arena;
  tns_c99 *c;
  tns_text text;
  tns_text edges;
  const char *loops[MAX_DEPTH];
  int depth;
  int n_statements;
  int n_clusters;
  int *writer;
  int *reader;
  const char *open;
} drawing;

/* Called for each statement in order.  */
typedef void (*statement_teller) (drawing *d, const tns_node *node);

/* Called when a loop begins and ends.  */
typedef void (*loop_teller) (drawing *d, const tns_node *loop, bool begins);

typedef struct tellers
{
  statement_teller statement;
  loop_teller loop;
} tellers;

/* Tell of NODE and what is below.  */
static void
draw (drawing *d, const tns_node *node, const tellers *tell)
{
  if (!node || d->depth == MAX_DEPTH)
    return;
  for (int k = 0; k < node->n_kids; k++)
    draw (d, node->kid[k], tell);
  if (node->kind == TNS_LOOP)
    {
      d->loops[d->depth++] = tns_c99_name (d->c, node->iter);
      tell->loop (d, node, true);
      draw (d, node->body, tell);
      tell->loop (d, node, false);
      d->depth--;
    }
  if (node->kind == TNS_IF)
    {
      draw (d, node->then, tell);
      draw (d, node->otherwise, tell);
    }
  if (node->kind == TNS_ASSIGN)
    tell->statement (d, node);
}

/* What a statement does, in one line of C, behind its name in plans.  */
static const char *
statement_words (drawing *d, const tns_node *node)
{
  const char *words = tns_c99_statement (d->c, (tns_node *) node);
  return node->name ? tns_arena_format (d->arena, "%s: %s", node->name, words)
                    : words;
}

/* Draw an arrow to statement D->n_statements from the one that wrote what
   EXPR reads.  */
static bool
draw_arrow (tns_expr *expr, void *self)
{
  drawing *d = (drawing *) self;
  if (tns_expr_reads (expr) && d->writer[expr->sym->id] > 0
      && d->writer[expr->sym->id] != d->n_statements
      && d->reader[expr->sym->id] != d->n_statements)
    {
      d->reader[expr->sym->id] = d->n_statements;
      tns_text_format (&d->edges,
                       "  s%d -> s%d [label=", d->writer[expr->sym->id],
                       d->n_statements);
      tns_text_quoted (&d->edges, tns_c99_name (d->c, expr->sym));
      tns_text_add (&d->edges, "];\n");
    }
  return true;
}

/* A statement as DOT.  */
static void
dot_statement (drawing *d, const tns_node *node)
{
  d->n_statements++;
  tns_text_begin (&d->text);
  tns_text_format (&d->text, "s%d [label=", d->n_statements);
  tns_text_quoted (&d->text, statement_words (d, node));
  tns_text_add (&d->text, "];\n");
  tns_expr_walk (node->value, draw_arrow, d);
  if (node->update != TNS_NONE)
    draw_arrow (node->target, d);
  d->writer[node->target->sym->id] = d->n_statements;
}

/* A loop as DOT.  */
static void
dot_loop (drawing *d, const tns_node *loop, bool begins)
{
  if (!begins)
    {
      d->text.indent -= 2;
      tns_text_line (&d->text, "}");
      return;
    }
  tns_text_line (&d->text, "subgraph cluster_%d {", ++d->n_clusters);
  d->text.indent += 2;
  tns_text_line (&d->text, "label=\"%s%s%s\";", tns_c99_name (d->c, loop->iter),
                 loop->marks.parallel ? " parallel" : "",
                 loop->marks.simd > 0 ? " simd" : "");
}

/* Begin to draw REGION.  */
static drawing
new_drawing (tns_ctx *ctx, const tns_region *region)
{
  tns_arena *arena = ctx->arena;
  drawing d = {};
  d.arena = arena;
  d.c = tns_c99_begin (ctx, region);
  d.text = tns_text_new (arena);
  d.edges = tns_text_new (arena);
  d.writer = TNS_NEW_ARRAY (arena, int, region->n_syms + 1);
  d.reader = TNS_NEW_ARRAY (arena, int, region->n_syms + 1);
  return d;
}

/* REGION as a digraph called NAME WHEN.  */
static void
add_dot (tns_ctx *ctx, tns_text *text, const tns_region *region,
         const char *name, const char *when)
{
  static const tellers tell = { dot_statement, dot_loop };
  drawing d = new_drawing (ctx, region);
  tns_text_add (text, "digraph ");
  tns_text_quoted (text, tns_arena_format (ctx->arena, "%s %s", name, when));
  tns_text_add (text, " {\n  node [shape=box];\n");
  d.text.indent = 2;
  draw (&d, region->body, &tell);
  tns_text_add (text, tns_text_chars (&d.text));
  tns_text_add (text, tns_text_chars (&d.edges));
  tns_text_add (text, "}\n");
}

const char *
tns_graph_dot (tns_ctx *ctx, const tns_result *result, const char *name)
{
  tns_text text = tns_text_new (ctx->arena);
  if (result->in)
    add_dot (ctx, &text, result->in, name, "before");
  if (result->scheduled)
    add_dot (ctx, &text, result->scheduled, name, "after");
  return tns_text_chars (&text);
}

/* The loops that we are in, as a list in JSON.  */
static const char *
path_words (const drawing *d)
{
  tns_text text = tns_text_new (d->arena);
  for (int k = 0; k < d->depth; k++)
    {
      tns_text_add (&text, k ? ", " : "[");
      tns_text_quoted (&text, d->loops[k]);
    }
  tns_text_add (&text, d->depth ? "]" : "[]");
  return tns_text_chars (&text);
}

/* A statement as JSON: in the group that is open, or in a new one.  */
static void
json_statement (drawing *d, const tns_node *node)
{
  const char *path = path_words (d);
  if (!d->open)
    {
      tns_text_format (&d->text, "%s{\"loops\": %s, \"statements\": [",
                       d->text.length > 0 ? "]}, " : "", path);
      d->open = path;
    }
  else
    tns_text_add (&d->text, ", ");
  tns_text_quoted (&d->text, statement_words (d, node));
}

/* A loop begins or ends: so does a group.  */
static void
json_loop (drawing *d, const tns_node *, bool)
{
  d->open = NULL;
}

/* The groups of REGION under KEY, or null.  */
static void
add_json (tns_ctx *ctx, tns_text *text, const tns_region *region,
          const char *key)
{
  static const tellers tell = { json_statement, json_loop };
  tns_text_format (text, ", \"%s\": ", key);
  if (!region)
    {
      tns_text_add (text, "null");
      return;
    }
  drawing d = new_drawing (ctx, region);
  draw (&d, region->body, &tell);
  tns_text_format (text, "[%s%s]", tns_text_chars (&d.text),
                   d.text.length > 0 ? "]}" : "");
}

const char *
tns_graph_json (tns_ctx *ctx, const tns_result *result, const char *name)
{
  tns_text text = tns_text_new (ctx->arena);
  tns_text_add (&text, "{\"name\": ");
  tns_text_quoted (&text, name);
  add_json (ctx, &text, result->in, "before");
  add_json (ctx, &text, result->scheduled, "after");
  tns_text_add (&text, "}\n");
  return tns_text_chars (&text);
}
