/* Macros called like clauses do not break them; arguments are expanded, and a
   macro may stand for clauses.  */
/* { dg-tensor-opts "report=none" } */

#define name nothing
#define temp foo
#define tile 3
#define fp
#define strict 0
#define off 0
#define parallel(x) oops
#define assume(x) oops x
#define function inline
#define SIZE 8
#define AT_LEAST(a, b) ((a) >= (b))
#define QUIET fuse(none)

#pragma tensor function
static float
twice (float a)
{
  return 2 * a;
}

void
f (int n, float *restrict x, float *restrict y)
{
#pragma tensor name("f") fp(strict) parallel(off) tile(i: SIZE)
  for (int i = 0; i < n; i++)
    y[i] = twice (x[i]);
#pragma tensor assume(AT_LEAST (n, SIZE), n % SIZE == 0) QUIET
  for (int i = 0; i < n; i++)
    y[i] = x[i];
}
