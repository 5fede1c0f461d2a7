/* pointer-changes: a pointer that the loop may change.  */

#include <stdlib.h>

struct list
{
  char *text;
  int n;
};

static void
f (struct list *l, int n)
{
#pragma tensor /* { dg-missed "the pointer l->text may change" } */
  for (int i = 0; i < n; i++)
    {
      *l->text = 'a';
      l->text = l->text + 1;
    }
}

static float
g (const float *p, int n)
{
  float s = 0;
#pragma tensor /* { dg-missed "the pointer p may change" } */
  for (int i = 0; i < n; i++)
    {
      s += *p;
      if (s > 2)
        p += 2;
      else
        p++;
    }
  return s;
}

int
main (void)
{
  char text[4];
  float x[] = { 1, 2, 4, 8, 16, 32 };
  struct list l = { text, 4 };
  f (&l, 4);
  if (text[3] != 'a' || l.text != text + 4 || g (x, 4) != 1 + 2 + 8 + 32)
    abort ();
  return 0;
}
