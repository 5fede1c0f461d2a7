# Training in several processes: the test program with 1, 2 and 4 ranks, and
# with one that is lost.

program="$BUILD/check/rt-mpi/parallel-test"
if ! test -x "$program" || ! command -v mpirun > mpirun.path; then
  echo 'UNSUPPORTED: training in several processes: no MPI'
  exit 0
fi
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1
OMP_NUM_THREADS=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMP_NUM_THREADS \
  OMPI_MCA_rmaps_base_oversubscribe

# run WHAT ARGUMENTS: mpirun's; its claims, and one that it ended well.
run ()
{
  what=$1
  shift
  timeout 60 mpirun "$@" > out 2> err
  status=$?
  grep '^PASS: \|^FAIL: ' out
  if test $status = 0 && grep -q '^PASS: ' out; then
    echo "PASS: $what ends"
  else
    echo "FAIL: $what ends"
    sed 's/^/# /' out err
  fi
}

for n in 1 2 4; do
  run "training with $n ranks" -n $n "$program"
done
if mpirun --version 2>&1 | grep -q 'Open MPI) 4'; then
  run 'a rank dies' --enable-recovery -n 3 "$program" die
fi
timeout 60 mpirun -n 2 "$program" stop > out 2> err
sed -n 's/^\(PASS\|FAIL\): \(.*\)/\1: a rank stops: \2/p' out
