// Numbers with a tangent, for functions that are read as C++ as well as C.
//
// #define float real<float> in front of a C function makes it one of these: its
// values are computed as C computes them, bit for bit, and beside each stand
//
//   d  its derivative along a direction, in double: what forward mode gives
//   a  the sum of the absolute values of what d is the sum of, over all paths
//   h  the greatest product of derivatives along the end of a path, at least 1:
//      what adjoints of this are multiplied by on their way back
//
// so that d rounded in any order is within a times the number of operations
// times the unit roundoff.  Points where there is no derivative: as the manual,
// chapter Gradients, says.

#ifndef DUAL_HH
#define DUAL_HH

#include <cmath>
#include <limits>
#include <type_traits>

template <class F> struct real;

// The type of a number's value, of the value of an operation on two.
template <class T> struct plain
{
  typedef T type;
};
template <class F> struct plain<real<F>>
{
  typedef F type;
};
template <class A, class B>
using joint = typename std::common_type<typename plain<A>::type,
                                        typename plain<B>::type>::type;

template <class T> struct is_real : std::false_type
{
};
template <class F> struct is_real<real<F>> : std::true_type
{
};
template <class A, class B, class R>
using if_real =
  typename std::enable_if<is_real<A>::value || is_real<B>::value, R>::type;
template <class T>
using if_plain =
  typename std::enable_if<std::is_arithmetic<T>::value, int>::type;

// Operations on numbers so far, and whether one of them had no derivative or no
// value, or more than there are numbers for comes back from it: what comes
// backward may be 0 times infinity.
static long operations;
static bool singular;

template <class F> struct real
{
  F v;
  double d, a, h;
  real () : v (0), d (0), a (0), h (1)
  {
  }
  real (F value, double tangent, double size, double most = 1)
      : v (value), d (tangent), a (size), h (most)
  {
  }
  template <class T, if_plain<T> = 0>
  real (T x) : v ((F) x), d (0), a (0), h (1)
  {
  }
  template <class G>
  real (const real<G> &x) : v ((F) x.v), d (x.d), a (x.a), h (x.h)
  {
  }
  template <class T, if_plain<T> = 0> explicit operator T () const
  {
    return (T) v;
  }
  real
  operator- () const
  {
    return real (-v, -d, a, h);
  }
  real
  operator+ () const
  {
    return *this;
  }
  template <class T>
  real &
  operator+= (const T &x)
  {
    return *this = *this + x;
  }
  template <class T>
  real &
  operator-= (const T &x)
  {
    return *this = *this - x;
  }
  template <class T>
  real &
  operator*= (const T &x)
  {
    return *this = *this * x;
  }
  template <class T>
  real &
  operator/= (const T &x)
  {
    return *this = *this / x;
  }
};

// BY times D, where what does not vary stays out of it.
inline double
part (double by, double d)
{
  return d == 0 ? 0 : by * d;
}

// VALUE, whose derivatives are DX in X and DY in Y.
template <class F>
real<F>
made (F value, double dx, const real<F> &x, double dy, const real<F> &y)
{
  double most = std::fmax (std::fabs (dx) * x.h, std::fabs (dy) * y.h);
  bool is_fine = std::isfinite (value + dx + dy)
                 && most < std::numeric_limits<F>::max () / 256;
  operations++;
  singular |= !is_fine;
  return real<F> (value, part (dx, x.d) + part (dy, y.d),
                  part (std::fabs (dx), x.a) + part (std::fabs (dy), y.a),
                  std::fmax (most, 1));
}

template <class F>
real<F>
made (F value, double dx, const real<F> &x)
{
  return made (value, dx, x, 0, real<F> ());
}

#define BINARY(op, dx, dy)                                                     \
  template <class A, class B>                                                  \
  if_real<A, B, real<joint<A, B>>> operator op (const A &a, const B &b)        \
  {                                                                            \
    real<joint<A, B>> p (a), q (b);                                            \
    double x = p.v, y = q.v;                                                   \
    (void) x, (void) y;                                                        \
    return made ((joint<A, B>) (p.v op q.v), dx, p, dy, q);                    \
  }
BINARY (+, 1, 1)
BINARY (-, 1, -1)
BINARY (*, y, x)
BINARY (/, 1 / y, -x / (y * y))

#define COMPARISON(op)                                                         \
  template <class A, class B>                                                  \
  if_real<A, B, bool> operator op (const A &a, const B &b)                     \
  {                                                                            \
    return real<joint<A, B>> (a).v op real<joint<A, B>> (b).v;                 \
  }
COMPARISON (<)
COMPARISON (<=)
COMPARISON (>)
COMPARISON (>=)
COMPARISON (==)
COMPARISON (!=)

// A function of math.h of one number X, the derivative of which is got from
// its value, to an error of 1 unit.
template <class F>
real<F>
from_value (F value, double dx, const real<F> &x)
{
  real<F> r = made (value, dx, x);
  r.a += x.a;
  return r;
}

inline real<double>
tanh (const real<double> &p)
{
  return from_value (::tanh (p.v), 1 / (std::cosh (p.v) * std::cosh (p.v)), p);
}

inline real<float>
tanhf (const real<float> &p)
{
  return from_value (::tanhf (p.v), 1 / (std::cosh (p.v) * std::cosh (p.v)), p);
}

// A function of math.h of one number X, of two, and its derivatives.
#define UNARY(name, dx)                                                        \
  inline real<double> name (const real<double> &p)                             \
  {                                                                            \
    double x = p.v;                                                            \
    return made (::name (p.v), dx, p);                                         \
  }                                                                            \
  inline real<float> name##f (const real<float> &p)                            \
  {                                                                            \
    double x = p.v;                                                            \
    return made (::name##f (p.v), dx, p);                                      \
  }
#define OF_TWO(name, dx, dy)                                                   \
  inline real<double> name (const real<double> &p, const real<double> &q)      \
  {                                                                            \
    double x = p.v, y = q.v;                                                   \
    return made (::name (p.v, q.v), dx, p, dy, q);                             \
  }                                                                            \
  inline real<float> name##f (const real<float> &p, const real<float> &q)      \
  {                                                                            \
    double x = p.v, y = q.v;                                                   \
    return made (::name##f (p.v, q.v), dx, p, dy, q);                          \
  }
UNARY (fabs, (x > 0) - (x < 0))
UNARY (sqrt, 0.5 / std::sqrt (x))
UNARY (cbrt, 1 / (3 * std::cbrt (x) * std::cbrt (x)))
UNARY (exp, std::exp (x))
UNARY (exp2, std::exp2 (x) * M_LN2)
UNARY (expm1, std::exp (x))
UNARY (log, 1 / x)
UNARY (log2, 1 / (x * M_LN2))
UNARY (log10, 1 / (x * M_LN10))
UNARY (log1p, 1 / (1 + x))
UNARY (sin, std::cos (x))
UNARY (cos, -std::sin (x))
UNARY (tan, 1 / (std::cos (x) * std::cos (x)))
UNARY (asin, 1 / std::sqrt (1 - x * x))
UNARY (acos, -1 / std::sqrt (1 - x * x))
UNARY (atan, 1 / (1 + x * x))
UNARY (sinh, std::cosh (x))
UNARY (cosh, std::sinh (x))
UNARY (asinh, 1 / std::sqrt (1 + x * x))
UNARY (acosh, 1 / std::sqrt (x * x - 1))
UNARY (atanh, 1 / (1 - x * x))
UNARY (erf, M_2_SQRTPI *std::exp (-x *x))
UNARY (erfc, -M_2_SQRTPI *std::exp (-x *x))
UNARY (floor, 0 * x)
UNARY (trunc, 0 * x)
OF_TWO (pow, y == 0 ? 0 : y * std::pow (x, y - 1),
        x == 0 ? 0 : std::pow (x, y) * std::log (x))
OF_TWO (atan2, y / (x * x + y * y), -x / (x * x + y * y))
OF_TWO (hypot, x / std::hypot (x, y), y / std::hypot (x, y))
OF_TWO (fmod, 1 + 0 * x, -std::trunc (x / y))
OF_TWO (fmin, x <= y || y != y, !(x <= y || y != y))
OF_TWO (fmax, x >= y || y != y, !(x >= y || y != y))
OF_TWO (fdim, x > y, -(x > y))
OF_TWO (copysign, std::copysign (1, y) * ((x > 0) - (x < 0)), 0)

inline real<double>
fma (const real<double> &p, const real<double> &q, const real<double> &r)
{
  real<double> t = p * q + r;
  return real<double> (::fma (p.v, q.v, r.v), t.d, t.a, t.h);
}

#endif
