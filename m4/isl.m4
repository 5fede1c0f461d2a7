# isl: the library, and whether it is the one that GCC itself is linked to.

# TNS_FIND_ISL: sets ISL_CFLAGS, ISL_LIBS and tns_isl_soname.
AC_DEFUN([TNS_FIND_ISL],
[AC_ARG_WITH([isl],
  [AS_HELP_STRING([--with-isl=PREFIX], [where isl is installed])],
  [], [with_isl=yes])
ISL_CFLAGS=
ISL_LIBS=-lisl
AS_CASE([$with_isl],
  [yes], [],
  [/*], [AS_IF([test ! -f "$with_isl/include/isl/ctx.h"],
           [AC_MSG_ERROR([no isl/ctx.h in $with_isl/include])])
         ISL_CFLAGS="-I$with_isl/include"
         ISL_LIBS="-L$with_isl/lib -lisl"],
  [AC_MSG_ERROR([--with-isl needs an absolute directory])])
AC_SUBST([ISL_CFLAGS])
AC_SUBST([ISL_LIBS])
tns_isl_soname=
tns_saved_cppflags=$CPPFLAGS
tns_saved_libs=$LIBS
CPPFLAGS="$CPPFLAGS $ISL_CFLAGS"
LIBS="$ISL_LIBS $LIBS"
AC_MSG_CHECKING([for isl])
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <isl/ctx.h>]],
    [[isl_ctx *ctx = isl_ctx_alloc (); isl_ctx_free (ctx);]])],
  [tns_isl_soname=`TNS_ISL_SONAME([./conftest$EXEEXT])`
   AC_MSG_RESULT([${tns_isl_soname:-static}])],
  [AC_MSG_RESULT([no])
   TNS_MISSING([isl], [libisl-dev])])
CPPFLAGS=$tns_saved_cppflags
LIBS=$tns_saved_libs])

# TNS_ISL_SONAME (program): shell code that prints the isl that it loads.
m4_define([TNS_ISL_SONAME],
[ldd "$1" 2>/dev/null | sed -n 's/^@<:@	 @:>@*\(libisl\.so@<:@^ @:>@*\).*/\1/p'])

# TNS_SAME_ISL: each GCC must load the isl that the plugin is linked to, for
# both live in one process.  A GCC that loads none leaves the choice to us.
AC_DEFUN([TNS_SAME_ISL],
[for tns_gcc in $TNS_GCCS; do
  AS_VAR_COPY([tns_command], [AS_TR_SH([tns_command_$tns_gcc])])
  AC_MSG_CHECKING([which isl $tns_gcc loads])
  tns_cc1=`$tns_command -print-prog-name=cc1`
  tns_soname=`TNS_ISL_SONAME([$tns_cc1])`
  AC_MSG_RESULT([${tns_soname:-none}])
  AS_VAR_SET([AS_TR_SH([tns_isl_$tns_gcc])], [$tns_soname])
  AS_IF([test -n "$tns_soname" && test -n "$tns_isl_soname" \
         && test "$tns_soname" != "$tns_isl_soname"],
    [AC_MSG_ERROR([$tns_gcc loads $tns_soname and this isl is $tns_isl_soname;
install the headers of $tns_soname (Debian package libisl-dev), or --with-isl=PREFIX])])
done])
