/* Whether threads shall take a loop now.

   A parallel region costs about a microsecond where threads wait for it.
   The first of a thread starts the others, which takes milliseconds; one
   after a pause wakes them; where other programs have the processors it
   waits for them.  A loop whose work is worth threads is done as

     static _Thread_local double rate;
     forks = when && trm.threads.ready (work, rate);
     if (forks) parallel region;
     else the loop without threads
     if (when) rate = trm.threads.done (forks, work, rate);

   by functions of the unit.  Times are seconds; alone is what one thread is
   expected to take, by the loop's rate where it is known, else predicted.

     ready:  if (omp_in_parallel () || omp_get_max_threads () < 2)
               { begun = 0; return 0; }
             begun = omp_get_wtime ();
             if (begun - end > PAUSE && team >= ASLEEP)
               { team = ASLEEP; saved = min (saved, 0); }
             if (team == AWAKE) return 1;
             saved += alone;
             if (saved < (team == NEW ? START : WAKE)) return 0;
             team = team == NEW ? STARTED : AWAKE;
             return 1;

     done:   if (begun == 0) return rate;
             end = omp_get_wtime ();  took = end - begun;
             if (!forks) return rate ? (rate + took / work) / 2 : took / work;
             if (took > alone && team == AWAKE && rate)
               { team = ASLEEP; saved = max (-DEBT * (took - alone), -MOST); }
             else { team = AWAKE; saved = 0; }
             return rate;

   So work goes by that is less than twice what waking costs: half of it is
   what two threads save.  At worst a program pays for as much again.  Where
   threads have lost against one, one does it for DEBT times as long.

   What is kept belongs to a thread, since its team does, and to the process:
   the variables are weak, and no object needs the runtime for them.  The
   answers change no result, only who computes it.  */

#include "lowering/build.hh"

extern "C"
{
#include "schedule/machine.h"
}

/* Threads that wait for longer than so many seconds may be asleep.  */
#define PAUSE "0.0002"

/* How long one thread goes on for each second that several lost; and at most,
   in seconds.  */
#define DEBT "-16.0"
#define MOST "-0.25"

/* What is known of a thread's team.  */
enum
{
  TEAM_NEW,
  TEAM_STARTED,
  TEAM_ASLEEP,
  TEAM_AWAKE
};

/* What is kept: the team; when its last region, or the last that it might
   have had, ended; when this one began, 0 where nobody asks; the time of one
   thread that was let go by, or, below 0, that is still to be.  */
typedef struct team
{
  tree state;
  tree end;
  tree begun;
  tree saved;
} team;

/* A function under construction, its parameters and variables.  */
typedef struct asker
{
  tns_build *build;
  team kept;
  tree fn;
  tree forks;
  tree work;
  tree rate;
  tree alone;
} asker;

/* A variable of each thread, 0 at first.  */
static tree
thread_variable (tree id, tree type)
{
  tree variable = build_decl (BUILTINS_LOCATION, VAR_DECL, id, type);
  TREE_STATIC (variable) = 1;
  TREE_USED (variable) = 1;
  DECL_ARTIFICIAL (variable) = 1;
  DECL_IGNORED_P (variable) = 1;
  return variable;
}

/* Hand VARIABLE to GCC.  */
static tree
finish_variable (tree variable)
{
  set_decl_tls_model (variable, decl_default_tls_model (variable));
  varpool_node::finalize_decl (variable);
  return variable;
}

/* The variable NAME of TYPE, of each thread, one for the process.  */
static tree
kept_variable (const char *name, tree type)
{
  tree id = get_identifier (name);
  symtab_node *known = symtab_node::get_for_asmname (id);
  if (known && VAR_P (known->decl))
    return known->decl;
  tree variable = thread_variable (id, type);
  TREE_PUBLIC (variable) = 1;
  SET_DECL_ASSEMBLER_NAME (variable, id);
  declare_weak (variable);
  return finish_variable (variable);
}

/* The team's variables.  */
static team
kept_team (void)
{
  tree real = double_type_node;
  return (team){ kept_variable ("trm_team_state", integer_type_node),
                 kept_variable ("trm_team_end", real),
                 kept_variable ("trm_team_begun", real),
                 kept_variable ("trm_team_saved", real) };
}

/* The value of OpenMP's NAME (), of TYPE.  */
static tree
call_openmp (const tns_build *build, const char *name, tree type)
{
  tree fn = build_fn_decl (name, build_function_type_list (type, NULL_TREE));
  TREE_NOTHROW (fn) = 1;
  return build_call_expr_loc (build->loc, fn, 0);
}

/* A CODE B, of type double.  */
static tree
real2 (tree_code code, tree a, tree b)
{
  return build2 (code, double_type_node, a, b);
}

/* A CODE B, a truth.  */
static tree
truth2 (tree_code code, tree a, tree b)
{
  return build2 (code, boolean_type_node, a, b);
}

/* N as an int.  */
static tree
int_tree (int n)
{
  return build_int_cst (integer_type_node, n);
}

/* What TEXT says, as double.  */
static tree
text_tree (const char *text)
{
  REAL_VALUE_TYPE value;
  real_from_string (&value, text);
  return build_real (double_type_node, value);
}

/* SECONDS as double.  */
static tree
real_tree (double seconds)
{
  char text[40];
  snprintf (text, sizeof text, "%.9e", seconds);
  return text_tree (text);
}

/* VARIABLE = VALUE, appended to *LIST.  */
static void
add_set (const asker *a, tree variable, tree value, tree *list)
{
  append_to_statement_list (tns_build_set (a->build, variable, value), list);
}

/* if (COND) THEN, appended to *LIST.  */
static void
add_if (const asker *a, tree cond, tree then, tree *list)
{
  append_to_statement_list (tns_build_if (a->build, cond, then, NULL_TREE),
                            list);
}

/* return VALUE.  */
static tree
return_tree (const asker *a, tree value)
{
  tree result = DECL_RESULT (a->fn);
  tree set = build2 (MODIFY_EXPR, TREE_TYPE (result), result, value);
  tree statement = build1 (RETURN_EXPR, void_type_node, set);
  TREE_SIDE_EFFECTS (statement) = 1;
  return statement;
}

/* The team does STATE.  */
static tree
team_is (const asker *a, tree_code code, int state)
{
  return truth2 (code, a->kept.state, int_tree (state));
}

/* The loop's rate is known.  */
static tree
is_known (const asker *a)
{
  return truth2 (NE_EXPR, a->rate, text_tree ("0"));
}

/* The seconds that one thread takes, where the rate is unknown: two
   operations a cycle.  */
static tree
alone_tree (const asker *a)
{
  double ghz = a->build->ctx->machine->ghz;
  tree rate = build3 (COND_EXPR, double_type_node, is_known (a), a->rate,
                      real_tree (0.5e-9 / ghz));
  return real2 (MULT_EXPR, rate,
                build1 (FLOAT_EXPR, double_type_node, a->work));
}

/* No other threads can be had: say so and return.  */
static void
add_refusal (const asker *a, tree *list)
{
  tree number = integer_type_node;
  tree inside = call_openmp (a->build, "omp_in_parallel", number);
  tree most = call_openmp (a->build, "omp_get_max_threads", number);
  tree none = NULL_TREE;
  add_set (a, a->kept.begun, text_tree ("0"), &none);
  append_to_statement_list (return_tree (a, int_tree (0)), &none);
  add_if (a,
          truth2 (TRUTH_ORIF_EXPR, truth2 (NE_EXPR, inside, int_tree (0)),
                  truth2 (LT_EXPR, most, int_tree (2))),
          none, list);
}

/* After a pause threads sleep, and nothing is saved up.  */
static void
add_pause (const asker *a, tree *list)
{
  const team *t = &a->kept;
  tree pause = NULL_TREE;
  tree zero = text_tree ("0");
  add_set (a, t->state, int_tree (TEAM_ASLEEP), &pause);
  add_set (a, t->saved, real2 (MIN_EXPR, t->saved, zero), &pause);
  tree since = real2 (MINUS_EXPR, t->begun, t->end);
  add_if (a,
          truth2 (TRUTH_ANDIF_EXPR, truth2 (GT_EXPR, since, text_tree (PAUSE)),
                  team_is (a, GE_EXPR, TEAM_ASLEEP)),
          pause, list);
}

/* The statements of ready.  */
static tree
ready_body (const asker *a)
{
  const tns_machine *machine = a->build->ctx->machine;
  const team *t = &a->kept;
  tree real = double_type_node;
  tree list = NULL_TREE;
  tree is_new = team_is (a, EQ_EXPR, TEAM_NEW);
  add_refusal (a, &list);
  add_set (a, t->begun, call_openmp (a->build, "omp_get_wtime", real), &list);
  add_pause (a, &list);
  add_if (a, team_is (a, EQ_EXPR, TEAM_AWAKE), return_tree (a, int_tree (1)),
          &list);
  add_set (a, t->saved, real2 (PLUS_EXPR, t->saved, alone_tree (a)), &list);
  tree enough
    = build3 (COND_EXPR, real, is_new, real_tree (2e-9 * machine->start_ns),
              real_tree (2e-9 * machine->wake_ns));
  add_if (a, truth2 (LT_EXPR, t->saved, enough), return_tree (a, int_tree (0)),
          &list);
  add_set (a, t->state,
           build3 (COND_EXPR, integer_type_node, is_new,
                   int_tree (TEAM_STARTED), int_tree (TEAM_AWAKE)),
           &list);
  append_to_statement_list (return_tree (a, int_tree (1)), &list);
  return list;
}

/* The rate of the loop, once it TOOK so long without threads.  */
static tree
next_rate (const asker *a, tree took)
{
  tree now
    = real2 (RDIV_EXPR, took, build1 (FLOAT_EXPR, double_type_node, a->work));
  tree middle
    = real2 (MULT_EXPR, real2 (PLUS_EXPR, a->rate, now), text_tree ("0.5"));
  return build3 (COND_EXPR, double_type_node, is_known (a), middle, now);
}

/* What follows for the team, which TOOK so long.  */
static tree
judge (const asker *a, tree took)
{
  const team *t = &a->kept;
  tree lost = NULL_TREE;
  tree won = NULL_TREE;
  tree debt
    = real2 (MULT_EXPR, real2 (MINUS_EXPR, took, a->alone), text_tree (DEBT));
  add_set (a, t->state, int_tree (TEAM_ASLEEP), &lost);
  add_set (a, t->saved, real2 (MAX_EXPR, debt, text_tree (MOST)), &lost);
  add_set (a, t->state, int_tree (TEAM_AWAKE), &won);
  add_set (a, t->saved, text_tree ("0"), &won);
  tree loses = truth2 (TRUTH_ANDIF_EXPR, truth2 (GT_EXPR, took, a->alone),
                       team_is (a, EQ_EXPR, TEAM_AWAKE));
  loses = truth2 (TRUTH_ANDIF_EXPR, loses, is_known (a));
  return tns_build_if (a->build, loses, lost, won);
}

/* The statements of done.  */
static tree
done_body (const asker *a)
{
  const team *t = &a->kept;
  tree list = NULL_TREE;
  tree took = real2 (MINUS_EXPR, t->end, t->begun);
  add_if (a, truth2 (EQ_EXPR, t->begun, text_tree ("0")),
          return_tree (a, a->rate), &list);
  add_set (a, t->end, call_openmp (a->build, "omp_get_wtime", double_type_node),
           &list);
  add_if (a, truth2 (EQ_EXPR, a->forks, int_tree (0)),
          return_tree (a, next_rate (a, took)), &list);
  add_set (a, a->alone, alone_tree (a), &list);
  append_to_statement_list (judge (a, took), &list);
  append_to_statement_list (return_tree (a, a->rate), &list);
  return list;
}

/* A parameter NAME of TYPE, in front of A's function's.  */
static tree
add_parameter (asker *a, const char *name, tree type)
{
  tree parm
    = build_decl (BUILTINS_LOCATION, PARM_DECL, get_identifier (name), type);
  DECL_ARG_TYPE (parm) = type;
  DECL_CONTEXT (parm) = a->fn;
  DECL_CHAIN (parm) = DECL_ARGUMENTS (a->fn);
  DECL_ARGUMENTS (a->fn) = parm;
  return parm;
}

/* The unit's function ID, when there is one already.  */
static tree
known_function (tree id)
{
  symtab_node *known = symtab_node::get_for_asmname (id);
  return known && TREE_CODE (known->decl) == FUNCTION_DECL ? known->decl
                                                           : NULL_TREE;
}

/* A function ID (int forks, long work, double rate) giving TYPE.  */
static asker
begin_function (tns_build *build, tree id, tree type)
{
  tree whole
    = build_function_type_list (type, integer_type_node, long_integer_type_node,
                                double_type_node, NULL_TREE);
  asker a;
  memset (&a, 0, sizeof a);
  a.build = build;
  a.kept = kept_team ();
  a.fn = tns_build_function (id, whole);
  SET_DECL_ASSEMBLER_NAME (a.fn, id);
  tns_build_effort (a.fn, TNS_EFFORT_CALL);
  a.rate = add_parameter (&a, "rate", double_type_node);
  a.work = add_parameter (&a, "work", long_integer_type_node);
  a.forks = add_parameter (&a, "forks", integer_type_node);
  return a;
}

/* The unit's function READY or done.  */
static tree
unit_function (tns_build *build, bool ready)
{
  tree id = get_identifier (ready ? "trm.threads.ready" : "trm.threads.done");
  tree known = known_function (id);
  if (known)
    return known;
  tree outer = build->fn;
  asker a
    = begin_function (build, id, ready ? integer_type_node : double_type_node);
  build->fn = a.fn;
  push_struct_function (a.fn);
  a.alone = tns_build_variable (build, "alone", double_type_node);
  tree body = ready ? ready_body (&a) : done_body (&a);
  pop_cfun ();
  build->fn = outer;
  tns_build_finish (a.fn, a.alone, body);
  return a.fn;
}

/* A call of the unit's function for REGION.  */
static tree
call_unit (tns_build *build, bool ready, const tns_asked *asked)
{
  return build_call_expr_loc (build->loc, unit_function (build, ready), 3,
                              fold_convert (integer_type_node, asked->forks),
                              asked->work, asked->rate);
}

/* A variable of the function, in front of *VARIABLES.  */
static tree
own_variable (tns_build *build, const char *name, tree type, tree *variables)
{
  tree variable = tns_build_variable (build, name, type);
  DECL_CHAIN (variable) = *variables;
  *variables = variable;
  return variable;
}

/* The rate of a loop of the function.  */
static tree
rate_variable (const tns_build *build)
{
  tree name = clone_function_name_numbered (
    IDENTIFIER_POINTER (DECL_NAME (build->fn)), "rate");
  return finish_variable (thread_variable (name, double_type_node));
}

void
tns_build_ask (tns_build *build, tree when, tree work, tns_asked *asked,
               tree *list)
{
  tree number = integer_type_node;
  asked->variables = NULL_TREE;
  asked->rate = rate_variable (build);
  asked->work
    = own_variable (build, "work", long_integer_type_node, &asked->variables);
  asked->pays = own_variable (build, "pays", number, &asked->variables);
  asked->forks = own_variable (build, "forks", number, &asked->variables);
  tree forks = NULL_TREE;
  append_to_statement_list (tns_build_set (build, asked->forks, int_tree (0)),
                            list);
  append_to_statement_list (tns_build_set (build, asked->work, work), list);
  append_to_statement_list (tns_build_set (build, asked->pays, when), list);
  append_to_statement_list (
    tns_build_set (build, asked->forks, call_unit (build, true, asked)),
    &forks);
  append_to_statement_list (
    tns_build_if (build, truth2 (NE_EXPR, asked->pays, int_tree (0)), forks,
                  NULL_TREE),
    list);
}

tree
tns_build_told (tns_build *build, const tns_asked *asked)
{
  tree done
    = tns_build_set (build, asked->rate, call_unit (build, false, asked));
  return tns_build_if (build, truth2 (NE_EXPR, asked->pays, int_tree (0)), done,
                       NULL_TREE);
}
