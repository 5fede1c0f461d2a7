# Templates of programs, tools/NAME.in (build-aux/tools.mk lists the words
# that are filled in), and files that they read.
tool_templates = tools/tensorcc.in tools/tensor-gradcheck.in \
  tools/tensor-timeit.in
tool_files =

# tensor-compare.
compare_sources = \
  tools/compare.c \
  tools/compare.h \
  tools/compare-build.c \
  tools/compare-html.c \
  tools/compare-json.c \
  tools/compare-json-out.c \
  tools/compare-machine.c \
  tools/compare-measure.c \
  tools/compare-output.c \
  tools/compare-run.c \
  tools/compare-sample.c \
  tools/compare-tensorcc.c \
  tools/compare-text.c

# tensor-prof: reading JSON, medians, running and texts are tensor-compare's.
bin_PROGRAMS += tools/tensor-prof
tools_tensor_prof_SOURCES = \
  tools/prof.c \
  tools/prof.h \
  tools/prof-command.c \
  tools/prof-diff.c \
  tools/prof-extract.c \
  tools/prof-runs.c \
  tools/compare.h \
  tools/compare-json.c \
  tools/compare-run.c \
  tools/compare-sample.c \
  tools/compare-tensorcc.c
tools_tensor_prof_LDADD = -lm
