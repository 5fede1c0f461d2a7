poly_sources = \
  poly/count-cost.c poly/count-cost.h \
  poly/count-poly.c poly/count-poly.h \
  poly/count-set.c poly/count-set.h \
  poly/count.c poly/count.h \
  poly/deps-words.c \
  poly/deps.c poly/deps.h poly/deps-apart.c \
  poly/distance.c \
  poly/facts.c poly/facts.h \
  poly/guard.c poly/guard.h \
  poly/idle.c poly/idle.h \
  poly/isl.c poly/isl.h \
  poly/legal-cells.c \
  poly/legal-copies.c \
  poly/legal-order.c \
  poly/legal-sums.c \
  poly/legal.c poly/legal.h \
  poly/never.c poly/never.h \
  poly/scan.c poly/scan.h \
  poly/scop-access.c \
  poly/scop-affine.c \
  poly/scop-build.c poly/scop-build.h \
  poly/scop-built.c \
  poly/scop-cond.c \
  poly/scop-expr.c \
  poly/scop-extents.c \
  poly/scop-key.c \
  poly/scop-near.c \
  poly/scop-order.c \
  poly/scop-param.c \
  poly/scop-print.c \
  poly/scop-private.c poly/scop-private.h \
  poly/scop-privatise.c \
  poly/scop-rows.c \
  poly/scop.c poly/scop.h \
  poly/webs.c poly/webs.h \
  poly/when.c poly/when.h
