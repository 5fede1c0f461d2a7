/* The command that compiles a benchmark as the region's file was.

     ccache tensorcc -O2 -Iinclude -DN=4 -c sizes.c -o sizes.o
       ->
     ccache tensorcc -O2 bench.c -lm && ./a.out

   The benchmark needs no header, no macro and no library but -lm, and what is
   written is a program: what says where these are, or where what is written
   goes, is left out.  The rest stays, as the code depends on it.  */

#include "prof.h"

#include <string.h>

/* Options that are left out, alone or with what is written behind them; in the
   second list they may have their argument in the next word.  */
static const char *const alone[]
  = { "-c", "-S", "-E", "-M", "-MM", "-MD", "-MMD", "-MP", "-shared", NULL };
static const char *const with_argument[]
  = { "-o",  "-I",  "-D",  "-U",         "-L",       "-l",      "-x",
      "-MF", "-MT", "-MQ", "-include",   "-isystem", "-iquote", "-imacros",
      "-Wl", "-Wp", "-T",  "-idirafter", "-Xlinker", NULL };

/* WORD is one of LIST.  */
static bool
is_among (const char *word, const char *const *list)
{
  for (; *list; list++)
    if (strcmp (word, *list) == 0)
      return true;
  return false;
}

/* WORD begins with one of with_argument and says more.  */
static bool
holds_argument (const char *word)
{
  for (const char *const *p = with_argument; *p; p++)
    if (strncmp (word, *p, strlen (*p)) == 0)
      return true;
  return false;
}

/* WORD, where it is no option, is read: a source, an object or a library.  */
static bool
is_file (const char *word)
{
  static const char *const end[]
    = { ".c", ".i", ".o", ".a", ".s", ".S", ".so", NULL };
  const char *last = strrchr (word, '.');
  return last && is_among (last, end);
}

/* WORD as a shell reads it.  */
static void
print_word (FILE *file, const char *word)
{
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst"
                              "uvwxyz0123456789-_=+,./:@%";
  if (*word && strspn (word, plain) == strlen (word))
    {
      fputs (word, file);
      return;
    }
  putc ('\'', file);
  for (; *word; word++)
    if (*word == '\'')
      fputs ("'\\''", file);
    else
      putc (*word, file);
  putc ('\'', file);
}

void
prof_print_command (FILE *file, char *const *word, const char *bench)
{
  for (int k = 0; word[k]; k++)
    if (is_among (word[k], with_argument))
      k += word[k + 1] != NULL;
    else if (!is_among (word[k], alone) && !holds_argument (word[k])
             && !(k > 0 && *word[k] != '-' && is_file (word[k]))
             && !strstr (word[k], "*/") && !strstr (word[k], "/*"))
      {
        print_word (file, word[k]);
        putc (' ', file);
      }
  fprintf (file, "%s -lm && ./a.out", bench);
}
