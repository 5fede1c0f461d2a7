# Plans: the printed plan, replayed, gives the same plan and the same code;
# variants of a kernel in other names get the same plan; what a stage prints
# is read back by tensor-opt.
# one GCC
plugin=$BUILD/plugin/$GCC/tensor.so

verdict ()
{
  if test "$1" -eq 0; then
    echo "PASS: $2"
  else
    echo "FAIL: $2"
  fi
}

# Compile $1.c with the plug-in's options after it, as KEY=VALUE; the dump is
# $1.tensor.
compile ()
{
  base=$1
  shift
  arguments=
  for option; do
    arguments="$arguments -fplugin-arg-tensor-$option"
  done
  $CC_UNDER_TEST -O2 -fopenmp -march=haswell -fno-diagnostics-show-caret \
    "-fplugin=$plugin" $arguments $only -S "$base.c" -o "$base.s" \
    -dumpbase "$base" >"$base.log" 2>&1
}

# The same in a fifth of the time, without assembly: the plug-in's part alone.
look ()
{
  only=-fsyntax-only
  compile "$@"
  status=$?
  only=
  return $status
}
only=

# The same to the end, but without GCC's own optimizations.
quick ()
{
  only=-O0
  compile "$@"
  status=$?
  only=
  return $status
}

cat >regions.c <<'END'
#include <math.h>

void
product (int n, int m, int l, float a[n][l], float b[l][m], float c[n][m])
{
#pragma tensor name("product") noalias
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        c[i][j] = 0;
        for (int k = 0; k < l; k++)
          c[i][j] += a[i][k] * b[k][j];
      }
}

float
sum (int n, float *x)
{
  float s = 0;
#pragma tensor name("sum")
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

void
chain (int n, float *restrict x, float *restrict y, float *restrict t)
{
#pragma tensor name("the chain") temp(t)
  {
    for (int i = 0; i < n; i++)
      t[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
      y[i] = t[i] + 1;
  }
}

void
softmax (int n, int m, float x[restrict n][m], float y[restrict n][m])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float most = x[i][0];
      for (int j = 1; j < m; j++)
        if (x[i][j] > most)
          most = x[i][j];
      float sum = 0;
      for (int j = 0; j < m; j++)
        {
          y[i][j] = expf (x[i][j] - most);
          sum += y[i][j];
        }
      for (int j = 0; j < m; j++)
        y[i][j] /= sum;
    }
}

void
twice (int n, float a[restrict n][n], float b[restrict n][n],
       float c[restrict n][n], float t[restrict n][n], float d[restrict n][n])
{
#pragma tensor temp(t)
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < n; j++)
        {
          t[i][j] = 0;
          for (int k = 0; k < n; k++)
            t[i][j] += a[i][k] * b[k][j];
        }
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          d[i][j] += t[i][k] * c[k][j];
    }
}

void
solve (int n, int m, float l[restrict n][n], float x[restrict n][m])
{
#pragma tensor
  for (int r = 0; r < m; r++)
    for (int i = 0; i < n; i++)
      {
        float s = x[i][r];
        for (int k = 0; k < i; k++)
          s -= l[i][k] * x[k][r];
        x[i][r] = s / l[i][i];
      }
}

void
clauses (int n, int m, float x[restrict n][m], float y[restrict n][m])
{
#pragma tensor interchange(i, j)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[i][j] = y[i][j] + 1;
#pragma tensor tile(i: 8, j: 16) parallel(j)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[i][j] = y[j][i] + 1;
#pragma tensor name("side by side")
  {
    for (int i = 1; i < n; i++)
      x[i][0] = x[i - 1][0] * 2 + 1;
    for (int i = 1; i < m; i++)
      y[0][i] = y[0][i - 1] * 3 + 1;
  }
#pragma tensor name("rows")
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      x[i][j] += x[i][j - 1] * y[i][j];
#pragma tensor name("down")
  for (int i = n - 1; i >= 0; i--)
    x[i][0] = y[i][0] + 1;
#pragma tensor name("border")
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[i][j] = y[i][j] + y[i][j > 0 ? j - 1 : 0] / sqrtf (n);
#pragma tensor name("wave")
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      x[i][j] = x[i - 1][j + 1] + x[i][j - 1] + x[i + 1][j];
#pragma tensor unroll(i: 2) simd(j) parallel(off)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[i][j] *= 2;
}

void
blur (int n, int m, float x[restrict n][m], float y[restrict n][m],
      float t[restrict n][m])
{
#pragma tensor name("blur") temp(t)
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        t[i][j] = x[i][j] * 2;
    for (int i = 1; i < n - 1; i++)
      for (int j = 0; j < m; j++)
        y[i][j] = t[i - 1][j] + t[i + 1][j];
  }
#pragma tensor name("steps")
  for (int k = 0; k < 9; k++)
    {
      for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < m; j++)
          x[i][j] = y[i - 1][j] + y[i + 1][j];
      for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < m; j++)
          y[i][j] = x[i - 1][j] + x[i + 1][j];
    }
}
END

quick regions dump=plan
verdict $? 'the regions compile'
test "$(grep -c '^plan ' regions.tensor)" -eq 19
verdict $? 'each has a plan, two of them one for tiles besides, one for slabs'
for step in 'kernel S' 'order S' 'tile i' 'parallel i' 'simd j' 'fuse S1 S2' \
  'unroll i in S1: 2' 'block S' 'panel S' 'share i' 'lanes r' 'tasks S1 S2' \
  'skew i in S1: 4 by 2' 'skew i in S1: 4 by 0' 'carry j' \
  'recompute S1 S2 at i: 32' 'trapezoid S1 S2 at i: 32' \
  'reverse i in S1' 'cut$' 'hoist$'; do
  grep -q "^$step" regions.tensor
  verdict $? "the plans have a step $step"
done

cp regions.tensor regions.plan
cp regions.s first.s
quick regions dump=plan plan=regions.plan
verdict $? 'the printed plans are legal'
diff regions.plan regions.tensor
verdict $? 'the printed plans, replayed, are printed again'
cmp first.s regions.s
verdict $? 'replayed they give the same assembly'

# A plan that the planner would not choose has its effect.
cat >other.plan <<'END'
plan sum
simd i in S1: 4
END
quick regions dump=plan plan=other.plan
verdict $? 'another plan is legal'
sed -n '/^plan sum/,/^;;/p' regions.tensor >got
printf 'plan sum\nsimd i in S1: 4\n;; tree\n' | diff - got
verdict $? 'it is the plan of its region'
sed '/^plan sum/,/^$/d' regions.plan >expected
sed '/^plan sum/,/^$/d' regions.tensor | diff expected -
verdict $? 'the other regions have their own'
cat >steps.plan <<'END'
plan product
split j in S1
split i in S1
interchange i k in S2
reverse j in S2
plan the chain
fuse S1 S2 at i shift 1
END
quick regions dump=plan plan=steps.plan
verdict $? 'split, interchange, reverse and shift are legal'
sed -n '/^plan product/,/^;;/p; /^plan the chain/,/^;;/p' regions.tensor \
  | grep -v '^;;' | diff - steps.plan
verdict $? 'and are what is done'
printf 'plan the chain\nfuse S1 S2 at i shift -1\n' >steps.plan
look regions plan=steps.plan
grep -q 'error: .*shift -1" is not legal: t.i. written by S1' regions.log
verdict $? 'a shift that breaks a dependence is refused'
for line in 'fuse S1 S2 at i by 1' 'fuse S1 S2 at i shift one' \
  'fuse S1 S2 at j shift 1' 'fuse S1 S2 at i shift 1 1'; do
  printf 'plan the chain\n%s\n' "$line" >steps.plan
  look regions plan=steps.plan
  grep -q "error: .*\"$line\" does not apply" regions.log
  verdict $? "and \`$line' is no shift"
done
printf 'plan rows\nreverse j in S1\n' >steps.plan
look regions plan=steps.plan
grep -q 'error: .*reverse j in S1" is not legal' regions.log
verdict $? 'so is a loop that must not be reversed'
sed '/^cut/d; /^hoist/d' regions.plan >late.plan
quick regions dump=plan plan=late.plan
test $? -eq 0 && diff late.plan regions.tensor
verdict $? 'borders and what is fixed stay in loops when no line says otherwise'
look regions dump=simplified
grep 'sqrt' regions.tensor >hoisted
look regions dump=simplified plan=late.plan
grep 'sqrt' regions.tensor | cmp -s - hoisted
test $? -ne 0
verdict $? 'which shows in what is made'
printf 'plan sum\ncut\n' >steps.plan
look regions plan=steps.plan
grep -q 'error: .*"cut" does not apply' regions.log
verdict $? 'a border that is not there is not cut'
printf 'plan sum\n' >none.plan
quick regions dump=plan plan=none.plan
grep -q 'kept as written' regions.log
verdict $? 'an empty plan keeps the loops'
sed 's/at i: 32/at i: 16/' regions.plan >smaller.plan
quick regions dump=plan plan=smaller.plan
verdict $? 'tiles of another size are legal'
diff smaller.plan regions.tensor
verdict $? 'and are what is made'
sed 's/at i: 32/at i: 4/' regions.plan >edges.plan
look regions plan=edges.plan
grep -q "error: .*the tiles of 'plan blur_tiled' do not apply" regions.log
verdict $? 'tiles that are mostly edges are refused'
sed '/^recompute/d' regions.plan >without.plan
look regions plan=without.plan
grep -q "error: .*the tiles of 'plan blur_tiled' do not apply" regions.log
verdict $? 'tiles without their line are refused'
sed '/_tiled/,/^$/d' regions.plan >plain.plan
quick regions dump=plan plan=plain.plan
diff plain.plan regions.tensor
verdict $? 'a plan without tiles has none'
# Vectors as long as cache lines.
look regions machine=avx512 dump=plan
grep -q '^align j.* in S[12]: ' regions.tensor
verdict $? 'vectors as long as cache lines begin where lines begin'
cp regions.tensor lines.plan
look regions machine=avx512 dump=plan plan=lines.plan
test $? -eq 0 && diff lines.plan regions.tensor
verdict $? 'which is a step of the plan, too'
printf 'plan sum\nsimd i in S1: 16\nalign i in S1: x\n' >lines.plan
look regions machine=avx512 plan=lines.plan
grep -q 'error: .*align i in S1: x" is not legal' regions.log
verdict $? 'not of a sum'
for machine in avx512 avx2; do
  printf 'plan the chain\nsimd i in S1: 16\nalign i in S1: %s\n' \
    "$(test $machine = avx2 && echo t || echo x)" >lines.plan
  look regions machine=$machine plan=lines.plan
  grep -q 'error: .*"align .*" does not apply.*as long as a cache line' \
    regions.log
  verdict $? "and not on $machine, of what is not stored or no line"
done

cat >lu.c <<'END'
void
lu (int n, float a[n][n])
{
#pragma tensor name("lu")
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++)
      {
        a[i][k] /= a[k][k];
        for (int j = k + 1; j < n; j++)
          a[i][j] -= a[i][k] * a[k][j];
      }
}
END
look lu dump=plan
cp lu.tensor lu.plan
grep -q '^distribute' lu.plan
verdict $? 'a factorisation has a plan for its slabs'
quick lu dump=plan plan=lu.plan
test $? -eq 0 && grep . lu.tensor >lu.out && grep . lu.plan | diff - lu.out
verdict $? 'which gives the same plan'
sed 's/slab k: 32/slab k: 16/' lu.plan >smaller.plan
quick lu dump=plan plan=smaller.plan
test $? -eq 0 && grep . lu.tensor >lu.out && grep . smaller.plan | diff - lu.out
verdict $? 'slabs of another size are legal'
sed '/^slab k/d' lu.plan >without.plan
look lu plan=without.plan
grep -q "error: .*the slabs of 'plan lu_slabs' do not apply" lu.log
verdict $? 'slabs without their line are refused'
sed 's,^\(distribute.*:\) \(.*\) / \([^/]*\)$,\1 \3 / \2,' lu.plan >order.plan
look lu plan=order.plan
grep -q 'error: .*"distribute .*" is not legal' lu.log
verdict $? 'what is computed before what it needs is refused'
sed '/_slabs/,/^$/d' lu.plan >plain.plan
quick lu dump=plan plan=plain.plan
test $? -eq 0 && grep . lu.tensor >lu.out && grep . plain.plan | diff - lu.out
verdict $? 'a plan without slabs has none'
look regions plan=nowhere.plan
test $? -ne 0 && grep -q "error: cannot read 'nowhere.plan'" regions.log \
  || grep -q 'error: cannot read .*nowhere.plan' regions.log
verdict $? 'a plan that cannot be read is an error'

# Other names, the same plan.
rename='s/\<i\>/row/g; s/\<j\>/k2/g; s/\<k\>/along/g; s/\<x\>/from/g
  s/\<y\>/into/g; s/\<t\>/middle/g; s/\<most\>/peak/g'
sed "$rename" regions.c >renamed.c
look renamed dump=plan
sed "$rename" regions.plan | diff - renamed.tensor
verdict $? 'renamed loops and arrays have the same plans'

# What a stage prints is IR.
for stage in extract updates shapes simplify loops scheduled registers \
  vectors skew simplified; do
  look regions dump=$stage
  grep -v '^;;' regions.tensor | grep . >stage.tns
  "$BUILD/tensor-opt" stage.tns >stage.out 2>&1 && grep . stage.out \
    | cmp - stage.tns && test -s stage.tns
  verdict $? "tensor-opt reads what $stage printed, and prints the same"
done
