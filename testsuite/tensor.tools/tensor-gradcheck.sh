# tensor-gradcheck: its verdicts, on a program with a main function and on one
# without.
# one GCC
gradcheck=${GRADCHECK:-$BUILD/tools/tensor-gradcheck}
TENSOR_CC=${CC_UNDER_TEST:-$GCC}
export TENSOR_CC
failed=0

# Whether the command behind $2 $3 exits with the status $1 and tells the
# pattern $2; $3 says what that shows.
ends ()
{
  status=$1 pattern=$2 what=$3
  shift 3
  "$gradcheck" "$@" >told 2>&1
  got=$?
  if test $got = "$status" && grep -e "$pattern" told >/dev/null; then
    echo "PASS: $what"
  else
    echo "FAIL: $what"
    echo "  exit status $got, not $status, or no $pattern"
    sed 's/^/  /' told
    failed=1
  fi
}

mkdir 'a folder'
cat >'a folder/layer.c' <<'END'
#include <math.h>

static double
cube (double x)
{
  while (x > 100)
    x -= 100;
  return x * x * x;
}

#pragma tensor derivative(cube) of(return: g) wrt(x: dx)
static void
cube_back (double x, double g, double *dx)
{
  *dx += FACTOR * g * x * x;
}

static void
layer (int n, int m, const float *x, const float w[m][n], const int *to,
       float s, float *y)
{
  for (int i = 0; i < m; i++)
    {
      float t = 0;
      for (int j = 0; j < n; j++)
        t += w[i][j] * x[j];
      y[i] = s * log1pf (t * t) * x[to[i]];
    }
}

#pragma tensor gradient(layer) of(y: dy) wrt(x: dx, w: dw, s: ds)
void layer_gradient (int n, int m, const float *x, const float w[m][n],
                     const int *to, float s, const float *dy, float *dx,
                     float dw[m][n], float *ds);

static double
roots (int n, const double *x)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    s += cube (sqrt (x[i]));
  return s;
}

#pragma tensor gradient(roots) of(return: g) wrt(x: dx)
void roots_gradient (int n, const double *x, double g, double *dx);

typedef struct pair
{
  double a, b;
} pair;

static double
pairs (int n, const pair *p)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    s += p[i].a * p[i].b;
  return s;
}

#pragma tensor gradient(pairs) of(return) wrt(p: dp)
void pairs_gradient (int n, const pair *p, pair *dp);

#ifdef MAIN
int
main (int argc, char **argv)
{
  static double x[10] = { 1, 4, 9 }, dx[10];
  static pair p[2] = { { 1, 2 }, { 3, 4 } }, dp[2];
  roots_gradient (argc, x, 1, dx);
  pairs_gradient (argc > 1 ? 1 : 2, p, dp);
  return argc > 1 ? argv[1][0] - '0' : 0;
}
#endif
END

layer='a folder/layer.c'
ends 0 'checked, all agree' 'a right gradient agrees' \
  -DFACTOR=3 -DMAIN "$layer" -lm
ends 1 "call 1: dx\[0\] is 1.6.*differs" 'a wrong one is named' \
  -DFACTOR=3.2 -DMAIN "$layer" -lm
ends 0 'gradcheck: 1 calls of 1 gradients checked' 'only of one function' \
  --function pairs -DFACTOR=3.2 -DMAIN "$layer" -lm
ends 0 'worst of 1 elements looked at, of 1' 'arguments of the program' \
  --function=pairs -DFACTOR=3 -DMAIN "$layer" -- 7
ends 0 'dw\[[01]\]\[[0-5]\] is .*, of 12$' 'sizes, without main' \
  --function layer --set n=6 --set=m=2 -DFACTOR=3 "$layer" -lm
ends 1 'checked, 1 differ' 'a wrong one, without main' \
  --function roots_gradient --all -DFACTOR=3.2 "$layer" -lm
ends 2 'needs a main function' 'structures want main' \
  --function pairs -DFACTOR=3 "$layer" -lm
ends 2 'no gradient of nothing' 'no such function' \
  --function nothing -DFACTOR=3 "$layer" -lm
ends 2 'cannot be built' 'what does not compile' "$layer"
ends 2 'has a main function' '--set beside a main function' \
  --set n=3 -DMAIN -DFACTOR=3 "$layer" -lm
ends 2 'no program' 'no program' --all
ends 0 '^usage: tensor-gradcheck' '--help' --help
ends 0 'gcc-tensor' '--version' --version
exit $failed
