/* What the files plugin/extract*.cc share: the state of reading one region.

   Extraction runs the region once with symbols in place of numbers.  At each
   point every scalar and pointer variable of C holds one of

     its value at the region's entry
     a known value: an expression over VALUEs and ITERs (integers), a place
     in memory (pointers)
     something else: then an integer or a floating variable is read from its
     cell, and a pointer cannot be followed

   so that  int c3 = 3 * C;  float *row = x + n * c3;  row[k]  becomes
   x[n * (3 * C) + k].  What a loop may change is forgotten at its head and
   at its end; where two branches meet, what differs is forgotten.  */

#ifndef TNS_PLUGIN_READER_HH
#define TNS_PLUGIN_READER_HH

#include "plugin/symbols.hh"

extern "C"
{
#include "base/ctx.h"
}

#define TNS_MAX_DIMS 8

typedef struct tns_trees
{
  int n;
  int room;
  tree *item;
} tns_trees;

/* Memory that one array symbol stands for.

   root       a VAR_DECL or PARM_DECL that is an object, a string, or the
              value of a pointer, as an expression valid at the region's
              entry
   is_object  root is the object itself
   outer, field  or: the member FIELD of the elements of OUTER
   dropped    the member of outer[0] alone (t->a): OUTER's dims are not
              among the subscripts; not where the region also names it of
              other elements
   rank, extent  its dims; unit[k] is the type of what subscript k counts
   type       of its elements; void while the base is an untyped pointer
   sym        once accessed as scalars
   is_local   declared inside the region
   is_written  by the region
   is_heap    allocated inside the region
   is_flat    seen in several shapes: its subscripts become one
   is_far     it may be accessed at a subscript that is no int in the program,
              and a constant
   load_when  the condition under which root may be evaluated at the entry,
              NULL_TREE: always  */
typedef struct tns_base
{
  tree root;
  bool is_object;
  struct tns_base *outer;
  tree field;
  bool dropped;
  int rank;
  tns_expr *extent[TNS_MAX_DIMS];
  tree unit[TNS_MAX_DIMS];
  tree type;
  tns_sym *sym;
  bool is_local;
  bool is_written;
  bool is_heap;
  bool is_flat;
  bool is_far;
  tree load_when;
  struct tns_base *next;
} tns_base;

/* A place in memory: BASE at SUB[0..n), an object of TYPE.  While n is less
   than the base's rank TYPE is an array.  is_near: all of SUB is one int in the
   program, and a constant.  */
typedef struct tns_address
{
  tns_base *base;
  int n;
  tns_expr *sub[TNS_MAX_DIMS];
  tree type;
  bool is_near;
} tns_address;

/* What a variable holds now.
   is_entry  what it held at the region's entry
   known     an integer's value, pure, of the variable's type
   points    a pointer's value
   entry     the value as an expression valid at the region's entry  */
typedef struct tns_holds
{
  bool is_entry;
  tns_expr *known;
  tns_address *points;
  tree entry;
} tns_holds;

/* A variable of C.  base: its memory, once needed.  is_local: it begins
   inside the region.  */
typedef struct tns_variable
{
  tree decl;
  tns_base *base;
  bool is_local;
  tns_holds holds;
} tns_variable;

/* A position in nested lists of statements.  An END ends a loop's body, an
   inlined function's, or the region.  */
typedef enum tns_frame_kind
{
  TNS_FRAME_PLAIN,
  TNS_FRAME_LOOP,
  TNS_FRAME_CALL,
  TNS_FRAME_REGION
} tns_frame_kind;

typedef struct tns_frame
{
  tns_frame_kind kind;
  tree list;
  tree_stmt_iterator at;
  tree single;
  const struct tns_frame *outer;
} tns_frame;

/* A condition under which what is being read is executed: COND over VALUEs
   or, when it cannot be said at the entry, NULL.  In a loop it is FROM < TO,
   over VALUEs and outer ITERs.  Behind a branch that is never executed PASSES
   is the opposite of that one's condition, over VALUEs and ITERs, and COND
   what it is in their first iteration.  */
typedef struct tns_when
{
  tns_expr *cond;
  tns_expr *from;
  tns_expr *to;
  tns_expr *passes;
  const struct tns_when *outer;
} tns_when;

/* Bounds of a VALUE or ITER: LOWER when has_lower; UPPER, over VALUEs and
   outer ITERs, or NULL.  LEAST, MOST: the same of an ITER that takes them
   both as soon as its loop runs, or NULL.  FIRST: what an ITER begins with.  */
typedef struct tns_range
{
  bool has_lower;
  long long lower;
  tns_expr *upper;
  tns_expr *least;
  tns_expr *most;
  tns_expr *first;
} tns_range;

/* POINTER is followed by what is executed in CONTEXT.  */
typedef struct tns_followed
{
  tree pointer;
  const tns_when *context;
  struct tns_followed *next;
} tns_followed;

/* Rows that the elements of TABLE point to, an array BASE while each begins
   STEP elements behind the one before: element 0 is at the address FIRST.

   least, most  the rows that the region names, over VALUEs; NULL: none
   cond         when it names these for certain  */
typedef struct tns_rows
{
  tns_base *table;
  tns_base *base;
  tns_sym *first;
  tns_sym *step;
  tns_expr *least;
  tns_expr *most;
  tns_expr *cond;
  struct tns_rows *next;
} tns_rows;

/* Places that the region names in two ways (plugin/extract-twins.cc).

   members  those of t->a and t[i].a
   tables   pointers and arrays (or members that are) a of a[0][j] and
            a[i][j]  */
typedef struct tns_twins
{
  tns_trees members;
  tns_trees tables;
} tns_twins;

/* What a SAVE_EXPR saved: a VALUE, or for a pointer a PLACE.  */
typedef struct tns_saved
{
  tns_expr *value;
  tns_address *place;
} tns_saved;

/* A function being inlined; OUTER calls it.  */
typedef struct tns_inlined
{
  tree fndecl;
  const struct tns_inlined *outer;
} tns_inlined;

/* What the enclosing function and the region do with variables.

   written      variables that the region assigns
   stored       types of the region's stores to memory
   places       what they name
   decl, n_writes, value  for each variable that the function assigns: how
                often, and the value of the last one seen
   factors      variables that the function multiplies with
   declared     what the region declares
   type_saves   SAVE_EXPRs of the sizes of types: evaluated before the region,
                as those of what it declares itself are not
   addressed    variables whose address it takes, or that of a part
   jumps        the function has labels
   reaches_all  the region follows a pointer that may point to any type
                (attribute may_alias)  */
typedef struct tns_facts
{
  tns_trees written;
  tns_trees stored;
  tns_trees places;
  tns_trees decl;
  tns_trees value;
  int *n_writes;
  int n_writes_room;
  tns_trees factors;
  tns_trees declared;
  tns_trees addressed;
  tns_trees type_saves;
  bool jumps;
  bool reaches_all;
} tns_facts;

/* Pointers that a loop swaps (plugin/extract-swap.cc).

   decl   n of them
   first  what they hold in the first iteration
   from   which one's place each has in the next
   turns  how many iterations they take to be back
   times  how often the loop has run  */
typedef struct tns_swap
{
  int n;
  tree *decl;
  tns_holds *first;
  int *from;
  int turns;
  tns_expr *times;
} tns_swap;

/* assumes_still  loads of integers and pointers are taken to hold still where
                  a check at run time can tell (plugin/extract-still.cc)
   words          what the user calls the loop that is read next, when that is
                  not a for loop
   trying         what is read is read again, or thrown away
   swap           the loop that was just read swaps pointers
   n_loops        how many loops are around what is being read
   n_never        how many branches were taken never to be executed
   called         is read in the place of its call, whatever speaks against it;
                  what it calls may have derivatives of the user's
   early_when     the condition under which what is read at the entry may be
                  loaded there, whatever is being read; NULL: find it  */
typedef struct tns_reader
{
  tns_ctx *ctx;
  tns_arena *arena;
  tree fndecl;
  tree called;
  tree *stmts;
  int n_stmts;
  tns_region *region;
  tns_symbols *symbols;
  tns_facts facts;
  bool assumes_still;
  bool trying;
  const tns_swap *swap;
  int n_loops;
  int n_never;
  const char *words;
  const tree *early_when;

  int n_variables;
  int variables_room;
  tns_variable **variable;
  tns_base *bases;
  tns_base *last_base;
  tns_rows *rows;
  tns_twins twins;

  /* By sym->id: the C type of a VALUE or ITER; the condition, a tree, under
     which a VALUE that is loaded may be loaded (NULL_TREE: always); what is
     known of its value.  */
  int by_sym_room;
  tns_elem *c_type;
  tree *load;
  tree *load_when;
  tns_range *range;

  /* Casts that are known to change no value.  */
  const tns_expr **exact;
  int n_exact;
  int exact_room;

  tns_node *block;
  location_t loc;
  const tns_when *when;
  tns_followed *followed;
  int conditional;
  int strict;
  const tns_inlined *inlined;
  int n_statements;
  int n_inlined;

  /* SAVE_EXPRs of the statement being read, from first_save on, and what
     they saved.  */
  tns_trees saves;
  int first_save;
  tns_saved *saved;
  int saved_room;
} tns_reader;

/* plugin/extract-spell.cc: EXPR as the user wrote it, about.  */
extern const char *tns_spell (tns_arena *arena, tree expr);

/* plugin/extract-facts.cc  */
extern void tns_trees_add (tns_arena *arena, tns_trees *list, tree t);
extern bool tns_trees_have (const tns_trees *list, tree t);

/* PART, or one of PARTS, stands in EXPR.  */
extern bool tns_tree_has (tree expr, tree part);
extern bool tns_tree_has_any (tree expr, const tns_trees *parts);

extern void tns_facts_read (tns_reader *reader);
extern int tns_writes_in_function (const tns_reader *reader, tree decl,
                                   tree *value);
extern void tns_written_in (tns_arena *arena, tree stmt, tns_trees *written);

/* An object of type A may be accessed as B: as -fstrict-aliasing has it, at
   every -O level, unless the user says -fno-strict-aliasing.  */
extern bool tns_has_strict_aliasing (void);
extern bool tns_types_may_alias (tree a, tree b);

/* A store of the region may reach an object of TYPE.  */
extern bool tns_may_be_stored (const tns_reader *reader, tree type);

/* plugin/extract-still.cc: what the memory REF holds when the region begins
   it holds to its end, as far as is known or, where the reader may, will be
   checked.  Then, at the end, all places that NAMED symbols (by sym->id) were
   loaded from and a store may reach go to region->still; false when the
   region itself stores there.  */
extern bool tns_holds_still (const tns_reader *reader, tree ref);
extern bool tns_read_stills (tns_reader *reader, const bool *named);

/* plugin/extract-step.cc: EXPR, of LOOP, steps a variable: *DECL by *STEP, 0
   when not by the same constant in each iteration.  */
extern bool tns_read_step (tns_reader *reader, tree loop, tree expr, tree *decl,
                           long long *step);

/* Whether a store may change variable DECL behind its name.  */
extern bool tns_is_memory (tree decl);

/* A pointer may point to DECL, or into it.  GCC says so of each array that a
   variable indexes.  */
extern bool tns_may_be_reached (const tns_reader *reader, tree decl);

/* The trees under NOPs that change no value's meaning here; two trees are
   the same expression, such NOPs apart: what was saved before may be another
   number than what was not.  */
extern tree tns_strip (tree expr);
extern bool tns_same_tree (tree a, tree b);

/* plugin/extract-live.cc: nobody reads DECL after the region before it is
   assigned again.  */
extern bool tns_is_dead_after (const tns_reader *reader, tree decl);

/* plugin/extract-before.cc: what the function follows before the region can be
   followed at the entry.  */
extern void tns_note_before (tns_reader *reader);

/* plugin/extract-entry.cc: values that the region cannot change.  A variable
   of the function that is assigned once (a parameter never), by its name.  */
extern bool tns_is_assigned_once (const tns_reader *reader, tree decl);
extern tree tns_at_entry (tns_reader *reader, tree expr);
extern tree tns_object_at_entry (tns_reader *reader, tree decl);
extern tns_expr *tns_entry_value (tns_reader *reader, tree entry, tree type,
                                  const char *spelled);
extern bool tns_may_load_early (tns_reader *reader, tree load, tree *when);
extern void tns_merge_when (tree *have, tree more);
extern tree tns_value_tree (tns_reader *reader, const tns_sym *sym);
extern tns_expr *tns_expanded (tns_reader *reader, tree decl);

/* The expression EXPR over VALUEs, an I64 or a BOOL, as a tree, NULL_TREE when
   it has none; a new VALUE whose tree is ENTRY.  */
extern tree tns_entry_tree (tns_reader *reader, const tns_expr *expr);
extern tns_sym *tns_new_value (tns_reader *reader, tree entry, tns_elem c_type,
                               const char *spelled);

/* Where DECL's only definition is a quotient of such values, hs = C / NH, or
   a sum, H2 = H - K + 1, that is multiplied with, assume that its VALUE is
   that.  */
extern void tns_note_definition (tns_reader *reader, tree decl,
                                 tns_expr *value);
extern tree tns_stable_pointer (tns_reader *reader, tree decl);

/* plugin/extract-variables.cc  */
extern tns_variable *tns_variable_of (tns_reader *reader, tree decl);
extern tns_variable *tns_declare (tns_reader *reader, tree decl);

/* VARIABLE, which another of its name has hidden, is in scope.  */
extern void tns_show_again (tns_reader *reader, tns_variable *variable);
extern tns_expr *tns_cell_of (tns_reader *reader, tree decl, bool write);
extern bool tns_same_address (const tns_address *a, const tns_address *b);
extern tns_holds *tns_holds_save (tns_reader *reader);
extern void tns_holds_restore (tns_reader *reader, const tns_holds *saved,
                               int n);

/* What is certain when either ONE[0..N), where COND holds, or what is held now
   is true; COND may be NULL.  */
extern void tns_holds_merge (tns_reader *reader, const tns_holds *one, int n,
                             tns_expr *cond);
extern void tns_forget (tns_reader *reader, const tns_trees *written);
extern tns_expr *tns_read_variable (tns_reader *reader, tree decl);
extern bool tns_write_variable (tns_reader *reader, tree decl, tns_expr *value,
                                tree rhs);

/* plugin/extract-index.cc: integers as subscripts and bounds (I64).
   tns_as_index gives the value; tns_as_offset too, modulo 2^64.  tns_exact
   casts VALUE, which ELEM can hold, so that they see through.  */
extern bool tns_is_pure (const tns_expr *expr);
extern bool tns_is_over_values (tns_expr *expr);
extern tns_expr *tns_as_index (tns_reader *reader, tns_expr *expr);
extern tns_expr *tns_exact (tns_reader *reader, tns_elem elem, tns_expr *value);
extern tns_expr *tns_as_offset (tns_reader *reader, tns_expr *expr);
extern tns_expr *tns_scaled_offset (tns_reader *reader, tree offset,
                                    HOST_WIDE_INT bytes);
extern tns_expr *tns_divided (tns_reader *reader, tns_expr *expr,
                              const tns_expr *by);
extern tns_expr *tns_plus (tns_reader *reader, tns_expr *expr, long long k);
extern bool tns_lower_bound (const tns_reader *reader, const tns_expr *expr,
                             long long *bound);
extern bool tns_is_non_negative (const tns_reader *reader,
                                 const tns_expr *expr);
extern void tns_note_sym (tns_reader *reader, const tns_sym *sym,
                          tns_elem c_type);

/* plugin/extract-access.cc  */
extern bool tns_read_address (tns_reader *reader, tree pointer,
                              tns_address *address);
extern bool tns_read_place (tns_reader *reader, tree ref, tns_address *address);
extern tns_base *tns_object_base (tns_reader *reader, tree decl);

/* ADDRESS, an array, becomes that of its element INDEX; a structure, that of
   its member FIELD.  WHERE is refused when that cannot be said.  */
extern bool tns_place_element (tns_reader *reader, tns_address *address,
                               tns_expr *index, tree where);
extern bool tns_place_member (tns_reader *reader, tns_address *address,
                              tree field, tree where);

/* The number of elements of the array type TYPE, NULL when unknown.  */
extern tns_expr *tns_extent_of (tns_reader *reader, tree type);

/* The number of scalars or structures in TYPE, 1 where it is no array; NULL
   when unknown.  */
extern tns_expr *tns_count_in (tns_reader *reader, tree type);
extern tns_expr *tns_place_load (tns_reader *reader, tns_address *place,
                                 tree where, bool write);
extern tns_expr *tns_read_ref (tns_reader *reader, tree ref, bool write);
extern tree tns_base_address (const tns_base *base);

/* A new base whose root is the pointer ROOT.  */
extern tns_base *tns_new_base (tns_reader *reader, tree root);

/* ADDRESS is what ENTRY, a pointer's value at the region's entry, points to;
   false where that may not be evaluated there.  */
extern bool tns_start_at (tns_reader *reader, tree entry, tns_address *address);

/* plugin/extract-view.cc: ADDRESS as one of elements of type TO, of another
   base; false, nothing said, where it cannot be.  The pointer under the
   conversions of ROOT.  */
extern bool tns_see_as (tns_reader *reader, tns_address *address, tree to);
extern tree tns_pointer_under (tree root);

/* OFFSET, a number of bytes, in objects of BYTES, which a guard may ask for;
   NULL where that is not known to be whole.  */
extern tns_expr *tns_bytes_over (tns_reader *reader, tree offset,
                                 HOST_WIDE_INT bytes);

/* plugin/extract-reshape.cc: subscript K (-1: none) of ADDRESS is to count
   objects like UNIT, whose elements are those of its base; where it does not,
   the last one counts elements then.  False where its base cannot be seen so.
   BASE is one of these; false where it cannot be.  At the end they get one
   subscript.  */
extern bool tns_reshape (tns_reader *reader, tns_address *address, int k,
                         tree unit);
extern bool tns_make_flat (tns_base *base);
extern void tns_flatten_bases (tns_reader *reader);

/* plugin/extract-rows.cc: the place that REF, a pointer in a table, points to;
   false, of which nothing is said, where it is none.  At the end, the checks
   of the tables whose rows NAMED symbols (by sym->id) stand for; then the
   trees of what these checks read.  */
extern bool tns_read_row (tns_reader *reader, tree ref, tns_address *address);
extern bool tns_finish_rows (tns_reader *reader, const bool *named);
extern bool tns_set_rows (tns_reader *reader);

/* The table that REF, a pointer, is an element of; NULL where that cannot be
   said.  */
extern const tns_base *tns_table_of (tns_reader *reader, tree ref);

/* plugin/extract-twins.cc: add the places that the region, which has been
   read, names in two ways; false when there are none.  REF is an element of a
   table whose rows are named in two ways.  */
extern bool tns_find_twins (tns_reader *reader, tns_twins *twins);
extern bool tns_is_twin_row (tns_reader *reader, tree ref);

/* plugin/extract-alias.cc: the pairs of arrays that may overlap.  */
extern void tns_read_overlaps (tns_reader *reader);

/* BASE is reached from a variable that LIST names.  */
extern bool tns_base_is_named (const tns_base *base, const tns_wish_list *list);

/* plugin/extract-expr.cc: what SAVE saved in the statement being read, NULL
   while it has not been read; it has now.  */
extern const tns_saved *tns_find_saved (const tns_reader *reader, tree save);
extern void tns_add_saved (tns_reader *reader, tree save, tns_saved what);
extern tns_expr *tns_read_expr (tns_reader *reader, tree expr);
extern tns_expr *tns_read_cond (tns_reader *reader, tree expr);

/* plugin/extract-memory.cc: CALL of the built-in CODE, which writes memory,
   as loops.  *KNOWN tells whether it is one that is handled.  */
extern bool tns_read_memory_call (tns_reader *reader, tree call,
                                  enum built_in_function code, bool *known);

/* plugin/extract-heap.cc: CALL, with conversions, gets memory; the place of an
   array for the pointer DECL that begins there, false with the reason said.
   CALL of free gives some back.  COND asks whether such a pointer is null: 1
   and 0 for what it gives, -1 where it asks something else.  */
extern bool tns_is_allocation (tree call);
extern bool tns_read_allocation (tns_reader *reader, tree call, tree decl,
                                 tns_address *address);
extern bool tns_read_free (tns_reader *reader, tree call);
extern int tns_is_null (tns_reader *reader, tree cond);

/* COUNT elements from TO on get those from FROM on, or, where that is NULL,
   zero.  */
extern bool tns_copy_block (tns_reader *reader, const tns_address *to,
                            const tns_address *from, tns_expr *count,
                            tree call);

/* plugin/extract-aggregate.cc: the scalars in PLACE, local memory of DECL,
   begin.  */
extern bool tns_declare_parts (tns_reader *reader, tns_address place,
                               tree decl);

/* plugin/extract-aggregate.cc: a local array or structure DECL begins, with
   its initialiser; TARGET = RHS of structures; memory for a structure that
   a function being inlined gets or returns.  */
extern bool tns_declare_aggregate (tns_reader *reader, tree decl);
extern bool tns_copy_aggregate (tns_reader *reader, tree target, tree rhs);
extern bool tns_declare_record (tns_reader *reader, tree decl);

/* The object at TO, a scalar, array or structure, gets that at FROM, or zero
   where FROM is NULL.  What FROM's subscripts read must not be in TO.  */
extern bool tns_copy_place (tns_reader *reader, const tns_address *to,
                            const tns_address *from, tree where);

/* plugin/extract-count.cc: what the built-in function CODE, which CALL calls,
   sees in the bits of its argument; *KNOWN tells whether it is one that does,
   and NULL is then a refusal.  */
extern tns_expr *tns_read_bits (tns_reader *reader, tree call,
                                enum built_in_function code, bool *known);

/* plugin/extract-bits.cc: the first scalar of union TYPE that has its size,
   NULL_TREE where TYPE is no union of scalars and of structures and arrays of
   them; the local variable of such a type that REF is a part of, or NULL_TREE;
   that part's value; REF gets VALUE, whatever it is; a local union begins.  */
extern tree tns_scalar_of_union (tree type);
/* FIELD; of a union of scalars of one size its first member, of the same type.
   NULL_TREE for others.  */
extern tree tns_first_of_union (tree field);
extern tree tns_union_of_member (tns_reader *reader, tree ref);
extern tns_expr *tns_read_union (tns_reader *reader, tree ref);

/* The variable, or part of one, of which REF, *(type *) &object, has the bits;
   NULL_TREE when REF is nothing of the sort.  Its bits as one of TYPE.  */
extern tree tns_punned (tree ref);
extern tns_expr *tns_read_pun (tns_reader *reader, tree object, tree type);
extern bool tns_store_ref (tns_reader *reader, tree ref, tns_expr *value);
extern bool tns_declare_union (tns_reader *reader, tree decl);

/* CALL of memcpy that copies one scalar into another; *KNOWN tells whether it
   does.  */
extern bool tns_read_scalar_copy (tns_reader *reader, tree call, bool *known);

/* EXPR is a call of signbit, of which only the truth is known; that truth.  */
extern bool tns_is_signbit (tree expr);
extern tns_expr *tns_read_signbit (tns_reader *reader, tree call);

/* plugin/extract-call.cc: the place of the structure that CALL returns;
   calls, and what sanitizers put before an expression
   with a comma, as in x[i] = (x[i] == 0 ? complain () : 0, y / x[i]).  Such a
   check is idle when its condition is never true; what is derived from a
   function has no checks, which that function has.  Refuse STMT for one that is
   not idle; true when there is one.  */
extern bool tns_is_idle_check (tree expr);
extern bool tns_may_drop_check (const tns_reader *reader, tree expr);
/* CHECK is a sanitizer's, of the length of an array that the region declares,
   and is guarded now: the loops as written complain of what is not positive. */
extern bool tns_guard_length (tns_reader *reader, tree check);
extern bool tns_refuse_checked (tns_reader *reader, tree stmt);
extern tns_expr *tns_read_call (tns_reader *reader, tree call, bool used);
extern bool tns_read_returned (tns_reader *reader, tree call,
                               tns_address *address);
/* What the pointer that CALL returns points to.  */
extern bool tns_read_returned_pointer (tns_reader *reader, tree call,
                                       tns_address *address);

/* plugin/extract-function.cc: CALL of F, which has a derivative of the user's,
   stays a call.  */
extern tns_expr *tns_read_opaque (tns_reader *reader, tree f, tree call);

/* The symbol that stands for the function FN, or NULL; a new one, of RANK
   arguments, which gives what TYPE says, NULL with the reason said.  */
extern tns_sym *tns_find_function (const tns_reader *reader, tree fn);
extern tns_sym *tns_new_function (tns_reader *reader, tree fn, tree type,
                                  int rank);

/* plugin/extract-handed.cc: CALL of F, which works on arrays: a statement
   before the one that is read, and what it gives.  */
extern tns_expr *tns_read_handed (tns_reader *reader, tree f, tree call);
/* The parameters of FNDECL get the arguments of CALL, the last one first as
   GCC evaluates them.  An argument may hold a call of FNDECL too, as in
   max (a, max (b, c)): in the end the outer call's are those in scope.  */
extern bool tns_bind_parameters (tns_reader *reader, tree fndecl, tree call);

/* plugin/extract-derived.cc: CALL of FNDECL, which the plug-in has written.  */
extern tns_expr *tns_read_derived (tns_reader *reader, tree fndecl, tree call);

/* plugin/extract-loop.cc: with ONCE the body runs before the condition is
   asked for the first time.  */
extern bool tns_read_for (tns_reader *reader, tree loop, bool once);

/* EXPR without conversions.  */
extern tree tns_bare (tree expr);

/* plugin/extract-bound.cc: A OP B must hold at the entry: a guard says so,
   unless it does.  False where it does not, or is not over VALUEs alone.  */
extern bool tns_guard_at_entry (tns_reader *reader, tns_op op, tns_expr *a,
                                tns_expr *b);

/* An unsigned ITER from LO on up is at most END wherever the condition of its
   loop asks for it, unless what is added to it there wraps around.  */
extern void tns_note_upper (tns_reader *reader, const tns_sym *iter,
                            tns_expr *lo, tns_expr *end);

/* What the variable that LOAD reads was set to by the last statement read; else
   LOAD, which may be anything, or NULL.  */
extern tns_expr *tns_just_stored (const tns_reader *reader, tns_expr *load);

/* BOUND of a loop, as COND has it, may be evaluated when the loop begins: it is
   pure, or loaded.  COND NULL_TREE: it must be pure.  */
extern bool tns_may_be_bound (const tns_reader *reader, const tns_expr *bound,
                              tree cond);

/* The bound of a loop from LO, UP or down, to HI, unsigned numbers of 64 bits:
   LO where it does not run.  */
extern tns_expr *tns_unsigned_bound (tns_reader *reader, bool up, tns_expr *lo,
                                     tns_expr *hi);

/* LOOP stores to nothing that its bounds load.  */
extern bool tns_bounds_stay (const tns_node *loop);

/* plugin/extract-while.cc: LOOP is a while or do statement, or a for statement
   without a condition.  */
extern bool tns_read_while (tns_reader *reader, tree loop);

/* plugin/extract-never.cc: a branch of STMT, an if whose condition has been
   read, COND, cannot be read and leaves what KIND says, or complains: it is
   taken never to be executed, and *OTHER is the branch that is left.  False
   where there is no such branch.  One that is a truth, A || B,
   complains where it calls something.  */
extern bool tns_read_never (tns_reader *reader, tns_expr *cond, tree stmt,
                            tns_frame_kind kind, tree *other);

/* COND is true in the first iteration of the loops around, as far as is
   known.  */
extern bool tns_holds_first (tns_reader *reader, tns_expr *cond);

/* What was read inside AROUND, of a loop the body of ITER (else NULL), is at
   its end; when it began N_NEVER branches had been taken never to be
   executed.  */
extern void tns_when_leave (tns_reader *reader, const tns_when *around,
                            int n_never, tns_sym *iter);

/* plugin/extract-switch.cc: STMT as an if, NULL_TREE where it cannot be.  */
extern tree tns_switch_as_if (tns_reader *reader, tree stmt);

/* plugin/extract-choice.cc: OPERAND, where it is not always evaluated, needs a
   branch of its own.  COND ? A : B as ELEM and FIRST OP SECOND, a condition,
   that way.  A new cell of the region's own; one that keeps VALUE, which may
   change after here.  */
extern bool tns_needs_branch (tree operand);
extern tns_expr *tns_read_chosen (tns_reader *reader, tns_expr *cond, tree a,
                                  tree b, tns_elem elem);
extern tns_expr *tns_read_both (tns_reader *reader, tns_op op, tns_expr *first,
                                tree second);
/* What is read between the two is evaluated only where COND, a BOOL, holds:
   what it loads at the entry is loaded there only.  */
extern void tns_begin_conditional (tns_reader *reader, tns_expr *cond);
extern void tns_end_conditional (tns_reader *reader);

extern tns_sym *tns_fresh_cell (tns_reader *reader, tns_elem elem);
extern tns_expr *tns_keep_value (tns_reader *reader, tns_expr *value);

/* plugin/extract-stmt.cc  */
extern bool tns_read_frame (tns_reader *reader, const tns_frame *frame);

/* The statements of BLOCK inside an expression; nothing in it may leave it.
 */
extern bool tns_read_inner (tns_reader *reader, tree block);
extern bool tns_read_effect (tns_reader *reader, tree expr);
extern bool tns_declare_cell (tns_reader *reader, tree decl);

/* The statements of BODY and of the blocks in it, in order, to LIST.  */
extern void tns_list_statements (tns_reader *reader, tree body,
                                 tns_trees *list);
extern void tns_emit (tns_reader *reader, tns_node *node);
extern bool tns_store (tns_reader *reader, tns_expr *target, tns_expr *value);

/* plugin/extract-names.cc: the facts of the clauses, before anything is
   read; their names, afterwards.  */
extern bool tns_read_facts_of_wish (tns_reader *reader);
extern bool tns_check_names (tns_reader *reader);

/* plugin/extract-finish.cc: the region as it is handed on.  */
extern tns_region *tns_finish (tns_reader *reader);

/* Refuse the region because of WHERE; WORDS is what WHY's row names.
   Returns NULL.  */
extern void *tns_reader_refuse (tns_reader *reader, tree where, tns_why why,
                                const char *words);
extern void *tns_reader_refuse_tree (tns_reader *reader, tree where,
                                     tns_why why);

#endif
