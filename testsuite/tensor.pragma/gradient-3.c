/* Places in gradients: misuse is an error at the word.  */

typedef struct
{
  int rows, cols;
  double *at;
} matrix;

typedef struct
{
  double x, y;
} point;

void
f (matrix a, const point *p, double *y)
{
  for (int i = 0; i < a.rows; i++)
    y[i] = a.at[i] * p[i].x;
}

#pragma tensor gradient(f) of(y: dy) wrt(a: da, p: dp)
void g1 (matrix a, const point *p, double *dy, matrix da, point *dp);
#pragma tensor gradient(f) of(y: dy) wrt(a.at: da) given(z) /* { dg-message "58: error: .z. is no parameter of .f." } */
void g2 (matrix a, const point *p, double *dy, double *da);
#pragma tensor gradient(f) of(z: dy) wrt(a.at: da) /* { dg-message "31: error: .z. is no parameter of .f." } */
void g3 (matrix a, const point *p, double *dy, double *da);
#pragma tensor gradient(f) of(y: dy) wrt(a.to: da) /* { dg-message "44: error: .matrix. has no member named .to." } */
void g4 (matrix a, const point *p, double *dy, double *da);
#pragma tensor gradient(f) of(y: dy) wrt(a.rows: da) /* { dg-message "42: error: .a.rows. is no floating value" } */
void g5 (matrix a, const point *p, double *dy, double *da);
#pragma tensor gradient(f) of(y: dy) wrt(a: da, a.at: db) /* { dg-message "49: error: .a.at. has two adjoints" } */
void g6 (matrix a, const point *p, double *dy, matrix da, double *db);
#pragma tensor gradient(f) of(y: dy) wrt(a.at: da) /* { dg-message "48: error: .da. of type .float ." } */
void g7 (matrix a, const point *p, double *dy, float *da);
#pragma tensor gradient(f) of(y: dy) wrt(p->x: dx) /* { dg-message "42: error: .p->x. stands for one of several" } */
void g8 (matrix a, const point *p, double *dy, double *dx);
#pragma tensor gradient(f) of(y: dy) wrt(a.: dx) /* { dg-message "44: error: expected the name of a member" } */
void g9 (matrix a, const point *p, double *dy, double *dx);
#pragma tensor gradient(f) of(return: dy) wrt(a: dx) /* { dg-message "31: error: no .return. to differentiate" } */
void g10 (matrix a, const point *p, double dy, matrix dx);
#pragma tensor gradient(f) of(y: dy) wrt(a: da)
void g11 (matrix a, const double *p, double *dy, matrix da); /* { dg-message "error: .p. of type .const double ..* is no .p. of .f." } */
#pragma tensor gradient(total) of(return) wrt(s: ds) /* { dg-message "50: error: .ds. ends with the function" } */
void g12 (double s, double ds);
#pragma tensor gradient(total_of) of(return: g) wrt(p: dp) /* { dg-message "56: error: .dp.x. ends with the function" } */
void g13 (int n, point p, double g, point dp);

double
total (double s)
{
  return s * s;
}

double
total_of (int n, point p)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    s += i * p.x;
  return s;
}
