/* Conditions of assume (...): tokens -> tree, by precedence climbing.

     condition = binary (1) [ "?" condition ":" condition ]
     binary (p) = unary { operator of precedence q >= p  binary (q + 1) }
     unary = ( "-" | "!" | "~" | "+" | "(" type ")" ) unary | postfix
     type = name { name }
     postfix = primary { "." name | "->" name }
     primary = name | number | "(" condition ")"

   Names are not looked up here: those between parentheses are a type where an
   operand follows that no operator joins.  Calls, subscripts, sizeof and
   assignments are not conditions on sizes; they are errors at their place.
   Depth is bounded, so that no input exhausts the stack.  */

#include "pragmas/condition.h"

#include <string.h>

#include "pragmas/cursor.h"

enum
{
  MAX_DEPTH = 100
};

static const struct
{
  const char *spelling;
  int precedence;
} operators[] = {
  { "||", 1 }, { "&&", 2 }, { "|", 3 }, { "^", 4 },  { "&", 5 },  { "==", 6 },
  { "!=", 6 }, { "<", 7 },  { ">", 7 }, { "<=", 7 }, { ">=", 7 }, { "<<", 8 },
  { ">>", 8 }, { "+", 9 },  { "-", 9 }, { "*", 10 }, { "/", 10 }, { "%", 10 },
};

/* The precedence of TOKEN as an operator of two operands, 0 when it is
   none.  */
static int
precedence_of (const tns_token *token)
{
  if (token->kind != TNS_TOKEN_PUNCT)
    return 0;
  for (size_t k = 0; k < sizeof operators / sizeof *operators; k++)
    if (strcmp (operators[k].spelling, token->text) == 0)
      return operators[k].precedence;
  return 0;
}

/* A node of KIND for TOKEN.  */
static tns_condition *
node_of (tns_cursor *cursor, tns_condition_kind kind, const tns_token *token)
{
  tns_condition *node = TNS_NEW (cursor->arena, tns_condition);
  node->kind = kind;
  node->name = token->text;
  node->number = token->number;
  node->loc = token->loc;
  return node;
}

/* What stands between parentheses, below: the grammar is recursive, and this
   is where it closes.  */
typedef tns_condition *(*parser) (tns_cursor *cursor, int depth);

/* A name, a number, or INNER between parentheses.  */
static tns_condition *
parse_primary (tns_cursor *cursor, int depth, parser inner)
{
  const tns_token *token = tns_cursor_peek (cursor);
  if (tns_cursor_accept (cursor, "("))
    {
      tns_condition *node = inner (cursor, depth + 1);
      return node && tns_cursor_expect (cursor, ")") ? node : NULL;
    }
  if (token->kind != TNS_TOKEN_NAME && token->kind != TNS_TOKEN_NUMBER)
    {
      tns_cursor_fail (cursor, token, NULL,
                       "expected a name or a number before %s",
                       tns_token_shown (cursor->arena, token));
      return NULL;
    }
  tns_cursor_next (cursor);
  return node_of (cursor,
                  token->kind == TNS_TOKEN_NAME ? TNS_CONDITION_NAME
                                                : TNS_CONDITION_NUMBER,
                  token);
}

/* A primary and the members taken of it.  */
static tns_condition *
parse_postfix (tns_cursor *cursor, int depth, parser inner)
{
  tns_condition *node = parse_primary (cursor, depth, inner);
  while (node && (tns_cursor_is (cursor, ".") || tns_cursor_is (cursor, "->")))
    {
      bool pointed = tns_cursor_is (cursor, "->");
      tns_cursor_next (cursor);
      const tns_token *member = tns_cursor_peek (cursor);
      if (member->kind != TNS_TOKEN_NAME)
        {
          tns_cursor_fail (cursor, member, NULL,
                           "expected the name of a member before %s",
                           tns_token_shown (cursor->arena, member));
          return NULL;
        }
      tns_cursor_next (cursor);
      tns_condition *of = node;
      node = node_of (
        cursor, pointed ? TNS_CONDITION_POINTED : TNS_CONDITION_MEMBER, member);
      node->arg[0] = of;
    }
  return node;
}

/* TOKEN is an operator of one operand.  */
static bool
is_unary (const tns_token *token)
{
  return token->kind == TNS_TOKEN_PUNCT && token->text[0] && !token->text[1]
         && strchr ("-!~+", token->text[0]);
}

/* How many names stand between the parentheses that come next, with an operand
   behind them; 0 where it is no type.  */
static int
type_ahead (const tns_cursor *cursor)
{
  int names = 0;
  if (!tns_cursor_is (cursor, "("))
    return 0;
  while (tns_cursor_ahead (cursor, names + 1)->kind == TNS_TOKEN_NAME)
    names++;
  const tns_token *end = tns_cursor_ahead (cursor, names + 1);
  const tns_token *operand = tns_cursor_ahead (cursor, names + 2);
  if (end->kind != TNS_TOKEN_PUNCT || strcmp (end->text, ")") != 0)
    return 0;
  bool follows
    = operand->kind == TNS_TOKEN_NAME || operand->kind == TNS_TOKEN_NUMBER
      || (operand->kind == TNS_TOKEN_PUNCT && strcmp (operand->text, "(") == 0);
  return follows ? names : 0;
}

/* A cast to a type of so many NAMES; its operand is read by the caller.  */
static tns_condition *
parse_type (tns_cursor *cursor, const tns_token *token, int names)
{
  tns_condition *node = node_of (cursor, TNS_CONDITION_CAST, token);
  tns_cursor_next (cursor);
  int from = cursor->at;
  for (int k = 0; k < names; k++)
    tns_cursor_next (cursor);
  node->name = tns_cursor_spelling (cursor, from, " ");
  tns_cursor_next (cursor);
  return node;
}

/* An operand with the operators in front of it.  */
static tns_condition *
parse_unary (tns_cursor *cursor, int depth, parser inner)
{
  const tns_token *token = tns_cursor_peek (cursor);
  if (depth > MAX_DEPTH)
    {
      tns_cursor_fail (cursor, token, NULL, "the condition is too deep");
      return NULL;
    }
  int names = type_ahead (cursor);
  if (!names && !is_unary (token))
    return parse_postfix (cursor, depth, inner);
  tns_condition *node = names ? parse_type (cursor, token, names)
                              : node_of (cursor, TNS_CONDITION_UNARY, token);
  if (!names)
    tns_cursor_next (cursor);
  node->arg[0] = parse_unary (cursor, depth + 1, inner);
  return node->arg[0] ? node : NULL;
}

/* Operands with operators of precedence LEAST and more between them.  */
static tns_condition *
parse_binary (tns_cursor *cursor, int least, int depth, parser inner)
{
  tns_condition *node = parse_unary (cursor, depth, inner);
  while (node)
    {
      const tns_token *token = tns_cursor_peek (cursor);
      int precedence = precedence_of (token);
      if (precedence == 0 || precedence < least)
        return node;
      tns_cursor_next (cursor);
      tns_condition *left = node;
      node = node_of (cursor, TNS_CONDITION_BINARY, token);
      node->arg[0] = left;
      node->arg[1] = parse_binary (cursor, precedence + 1, depth + 1, inner);
      if (!node->arg[1])
        return NULL;
    }
  return NULL;
}

/* A whole condition at DEPTH.  */
static tns_condition *
parse_whole (tns_cursor *cursor, int depth)
{
  tns_condition *cond = parse_binary (cursor, 1, depth, parse_whole);
  const tns_token *token = tns_cursor_peek (cursor);
  if (!cond || !tns_cursor_accept (cursor, "?"))
    return cond;
  tns_condition *node = node_of (cursor, TNS_CONDITION_CHOICE, token);
  node->arg[0] = cond;
  node->arg[1] = parse_whole (cursor, depth + 1);
  if (!node->arg[1] || !tns_cursor_expect (cursor, ":"))
    return NULL;
  node->arg[2] = parse_whole (cursor, depth + 1);
  return node->arg[2] ? node : NULL;
}

tns_condition *
tns_condition_parse (tns_cursor *cursor)
{
  return parse_whole (cursor, 0);
}

tns_condition *
tns_place_parse (tns_cursor *cursor)
{
  const tns_token *token = tns_cursor_peek (cursor);
  if (token->kind == TNS_TOKEN_NAME)
    return parse_postfix (cursor, 0, parse_whole);
  tns_cursor_fail (cursor, token, NULL, "expected a name before %s",
                   tns_token_shown (cursor->arena, token));
  return NULL;
}
