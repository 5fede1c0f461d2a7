/* Places that a region names in two ways.

     p->x += p[i].x;         x of one element is a number of its own,
                             x of any element an array
     a[0][j] += a[i][j];     a[0] is a pointer of its own,
                             a[i] a row of the table a

   Two symbols for one place are read rightly only behind a check that they do
   not meet, and their derivatives would go apart.  So a region that has both
   is read once more, and there the one element is element 0 of the array, the
   one pointer a row of the table.  */

#include "plugin/reader.hh"

/* Add WHAT to LIST, unless it is there.  */
static bool
add_new (tns_reader *reader, tns_trees *list, tree what)
{
  if (tns_trees_have (list, what))
    return false;
  tns_trees_add (reader->arena, list, what);
  return true;
}

/* BASE is the member of one element; the region names that of any, too.  */
static bool
is_twin_member (const tns_reader *reader, const tns_base *base)
{
  for (const tns_base *b = reader->bases; b; b = b->next)
    if (b->outer == base->outer && b->field == base->field && !b->dropped)
      return base->dropped;
  return false;
}

/* What table BASE is known by wherever it is read.  */
static tree
key_of (const tns_base *table)
{
  return table->field ? table->field : tns_strip (table->root);
}

/* The key of the table that BASE is the target of one element of, while the
   region names its rows, too; else NULL_TREE.  */
static tree
twin_table (tns_reader *reader, const tns_base *base)
{
  if (!base->root || base->is_object || base->outer)
    return NULL_TREE;
  const tns_base *table = tns_table_of (reader, tns_strip (base->root));
  for (const tns_rows *rows = reader->rows; table && rows; rows = rows->next)
    if (rows->table == table && rows->base != base)
      return key_of (table);
  return NULL_TREE;
}

bool
tns_find_twins (tns_reader *reader, tns_twins *twins)
{
  bool some = false;
  const tns_base *last = reader->last_base;
  for (const tns_base *base = reader->bases; base; base = base->next)
    if (is_twin_member (reader, base))
      some |= add_new (reader, &twins->members, base->field);
  if (!reader->rows)
    return some;
  tns_holds_restore (reader, NULL, 0);
  for (const tns_base *base = reader->bases; base; base = base->next)
    {
      tree key = twin_table (reader, base);
      if (key)
        some |= add_new (reader, &twins->tables, key);
      if (base == last)
        break;
    }
  return some;
}

bool
tns_is_twin_row (tns_reader *reader, tree ref)
{
  const tns_trees *tables = &reader->twins.tables;
  const tns_base *table = tables->n > 0 ? tns_table_of (reader, ref) : NULL;
  tree key = table ? key_of (table) : NULL_TREE;
  for (int k = 0; k < tables->n && key; k++)
    if (tns_same_tree (tables->item[k], key))
      return true;
  return false;
}
