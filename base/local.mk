base_sources = \
  base/arena.c base/arena.h \
  base/ctx.c base/ctx.h \
  base/fault.def \
  base/loc.h \
  base/remark.h \
  base/section.c base/section.h \
  base/status.h \
  base/sym.h \
  base/text.c base/text.h \
  base/type.c base/type.def base/type.h \
  base/why.c base/why.def base/why.h \
  base/wish.c base/wish.h
