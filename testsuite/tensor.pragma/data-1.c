/* #pragma tensor data: its words and its arrays.  */

struct model
{
  int n;
  float *w;
};
struct list
{
  struct list *next;
};
extern float unknown[];
float whole[10];
struct model holder;
struct
{
  int n;
  float w[3];
} pair;

void
f (int n, float *x, float *y, void *v, struct model *m, struct list *l)
{
#pragma tensor data /* { dg-error "expected a name before end of line" } */
  {
  }
#pragma tensor data copyn(x[0:n]) /* { dg-message "21: error: unknown clause .copyn. of data; did you mean .copyin.\\?" } */
  {
  }
#pragma tensor data fp(fast) /* { dg-message "21: error: .fp. is not for data" } */
  {
  }
#pragma tensor copyin(x) /* { dg-message "16: error: .copyin. is for data" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor data copyin(x[0:n]) copyout(y[0:n], x[0:n]) /* { dg-message "52: error: .x. is named twice in .data." } */
  {
  }
#pragma tensor data copyin(z[0:n]) /* { dg-message "28: error: .z. is not in scope" } */
  {
  }
#pragma tensor data copyin(x) /* { dg-message "28: error: .x. is a pointer: write how many elements, .x\\\[0:n\\\]." } */
  {
  }
#pragma tensor data copyin(unknown) /* { dg-message "28: error: the length of .unknown. is not known here" } */
  {
  }
#pragma tensor data copyin(n) /* { dg-message "28: error: .n. is no array and no pointer" } */
  {
  }
#pragma tensor data copyin(v[0:n]) /* { dg-message "28: error: .v. has no elements of known size" } */
  {
  }
#pragma tensor data copyin(l[0:n]) /* { dg-message "28: error: the elements of .l. hold pointers" } */
  {
  }
#pragma tensor data holder /* { dg-message "21: error: .holder. holds pointers" } */
  {
  }
#pragma tensor data pair[0:1] /* { dg-message "21: error: .pair. is no array and no pointer" } */
  {
  }
#pragma tensor data copyin(x[0:y]) /* { dg-message "32: error: this is not a number of elements" } */
  {
  }
#pragma tensor data copyin(x[0]) /* { dg-message "31: error: expected .:. before" } */
  {
  }
#pragma tensor data copyin(m->x[0:n]) /* { dg-error "has no member named .x" } */
  {
  }
#pragma tensor data x[0:(float) n] /* { dg-message "25: error: .float. is not a type of whole numbers here" } */
  {
  }
#pragma tensor data x[0:(long char) n] /* { dg-message "25: error: .long char. is not a type" } */
  {
  }
#pragma tensor function data /* { dg-message "25: error: .function. takes no clauses" } */
  long all = n;
#pragma tensor data x[0:(all) - (unsigned long) n + (int) (n)]
  {
    x[0] = whole[0];
  }
#pragma tensor data x[0:n], whole copyin(y[n / 2:n]) present(m->w[:m->n], unknown[0:n])
  {
    x[0] = y[0] + whole[0];
  }
}
