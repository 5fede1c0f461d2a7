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
// times the unit roundoff; and, for derivatives of derivatives, the same along
// a second direction and along both (bend).  Points where there is no
// derivative: as the manual, chapter Gradients, says.

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

// Whether that, or more, holds where derivatives are derived once more.
static bool steep;

// The part by which functions of math.h that round give more than they do.
static double nudge;

// e    the derivative along the second direction, a: as a is of d
// de   that of d along the second direction, ade: as a is of d
struct bend
{
  double e, a, de, ade;
};

// The second derivatives of an operation on x and y.
struct curve
{
  double xx, xy, yy;
};

template <class F> struct real
{
  F v;
  double d, a, h;
  bend b;
  real () : v (0), d (0), a (0), h (1), b ()
  {
  }
  real (F value, double tangent, double size, double most, const bend &second)
      : v (value), d (tangent), a (size), h (most), b (second)
  {
  }
  template <class T, if_plain<T> = 0>
  real (T x) : v ((F) x), d (0), a (0), h (1), b ()
  {
  }
  template <class G>
  real (const real<G> &x) : v ((F) x.v), d (x.d), a (x.a), h (x.h), b (x.b)
  {
  }
  template <class T, if_plain<T> = 0> explicit operator T () const
  {
    return (T) v;
  }
  real
  operator- () const
  {
    return real (-v, -d, a, h, bend{ -b.e, b.a, -b.de, b.ade });
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

// What comes of X and Y along the second direction, where the derivatives are
// DX in X and DY in Y, and C those.
template <class F>
bend
bent_by (double dx, const real<F> &x, double dy, const real<F> &y,
         const curve &c)
{
  double ax = std::fabs (dx), ay = std::fabs (dy);
  bend r;
  r.e = part (dx, x.b.e) + part (dy, y.b.e);
  r.a = part (ax, x.b.a) + part (ay, y.b.a);
  r.de = part (dx, x.b.de) + part (dy, y.b.de) + part (c.xx, x.d * x.b.e)
         + part (c.xy, x.d * y.b.e + y.d * x.b.e) + part (c.yy, y.d * y.b.e);
  r.ade = part (ax, x.b.ade) + part (ay, y.b.ade)
          + part (std::fabs (c.xx), x.a * x.b.a)
          + part (std::fabs (c.xy), x.a * y.b.a + y.a * x.b.a)
          + part (std::fabs (c.yy), y.a * y.b.a);
  return r;
}

// VALUE, whose derivatives are DX in X and DY in Y, and C those of these.
template <class F>
real<F>
made (F value, double dx, const real<F> &x, double dy, const real<F> &y,
      const curve &c)
{
  double limit = std::numeric_limits<F>::max () / 256;
  double most = std::fmax (std::fabs (dx) * x.h, std::fabs (dy) * y.h);
  double bends = std::fabs (c.xx) + std::fabs (c.xy) + std::fabs (c.yy);
  operations++;
  singular |= !(std::isfinite (value + dx + dy) && most < limit);
  steep |= !(bends * std::fmax (x.h, y.h) < std::sqrt (limit));
  return real<F> (value, part (dx, x.d) + part (dy, y.d),
                  part (std::fabs (dx), x.a) + part (std::fabs (dy), y.a),
                  std::fmax (most, 1), bent_by (dx, x, dy, y, c));
}

template <class F>
real<F>
made (F value, double dx, const real<F> &x, double dxx)
{
  return made (value, dx, x, 0, real<F> (), curve{ dxx, 0, 0 });
}

#define BINARY(op, dx, dy, xx, xy, yy)                                         \
  template <class A, class B>                                                  \
  if_real<A, B, real<joint<A, B>>> operator op (const A &a, const B &b)        \
  {                                                                            \
    real<joint<A, B>> p (a), q (b);                                            \
    double x = p.v, y = q.v;                                                   \
    (void) x, (void) y;                                                        \
    return made ((joint<A, B>) (p.v op q.v), dx, p, dy, q,                     \
                 curve{ (double) (xx), (double) (xy), (double) (yy) });        \
  }
BINARY (+, 1, 1, 0, 0, 0)
BINARY (-, 1, -1, 0, 0, 0)
BINARY (*, y, x, 0, 1, 0)
BINARY (/, 1 / y, -x / (y * y), 0, -1 / (y * y), 2 * x / (y * y * y))

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

// VALUE, nudged if what gives it BENDS: it rounds then.
template <class F>
F
nudged (F value, double bends)
{
  return bends == 0 ? value : (F) (value * (1 + nudge));
}

// A function of math.h of one number X, the derivative of which is got from
// its value, to an error of 1 unit.
template <class F>
real<F>
from_value (F value, double dx, const real<F> &x, double dxx)
{
  real<F> r = made (nudged (value, 1), dx, x, dxx);
  r.a += x.a;
  r.b.a += x.b.a;
  r.b.ade += x.b.ade + x.a * x.b.a;
  return r;
}

inline real<double>
tanh (const real<double> &p)
{
  double c = std::cosh (p.v);
  return from_value (::tanh (p.v), 1 / (c * c), p,
                     -2 * std::tanh (p.v) / (c * c));
}

inline real<float>
tanhf (const real<float> &p)
{
  double c = std::cosh (p.v);
  return from_value (::tanhf (p.v), 1 / (c * c), p,
                     -2 * std::tanh (p.v) / (c * c));
}

// The square root of x^2 + 1, and that of x^2 - 1, where x^2 is beyond all
// numbers, too.
inline double
root_above (double x)
{
  return std::hypot (1, x);
}

inline double
root_below (double x)
{
  return std::sqrt (x - 1) * std::sqrt (x + 1);
}

// A function of math.h of one number X, of two, and its derivatives, and the
// derivatives of these.
#define UNARY(name, dx, xx)                                                    \
  inline real<double> name (const real<double> &p)                             \
  {                                                                            \
    double x = p.v;                                                            \
    return made (nudged (::name (p.v), xx), dx, p, xx);                        \
  }                                                                            \
  inline real<float> name##f (const real<float> &p)                            \
  {                                                                            \
    double x = p.v;                                                            \
    return made (nudged (::name##f (p.v), xx), dx, p, xx);                     \
  }
#define OF_TWO(name, dx, dy, xx, xy, yy)                                       \
  inline real<double> name (const real<double> &p, const real<double> &q)      \
  {                                                                            \
    double x = p.v, y = q.v;                                                   \
    return made (nudged (::name (p.v, q.v), xx), dx, p, dy, q,                 \
                 curve{ xx, xy, yy });                                         \
  }                                                                            \
  inline real<float> name##f (const real<float> &p, const real<float> &q)      \
  {                                                                            \
    double x = p.v, y = q.v;                                                   \
    return made (nudged (::name##f (p.v, q.v), xx), dx, p, dy, q,              \
                 curve{ xx, xy, yy });                                         \
  }
UNARY (fabs, (x > 0) - (x < 0), 0)
UNARY (sqrt, 0.5 / std::sqrt (x), -0.25 / (x * std::sqrt (x)))
UNARY (cbrt, 1 / (3 * std::cbrt (x) * std::cbrt (x)),
       -2 / (9 * x * std::cbrt (x) * std::cbrt (x)))
UNARY (exp, std::exp (x), std::exp (x))
UNARY (exp2, std::exp2 (x) * M_LN2, std::exp2 (x) * M_LN2 * M_LN2)
UNARY (expm1, std::exp (x), std::exp (x))
UNARY (log, 1 / x, -1 / (x * x))
UNARY (log2, 1 / (x * M_LN2), -1 / (x * x * M_LN2))
UNARY (log10, 1 / (x * M_LN10), -1 / (x * x * M_LN10))
UNARY (log1p, 1 / (1 + x), -1 / ((1 + x) * (1 + x)))
UNARY (sin, std::cos (x), -std::sin (x))
UNARY (cos, -std::sin (x), -std::cos (x))
UNARY (tan, 1 / (std::cos (x) * std::cos (x)),
       2 * std::tan (x) / (std::cos (x) * std::cos (x)))
UNARY (asin, 1 / std::sqrt (1 - x * x), x / std::pow (1 - x * x, 1.5))
UNARY (acos, -1 / std::sqrt (1 - x * x), -x / std::pow (1 - x * x, 1.5))
UNARY (atan, 1 / (1 + x * x), -2 * x / ((1 + x * x) * (1 + x * x)))
UNARY (sinh, std::cosh (x), std::sinh (x))
UNARY (cosh, std::sinh (x), std::cosh (x))
UNARY (asinh, 1 / root_above (x), -(x / root_above (x)) / (1 + x * x))
UNARY (acosh, 1 / root_below (x), -(x / root_below (x)) / (x * x - 1))
UNARY (atanh, 1 / (1 - x * x), 2 * x / ((1 - x * x) * (1 - x * x)))
UNARY (erf, M_2_SQRTPI *std::exp (-x *x),
       -2 * x * M_2_SQRTPI * std::exp (-x * x))
UNARY (erfc, -M_2_SQRTPI *std::exp (-x *x),
       2 * x * M_2_SQRTPI * std::exp (-x * x))
UNARY (floor, 0 * x, 0)
UNARY (trunc, 0 * x, 0)
OF_TWO (pow, y == 0 ? 0 : y * std::pow (x, y - 1),
        x == 0 ? 0 : std::pow (x, y) * std::log (x),
        y *(y - 1) == 0 ? 0 : y * (y - 1) * std::pow (x, y - 2),
        x == 0 ? 0 : std::pow (x, y - 1) * (1 + y * std::log (x)),
        x == 0 ? 0 : std::pow (x, y) * std::log (x) * std::log (x))
OF_TWO (atan2, y / (x * x + y * y), -x / (x * x + y * y),
        -2 * x * y / std::pow (x * x + y * y, 2),
        (x * x - y * y) / std::pow (x * x + y * y, 2),
        2 * x * y / std::pow (x * x + y * y, 2))
OF_TWO (hypot, x / std::hypot (x, y), y / std::hypot (x, y),
        y *y / std::pow (std::hypot (x, y), 3),
        -x *y / std::pow (std::hypot (x, y), 3),
        x *x / std::pow (std::hypot (x, y), 3))
OF_TWO (fmod, 1 + 0 * x, -std::trunc (x / y), 0, 0, 0)
OF_TWO (fmin, x <= y || y != y, !(x <= y || y != y), 0, 0, 0)
OF_TWO (fmax, x >= y || y != y, !(x >= y || y != y), 0, 0, 0)
OF_TWO (fdim, x > y, -(x > y), 0, 0, 0)
OF_TWO (copysign, std::copysign (1, y) * ((x > 0) - (x < 0)), 0, 0, 0, 0)

inline real<double>
fma (const real<double> &p, const real<double> &q, const real<double> &r)
{
  real<double> t = p * q + r;
  return real<double> (::fma (p.v, q.v, r.v), t.d, t.a, t.h, t.b);
}

#endif
