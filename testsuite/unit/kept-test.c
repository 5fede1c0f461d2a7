/* Bytes that gradients keep, told for positive sizes and for the usual ones:
   not what a size is for one value of a parameter, nor none at all.  */

#include <string.h>

#include "driver/kept.h"
#include "verdict.h"

/* size   of an array of f32
   words  what is told of it  */
typedef struct row
{
  const char *size;
  const char *words;
} row;

static const row rows[] = {
  { "n", "tapes 4 * n bytes (s: 4 * n), adjoints 0 bytes" },
  { "max(0, n + 1)",
    "tapes 4 * (n + 1) bytes (s: 4 * (n + 1)), adjoints 0 bytes" },
  { "max(n, 1)", "tapes 4 * n bytes (s: 4 * n), adjoints 0 bytes" },
  { "(n < m ? n : 0)", "tapes 4 * n bytes (s: 4 * n), adjoints 0 bytes" },
  { "(n < m ? 1 : m)", "tapes 4 * m bytes (s: 4 * m), adjoints 0 bytes" },
  { "(m == 2 ? n : m)", "tapes 4 * m bytes (s: 4 * m), adjoints 0 bytes" },
  { "(n > 0 && m == 2 ? n : m)",
    "tapes 4 * m bytes (s: 4 * m), adjoints 0 bytes" },
  { "(n < m ? n : m)", "tapes 4 * n bytes (s: 4 * n), adjoints 0 bytes" },
};

/* What is told of an array of SIZE elements.  */
static const char *
told (const char *size)
{
  tns_ctx *ctx = verdict_ctx (TNS_FP_REASSOC);
  tns_region *region = verdict_region (
    ctx, tns_arena_format (ctx->arena,
                           "region r { value i64 n; value i64 m;"
                           " { local f32 s[%s]; S1: s[0] = 1.0f32; } }",
                           size));
  region->derived = true;
  for (int k = 0; k < region->n_syms; k++)
    if (!strcmp (region->syms[k]->name, "s"))
      region->syms[k]->flags |= TNS_SYM_KEPT;
  return tns_kept_of (ctx, region)->words;
}

int
main (void)
{
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
    {
      const char *words = told (rows[k].size);
      verdict (!strcmp (words, rows[k].words), "kept: %s: %s", rows[k].size,
               words);
    }
  return verdict_status ();
}
