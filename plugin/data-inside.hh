/* What the files of data blocks share.

     data.cc        finds the blocks; begins and ends them
     data-host.cc   puts calls in front of what the host does in one
     data-touch.cc  the memory that a statement touches
     data-call.cc   what a call may do
     data-build.cc  the calls of the runtime  */

#ifndef TNS_PLUGIN_DATA_INSIDE_HH
#define TNS_PLUGIN_DATA_INSIDE_HH

#include "plugin/data.hh"

extern "C"
{
#include "libtensorrt-mini/abi-cuda.h"
}

/* An array of a block, or a structure.

   name     as the user wrote it
   object   the variable that is named; NULL_TREE for members
   base, bytes  trees, to be evaluated when the block begins
   use      TRM_CUDA_ bits
   begins   the variable with the pointer's value when the block begins;
            NULL_TREE for others
   steady   object is no pointer, or one that the block does not change  */
typedef struct tns_data_row
{
  const char *name;
  tree object;
  tree base;
  tree bytes;
  int use;
  tree begins;
  bool steady;
} tns_data_row;

/* A block: what its calls are given.  Without arrays, a function that blocks
   may be around, in its callers.

   outer  the block around it in the function, or NULL
   row    [n]
   rows   the variable, an array of I64, ROW for each
   whole  no statement needs that what is around keeps nothing meanwhile  */
typedef struct tns_data
{
  struct tns_data *outer;
  location_t loc;
  tns_data_row *row;
  int n;
  tree rows;
  bool whole;
} tns_data;

/* What a call may do.

   NOTHING  of interest
   HANDED   touch what its arguments point to, and some variables
   FREE     end the life of it
   READ     read any array; HOST: read and write any; neither on a device
   KEEPS    run regions on a device, and touch no array elsewhere
   ANYTHING run regions on a device, and touch any array  */
typedef enum tns_data_call
{
  TNS_CALL_NOTHING,
  TNS_CALL_HANDED,
  TNS_CALL_FREE,
  TNS_CALL_READ,
  TNS_CALL_HOST,
  TNS_CALL_KEEPS,
  TNS_CALL_ANYTHING
} tns_data_call;

/* What calls of a function touch, where all of it is known.

   reads, writes  bit k: what argument number k points to
   object, use    variables that are arrays or structures  */
struct tns_data_reach
{
  unsigned long reads = 0;
  unsigned long writes = 0;
  auto_vec<tree> object;
  auto_vec<int> use;
};

/* data-call.cc: that of CALL, a CALL_EXPR; calls of FNDECL are KIND from now
   on, of HANDED within REACH, which is kept.  What is known of FNDECL's, or
   NULL.  */
extern tns_data_call tns_data_call_of (const_tree call);
extern void tns_data_remember (tree fndecl, tns_data_call kind,
                               tns_data_reach *reach);
extern const tns_data_reach *tns_data_reach_of (tree fndecl);

/* Memory that the host is to be asked for: BYTES from BASE on, USE of
   TRM_CUDA_READ and WRITE.  */
typedef struct tns_touch
{
  tree base;
  tree bytes;
  int use;
} tns_touch;

/* What statements touch: ALL, of any array; and some memory.  Without a block,
   DATA NULL: what other functions may keep; to REACH, unless that is NULL, goes
   what is of a variable, or of what a parameter points to.

   changed  variables whose values they change  */
typedef struct tns_touches
{
  const tns_data *data;
  tns_data_reach *reach = NULL;
  int all;
  auto_vec<tns_touch> some;
  hash_set<tree> changed;
} tns_touches;

/* data-touch.cc: add to FOUND what the evaluation of STMT touches, but for what
   device dispatches hold.  */
extern void tns_data_touch (tree stmt, tns_touches *found);

/* Add to CHANGED the variables that STMT changes or declares.  */
extern void tns_data_changes (tree stmt, hash_set<tree> *changed);

/* data.cc: STMT is a device dispatch; it stands inside of one, as the version
   for the CPU; a data block covers it; it is a dispatch to the CPU alone.  */
extern bool tns_data_is_device (tree stmt);
extern bool tns_data_is_fallback (tree stmt);
extern bool tns_data_is_kept (tree stmt);
extern bool tns_data_is_whole (tree stmt);

/* Tell the user that DATA keeps nothing during CALL.  */
extern void tns_data_tell_call (const tns_data *data, const_tree call);

/* The marker at I is one of data, which nobody has taken.  Its block takes the
   place of what it covers, inside of OUTER, which may be NULL.  */
extern bool tns_data_is_mark (tree stmt);
extern void tns_data_take (tns_data *outer, tree_stmt_iterator i);

/* data-build.cc: a new variable of the function at hand, in no block yet.  */
extern tree tns_data_variable (location_t loc, const char *name, tree type);

/* ROWS[ROW * K + FIELD] of the K-th array of DATA.  */
extern tree tns_data_field (const tns_data *data, int k, int field);

/* The variables of DATA, a chain; the statements that fill its rows.  */
extern tree tns_data_variables (tns_data *data);
extern void tns_data_fill (const tns_data *data, tree *list);

/* Append to *LIST trm_cuda_data_begin or _end of DATA; of it and all around,
   from the inside or the outside, and before the end trm_cuda_host of all; the
   calls for FOUND.  */
extern void tns_data_begin (const tns_data *data, tree *list);
extern void tns_data_end (const tns_data *data, tree *list);
extern void tns_data_suspend (tns_data *data, tree *list);
extern void tns_data_resume (const tns_data *data, tree *list);
extern void tns_data_ask (location_t loc, const tns_touches *found, tree *list);

/* Append to *LIST: POINTER, a variable, is about to be freed.  */
extern void tns_data_free (const tns_data *data, tree pointer, tree *list);

/* data-host.cc: the statement at AT, inside of DATA, asks for what it
   touches.  */
extern void tns_data_guard (tns_data *data, tree *at);

#endif
