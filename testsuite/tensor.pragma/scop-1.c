/* scop and endscop belong together, in one block.  */
/* { dg-tensor-opts "scop" } */

#pragma scop /* { dg-error "outside of a function" } */

void
f (int n, float *x)
{
#pragma endscop /* { dg-message "9: error: .#pragma endscop. without .#pragma scop" } */
#pragma scop temp(x) /* { dg-message "14: error: .#pragma scop. takes no clauses" } */
#pragma scop /* { dg-message "which begins here" } */
#pragma scop /* { dg-message "9: error: .#pragma scop. inside of another" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma endscop
#pragma scop /* { dg-message "which stands here" } */
  for (int i = 0; i < n; i++)
    {
      x[i] = 1;
#pragma endscop /* { dg-message "9: error: .#pragma endscop. in another block" } */
    }
#pragma scop /* { dg-message "9: error: .#pragma scop. without .#pragma endscop" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
}

void
g (int n, float *x)
{
#pragma scop
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma endscop foo /* { dg-message "17: error: .#pragma endscop. takes no clauses" } */
#pragma endscop
}
