/* A command line that is wrong is an error that names the key.  */
/* { dg-tensor-opts "tile=i:3" } */
/* { dg-error "invalid value .i:3. of \[^\n\]*, which takes off" "the option" { target *-*-* } 0 } */

int x;
