# The GCCs that get a plugin.

# Releases whose trees plugin/gcc.hh knows.
m4_define([tns_gcc_known], [11 12])

# TNS_FIND_GCC: one plugin for each GCC of --with-gcc, or for each that is found.
#
# Sets TNS_GCCS, their names (gcc-12 gcc-11), the compiler called gcc first;
# and TNS_GCC_SETTINGS, lines for the Makefile: for each NAME
#   GCC_NAME, GXX_NAME    the C compiler; the C++ compiler for its headers
#   PLUGINDIR_NAME        where it keeps its plugins and their headers
AC_DEFUN([TNS_FIND_GCC],
[AC_ARG_WITH([gcc],
  [AS_HELP_STRING([--with-gcc='gcc-12 gcc-11'],
     [the GCCs that get a plugin; every one found that has plugin headers])],
  [], [with_gcc=yes])
TNS_GCCS=
TNS_GCC_SETTINGS=
AS_CASE([$with_gcc],
  [yes|no], [tns_told=no
             tns_candidates="gcc m4_foreach_w([v], tns_gcc_known, [ gcc-v])"],
  [tns_told=yes
   tns_candidates=$with_gcc])
for tns_gcc in $tns_candidates; do
  TNS_GCC_ONE([$tns_gcc], [$tns_told])
done
AS_IF([test -z "$TNS_GCCS" && test $tns_told = no],
  [TNS_MISSING([a GCC (m4_normalize(tns_gcc_known)) with plugin headers],
               [gcc-12-plugin-dev])])
AC_SUBST([TNS_GCCS])
AC_SUBST([TNS_GCC_SETTINGS])
AM_SUBST_NOTMAKE([TNS_GCC_SETTINGS])])

# TNS_GCC_ONE (command, whether the user told it): add it to TNS_GCCS.
AC_DEFUN([TNS_GCC_ONE],
[AC_MSG_CHECKING([for plugin headers of $1])
tns_version=`$1 -dumpversion 2>/dev/null | sed 's/\..*//'`
tns_name=gcc-$tns_version
tns_headers=`$1 -print-file-name=plugin 2>/dev/null`
AS_CASE([" $TNS_GCCS "], [*" $tns_name "*], [tns_again=yes], [tns_again=no])
AS_IF([test -z "$tns_version"],
  [AC_MSG_RESULT([no such compiler])
   AS_IF([test $2 = yes], [TNS_MISSING([the compiler $1], [$1])])],
  [test $tns_again = yes],
  [AC_MSG_RESULT([the same as $tns_name])],
  [case " m4_normalize(tns_gcc_known) " in
     *" $tns_version "*) false ;;
     *) : ;;
   esac],
  [AC_MSG_RESULT([GCC $tns_version is not supported])
   AS_IF([test $2 = yes],
     [AC_MSG_ERROR([$1 is GCC $tns_version; supported: m4_normalize(tns_gcc_known)])])],
  [test ! -f "$tns_headers/include/gcc-plugin.h"],
  [AC_MSG_RESULT([no])
   AS_IF([test $2 = yes],
     [TNS_MISSING([plugin headers of $1], [$tns_name-plugin-dev])])],
  [AC_MSG_RESULT([$tns_headers])
   TNS_GCC_ADD([$1])])])

# TNS_GCC_ADD (command): the candidate at hand is good.  Where its name is a
# command too, that is taken: gcc may become another one.
AC_DEFUN([TNS_GCC_ADD],
[tns_command=$1
AS_IF([test "x`$tns_name -print-file-name=plugin 2>/dev/null`" = "x$tns_headers"],
  [tns_command=$tns_name])
tns_gxx=$CXX
AS_IF([g++-$tns_version -dumpversion >/dev/null 2>&1],
  [tns_gxx=g++-$tns_version])
AS_VAR_APPEND([TNS_GCCS], ["${TNS_GCCS:+ }$tns_name"])
AS_VAR_APPEND([TNS_GCC_SETTINGS], ["
GCC_$tns_name = $tns_command
GXX_$tns_name = $tns_gxx
PLUGINDIR_$tns_name = $tns_headers"])
AS_VAR_SET([AS_TR_SH([tns_command_$tns_name])], [$tns_command])
AS_VAR_SET([AS_TR_SH([tns_headers_$tns_name])], [$tns_headers])])

# TNS_INSTALL_BY_NAME: whether, and where, to install the plugin by its name, for
# -fplugin=tensor.
#
# Sets TNS_BY_NAME, the GCCs whose own plugin directory gets a tensor.so, and
# TNS_PLUGINDIR, the directory told instead.
AC_DEFUN([TNS_INSTALL_BY_NAME],
[AC_ARG_WITH([plugindir],
  [AS_HELP_STRING([--with-plugindir@<:@=DIR@:>@],
     [install where -fplugin=tensor finds it: in each GCC's own directory, or
      in DIR; the default when the prefix is GCC's own])],
  [], [with_plugindir=auto])
TNS_BY_NAME=
TNS_PLUGINDIR=
AS_CASE([$with_plugindir],
  [no], [],
  [yes], [TNS_BY_NAME=$TNS_GCCS],
  [auto], [TNS_BY_NAME_AUTO],
  [/*], [AS_CASE([$TNS_GCCS],
     [*" "*], [AC_MSG_ERROR([--with-plugindir=DIR needs --with-gcc with one GCC])],
     [TNS_PLUGINDIR=$with_plugindir])],
  [AC_MSG_ERROR([--with-plugindir needs an absolute directory])])
AC_SUBST([TNS_BY_NAME])
AC_SUBST([TNS_PLUGINDIR])])

# TNS_BY_NAME_AUTO: the GCCs that are installed under our own prefix.
AC_DEFUN([TNS_BY_NAME_AUTO],
[tns_prefix=$prefix
AS_IF([test "x$tns_prefix" = xNONE], [tns_prefix=$ac_default_prefix])
for tns_gcc in $TNS_GCCS; do
  AS_VAR_COPY([tns_command], [AS_TR_SH([tns_command_$tns_gcc])])
  tns_bin=`command -v $tns_command`
  AS_IF([test "x$tns_bin" = "x$tns_prefix/bin/`basename "$tns_bin"`"],
    [AS_VAR_APPEND([TNS_BY_NAME], ["${TNS_BY_NAME:+ }$tns_gcc"])])
done])
