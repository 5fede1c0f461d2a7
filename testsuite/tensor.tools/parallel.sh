# Training in several processes: the test programs, of copies of a model and of
# layers split over ranks, with 1 to 4 ranks, and with one that fails or is lost.
# one GCC

program="$BUILD/check/rt-mpi/parallel-test"
split="$BUILD/check/rt-mpi/pass-test"
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
for n in 1 2 3 4; do
  run "layers split over $n ranks" -n $n "$split"
done
if mpirun --version 2>&1 | grep -q 'Open MPI) 4'; then
  run 'a rank dies' --enable-recovery -n 3 "$program" die
  run 'a rank dies in a grid' --enable-recovery -n 4 "$split" die
fi

# lost WHAT CLAIMS ARGUMENTS: mpirun's, which ends as badly as its ranks; as
# many claims as there are.
lost ()
{
  what=$1
  claims=$2
  shift 2
  timeout 60 mpirun "$@" > out 2> err
  sed -n "s/^\(PASS\|FAIL\): \(.*\)/\1: $what: \2/p" out | sort
  if test "$(grep -c '^PASS: ' out)" -lt "$claims"; then
    echo "FAIL: $what: all ranks tell"
    sed 's/^/# /' out err
  fi
}

lost 'a rank stops' 2 -n 2 "$program" stop
lost 'a rank of a grid stops' 6 -n 4 "$split" stop
lost 'a stage fails' 8 -n 4 "$split" fail
lost 'a stage fails while another is busy' 8 -n 4 "$split" hear
lost 'one rank has more parts' 8 -n 4 "$split" parts
lost 'two stages have weights of one name' 8 -n 4 "$split" twice
