/* Code that comes at run time: an operation with its gradient, compiled from
   text, loaded and used on the tape; a perspective warp over memory of the
   caller; what fails, with the compiler's and the loader's words; and calls
   that run beside their caller.

   Without a tensorcc (TRM_TENSORCC, or in PATH) what compiles is skipped.  */

#include "expect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIDE  32
#define SMALL 8

/* y[i][j] = x at row r, column c, between four of its elements, where
   (r w, c w, w) = m (i, j, 1); 0 outside.  */
static const char warp_text[]
  = "#include <math.h>\n"
    "void warp (const double m[3][3], const float x[restrict 32][32],\n"
    "           float y[restrict 8][8])\n"
    "{\n"
    "#pragma tensor\n"
    "  for (int i = 0; i < 8; i++)\n"
    "    for (int j = 0; j < 8; j++)\n"
    "      {\n"
    "        double w = m[2][0] * i + m[2][1] * j + m[2][2];\n"
    "        double r = (m[0][0] * i + m[0][1] * j + m[0][2]) / w;\n"
    "        double c = (m[1][0] * i + m[1][1] * j + m[1][2]) / w;\n"
    "        int p = floor (r), q = floor (c);\n"
    "        double s = r - p, t = c - q;\n"
    "        y[i][j] = 0;\n"
    "        if (p >= 0 && p < 31 && q >= 0 && q < 31)\n"
    "          y[i][j] = (1 - s) * (1 - t) * x[p][q]\n"
    "                    + (1 - s) * t * x[p][q + 1]\n"
    "                    + s * (1 - t) * x[p + 1][q]\n"
    "                    + s * t * x[p + 1][q + 1];\n"
    "      }\n"
    "}\n";
typedef void warp_function (const double m[3][3], const float x[SIDE][SIDE],
                            float y[SMALL][SMALL]);

/* The same for one element: the tents of all elements of X at (r, c).  */
static double
warped (const double m[3][3], const float x[SIDE][SIDE], int i, int j)
{
  double v[3], sum = 0;
  for (int k = 0; k < 3; k++)
    v[k] = m[k][0] * i + m[k][1] * j + m[k][2];
  double r = v[0] / v[2], c = v[1] / v[2];
  if (r < 0 || r >= SIDE - 1 || c < 0 || c >= SIDE - 1)
    return 0;
  for (int p = 0; p < SIDE; p++)
    for (int q = 0; q < SIDE; q++)
      sum += fmax (0, 1 - fabs (r - p)) * fmax (0, 1 - fabs (c - q)) * x[p][q];
  return sum;
}

static const char scale_text[]
  = "#include <tensorrt-mini.h>\n"
    "static trm_status forward (int n_in, trm_tensor **in, int n_out,\n"
    "                           trm_tensor **out, void *context)\n"
    "{\n"
    "  (void) n_in, (void) n_out, (void) context;\n"
    "  out[0] = trm_empty (TRM_F64, in[0]->rank, in[0]->extent);\n"
    "  if (!out[0])\n"
    "    return trm_error ();\n"
    "  int64_t n = trm_count (in[0]);\n"
    "  double s = FACTOR;\n"
    "  TRM_VIEW1 (double, x, in[0]);\n"
    "  TRM_VIEW1 (double, y, out[0]);\n"
    "#pragma tensor\n"
    "  for (int64_t i = 0; i < n; i++)\n"
    "    y[i] = s * x[i];\n"
    "  return TRM_OK;\n"
    "}\n"
    "static trm_status backward (trm_call *call)\n"
    "{\n"
    "  trm_tensor *gain = trm_gain (call, 0);\n"
    "  trm_tensor *g = trm_out_gradient (call, 0);\n"
    "  for (int64_t i = 0; gain && i < trm_count (g); i++)\n"
    "    ((double *) gain->at)[i] += FACTOR * ((double *) g->at)[i];\n"
    "  return gain ? TRM_OK : trm_error ();\n"
    "}\n"
    "static const trm_function f\n"
    "  = { .name = \"scale\", .forward = forward, .backward = backward };\n"
    "const trm_operation trm_operations[]\n"
    "  = { { NAME, &f, 1, 1 }, { NULL, NULL, 0, 0 } };\n"
    "int answer = 42;\n";

/* Whether there is a compiler.  */
static bool
has_compiler (void)
{
  trm_code *code = trm_compile ("int one = 1;", NULL);
  bool there = code || trm_error () != TRM_NOT_HERE;
  if (!there)
    printf ("UNSUPPORTED: trm_compile (%s)\n", trm_message ());
  trm_forget_error ();
  return there;
}

static void
test_warp (void)
{
  float x[SIDE][SIDE], y[SMALL][SMALL];
  double m[3][3] = { { 3.1, 0.4, 9.5 }, { -0.3, 3.3, 3 }, { 0.01, -0.02, 1 } };
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++)
      x[i][j] = (float) (i * i % 7 + j * 0.25);
  trm_tensor *picture
    = trm_wrap (TRM_F32, TRM_SHAPE (SIDE, SIDE), NULL, x, NULL, NULL);
  trm_tensor *part
    = trm_wrap (TRM_F32, TRM_SHAPE (SMALL, SMALL), NULL, y, NULL, NULL);
  warp_function *run;
  *(void **) &run = trm_symbol (trm_compile (warp_text, NULL), "warp");
  expect (run != NULL, "a perspective warp is compiled");
  if (run)
    run (m, picture->at, part->at);
  else
    printf ("%s\n", trm_message ());
  int right = 0, inside = 0;
  for (int i = 0; i < SMALL; i++)
    for (int j = 0; j < SMALL; j++)
      {
        double want = warped (m, x, i, j);
        right += run && fabs (y[i][j] - want) < 1e-5;
        inside += want != 0;
      }
  expect (right == SMALL * SMALL && inside > SMALL && inside < right,
          "it is right, inside and outside, in the caller's memory");
  trm_drop (part);
  trm_drop (picture);
}

static void
test_operation (void)
{
  trm_code *code
    = trm_compile (scale_text, "-DFACTOR=3  -DNAME=\"scale-by-3\" ");
  if (!code && trm_error () == TRM_NOT_HERE)
    {
      printf ("UNSUPPORTED: operations (%s)\n", trm_message ());
      trm_forget_error ();
      return;
    }
  const trm_operation *scale = trm_find ("scale-by-3");
  expect (code && scale && scale->n_in == 1,
          "flags, and a table of operations");
  if (!scale)
    {
      printf ("%s\n", trm_message ());
      return;
    }
  int *answer = trm_symbol (code, "answer");
  expect (answer && *answer == 42, "a symbol of it");
  trm_symbol (code, "question");
  expect (expect_failed (TRM_BAD_FILE, "question"), "one that it has not");
  trm_tensor *x = trm_want_gradient (trm_arange (TRM_F64, 0, 5, 1)), *y;
  trm_tape_open ();
  trm_apply_operation (scale, &x, &y, NULL);
  trm_backward (y, trm_full (TRM_F64, TRM_SHAPE (5), 2));
  expect (trm_get (y, TRM_SHAPE (4)) == 12
            && trm_get (trm_gradient_of (x), TRM_SHAPE (4)) == 6,
          "an operation that was compiled is on the tape like others");
  trm_tape_close ();
  trm_drop (x);
  expect (
    !trm_compile (scale_text, "-DFACTOR=2 -DNAME=\"scale-by-3\"")
      && expect_failed (TRM_BAD_FILE, "there is an operation called scale-by-3")
      && trm_find ("scale-by-3") == scale,
    "a name that is taken");
}

/* Compile TEXT to the object PATH; whether that went well.  */
static bool
make_object (const char *text, const char *path)
{
  const char *named = getenv ("TRM_TENSORCC");
  char command[4096];
  snprintf (command, sizeof command,
            "'%s' -shared -fPIC -DFACTOR=5 -DNAME='\"loaded-scale\"' -o %s"
            " -x c - 2> /dev/null",
            named ? named : "tensorcc", path);
  FILE *compiler = popen (command, "w");
  if (!compiler)
    return false;
  fputs (text, compiler);
  return pclose (compiler) == 0;
}

static void
test_object (void)
{
  char folder[] = "/tmp/load-test-XXXXXX", path[64];
  if (!mkdtemp (folder))
    return;
  snprintf (path, sizeof path, "%s/scale.so", folder);
  bool made = make_object (scale_text, path);
  trm_code *code = made ? trm_load (path) : NULL;
  if (!code && trm_error () == TRM_NOT_HERE)
    printf ("UNSUPPORTED: trm_load (%s)\n", trm_message ());
  else
    expect (code && trm_load (path) == code && trm_find ("loaded-scale"),
            "an object is loaded, twice without harm");
  if (made && !code)
    printf ("%s\n", trm_message ());
  unlink (path);
  rmdir (folder);
  trm_forget_error ();
}

static void
test_refusals (void)
{
  trm_compile ("int f (void)\n{\n  return nothing;\n}\n", NULL);
  expect (expect_failed (TRM_BAD_ARGUMENT, "trm_compile:3:10: error: ")
            && !trm_error (),
          "the compiler's messages, with their lines");
  trm_compile (NULL, NULL);
  expect (expect_failed (TRM_BAD_ARGUMENT, "no text"), "no text");
}

static void
test_load (void)
{
  trm_load ("./no-such-object.so");
  expect (expect_failed (TRM_NO_FILE, "load: ./no-such-object.so"),
          "a file that is not there");
  trm_load ("/dev/null");
  expect (expect_failed (TRM_BAD_FILE, "load: /dev/null"),
          "a file that is no object");
  trm_load ("libm.so.6");
  expect (expect_failed (TRM_BAD_FILE, "has no table trm_operations"),
          "an object without operations");
  expect (!trm_find ("no-such-operation")
            && expect_failed (TRM_BAD_ARGUMENT, "is called no-such-operation"),
          "an operation that is not there");
  expect (trm_apply_operation (NULL, NULL, NULL, NULL) == TRM_BAD_ARGUMENT,
          "is not run");
  trm_forget_error ();
}

static void
test_no_compiler (void)
{
  const char *before = getenv ("TRM_TENSORCC");
  char *kept = before ? strdup (before) : NULL;
  setenv ("TRM_TENSORCC", "no-such-compiler", 1);
  trm_compile ("int one = 1;", NULL);
  expect (expect_failed (TRM_NOT_HERE, "cannot run no-such-compiler"),
          "a compiler that is not there");
  if (kept)
    setenv ("TRM_TENSORCC", kept, 1);
  else
    unsetenv ("TRM_TENSORCC");
  free (kept);
}

/* What leaves tape, scope and an error behind, and gives ARGUMENT + 1.  */
static trm_status
next_number (void *argument, trm_tensor **result)
{
  trm_tape_open ();
  trm_scope_open ();
  trm_get (trm_zeros (TRM_F32, TRM_SHAPE (100)), TRM_SHAPE (100));
  *result = trm_number (TRM_F64, *(double *) argument + 1);
  return *result ? TRM_OK : trm_error ();
}

static trm_status
bad_index (void *argument, trm_tensor **result)
{
  (void) result;
  trm_get (argument, TRM_SHAPE (7));
  return trm_error ();
}

/* The sum of ARGUMENT .. 0, each in a call of its own.  */
static trm_status
sum_down (void *argument, trm_tensor **result)
{
  double n = *(double *) argument, less = n - 1;
  trm_tensor *rest = NULL;
  if (n > 0)
    {
      trm_status status = trm_wait (trm_fork (sum_down, &less), &rest);
      if (status)
        return status;
    }
  *result = trm_number (TRM_F64, n + (rest ? trm_get (rest, TRM_SCALAR) : 0));
  return TRM_OK;
}

/* Whether forked calls give what they should, from here.  */
static bool
fork_all (void)
{
  enum
  {
    CALLS = 20
  };
  trm_future *future[CALLS];
  double number[CALLS], depth = 10;
  bool right = !trm_tape_open ();
  for (int i = 0; i < CALLS; i++)
    {
      number[i] = i;
      future[i] = trm_fork (next_number, &number[i]);
    }
  for (int i = CALLS - 1; i >= 0; i--)
    {
      trm_tensor *t;
      right &= !trm_wait (future[i], i % 5 ? &t : NULL) && !trm_error ();
      right &= !(i % 5) || trm_get (t, TRM_SCALAR) == i + 1;
    }
  trm_tensor *sum;
  right &= !trm_wait (trm_fork (sum_down, &depth), &sum);
  right &= trm_get (sum, TRM_SCALAR) == 55;
  trm_tape_close ();
  return right && !trm_error ();
}

static void
test_fork (void)
{
  int64_t before = trm_memory_now ().bytes;
  trm_forget_error ();
  expect (fork_all (), "forked calls give their results, over threads");
  int right = 0;
#pragma omp parallel num_threads(3) reduction(+ : right)
  right += fork_all ();
  expect (right == 3, "from three threads at once, over tasks");
#pragma omp parallel num_threads(3) reduction(+ : right)
#pragma omp single
  right += fork_all ();
  expect (right == 4, "and from one of them");
  trm_tensor *few = trm_zeros (TRM_F32, TRM_SHAPE (3));
  expect (trm_wait (trm_fork (bad_index, few), NULL) == TRM_BAD_INDEX
            && expect_failed (TRM_BAD_INDEX, "get: 7 is outside"),
          "a call that fails gives its message");
  trm_drop (few);
  expect (!trm_fork (NULL, NULL)
            && expect_failed (TRM_BAD_ARGUMENT, "no function")
            && trm_wait (NULL, NULL) == TRM_BAD_ARGUMENT,
          "no function");
  expect (trm_memory_now ().bytes == before, "no memory is lost");
}

int
main (void)
{
  test_load ();
  if (has_compiler ())
    {
      test_warp ();
      test_operation ();
      test_object ();
      test_refusals ();
    }
  test_no_compiler ();
  test_fork ();
  return expect_status ();
}
