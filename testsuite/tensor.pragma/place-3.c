/* Nothing comes after the pragma.  */

int x;

#pragma tensor function /* { dg-error "not the definition of a function" } */
