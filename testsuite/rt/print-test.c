/* Tensors as text: what NumPy prints, stored (print-texts.def); the ends of
   long ones; views; bf16, which NumPy lacks, by the same rules.  */

#include "expect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct
{
  const char *name;
  trm_type type;
  int rank;
  int64_t extent[TRM_RANK];
  double value[28];
  const char *text;
} texts[] = {
#define LIST(...)                                                              \
  {                                                                            \
    __VA_ARGS__                                                                \
  }
#define TEXT(...) { __VA_ARGS__ },
#include "print-texts.def"
#undef TEXT
#undef LIST
};

/* Whether T is printed as TEXT.  */
static bool
prints (const trm_tensor *t, const char *text)
{
  char *found = NULL;
  size_t n = 0;
  FILE *file = open_memstream (&found, &n);
  if (!file)
    return false;
  trm_print (file, t);
  fclose (file);
  bool same = strcmp (found, text) == 0;
  if (!same)
    printf ("%s\nshould be\n%s", found, text);
  free (found);
  return same;
}

static void
test_texts (void)
{
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    {
      trm_tensor *t = trm_cast (
        trm_from (TRM_F64, texts[i].rank, texts[i].extent, texts[i].value),
        texts[i].type);
      expect (prints (t, texts[i].text), "%s", texts[i].name);
    }
}

/* 0, 1, 2, ... of this type and shape.  */
static trm_tensor *
counting (trm_type type, int rank, const int64_t *extent)
{
  double n = 1;
  for (int i = 0; i < rank; i++)
    n *= (double) extent[i];
  return trm_reshape (trm_arange (type, 0, n, 1), rank, extent);
}

static void
test_long (void)
{
  expect (prints (counting (TRM_F32, TRM_SHAPE (1001)),
                  "[   0.    1.    2. ...  998.  999. 1000.]\n"),
          "more than 1000 elements");
  expect (prints (counting (TRM_I32, TRM_SHAPE (40, 40)),
                  "[[   0    1    2 ...   37   38   39]\n"
                  " [  40   41   42 ...   77   78   79]\n"
                  " [  80   81   82 ...  117  118  119]\n"
                  " ...\n"
                  " [1480 1481 1482 ... 1517 1518 1519]\n"
                  " [1520 1521 1522 ... 1557 1558 1559]\n"
                  " [1560 1561 1562 ... 1597 1598 1599]]\n"),
          "the ends of both axes");
  trm_tensor *t = counting (TRM_I64, TRM_SHAPE (2, 3, 200));
  expect (prints (t, "[[[   0    1    2 ...  197  198  199]\n"
                     "  [ 200  201  202 ...  397  398  399]\n"
                     "  [ 400  401  402 ...  597  598  599]]\n"
                     "\n"
                     " [[ 600  601  602 ...  797  798  799]\n"
                     "  [ 800  801  802 ...  997  998  999]\n"
                     "  [1000 1001 1002 ... 1197 1198 1199]]]\n"),
          "short axes are whole");
  expect (prints (trm_slice (trm_t (trm_select (t, 0, 1)), 0, -1, 190, -4),
                  "[[ 799  999 1199]\n"
                  " [ 795  995 1195]\n"
                  " [ 791  991 1191]]\n"),
          "a view");
}

static void
test_bf16 (void)
{
  trm_tensor *t = trm_cast (
    trm_from (TRM_F64, TRM_SHAPE (3), (double[]){ 0.1, -2, 99.5 }), TRM_BF16);
  expect (prints (t, "[ 0.1 -2.  99.5]\n"), "bf16");
  expect (prints (trm_full (TRM_BF16, TRM_SCALAR, 1. / 3), "0.334\n"),
          "rank 0, bf16");
}

static void
test_nothing (void)
{
  expect (prints (NULL, ""), "NULL");
}

int
main (void)
{
  void (*const tests[]) (void)
    = { test_texts, test_long, test_bf16, test_nothing };
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    {
      trm_scope_open ();
      tests[i]();
      trm_scope_close ();
    }
  return expect_status ();
}
