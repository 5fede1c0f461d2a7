/* Trees of a statement -> region; plugin/reader.hh tells how, the other
   files plugin/extract-*.cc what of.

   1. facts      what the region writes, what the function assigns once
   2. read       statements in order, into the region's body
   3. names      those of the clauses are checked
   4. finish     dead cells dropped, pairs of arrays that may overlap found,
                 symbols numbered, trees set

   Nothing of the function changes here.  */

#include "plugin/extract.hh"

#include "plugin/moved.hh"

/* An empty region with its place and names.  */
static tns_region *
new_region (tns_ctx *ctx, tree fndecl)
{
  const char *function = IDENTIFIER_POINTER (DECL_NAME (fndecl));
  tns_loc loc = ctx->wish.loc;
  const char *name = ctx->wish.name;
  if (!name)
    name = tns_arena_format (ctx->arena, "%s:%d", function, loc.line);
  tns_region *region = tns_region_new (ctx->arena, name);
  region->function = tns_arena_string (ctx->arena, function);
  region->file
    = tns_arena_string (ctx->arena, LOCATION_FILE ((location_t) loc.handle));
  region->line = loc.line;
  region->loc = loc;
  return region;
}

/* The statements in order.  */
static bool
read_statements (tns_reader *reader)
{
  for (int k = 0; k < reader->n_stmts; k++)
    if (tns_refuse_checked (reader, reader->stmts[k]))
      return false;
  for (int k = 0; k < reader->n_stmts; k++)
    {
      tns_frame frame
        = { TNS_FRAME_REGION, NULL_TREE, {}, reader->stmts[k], NULL };
      if (!tns_read_frame (reader, &frame))
        return false;
    }
  return true;
}

/* A false answer has its reason said.  */
static tns_region *
refused (tns_reader *reader)
{
  tns_ctx *ctx = reader->ctx;
  if (ctx->status == TNS_DONE)
    tns_refuse (ctx, tns_loc_of (reader->loc), TNS_WHY_INTERNAL, "extract");
  return NULL;
}

/* The region holds a loop.  */
static bool
has_loop (const tns_region *region)
{
  for (int k = 0; k < region->n_syms; k++)
    if (region->syms[k]->kind == TNS_SYM_ITER)
      return true;
  return false;
}

/* A reader of STMTS[0..N) of FNDECL.  */
static tns_reader
new_reader (tns_ctx *ctx, tree fndecl, tree *stmts, int n, tns_symbols *symbols)
{
  tns_reader reader = {};
  reader.ctx = ctx;
  reader.arena = ctx->arena;
  reader.fndecl = fndecl;
  reader.stmts = stmts;
  reader.n_stmts = n;
  reader.symbols = symbols;
  reader.loc = ctx->wish.loc.handle;
  reader.region = new_region (ctx, fndecl);
  reader.block = reader.region->body;
  return reader;
}

/* All that READER has to read, once.  */
static bool
read_once (tns_reader *reader)
{
  tns_facts_read (reader);
  if (!reader->called)
    tns_note_before (reader);
  return (reader->called || tns_read_facts_of_wish (reader))
         && read_statements (reader) && tns_read_moved (reader)
         && reader->ctx->status == TNS_DONE;
}

/* A reader of what READER has read that knows of TWINS.  */
static tns_reader
reader_again (const tns_reader *reader, const tns_twins *twins)
{
  tns_reader again = new_reader (reader->ctx, reader->fndecl, reader->stmts,
                                 reader->n_stmts, reader->symbols);
  again.assumes_still = reader->assumes_still;
  again.called = reader->called;
  again.twins = *twins;
  return again;
}

/* All of it, each place under one name.  Where it can only be read under two,
   a region that is not derived has these.  */
static bool
read_all (tns_reader *reader)
{
  tns_twins twins = {};
  if (!read_once (reader))
    return false;
  while (tns_find_twins (reader, &twins))
    {
      tns_ctx before = *reader->ctx;
      tns_reader again = reader_again (reader, &twins);
      if (!read_once (&again))
        {
          if (!reader->called)
            tns_take_back (reader->ctx, &before);
          return !reader->called;
        }
      *reader = again;
    }
  return true;
}

/* READER's region, its symbols numbered.  */
static tns_region *
finish (tns_reader *reader)
{
  if (!tns_check_names (reader))
    return NULL;
  tns_region *region = tns_finish (reader);
  return region ? region : refused (reader);
}

tns_region *
tns_extract (tns_ctx *ctx, tree fndecl, tree *stmts, int n, bool assumes_still,
             tns_symbols *symbols)
{
  tns_reader reader = new_reader (ctx, fndecl, stmts, n, symbols);
  reader.assumes_still = assumes_still;
  if (!read_all (&reader))
    return refused (&reader);
  if (!has_loop (reader.region))
    return (tns_region *) tns_refuse (ctx, ctx->wish.loc, TNS_WHY_NOT_A_LOOP);
  return finish (&reader);
}

tns_region *
tns_extract_call (tns_ctx *ctx, tree fndecl, tree inner, tree *call,
                  tns_symbols *symbols)
{
  tns_reader reader = new_reader (ctx, fndecl, call, 1, symbols);
  reader.called = inner;
  return read_all (&reader) ? finish (&reader) : refused (&reader);
}
