/* Functions as people differentiate them, by a form of the text for each: rows
   that are normalised, recurrences, factors of matrices, layers, steps in time,
   tables, elements that change places.  */

#include "random-c.h"

#include <string.h>

/* Forms.  $y: an array of floats that is written, $x, $w: that are read; $t:
   their type, $f: what functions of it end in; $n, $m: sizes; $d: a digit.
   What begins with = only sets y.  */
static const char *const forms[] = {
  "=$t s = 0;\n"
  "for (int i = 0; i < $n; i++)\n"
  "  {\n"
  "    s += $x[i] * $w[i + 1];\n"
  "    $y[i] = s;\n"
  "  }\n",

  "=$t p = 1;\n"
  "for (int i = 0; i < $n; i++)\n"
  "  {\n"
  "    p *= ($t) 0.3 * $x[i];\n"
  "    $y[i] = $w[i] + p;\n"
  "    if (i % 3 == $d)\n"
  "      continue;\n"
  "    p += $w[2 * i];\n"
  "  }\n",

  "for (int i = $n - 2; i >= 0; i--)\n"
  "  $y[i] = ($t) 0.5 * $y[i] * sin$f ($y[i + 1]) + $x[i];\n",

  "$t c[$n + 1], d[$n + 1];\n"
  "c[0] = d[0] = 0;\n"
  "for (int i = 0; i < $n; i++)\n"
  "  {\n"
  "    $t by = ($t) 4 + sin$f ($w[i]) - c[i] * cos$f ($w[i]);\n"
  "    c[i + 1] = ($t) 1 / by;\n"
  "    d[i + 1] = ($x[i] - d[i]) / by;\n"
  "  }\n"
  "for (int i = $n - 1; i >= 0; i--)\n"
  "  $y[i] = d[i + 1] - (i == $n - 1 ? ($t) 0 : c[i + 1] * $y[i + 1]);\n",

  "=for (int i = 0; i < $n; i++)\n"
  "  {\n"
  "    $t most = $x[i * $m];\n"
  "    for (int j = 1; j < $m; j++)\n"
  "      if ($x[i * $m + j] > most)\n"
  "        most = $x[i * $m + j];\n"
  "    $t sum = 0;\n"
  "    for (int j = 0; j < $m; j++)\n"
  "      sum += exp$f ($x[i * $m + j] - most);\n"
  "    for (int j = 0; j < $m; j++)\n"
  "      $y[i * $m + j] = exp$f ($x[i * $m + j] - most) / sum * $w[j];\n"
  "  }\n",

  "=$t row[$m];\n"
  "for (int i = 0; i < $n; i++)\n"
  "  {\n"
  "    $t mean = 0, var = 0;\n"
  "    for (int j = 0; j < $m; j++)\n"
  "      mean += $x[i * $m + j];\n"
  "    mean /= $m;\n"
  "    for (int j = 0; j < $m; j++)\n"
  "      {\n"
  "        row[j] = $x[i * $m + j] - mean;\n"
  "        var += row[j] * row[j];\n"
  "      }\n"
  "    var = ($t) 1 / sqrt$f (var / $m + ($t) 0.1);\n"
  "    for (int j = 0; j < $m; j++)\n"
  "      $y[i * $m + j] = row[j] * var * $w[j] + $w[j + $d];\n"
  "  }\n",

  "=$t s[$n + 1];\n"
  "for (int i = 0; i < $n; i++)\n"
  "  {\n"
  "    $t sum = 0;\n"
  "    for (int j = 0; j <= i; j++)\n"
  "      {\n"
  "        $t a = 0;\n"
  "        for (int k = 0; k < 3; k++)\n"
  "          a += $x[i * 3 + k] * $w[j * 3 + k];\n"
  "        s[j] = exp$f (($t) 0.2 * tanh$f (a));\n"
  "        sum += s[j];\n"
  "      }\n"
  "    for (int k = 0; k < 3; k++)\n"
  "      {\n"
  "        $t a = 0;\n"
  "        for (int j = 0; j <= i; j++)\n"
  "          a += s[j] / sum * $x[j * 3 + k];\n"
  "        $y[i * 3 + k] = a;\n"
  "      }\n"
  "  }\n",

  "=for (int i = 0; i < $n; i++)\n"
  "  {\n"
  "    $t s = $w[8];\n"
  "    for (int k = -2; k <= 2; k++)\n"
  "      {\n"
  "        if (i + k < 0 || i + k >= $n)\n"
  "          continue;\n"
  "        s += $x[i + k] * $w[k + 2];\n"
  "      }\n"
  "    $y[i] = s > 0 ? s : ($t) 0.1 * s;\n"
  "  }\n",

  "$t one[$n + 2], two[$n + 2], *a = one, *b = two;\n"
  "for (int i = 0; i < $n + 2; i++)\n"
  "  one[i] = two[i] = $x[i];\n"
  "for (int r = 0; r < 2 + $d; r++)\n"
  "  {\n"
  "    for (int i = 1; i <= $n; i++)\n"
  "      b[i] = ($t) 0.4 * (a[i - 1] + sin$f (a[i]) * $w[i] + a[i + 1]);\n"
  "    $t *was = a;\n"
  "    a = b;\n"
  "    b = was;\n"
  "  }\n"
  "for (int i = 0; i < $n; i++)\n"
  "  $y[i] += a[i];\n",

  "for (int i = 0; i < $n; i++)\n"
  "  $y[idx[i]] += $x[i] * $w[idx[i + 1]];\n",

  "for (int i = 0; i < $n; i++)\n"
  "  $y[idx[i]] = $x[i] * $w[i] + ($t) 0.5 * $y[i];\n",

  "for (int i = 0; i < $n; i++)\n"
  "  for (int j = 0; j < $m; j++)\n"
  "    $y[i * $m + j] += $x[idx[i] * $m + j] * $w[j];\n",

  "for (int i = 0; i < $n; i++)\n"
  "  for (int j = 0; j < $m; j++)\n"
  "    $y[idx[i] * $m + j] += $x[i * $m + j] * sin$f ($w[idx[i]]);\n",

  "for (int i = 0; i < $n; i++)\n"
  "  {\n"
  "    int at = -1;\n"
  "    $t best = 0;\n"
  "    for (int j = 0; j < $m; j++)\n"
  "      if ($x[i + j] > best)\n"
  "        {\n"
  "          best = $x[i + j];\n"
  "          at = j;\n"
  "        }\n"
  "    if (at >= 0)\n"
  "      $y[i] += best * $w[at];\n"
  "  }\n",

  "$t a[$n + 1][$n + 1];\n"
  "for (int i = 0; i < $n; i++)\n"
  "  for (int j = 0; j <= i; j++)\n"
  "    a[i][j] = i == j ? ($t) $n + ($t) 2 + sin$f ($x[i]) : "
  "sin$f ($w[i + j]);\n"
  "for (int k = 0; k < $n; k++)\n"
  "  {\n"
  "    a[k][k] = sqrt$f (a[k][k]);\n"
  "    for (int i = k + 1; i < $n; i++)\n"
  "      a[i][k] /= a[k][k];\n"
  "    for (int j = k + 1; j < $n; j++)\n"
  "      for (int i = j; i < $n; i++)\n"
  "        a[i][j] -= a[i][k] * a[j][k];\n"
  "  }\n"
  "for (int i = 0; i < $n; i++)\n"
  "  $y[i] += a[i][i] * $x[i];\n",

  "for (int i = 0; i < $n; i++)\n"
  "  {\n"
  "    $t s = $x[i];\n"
  "    for (int j = 0; j < i; j++)\n"
  "      s -= ($t) 0.1 * $w[i + j] * $y[j];\n"
  "    $y[i] = s / (($t) 1 + $w[i] * $w[i]);\n"
  "  }\n",

  "=for (int i = 0; i < $n / 2; i++)\n"
  "  {\n"
  "    $t most = -9;\n"
  "    for (int a = 0; a < 2; a++)\n"
  "      for (int b = 0; b < 2; b++)\n"
  "        most = fmax$f (most, $x[(2 * i + a) * $m + b]);\n"
  "    $y[i] = most * $w[i];\n"
  "  }\n",

  "$t v[9];\n"
  "for (int i = 0; i < 9; i++)\n"
  "  v[i] = $x[i] * $w[$d];\n"
  "for (int i = 0; i < 8; i++)\n"
  "  for (int j = 0; j < 8 - i; j++)\n"
  "    {\n"
  "      $t lo = v[j] < v[j + 1] ? v[j] : v[j + 1];\n"
  "      v[j + 1] = v[j] < v[j + 1] ? v[j + 1] : v[j];\n"
  "      v[j] = lo;\n"
  "    }\n"
  "for (int i = 0; i < 9; i++)\n"
  "  $y[i] += v[i] * ($t) (i + 1);\n",

  "=$t h[4] = { 0 }, c[4] = { 0 };\n"
  "for (int i = 0; i < $n; i++)\n"
  "  {\n"
  "    $t next[4];\n"
  "    for (int k = 0; k < 4; k++)\n"
  "      {\n"
  "        $t g = $x[i];\n"
  "        for (int l = 0; l < 4; l++)\n"
  "          g += $w[4 * k + l] * h[l];\n"
  "        c[k] = c[k] * ($t) 0.5 + tanh$f (g);\n"
  "        next[k] = tanh$f (c[k]) * $w[k];\n"
  "      }\n"
  "    for (int k = 0; k < 4; k++)\n"
  "      h[k] = next[k];\n"
  "    $y[i] = h[$d];\n"
  "  }\n",

  "struct\n"
  "{\n"
  "  const $t *x, *w;\n"
  "  $t *y;\n"
  "  int n;\n"
  "} all = { $x, $w, $y, $n };\n"
  "for (int i = 0; i < all.n; i++)\n"
  "  {\n"
  "    $t s = 0;\n"
  "    for (int k = 3; k >= 0; k--)\n"
  "      s = s * all.x[i] * ($t) 0.3 + all.w[k];\n"
  "    all.y[i] += s;\n"
  "  }\n",

  "for (int i = 0; i < $n / 2; i++)\n"
  "  {\n"
  "    $t was = $y[i] * $w[i];\n"
  "    $y[i] = $y[$n - 1 - i];\n"
  "    $y[$n - 1 - i] = was + $x[i];\n"
  "  }\n",

  "for (int i = 1; i < $n; i++)\n"
  "  for (int j = 1; j < $m; j++)\n"
  "    $y[i * ($m + 1) + j] = ($t) 0.3 * ($y[(i - 1) * ($m + 1) + j]\n"
  "      * $w[j] + $y[i * ($m + 1) + j - 1] + $x[i * ($m + 1) + j]);\n",

  "for (int i = 0; i < $n; i++)\n"
  "  if ($y[i] > ($t) 0.3)\n"
  "    $y[i] *= $x[i];\n"
  "  else if (i % 4 != $d)\n"
  "    $y[i] = $y[i] * $y[i] - $w[i];\n"
  "  else\n"
  "    $y[i] *= i;\n",

  "=$t total = 0;\n"
  "for (int i = 0; i < $n; i++)\n"
  "  {\n"
  "    $t p = $x[i] * ($t) 0.5;\n"
  "    for (int r = 0; r < 3; r++)\n"
  "      p *= p;\n"
  "    total += p + $w[i];\n"
  "    $y[i] = total * p;\n"
  "  }\n",

  "$t (*a)[$m] = ($t (*)[$m]) $y;\n"
  "for (int i = 0; i < $n; i++)\n"
  "  for (int j = 0; j < $m; j++)\n"
  "    a[i][j] = a[i][j] * $x[i] + $w[j] * (j > 0 ? a[i][j - 1] : ($t) 1);\n",

  "=$t state[3] = { $x[0], $x[1], $x[2] };\n"
  "for (int r = 0; r < $n; r++)\n"
  "  {\n"
  "    $t slope[3], half[3];\n"
  "    slope[0] = state[1];\n"
  "    slope[1] = -sin$f (state[0]) * $w[0];\n"
  "    slope[2] = state[0] * state[1] - state[2];\n"
  "    for (int k = 0; k < 3; k++)\n"
  "      half[k] = state[k] + ($t) 0.05 * slope[k];\n"
  "    state[0] += ($t) 0.1 * half[1];\n"
  "    state[1] -= ($t) 0.1 * sin$f (half[0]) * $w[0];\n"
  "    state[2] += ($t) 0.1 * (half[0] * half[1] - half[2]);\n"
  "    $y[r] = state[r % 3];\n"
  "  }\n",

  "for (int i = 0; i < $n; i++)\n"
  "  {\n"
  "    $t s = 0;\n"
  "    for (int j = 0; j < $m; j++)\n"
  "      s += $x[j] * $w[i + j];\n"
  "    for (int j = 0; j < $m; j++)\n"
  "      $y[i * $m + j] += tanh$f (s) * $x[j];\n"
  "  }\n",

  "=$t low = $x[0], high = $x[0];\n"
  "for (int i = 0; i < $n; i++)\n"
  "  {\n"
  "    low = fmin$f (low, $x[i]);\n"
  "    high = high > $x[i] ? high : $x[i];\n"
  "  }\n"
  "for (int i = 0; i < $n; i++)\n"
  "  $y[i] = ($x[i] - low) / (high - low + ($t) 1) * $w[i];\n",

  "for (unsigned i = 0; i + 1 < (unsigned) $n; i += 2)\n"
  "  {\n"
  "    $t a = $y[i], b = $y[i + 1];\n"
  "    $y[i] = a + b * $w[i];\n"
  "    $y[i + 1] = a - b * $x[i];\n"
  "  }\n",

  "for (int i = 0; i < $n; i++)\n"
  "  for (int j = i + 1; j < $n; j++)\n"
  "    {\n"
  "      $t d = $x[i] - $x[j], r = d * d + ($t) 0.5;\n"
  "      $t force = $w[i] * $w[j] * d / (r * sqrt$f (r));\n"
  "      $y[i] -= force;\n"
  "      $y[j] += force;\n"
  "    }\n",

  "int n_taken = 0;\n"
  "$t taken[$n + 1];\n"
  "for (int i = 0; i < $n; i++)\n"
  "  {\n"
  "    taken[i] = 0;\n"
  "    if (idx[i] % 2)\n"
  "      taken[n_taken++] = $x[i] * $w[i];\n"
  "  }\n"
  "for (int i = 0; i < n_taken; i++)\n"
  "  $y[i] += taken[i] * taken[i];\n",
};

enum
{
  N_FORMS = sizeof forms / sizeof forms[0]
};

/* An array of kind K, or of any for N_KINDS, for a form that SETS it, or reads
   it too, if it IS_TARGET; NULL: there is none.  */
static const array *
some_flat (maker *g, kind k, bool is_target, bool sets)
{
  for (int tries = 0; tries < 20; tries++)
    {
      const array *a = &g->arrays[below (g, g->n_arrays)];
      if (a->shape == FLAT && is_float (a->kind)
          && (k == N_KINDS || a->kind == k) && !(is_target && a->is_const)
          && !(!sets && a->is_out))
        return a;
    }
  return NULL;
}

/* What stands for the letter C in a form; Y, X, W its arrays.  */
static const char *
word_of (maker *g, char c, const array *y, const array *x, const array *w)
{
  switch (c)
    {
    case 'y':
      return y->name;
    case 'x':
      return x->name;
    case 'w':
      return w->name;
    case 't':
      return kind_name (y->kind);
    case 'f':
      return y->kind == F32 ? "f" : "";
    case 'n':
      return words (g, "(int) %s", g->n);
    case 'm':
      return words (g, "(int) %s", g->m);
    default:
      return words (g, "%d", below (g, 3));
    }
}

/* FORM with its words.  */
static const char *
filled (maker *g, const char *form, const array *y, const array *x,
        const array *w)
{
  tns_text text = tns_text_new (g->arena);
  for (const char *c = form; *c; c++)
    if (*c == '$')
      tns_text_format (&text, "%s", word_of (g, *++c, y, x, w));
    else
      tns_text_format (&text, "%c", *c);
  return tns_text_chars (&text);
}

bool
random_field (maker *g)
{
  const char *form = forms[below (g, N_FORMS)];
  bool sets = form[0] == '=';
  const array *y = g->n_arrays ? some_flat (g, N_KINDS, true, sets) : NULL;
  const array *x = y ? some_flat (g, y->kind, false, false) : NULL;
  const array *w = x ? some_flat (g, y->kind, false, false) : NULL;
  if (g->exact || !w)
    return false;
  const char *text = filled (g, form + sets, y, x, w);
  tns_text_line (g->out, "{");
  for (const char *end; (end = strchr (text, '\n')); text = end + 1)
    tns_text_line (g->out, "  %.*s", (int) (end - text), text);
  tns_text_line (g->out, "}");
  return true;
}
