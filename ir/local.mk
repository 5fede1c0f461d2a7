ir_sources = \
  ir/affine.c ir/affine.h \
  ir/argmax.c ir/argmax.h \
  ir/borders.c ir/borders.h \
  ir/bytes.c ir/bytes.h \
  ir/canon.h ir/updates.c ir/shapes.c \
  ir/chain.c ir/chain.h \
  ir/eval-expr.c ir/eval.c ir/eval.h ir/run.h \
  ir/alike.c ir/alike.h \
  ir/copies.c ir/copies.h \
  ir/delay.c ir/delay.h \
  ir/divided.c ir/divided.h \
  ir/keep.c ir/keep.h \
  ir/elements.c ir/elements.h \
  ir/ends.c ir/ends.h ir/ends-inside.h ir/ends-divide.c ir/ends-float.c \
  ir/expr.c ir/expr.h \
  ir/exchange.c ir/exchange.h \
  ir/factor.c ir/factor.h \
  ir/gather.c ir/gather.h \
  ir/gather-nest.c ir/gather-nest.h \
  ir/gather-rows.c \
  ir/flat.c ir/flat.h ir/flat-choice.c ir/flat-gather.c ir/flat-known.c \
  ir/flat-size.c \
  ir/flatten.c ir/flatten.h \
  ir/fresh.c ir/fresh.h \
  ir/handed.c ir/handed.h \
  ir/induction.c ir/induction.h \
  ir/join.c ir/join.h \
  ir/least.c ir/least.h \
  ir/known.c ir/known.h \
  ir/lex.c ir/lex.h \
  ir/localise.c ir/localise.h \
  ir/multiples.c ir/multiples.h \
  ir/nest.c ir/nest.h \
  ir/op.c ir/op.def ir/op.h \
  ir/owed.c ir/owed.h \
  ir/parse-expr.c ir/parse.c ir/parse.h ir/parser.h \
  ir/pivot.c ir/pivot.h \
  ir/place.c ir/place.h \
  ir/product.c ir/product.h \
  ir/previous.c ir/previous.h \
  ir/print-expr.c ir/print.c ir/print.h \
  ir/range.c ir/range.h \
  ir/rebase.c ir/rebase.h \
  ir/recurrence.c ir/recurrence.h \
  ir/reroll.c ir/reroll.h \
  ir/reshape.c ir/reshape.h \
  ir/retype.c ir/retype.h \
  ir/rules.c ir/rules.h \
  ir/simplify.c ir/simplify.h \
  ir/stride.c ir/stride.h \
  ir/swap.c ir/swap.h \
  ir/table.c ir/table.h \
  ir/unroll.c ir/unroll.h \
  ir/value.c ir/value.h \
  ir/verify.c ir/verify.h \
  ir/walk.c ir/walk.h \
  ir/wait.c ir/wait.h \
  ir/window.c ir/window.h \
  ir/wrap.c ir/wrap.h
