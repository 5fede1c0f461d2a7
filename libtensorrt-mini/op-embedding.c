/* Rows of a table by index.

   Numbers of f32 and f64 are copied by a kernel, whose gradient adds the rows
   of one index in their order, for any number of threads.  Rows of other types
   are copied as bytes; their gradient is summed as f32 and rounded once.  */

#include "kernel.h"
#include "ready.h"
#include "rows.h"

#include <string.h>

/* Backward: dtable[index[i]] += dy[i].  */
static trm_status
embedding_back (trm_call *call)
{
  trm_tensor *index = trm_in (call, 1), *g = trm_out_gradient (call, 0);
  trm_tensor *dtable = trm_gain (call, 0), *sum = dtable;
  trm_type type = trm_type_computed (trm_in_type (call, 0));
  trm_tensor *dy = trm_contiguous (trm_cast (g, type));
  if (dtable && dtable->type != type)
    sum = trm_zeros (type, dtable->rank, dtable->extent);
  if (!dy || !sum)
    return trm_error ();
  trm_kernel (rows, embedding_back, type, trm_count (index), sum->extent[1],
              sum->extent[0], index->at, dy->at, sum->at);
  return sum == dtable ? TRM_OK : trm_add_gain (call, 0, sum);
}

static const trm_function embedding_function
  = { .name = "embedding", .backward = embedding_back, .saves_in = 2 };

/* The rows of TABLE that INDEX, of i64, names, to Y; all contiguous.  */
static void
copy_rows (trm_tensor *y, const trm_tensor *table, const trm_tensor *index)
{
  const int64_t *at = index->at;
  int64_t m = trm_count (index), n = table->extent[1];
  size_t bytes = (size_t) n * trm_type_bytes (table->type);
  if (table->type == TRM_F32 || table->type == TRM_F64)
    trm_kernel (rows, embedding, table->type, m, n, table->extent[0], y->at,
                table->at, at);
  else
    for (int64_t i = 0; i < m; i++)
      memcpy ((char *) y->at + (size_t) i * bytes,
              (const char *) table->at + (size_t) at[i] * bytes, bytes);
}

/* The rows of IN, a table and an index of i64, as a new tensor.  */
static trm_tensor *
rows_of (trm_tensor **in)
{
  trm_tensor *table = in[0], *index = in[1];
  int64_t extent[TRM_RANK];
  if (!table || !index)
    return NULL;
  for (int i = 0; i < index->rank; i++)
    extent[i] = index->extent[i];
  extent[index->rank] = table->extent[1];
  trm_tensor *y = trm_empty (table->type, index->rank + 1, extent);
  if (!y)
    return NULL;
  copy_rows (y, table, index);
  return trm_record (&embedding_function, 2, in, 1, &y, NULL) ? NULL : y;
}

/* INDEX as i64, each one of N rows; NULL with a message when one is not.  */
static trm_tensor *
indices_of (trm_tensor *index, int64_t n)
{
  trm_tensor *whole = trm_contiguous (trm_cast (index, TRM_I64));
  const int64_t *at = whole ? whole->at : NULL;
  int64_t count = trm_count (whole);
  for (int64_t i = 0; i < count; i++)
    if (at[i] < 0 || at[i] >= n)
      return trm_fail_null (TRM_BAD_INDEX,
                            "embedding: index %lld is %lld, of %lld rows",
                            (long long) i, (long long) at[i], (long long) n);
  return whole;
}

trm_tensor *
trm_embedding (trm_tensor *table, trm_tensor *index)
{
  if (!table || !index)
    return NULL;
  if (table->rank != 2 || index->rank == TRM_RANK)
    return trm_misfit ("embedding", "table", table, "index", index);
  if (!trm_is_whole (index->type))
    return trm_fail_null (TRM_BAD_TYPE, "embedding: an index of %s",
                          trm_type_name (index->type));
  if (trm_scope_open ())
    return NULL;
  trm_tensor *in[]
    = { trm_contiguous (table), indices_of (index, table->extent[0]) };
  trm_tensor *y = rows_of (in);
  trm_scope_give (y);
  trm_scope_close ();
  return y;
}
