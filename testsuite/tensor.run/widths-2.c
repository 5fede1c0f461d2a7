/* Shows widths-1.c on a processor of which nothing is asked but what all
   x86-64 have.  */
/* { dg-additional-options "-mno-sse3" { target x86_64-*-* } } */
/* { dg-no-verdicts "they stand in widths-1.c" } */

#include "widths-1.c"
