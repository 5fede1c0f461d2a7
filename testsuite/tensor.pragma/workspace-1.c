/* Misuse of workspace is an error at the word, or at the prototype.  */

static void
square (int n, int m, double *x)
{
  for (int t = 0; t < m; t++)
    for (int i = 0; i < n; i++)
      x[i] = x[i] * x[i];
}

#pragma tensor gradient(square) of(x: dx) wrt(x: dx) workspace /* { dg-message "9: error: .g1. lacks the parameter .void .workspace. for its memory" } */
void g1 (int n, int m, const double *x, double *dx);
#pragma tensor gradient(square) of(x: dx) wrt(x: dx) workspace /* { dg-message "9: error: .g2. lacks the parameter .void .workspace. for its memory" } */
void g2 (int n, int m, const double *x, double *dx, long workspace);
#pragma tensor gradient(square) of(x: dx) wrt(x: dx) workspace
void g3 (int n, int m, const double *x, double *dx, void *workspace);
double g3_workspace (int n, int m); /* { dg-message "8: error: .g3_workspace. must return .size_t." } */
unsigned long g4_workspace (int n); /* { dg-message "15: error: .g4_workspace. lacks the parameter .m., on which the memory of .g4. depends" } */
#pragma tensor gradient(square) of(x: dx) wrt(x: dx) workspace
void g4 (int n, int m, const double *x, double *dx, void *workspace);
#pragma tensor gradient(square) of(x: dx) wrt(x: dx) workspace(64) /* { dg-message "63: error: .workspace. takes no argument" } */
void g5 (int n, int m, const double *x, double *dx, void *workspace);

#pragma tensor gradient(square) of(x: dx) wrt(x: dx) workspace checkpoint(3) /* { dg-message "9: error: .g6. chooses when it runs what it keeps of its time loop: that is no .workspace." } */
void g6 (int n, int m, const double *x, double *dx, void *workspace);

double solve (double a);
#pragma tensor derivative(solve) of(return: t) wrt(a: da) workspace /* { dg-message "59: error: .workspace. is for gradients" } */
void solve_back (double a, double t, double *da);

void
f (int n, float *x)
{
#pragma tensor workspace /* { dg-message "16: error: .workspace. is for gradients" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
}
