pragmas_sources = \
  pragmas/clause.c pragmas/clause.def pragmas/clause.h \
  pragmas/condition.c pragmas/condition.h \
  pragmas/cursor.c pragmas/cursor.h \
  pragmas/lex.c pragmas/lex.h \
  pragmas/near.c pragmas/near.h \
  pragmas/parse.c pragmas/parse.h \
  pragmas/section.c pragmas/section.h \
  pragmas/token.h
