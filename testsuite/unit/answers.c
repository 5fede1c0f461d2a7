/* Questions about texts, and their answers in words.  */

#include "answers.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ir/walk.h"

/* Whether the rest of GOT is PATTERN, in which "..." stands for anything.  */
static bool
is_like (const char *got, const char *pattern)
{
  const char *gap = strstr (pattern, "...");
  size_t n = gap ? (size_t) (gap - pattern) : strlen (pattern);
  if (strncmp (got, pattern, n))
    return false;
  if (!gap)
    return !got[n];
  for (got += n;; got++)
    if (is_like (got, gap + 3))
      return true;
    else if (!*got)
      return false;
}

int
answers_check (const answer_row *row, size_t n)
{
  for (size_t k = 0; k < n; k++)
    {
      tns_ctx *ctx = verdict_ctx (TNS_FP_REASSOC);
      ctx->dump = stderr;
      const char *got = verdict_one_blank (ctx, row[k].ask (ctx, row[k].text));
      bool ok = is_like (got, verdict_one_blank (ctx, row[k].answer));
      verdict (ok, "%s", row[k].shown);
      if (!ok)
        printf ("%s\nis answered\n%s\nnot\n%s\n", row[k].text, got,
                row[k].answer);
      tns_ctx_free (ctx);
    }
  return verdict_status ();
}

const char *
answer_bool (bool is_so)
{
  return is_so ? "yes" : "no";
}

const char *
answer_expr (tns_ctx *ctx, const tns_expr *expr)
{
  return expr ? verdict_expr_text (ctx, expr) : "none";
}

const char *
answer_said (tns_ctx *ctx)
{
  tns_text text = tns_text_new (ctx->arena);
  for (const tns_remark *r = ctx->remarks; r; r = r->next)
    tns_text_format (&text, "%s: %s; ", tns_why_name (r->why), r->words);
  return text.length ? tns_text_chars (&text) : "nothing";
}

const char *
answer_body (tns_ctx *ctx, const tns_region *region, tns_node *body)
{
  if (!body)
    return answer_said (ctx);
  tns_region *made = tns_region_copy (ctx->arena, region);
  made->body = body;
  return verdict_region_text (ctx, made);
}

/* What is looked for, and what was found.  */
typedef struct search
{
  const char *name;
  tns_node *found;
} search;

/* The visitor.  */
static bool
look (tns_node *node, void *self)
{
  search *s = self;
  const char *name = node->kind == TNS_LOOP ? node->iter->name
                     : node->name           ? node->name
                                            : "";
  if (!s->found && !strcmp (name, s->name))
    s->found = node;
  return !s->found;
}

tns_node *
answer_node (tns_region *region, const char *name)
{
  search s = { name, NULL };
  tns_node_walk (region->body, look, &s);
  return s.found;
}
