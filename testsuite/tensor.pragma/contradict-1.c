/* Clauses that contradict each other, or are given twice.  */

void
f (int n, float *x)
{
#pragma tensor fp(fast) fp(strict) /* { dg-message "25: error: clause .fp. is given twice" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor tile(off) tile(i: 4) /* { dg-message "31: error: .tile\[(\]off\[)\]. contradicts the loops named" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor parallel(i) parallel(off) /* { dg-message "37: error: .parallel\[(\]off\[)\]. contradicts the loops named" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor parallel(off) require(parallel) /* { dg-message "38: error: .require\[(\]parallel\[)\]. contradicts" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor fuse(none) require(fuse) /* { dg-message "35: error: .require\[(\]fuse\[)\]. contradicts" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor noalias noalias(x) /* { dg-message "24: error: .noalias. for all and for some is a contradiction" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor temp(x) temp(x) /* { dg-message "29: error: .x. is named twice in .temp" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor interchange(i) /* { dg-message "16: error: .interchange. needs two loops or more" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
}
