/* Shows Hessians times vectors, one and several at once, of sums over pairs
   that indices name where what the function computes of the pair decides: what
   the gradient stores to depends on numbers that only it knows.  */

#include "check.h"

/* As a contact: neighbours that are near push.  */
static real
contact (int m, const real *restrict x, const int *restrict other)
{
  real e = 0;
  for (int i = 0; i < m; i++)
    {
      real gap = x[i] - x[other[i]];
      if (gap > 0)
        e += gap * gap * gap * x[i + 1];
    }
  return e;
}
#pragma tensor gradient(contact) of(return ) wrt(x : dx)
void contact_gradient (int m, const real *restrict x, const int *restrict other,
                       real *restrict dx);
#pragma tensor tangent(contact_gradient) of(dx : hv) wrt(x : v)
void contact_times (int m, const real *restrict x, const int *restrict other,
                    const real *restrict v, real *restrict hv);
#pragma tensor tangent(contact_gradient) of(dx : hv) wrt(x : v) directions(k)
void contact_many (int k, int m, const real *restrict x,
                   const int *restrict other, const real v[restrict k][ROOM],
                   real hv[restrict k][ROOM]);

/* Two conditions, one of them on the index; the gather under them.  */
static real
chosen (int m, const real *restrict x, const int *restrict other)
{
  real e = 0;
  for (int i = 0; i < m; i++)
    {
      real bend = x[i] * x[i] - x[i + 1];
      if (other[i] != 3 && bend < 0.1)
        e += bend * bend * x[other[i]];
    }
  return e;
}
#pragma tensor gradient(chosen) of(return ) wrt(x : dx)
void chosen_gradient (int m, const real *restrict x, const int *restrict other,
                      real *restrict dx);
#pragma tensor tangent(chosen_gradient) of(dx : hv) wrt(x : v)
void chosen_times (int m, const real *restrict x, const int *restrict other,
                   const real *restrict v, real *restrict hv);

static void
kernel_contact (values at, real *out)
{
  contact_gradient (n, at[0], index_of, out);
}

static void
kernel_chosen (values at, real *out)
{
  chosen_gradient (n, at[0], index_of, out);
}

/* The seeds times HV, which is 0 where the gradient does not store.  */
static real
seeded (const real *hv)
{
  real sum = 0;
  for (int e = 0; e < ROOM; e++)
    sum += u[e] * hv[e];
  return sum;
}

int
main (void)
{
  static real hv[ROOM], many[2][ROOM];
  for (int k = 0; k < 5; k++)
    {
      start (sizes[k]);
      memset (hv, 0, sizeof hv);
      contact_times (n, a[0], index_of, d[0], hv);
      agree_slope ("contact", kernel_contact, 0, seeded (hv));
      memset (many, 0, sizeof many);
      contact_many (2, n, a[0], index_of, (const real(*)[ROOM]) d, many);
      agree_slope ("contact, of two", kernel_contact, 0, seeded (many[0]));
      memset (hv, 0, sizeof hv);
      contact_times (n, a[0], index_of, d[1], hv);
      faults += memcmp (hv, many[1], sizeof hv) != 0
                && fabs (seeded (hv) - seeded (many[1])) > 1e-13;
      memset (hv, 0, sizeof hv);
      chosen_times (n, a[0], index_of, d[0], hv);
      agree_slope ("chosen", kernel_chosen, 0, seeded (hv));
    }
  return faults > 0;
}
