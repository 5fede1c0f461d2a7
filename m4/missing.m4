# Required parts that are not there are gathered, so that one message names
# every Debian package to install.

# TNS_MISSING_INIT: nothing is missing yet.
AC_DEFUN([TNS_MISSING_INIT],
[tns_missing=
tns_packages=])

# TNS_MISSING (what, Debian package): required, and not found.
AC_DEFUN([TNS_MISSING],
[AS_VAR_APPEND([tns_missing], ["
  $1 (Debian package $2)"])
AS_VAR_APPEND([tns_packages], [" $2"])])

# TNS_MISSING_REPORT: stop here when anything is missing.
AC_DEFUN([TNS_MISSING_REPORT],
[AS_IF([test -n "$tns_missing"],
  [AC_MSG_ERROR([required parts are missing:$tns_missing
on Debian: apt install$tns_packages])])])

# TNS_NEED_CC: autoconf's own search for a C compiler ends without a word of
# packages.
AC_DEFUN([TNS_NEED_CC],
[AC_CHECK_PROGS([tns_cc], [gcc cc clang])
AS_IF([test -z "$CC$tns_cc"],
  [TNS_MISSING([a C compiler], [gcc])
   TNS_MISSING_REPORT])])

# TNS_GNU_MAKE: the Makefile computes its rules for each GCC.
AC_DEFUN([TNS_GNU_MAKE],
[AC_MSG_CHECKING([for GNU make])
AS_IF([${MAKE-make} --version 2>/dev/null | grep GNU >/dev/null],
  [AC_MSG_RESULT([${MAKE-make}])],
  [AC_MSG_RESULT([no])
   TNS_MISSING([GNU make], [make])])])

# TNS_CXX_WORKS: GCC's headers need a C++ compiler.
AC_DEFUN([TNS_CXX_WORKS],
[AC_LANG_PUSH([C++])
AC_CACHE_CHECK([whether $CXX compiles C++14], [tns_cv_cxx14],
  [tns_saved=$CXXFLAGS
   CXXFLAGS="$CXXFLAGS -std=gnu++14"
   AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [[auto f = [] (auto x) { return x; };
                                            return f (0);]])],
     [tns_cv_cxx14=yes], [tns_cv_cxx14=no])
   CXXFLAGS=$tns_saved])
AC_LANG_POP([C++])
AS_IF([test $tns_cv_cxx14 = no], [TNS_MISSING([a C++14 compiler], [g++])])])
