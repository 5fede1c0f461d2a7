# A trained model runs where no compiler is: its weights as safetensors, its
# function as a shared object, and what ldd names, alone in a root of their own.
# one GCC
plugin=$BUILD/plugin/$GCC/tensor.so
library=$BUILD/libtensorrt-mini

verdict ()
{
  if test "$1" -eq 0; then
    echo "PASS: $2"
  else
    echo "FAIL: $2"
  fi
}

# Two layers over the caller's weights; the regions are the plugin's.
cat >model.c <<'END'
#include <tensorrt-mini.h>

extern void answer (int n, int p, int q, int r, const float *restrict x,
                    const float *restrict w, const float *restrict b,
                    const float *restrict v, const float *restrict c,
                    float *restrict y);

__attribute__ ((visibility ("default"))) void
answer (int n, int p, int q, int r, const float *restrict x,
        const float *restrict w, const float *restrict b,
        const float *restrict v, const float *restrict c, float *restrict y)
{
#pragma tensor require(transform)
  for (int i = 0; i < n; i++)
    {
      float hidden[p];
      for (int j = 0; j < p; j++)
        {
          hidden[j] = b[j];
          for (int k = 0; k < q; k++)
            hidden[j] += w[j * q + k] * x[i * q + k];
          hidden[j] = hidden[j] > 0 ? hidden[j] : 0;
        }
      for (int j = 0; j < r; j++)
        {
          float sum = c[j];
          for (int k = 0; k < p; k++)
            sum += v[j * p + k] * hidden[k];
          y[i * r + j] = sum;
        }
    }
}
END
cat >learn.c <<'END'
#include <tensorrt-mini.h>

int
main (void)
{
  trm_random random = { 3, 0 };
  trm_scope_open ();
  trm_tensor *x = trm_normal (&random, TRM_F32, TRM_SHAPE (16, 24), 0, 1);
  trm_tensor *y = trm_normal (&random, TRM_F32, TRM_SHAPE (16, 5), 0, 1);
  trm_tensor *told = NULL;
  trm_model *m = trm_model_new (random);
  trm_optimiser *o
    = trm_optimiser_new (m, (trm_optimiser_settings){ .rate = 0.1 });
  for (int i = 0; i < 100 && !trm_error (); i++)
    {
      trm_tape_open ();
      told = trm_relu (trm_layer_linear (m, "hidden", x, 32));
      told = trm_layer_linear (m, "out", told, 5);
      if (i < 99)
        trm_backward (trm_mse (told, y), NULL);
      else
        trm_npy_write ("told.npy", told);
      trm_tape_close ();
      if (i < 99)
        trm_step (o, NULL);
    }
  trm_npy_write ("asked.npy", x);
  trm_safetensors_write ("weights.safetensors", trm_model_names (m), NULL);
  trm_optimiser_free (o);
  trm_model_free (m);
  trm_scope_close ();
  return trm_error () != TRM_OK;
}
END
cat >ask.c <<'END'
#include <tensorrt-mini.h>

#include <dlfcn.h>
#include <math.h>
#include <unistd.h>

typedef void function (int n, int p, int q, int r, const float *x,
                       const float *w, const float *b, const float *v,
                       const float *c, float *y);

int
main (void)
{
  static float y[16 * 5];
  trm_names *weights = trm_safetensors_read ("weights.safetensors");
  trm_tensor *x = trm_npy_read ("asked.npy");
  trm_tensor *told = trm_npy_read ("told.npy");
  void *object = dlopen ("./model.so", RTLD_NOW);
  function *answer = object ? (function *) dlsym (object, "answer") : NULL;
  if (!answer || !weights || !x || !told)
    return printf ("%s %s\n", trm_message (), answer ? "" : dlerror ()), 1;
  answer (16, 32, 24, 5, x->at, trm_names_get (weights, "hidden.w")->at,
          trm_names_get (weights, "hidden.b")->at,
          trm_names_get (weights, "out.w")->at,
          trm_names_get (weights, "out.b")->at, y);
  double most = 0;
  for (int i = 0; i < 16 * 5; i++)
    {
      printf ("%a\n", y[i]);
      most = fmax (most, fabs (y[i] - ((float *) told->at)[i]));
    }
  printf ("%s, %s\n", most < 1e-5 ? "as trained" : "another answer",
          access ("/bin/sh", F_OK) ? "alone" : "not alone");
  trm_names_free (weights);
  trm_drop (x);
  trm_drop (told);
  return 0;
}
END
$CC_UNDER_TEST -O2 -fopenmp -shared -fPIC "-fplugin=$plugin" \
  -fplugin-arg-tensor-report=missed "-I$SOURCE/libtensorrt-mini" model.c \
  -o model.so "-L$library" -ltensorrt-mini -lm >model.log 2>&1 \
  && test ! -s model.log
verdict $? 'a model as a shared object'
cat model.log
for program in learn ask; do
  $CC_UNDER_TEST -O2 "-I$SOURCE/libtensorrt-mini" $program.c -o $program \
    "-L$library" -ltensorrt-mini -lm -ldl >$program.log 2>&1
  cat $program.log
done
OMP_NUM_THREADS=2
LD_LIBRARY_PATH=$library
export OMP_NUM_THREADS LD_LIBRARY_PATH
./learn && ./ask >here && grep 'as trained, not alone' here >/dev/null
verdict $? 'it answers as the network that was trained'

# What it needs, and nothing else; libraries keep their folders.
mkdir root
cp ask model.so weights.safetensors asked.npy told.npy root
for file in $(ldd ask model.so "$library/libtensorrt-mini.so.0" \
  | grep -o '/[^ ]* (0x' | sed 's/ (0x//' | sort -u); do
  mkdir -p "root$(dirname "$file")"
  cp -L "$file" "root$file"
done
loader=$(ldd ask | grep -o '/[^ ]*/ld-linux[^ ]*')
find root -type f | sort
find root -type f | sed 's,.*/,,' | grep -i 'isl\|gcc\|^cc\|^tensor\.so' \
  >compilers
test ! -s compilers -a -n "$loader"
verdict $? 'no compiler, no plugin and no isl are there'

if chroot root /ask >/dev/null 2>&1; then
  command='chroot root /ask'
elif unshare -r chroot root /ask >/dev/null 2>&1; then
  command='unshare -r chroot root /ask'
else
  command=
fi
if test -n "$command"; then
  $command >there 2>&1
else
  echo '# chroot is not allowed: an empty loader path'
  (cd root && env -i PATH=/nonexistent "./$loader" --inhibit-cache \
    --library-path "$(find "$PWD" -name '*.so.*' -exec dirname '{}' + \
    | sort -u | tr '\n' ':')" ./ask) >there 2>&1
fi
grep '^as trained, ' there >/dev/null \
  && sed 's/, alone$/, not alone/' there | cmp - here
verdict $? 'alone it answers the same to the bit'
if test -n "$command"; then
  grep ', alone$' there >/dev/null
  verdict $? 'nothing of the system can be seen there'
else
  echo 'UNSUPPORTED: nothing of the system can be seen there: no chroot'
fi
