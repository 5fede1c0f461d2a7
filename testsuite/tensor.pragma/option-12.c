/* A fault that nothing plants is an error that names the key.  */
/* { dg-tensor-opts "break=updates,nothing" } */
/* { dg-error "invalid value .updates,nothing" "the option" { target *-*-* } 0 } */

int x;
