/* Unknown words are errors with the caret on the word, and a fix-it where a
   known word is near.  */
/* { dg-options "-fdiagnostics-parseable-fixits" } */

void
f (int n, float *x)
{
#pragma tensor tepm(x) /* { dg-message "16: error: unknown clause .tepm.; did you mean .temp" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor fp(fast) paralel(i) /* { dg-message "25: error: unknown clause .paralel.; did you mean .parallel" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor banana /* { dg-message "16: error: unknown clause .banana." } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor functoin /* { dg-message "16: error: unknown clause .functoin.; did you mean .function" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor fp(fats) /* { dg-message "19: error: unknown word .fats. in .fp.; did you mean .fast" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor require(simd, transfrom) /* { dg-message "30: error: unknown word .transfrom. in .require.; did you mean .transform" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
}

/* { dg-message "ix-it:\[^\n\]*:.8:16-8:20.:.temp." "fix-it" { target *-*-* } 0 } */
/* { dg-message "ix-it:\[^\n\]*:.11:25-11:32.:.parallel." "fix-it" { target *-*-* } 0 } */
/* { dg-message "ix-it:\[^\n\]*:.17:16-17:24.:.function." "fix-it" { target *-*-* } 0 } */
/* { dg-message "ix-it:\[^\n\]*:.20:19-20:23.:.fast." "fix-it" { target *-*-* } 0 } */
/* { dg-message "ix-it:\[^\n\]*:.23:30-23:39.:.transform." "fix-it" { target *-*-* } 0 } */
