/* Products taken apart, as ir/product.h says.  */

#include "ir/product.h"

/* Add the factors of EXPR, which divides when BELOW, to *P.  */
static bool
split (tns_product *p, tns_expr *expr, bool below)
{
  switch (expr->op)
    {
    case TNS_NEG:
      p->negative = !p->negative;
      return split (p, expr->arg[0], below);
    case TNS_MUL:
      return split (p, expr->arg[0], below) && split (p, expr->arg[1], below);
    case TNS_DIV:
      return split (p, expr->arg[0], below) && split (p, expr->arg[1], !below);
    default:
      if (p->n == TNS_MOST_FACTORS)
        return false;
      p->factor[p->n++] = (tns_factor){ expr, below, false };
      return true;
    }
}

bool
tns_product_split (tns_product *p, tns_expr *expr)
{
  *p = (tns_product){ .n = 0 };
  return split (p, expr, false);
}

tns_expr *
tns_product_part (tns_arena *arena, const tns_product *p, bool fixed,
                  tns_expr *start)
{
  tns_elem elem = p->factor[0].expr->type.elem;
  tns_expr *made = start;
  for (int below = 0; below < 2; below++)
    {
      for (int k = 0; k < p->n; k++)
        if (p->factor[k].fixed == fixed && p->factor[k].below == below)
          made = made ? tns_binary (arena, below ? TNS_DIV : TNS_MUL, made,
                                    p->factor[k].expr)
                      : p->factor[k].expr;
      if (!made)
        made = tns_real (arena, elem, 1);
    }
  return made;
}

/* How often a factor like F is one of P's that are not fixed.  */
static int
times (const tns_product *p, const tns_factor *f)
{
  int n = 0;
  for (int k = 0; k < p->n; k++)
    n += !p->factor[k].fixed && p->factor[k].below == f->below
         && tns_expr_equal (p->factor[k].expr, f->expr);
  return n;
}

/* All factors of A that are not fixed are as often in B.  */
static bool
is_part (const tns_product *a, const tns_product *b)
{
  for (int k = 0; k < a->n; k++)
    if (!a->factor[k].fixed
        && times (a, &a->factor[k]) != times (b, &a->factor[k]))
      return false;
  return true;
}

bool
tns_product_is_like (const tns_product *a, const tns_product *b)
{
  return is_part (a, b) && is_part (b, a);
}
