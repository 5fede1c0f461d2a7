# Parts that may be absent; the summary tells.

# TNS_CHECK_OPENMP: OpenMP in every GCC that gets a plugin.
AC_DEFUN([TNS_CHECK_OPENMP],
[AC_MSG_CHECKING([for OpenMP])
tns_openmp=yes
AC_LANG_CONFTEST([AC_LANG_PROGRAM([[#include <omp.h>]],
                                  [[return omp_get_max_threads () < 1;]])])
for tns_gcc in $TNS_GCCS; do
  AS_VAR_COPY([tns_command], [AS_TR_SH([tns_command_$tns_gcc])])
  AS_IF([$tns_command -fopenmp conftest.c -o conftest$EXEEXT >&AS_MESSAGE_LOG_FD 2>&1],
    [], [tns_openmp="no, $tns_gcc has none"])
done
rm -f conftest.c conftest$EXEEXT
AC_MSG_RESULT([$tns_openmp])
AS_CASE([$tns_openmp], [no*], [TNS_MISSING([OpenMP], [libgomp1])])])

# TNS_CHECK_LIBMVEC: vector forms of the math functions.
AC_DEFUN([TNS_CHECK_LIBMVEC],
[AC_MSG_CHECKING([for libmvec])
tns_saved_libs=$LIBS
LIBS="-lmvec -lm $LIBS"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[extern void _ZGVbN4v_expf (void);]],
                                [[_ZGVbN4v_expf ();]])],
  [tns_libmvec=yes], [tns_libmvec=no])
LIBS=$tns_saved_libs
AC_MSG_RESULT([$tns_libmvec])
TNS_LIBMVEC=$tns_libmvec
AC_SUBST([TNS_LIBMVEC])])

# TNS_FIND_ISAS: what the operations of tensors are compiled for, levels of the
# x86-64 psABI: this machine's unless told.
AC_DEFUN([TNS_FIND_ISAS],
[AC_ARG_WITH([isas],
  [AS_HELP_STRING([--with-isas=LIST],
    [instruction sets of the operations on tensors, some of 'v2 v3 v4', or all; this machine's unless told])])
AC_MSG_CHECKING([what operations are compiled for])
tns_native=`echo | $CC -march=native -dM -E - 2>/dev/null`
tns_level=v2
AS_CASE([$tns_native], [*__AVX2__*__FMA__*|*__FMA__*__AVX2__*], [tns_level=v3])
AS_IF([test $tns_level = v3], [AS_CASE([$tns_native],
  [*__AVX512VL__*], [tns_level=v4])])
AS_CASE([$with_isas], [''|yes|no], [TNS_ISAS=$tns_level],
  [all], [TNS_ISAS='v2 v3 v4'], [TNS_ISAS=$with_isas])
for tns_isa in $TNS_ISAS; do
  AS_CASE([$tns_isa], [v2|v3|v4], [],
    [AC_MSG_ERROR([--with-isas: $tns_isa is none of v2 v3 v4 all])])
done
AC_MSG_RESULT([$TNS_ISAS])
AC_SUBST([TNS_ISAS])])

# TNS_CHECK_OPENBLAS: matrix products of a library, for comparison and gemm(blas).
AC_DEFUN([TNS_CHECK_OPENBLAS],
[AC_MSG_CHECKING([for OpenBLAS])
tns_saved_libs=$LIBS
LIBS="-lopenblas $LIBS"
OPENBLAS_LIBS=
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <cblas.h>]],
    [[cblas_sscal (0, 1, 0, 1);]])],
  [tns_openblas=yes
   OPENBLAS_LIBS=-lopenblas],
  [tns_openblas="no (Debian package libopenblas-dev)"])
LIBS=$tns_saved_libs
AC_MSG_RESULT([$tns_openblas])
AC_SUBST([OPENBLAS_LIBS])])

# TNS_CHECK_CUDA: the compiler of CUDA, on the path or where it is installed.
AC_DEFUN([TNS_CHECK_CUDA],
[AC_PATH_PROG([NVCC], [nvcc], [], [$PATH:/usr/local/cuda/bin])
tns_cuda=${NVCC:-no}])

# TNS_CHECK_MPI: the compiler of programs with MPI, of MPI 3 or later, which
# compiles with our own; for training in several processes.
AC_DEFUN([TNS_CHECK_MPI],
[AC_ARG_WITH([mpi],
  [AS_HELP_STRING([--without-mpi],
    [build no libtensorrt-mini-mpi; built unless told where mpicc is found])])
MPICC=
AS_IF([test "x$with_mpi" = xno], [tns_mpi="no (--without-mpi)"],
  [AC_PATH_PROG([MPICC], [mpicc])
   tns_mpi="no (Debian package libopenmpi-dev)"])
AS_IF([test -n "$MPICC"],
  [AC_MSG_CHECKING([whether $MPICC compiles MPI 3])
   AC_LANG_CONFTEST([AC_LANG_PROGRAM([[#include <mpi.h>]],
     [[MPI_Comm comm;
       MPI_Request request;
       return MPI_Comm_idup (MPI_COMM_WORLD, &comm, &request)
              || MPI_Ibarrier (comm, &request);]])])
   AS_IF([OMPI_CC=$CC MPICH_CC=$CC $MPICC conftest.c -o conftest$EXEEXT >&AS_MESSAGE_LOG_FD 2>&1],
     [tns_mpi=$MPICC
      AC_MSG_RESULT([yes])],
     [tns_mpi="no, $MPICC does not compile MPI 3"
      MPICC=
      AC_MSG_RESULT([no])])
   rm -f conftest.c conftest$EXEEXT])
AC_SUBST([MPICC])])

# TNS_CHECK_DEJAGNU: make check needs it, make does not.
AC_DEFUN([TNS_CHECK_DEJAGNU],
[AC_PATH_PROG([TNS_RUNTEST], [runtest])
tns_dejagnu=${TNS_RUNTEST:-"no (Debian package dejagnu); make check needs it"}])

# TNS_SUMMARY: what was found, last.
AC_DEFUN([TNS_SUMMARY],
[AS_ECHO([""])
AS_ECHO(["$PACKAGE_STRING"])
for tns_gcc in $TNS_GCCS; do
  AS_VAR_COPY([tns_dir], [AS_TR_SH([tns_headers_$tns_gcc])])
  AS_VAR_COPY([tns_soname], [AS_TR_SH([tns_isl_$tns_gcc])])
  AS_ECHO(["  plugin for     $tns_gcc, headers in $tns_dir/include"])
  AS_IF([test -n "$tns_soname"],
    [AS_ECHO(["  isl            $tns_isl_soname, the one that cc1 of $tns_gcc loads"])],
    [AS_ECHO(["  isl            $tns_isl_soname; cc1 of $tns_gcc loads none"])])
done
tns_by_name=${TNS_PLUGINDIR:-$TNS_BY_NAME}
AS_ECHO(["  -fplugin=tensor by name after install: ${tns_by_name:-no (--with-plugindir)}"])
AS_ECHO(["  OpenMP         $tns_openmp"])
AS_ECHO(["  OpenBLAS       $tns_openblas"])
AS_ECHO(["  libmvec        $tns_libmvec"])
AS_ECHO(["  operations     for x86-64-$TNS_ISAS"])
AS_ECHO(["  CUDA           $tns_cuda"])
AS_ECHO(["  MPI            $tns_mpi"])
AS_ECHO(["  DejaGnu        $tns_dejagnu"])
AS_ECHO(["  prefix         $prefix"])])
