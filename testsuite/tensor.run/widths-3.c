/* Shows widths-1.c in registers of 16 bytes that convert in one step.  */
/* { dg-additional-options "-mno-avx" { target x86_64-*-* } } */
/* { dg-no-verdicts "they stand in widths-1.c" } */

#include "widths-1.c"
