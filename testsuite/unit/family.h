/* The texts of family-test.c: regions with choices, @{a|b}, and what was
   chosen, $X.  In each some choices only look like the pattern.  */

#ifndef TNS_TESTSUITE_FAMILY_H
#define TNS_TESTSUITE_FAMILY_H

/* Tables of constants in subscripts, bounds and conditions, and as numbers.  */
#define FAMILY_KNOWN                                                           \
  "region f { value i64 n; array f64 x[n + 8]; array f64 y[n + 8];"            \
  "  array i32 e[5] const = {0i32, 1i32, -1i32, 2i32, 3i32};"                  \
  "  array f64 w[2][2] const = {1.0f64, 2.0f64, -1.0f64, 3.0f64};"             \
  "  array i8 t[3] const = {2i8, 0i8, 1i8}; {"                                 \
  "  for i = 1 to n { for q = @{0|1} to @{4|5|n - n}@{| step 2} {"             \
  "    A1: y[i] @{+=|=} x[i + @{i64(e[q])|q}] * @{w[1][0]|f64(e[q])|2.0f64};"  \
  "    @{|if (e[q] > 0i32) { A2: x[i + 1] += y[i]; }} } }"                     \
  "  for a = 2 to -1 step -1 { for k = @{0|i64(t[a])} to n {"                  \
  "    for b = 0 to @{2|i64(t[a])|n} {"                                        \
  "      B1: y[k@{| + 1 + i64(e[a])}] += x[@{b|i64(t[a])|i64(t[i64(t[a])])}]"  \
  "        * (t[@{a|k % 3}] > 1i8 ? w[b % 2][0] : 2.0f64); } } } } }"

/* Arrays of which each iteration has an element, set beforehand, and such that
   two iterations touch, that live on or that are not set where they are
   touched.  */
#define FAMILY_LOCALISE                                                        \
  "region f { value i64 n; value f64 h; array f64 x[n + 4]; cell f64 c;"       \
  "  array f64 y[n + 4][n + 4]; array f64 z[n + 4]; {"                         \
  "  local f64 s[n]; local f64 t[n][@{A:n|n|n + 1}]; c = 0.5f64;"              \
  "  for e = 0 to max(0, n) {"                                                 \
  "    A1: s[e] = @{1.0f64|-2.0f64|h|f64(e)|c}; @{|A2: z[e] = 3.0f64;} }"      \
  "  for p = 0 to n { for q = 0 to $A { A3: t[p][q] = @{0.0f64|h}; } }"        \
  "  @{||B1: c = 2.0f64;}"                                                     \
  "  @{|||for r = 0 to 2} { for @{i = 0 to n|i = n - 1 to -1 step -1} {"       \
  "    @{|C1: s[i] += y[0][i];|if (x[i] > 1.0f64) { C1: s[i] *= 2.0f64; }}"    \
  "    for j = 0 to n {"                                                       \
  "      C2: t[@{I:i][j|i][j|j][i|i][n - 1 - j}] @{+=|=} x[j] + y[j][i];"      \
  "      for k = 0 to 3 {"                                                     \
  "        C3: t[@{$I|$I|$I|j][i}] += y[i][k] * f64(k) @{|+ t[$I]}; }"         \
  "      C4: y[j][i] = t[@{$I|$I|$I|0][j}];"                                   \
  "      C5: s[@{i|i|i|0}] += t[$I]; }"                                        \
  "    C6: x[i] @{=|+=} s[i]; }"                                               \
  "  @{|||for l = 0 to n { D1: z[l] += t[l][0]; }}"                            \
  "  @{|||for o = 0 to n { D2: x[o] += s[o]; }} } } }"

/* Short rows of numbers in each iteration, taken one by one, and one that a
   loop goes through.  */
#define FAMILY_ELEMENTS                                                        \
  "region f { value i64 n; array f64 x[n + 4]; array f64 y[n + 4]; {"          \
  "  for i = 0 to n { local f64 t[3]; local i32 k[2][2];"                      \
  "    A1: t[@{0|2}] = x[i] @{+|*} 2.0f64; A2: t[1] = x[i + 1];"               \
  "    A3: t[@{0|2}] = t[1] - x[i]; A4: t[@{0|1|2}] = 3.0f64;"                 \
  "    A5: t[0] = x[i + @{2|3}]; A6: t[2] = t[0] + t[1];"                      \
  "    B1: k[1][0] = 1i32; B2: k[0][1] = k[1][0] + @{1i32|i32(i)};"            \
  "    @{|if (t[0] > 3.0f64) { B3: k[1][0] += 2i32; }}"                        \
  "    for j = 0 to 3 { C1: y[i + @{0|j}] += x[j] * @{t[1]|t[j]|t[2]}; }"      \
  "    C2: y[i] += t[0] * t[2] + f64(k@{[0][1]|[1][0]}) * t[1]; } } }"

/* Four, three and two copies, one of them another offset, operator or array
   now and then, one after the other or side by side.  */
#define FAMILY_REROLL                                                          \
  "region f { value i64 n; array f64 x[4 * n + 16]; array f64 y[4 * n + 16];"  \
  "  array f64 z[4 * n + 16][2]; cell f64 s; {"                                \
  "  for i = @{0|1|n} to n - 3 step @{4|4|4|3} {"                              \
  "    A1: x[i] @{O:=|+=|max=} @{F:|-|2.0f64 * }y[i + @{B:0|1}];"              \
  "    A2: x[i + 1] $O $F y[i + 1 + $B];"                                      \
  "    A3: x[i + 2] $O $F@{y|y|y|x}[i + 2 + $B];"                              \
  "    A4: x[i + @{3|3|3|4}] $O $F y[i + @{3|3|3|2} + $B]; }"                  \
  "  for j = 0 to n {"                                                         \
  "    B1: s += y[3 * j] + y[3 * j + 1] + y[j * 3 + @{2|2|2|1}]; }"            \
  "  for k = 0 to n @{step 2|step 2|} {"                                       \
  "    C1: x[k] = @{R:y|y|x}[k + @{K:0|2|1}];"                                 \
  "    C2: z[k][0] = y[k]@{| + x[k + 1]};"                                     \
  "    C3: x[k + 1] = $R[k + 1 + $K];"                                         \
  "    C4: z[k + 1][@{0|0|1}] = y[k + 1]@{| + x[k + 2]}; } } }"

/* A loop over all elements, of all rows or not, and one over rows.  */
#define FAMILY_RESHAPE                                                         \
  "region f { value i64 n; value i32 m; array f64 a[n * i64(m) + 8];"          \
  "  array f64 b[n * i64(m) + 8]; array f64 c[48]; array f64 w[3]; {"          \
  "  for k = @{0|0|1} to @{n * i64(m)|n * i64(m)|n * i64(m) - 1} {"            \
  "    A1: a[k@{|| + 1}] @{=|+=|max=} @{f64(k)|b[k]|b[k + 2]}; }"              \
  "  for i = 0 to n { for j = 0 to i64(m) {"                                   \
  "    B1: a[i * i64(m) + j] @{+=|=} @{w[j]|b[i * i64(m) + j]|a[i]}; } }"      \
  "  for l = 0 to @{48|48|47} { C1: c[l] = @{0.0f64|f64(l)}; }"                \
  "  for p = 0 to 8 { for q = 0 to @{6|6|5} { D1: c[p * 6 + q] += 1.0f64; } }" \
  "} }"

/* Blocks of n elements up and down, in steps, cut, or by an affine size.  */
#define FAMILY_REBASE                                                          \
  "region f { value i64 n; value i64 s; array f64 x[n * s + 4 * n + 16];"      \
  "  array f64 y[2 * n * s + 8 * n + 16]; array i64 at[n + 1]; {"              \
  "  for g = 0 to @{n|3} {"                                                    \
  "    for c = g * s to @{(g + 1) * s|g * s + s|g * s + 4}@{| step 2| step 3}" \
  "      { A1: x[c + @{0|2}] @{=|+=} y[c * 2] + f64(c); }"                     \
  "    for d = g * s + s - 1 to g * s - 1 step -@{1|2|3} {"                    \
  "      B1: x[d + 1] @{=|-=} y[d + @{0|1}]; }"                                \
  "    for e = g * @{4|n} to min(g * s + s, @{n|4}) {"                         \
  "      C1: y[e] += f64(@{e|g}); }"                                           \
  "    for h = at[0] to at[0] + 2 { D1: y[h + 4] += 1.0f64; } } } }"

/* Whole rows, rows with gaps, columns, and rows that are used as such.  */
#define FAMILY_FLATTEN                                                         \
  "region f { value i64 n; value i64 m; array f64 x[n][m]; array f64 y[n][m];" \
  "  array f64 c[9][7]; array f64 d[9][8]; array f64 w[m]; {"                  \
  "  for i = 0 to n { for j = @{0|0|1} to @{m|m|m - 1} {"                      \
  "    A1: y[i][j] @{=|+=} x[i][j] + @{1.0f64|y[i][j]|y[i][j]|w[j]|f64(i)}; "  \
  "} }"                                                                        \
  "  for k = @{0|0|1} to 9 { for l = 0 to @{7|7|6} {"                          \
  "    B1: c[k][l] = @{2.0f64|d[k][l]|c[k][0]} * c[k][l]; } }"                 \
  "  for p = 0 to 8 { for q = 0 to 7 {"                                        \
  "    C1: d[p][q] = @{d|d|c}[p@{|| + 1}][q] + 1.0f64; } } } }"

/* Windows with fixed ends around a sum, an extreme value, a condition.  */
#define FAMILY_UNROLL                                                          \
  "region f { value i64 n; array f64 x[n + 9][n + 9]; array f64 g[9];"         \
  "  array f64 y[n + 9]; array f64 z[n + 9]; {"                                \
  "  for i = 1 to n - 1 {"                                                     \
  "    local f64 s; local f64 v;"                                              \
  "    A1: s = @{0.0f64|g[0]}; A2: v = x[i][1];"                               \
  "    for a = @{0|1|2} to @{3|4|5}@{|| step 2} {"                             \
  "      A3: s += x[i][a] * @{g[a]|f64(a)|2.0f64};"                            \
  "      @{|A4: v max= x[i + 1][a];|if (a == 2) { A4: v = s; }} }"             \
  "    A5: y[i] @{=|+=} s@{| + y[i - 1]}; A6: z[i] = v; }"                     \
  "  for k = 0 to n { for a = 3 to @{0|1|-1} step -1 {"                        \
  "    for b = 0 to @{2|3|a} {"                                                \
  "      B1: z[k] += x[k + a + 1][b] * @{g[b]|f64(a - b)}; } } } } }"

/* Rings: neighbours around them, by one step and by more, up and down, and what
   is no ring's.  */
#define FAMILY_WRAP                                                            \
  "region f { value i64 n; array f64 x[n + 4]; array f64 y[n + 16];"           \
  "  array f64 b[n + 4][n + 4]; {"                                             \
  "  for i = @{0|1} to @{n|n|n - 1} {"                                         \
  "    A1: y[i] = x[(i + @{1|n|n - 1|2|2 * n}) % n];"                          \
  "    A2: y[i] @{+=|*=} x[(@{i - 1 + n|n + n - i|n - i - 1|i * 2}) % n]; }"   \
  "  for k = 0 to 12@{| step 5} {"                                             \
  "    B1: y[@{k|(k + 5) % 12}] += f64(@{(k + 11) % 12|mod(k - 1, 12)});"      \
  "    B2: y[mod(k - @{3|12|13}, @{12|8})] *= 0.5f64; }"                       \
  "  for p = 0 to n { for q = @{0|p|n - 1 - p} to n {"                         \
  "    C1: b[(p + 1) % n][(q + n - 1) % n] @{=|+=} x[(p + q) % n]"             \
  "      + b[@{p|(p + n - 1) % n}][q]; } }"                                    \
  "  for r = n - 1 to -1 step -1 { D1: x[(r + 1) % n] += y[r]; } } }"

/* Windows over borders: clamped, mirrored, left out, wrapped around; of radii
   that are numbers and values, in one and two dimensions.  */
#define FAMILY_BORDERS                                                         \
  "region f { value i64 n; value i64 r; array f64 x[6 * n + 40];"              \
  "  array f64 y[n + 4]; array f64 g[2 * n + 24]; array f64 b[n + 4][n + 4];"  \
  "  cell f64 s; {"                                                            \
  "  for i = @{0|0|1} to @{n|n|n - 1} { local f64 t; A1: t = f64(i);"          \
  "    for k = @{-2|-r|0} to @{3|r + 1|r - 2} {"                               \
  "      A2: t += g[k + n + 3] * f64(@{E:i + k|i - k|i + 2 * k});"             \
  "      A3: t @{+=|max=} @{x[($E < 0 ? 0 : ($E >= n ? n - 1 : $E))]"          \
  "        |x[max(0, min($E, n - 1))]|x[max($E, 0 - ($E))]"                    \
  "        |($E >= 0 && $E < n ? x[$E] : 0.5f64)|x[mod($E + n, n)]"            \
  "        |x[max(0, ($E + 2 * n) % n)]|x[max($E, 0)] * x[min(n, i)]}; }"      \
  "    A4: x[6 * n + 39 - min(i, 9)] @{=|+=} t; }"                             \
  "  for p = 0 to n { for q = 0 to n { B1: s = 0.0f64;"                        \
  "    for u = @{-1|0} to 2 { for v = @{-r|-4} to @{r|6} {"                    \
  "      B2: s += b[max(0, min(p + u, n - 1))][max(0, min(q + v, n - 1))]"     \
  "        @{|* g[v + n + 4]}; } }"                                            \
  "    B3: y[q] @{+=|=} s; } } } }"

/* A number that grows by what a loop leaves alone, read before and behind, and
   one that something else changes too.  */
#define FAMILY_INDUCTION                                                       \
  "region f { value i64 n; value f64 h; array f64 x[n + 4];"                   \
  "  array f64 y[n + 4]; cell f64 s; cell f64 t; cell f64 e; {"                \
  "  for i = @{0|3|n} to n@{| step 2} {"                                       \
  "    A1: x[i] @{=|+=} s@{| * 2.0f64};"                                       \
  "    A2: s @{+=|+=|-=} @{h|h * 2.0f64|h|x[i]|e};"                            \
  "    A3: @{x[i] += s|y[i] = s|e = s|y[i] = h}; }"                            \
  "  for k = 0 to n {"                                                         \
  "    B1: t += @{0.5f64|2.0f64};"                                             \
  "    for j = 0 to @{k|2} { B2: y[j] += t; }"                                 \
  "    if (@{x[k] > t|k == 2|x[k] == 9.0f64}) { B3: @{y[k]|y[k]|t} = x[k]; } " \
  "}"                                                                          \
  "} }"

/* What one iteration leaves to the next, from one array or two, set behind what
   reads it, before it or now and then, and twice in a row.  */
#define FAMILY_PREVIOUS                                                        \
  "region f { value i64 n; array f64 x[n + 4]; array f64 y[n + 4];"            \
  "  array f64 z[n + 4]; cell f64 s; cell f64 t; cell i64 k; {"                \
  "  K: k = @{2|n};"                                                           \
  "  for i = @{0|3|n} to n@{|| step 2} {"                                      \
  "    A1: @{z[i]|y[i]|z[k]|x[i]} @{=|+=} s@{| + t};"                          \
  "    A2: @{t = s|t = y[i]|z[i] += s};"                                       \
  "    A3: s @{=|=|=|+=} @{x[i]|x[i] * y[i]|t|z[i]|s + x[i]};"                 \
  "    A4: @{k = i|y[i] = 1.0f64|y[i] = s}; }"                                 \
  "  for j = 0 to n {"                                                         \
  "    B1: z[j] += t;"                                                         \
  "    @{if (x[j] > 1.0f64) { B2: t = y[j]; }|B2: t = x[j];} }"                \
  "} }"

/* Eliminations: rows or columns by one of them, before it, behind it, and
   what more of the array is read.  */
#define FAMILY_PIVOT                                                           \
  "region f { value i64 n; array f64 a[n + 2]; array f64 b[n + 2][n + 2];"     \
  "  array f64 c[n + 2]; cell f64 s; {"                                        \
  "  for k = 0 to n {"                                                         \
  "    for i = @{0|0|k + 1|1} to @{n|n|k} {"                                   \
  "      A1: a[i] @{-=|+=|max=} @{a[k]|a[k] + c[i]|a[k] * c[0]|a[k] + a[0]}; " \
  "}"                                                                          \
  "    for p = @{0|1} to n { for q = 0 to n {"                                 \
  "      B1: b[p][q] @{min=|max=} b[p][k] + @{b[k][q]|c[q]|b[q][k]}; } }"      \
  "    for r = 0 to n {"                                                       \
  "      @{C1: c[r] = c[k] + f64(r);|C1: s += c[k]; C2: c[r] = s;|}"           \
  "      C3: a[r] @{=|+=} c[r]@{| + a[k]}; } } } }"

/* The first, the last, the greatest, the least: of one array, of its
   magnitudes, with another one's value, and short searches.  */
#define FAMILY_ARGMAX                                                          \
  "region f { value i64 n; array f64 x[n + 24]; array f64 y[n + 24];"          \
  "  cell f64 best; cell f64 most; cell i64 at; cell i64 far; cell i32 low; {" \
  "  A0: best = @{x[0]|-100.0f64|100.0f64|y[1]};"                              \
  "  for i = @{0|1|2} to @{n|20|6} {"                                          \
  "    if (@{E:x[i]|abs(x[i])|x[i] + y[i]|x[i]} @{>|>=|<|<=} best) {"          \
  "      A1: best = @{$E|$E|$E|y[i]};"                                         \
  "      A2: at = i@{| * 2| + n}; } }"                                         \
  "  B0: most = 9.0f64;"                                                       \
  "  for k = 0 to @{20|n} {"                                                   \
  "    local f64 d;"                                                           \
  "    B1: d = x[k] * x[k] - y[@{k|0}];"                                       \
  "    if (d < most) { B2: most = d; B3: low = i32(k);"                        \
  "      @{||B4: y[0] = d;} } }"                                               \
  "  C0: far = @{0|3};"                                                        \
  "  for l = 1 to 20 { if (y[l] @{<|>=} y[far]) { C1: far = @{l|l|l + 1}; } }" \
  "} }"

/* A sum that two loops add to, or the first one sets, with what reads or
   changes it in between.  */
#define FAMILY_DELAY                                                           \
  "region f { value i64 n; array f64 a[n + 2][n + 2] const;"                   \
  "  array f64 o[n + 2][n + 2]; array f64 p[n + 2][n + 2]; array f64 s[n + "   \
  "2];"                                                                        \
  "  array f64 q[n + 2]; array f64 w[n + 2]; {"                                \
  "  for i = 0 to n { for j = 0 to n {"                                        \
  "    local f64 t;"                                                           \
  "    A1: t = a[i][j] * @{2.0f64|s[j]|w[i]|a[j][i]};"                         \
  "    A2: o[i][j] @{+=|+=|=} t;"                                              \
  "    A3: @{q[j] += t|q[j] += t|q[j] += t|q[j] = t};"                         \
  "    A4: @{p[i][j] += t|p[i][j] = t|p[i][j] += w[i]|p[i][j] += o[i][j]}; "   \
  "} }"                                                                        \
  "  for k = 0 to n { B1: @{q[k] = q[k] * 2.0f64|q[k] = s[k]|s[k] = q[k]|"     \
  "                         w[k] = q[k]|w[k] = o[0][k]|p[k][k] = 7.0f64}; }"   \
  "  for u = 0 to @{n|n|n|n + 1} { for v = 0 to n {"                           \
  "    C1: @{o[u][v]|o[u][v]|o[u][v]|o[v][u]} += @{q[v]|q[v]|q[v]|s[v]};"      \
  "    C2: p[u][v] @{+=|+=|+=|=} @{q[v]|w[u]|q[v]|o[u][v]}; } } } }"

/* A function that two loops over a row compute, of the same or not.  */
#define FAMILY_KEEP                                                            \
  "region f { value i64 n; value i64 m; array f64 x[n + 1][m + 2];"            \
  "  array f64 y[n + 1][m + 2]; array f64 v[m + 2]; array f64 w[n + 2]; {"     \
  "  for i = 0 to n {"                                                         \
  "    local f64 s;"                                                           \
  "    A1: s = 1.0f64;"                                                        \
  "    for j = 0 to m {"                                                       \
  "      A2: s max= @{F:exp|sin}(x[i][j])"                                     \
  "        + $F(x[i][j] - @{V:1.0f64|1.0f64|1.0f64|w[i]});"                    \
  "      A3: @{y[i][j]|y[i][j]|y[i][j]|w[i + 1]|x[i][j]}"                      \
  "        = @{cos(x[i][j])|f64(j)}; }"                                        \
  "    A4: @{w[i + 1]|v[0]|w[i]} = s;"                                         \
  "    for k = @{0|0|0|1} to @{m|m|m|m|m + 1} {"                               \
  "      A5: y[i][k] = @{$F(x[i][k] - $V)|$F(x[i][k] - $V)|cos(x[i][k])|"      \
  "                      $F(x[i][k] - w[i])|$F(x[i][k + 1] - $V)}"             \
  "            + @{s|sin(v[k])};"                                              \
  "      A6: y[i][k] += $F(x[i][k]); } } } }"

/* Lines through one cell: sums, copies, what is read in between, another name
   of the same memory.  */
#define FAMILY_CHAINS                                                          \
  "region f { value i64 n; array f64 x[n + 4]; array f64 h[4];"                \
  "  array f64 y[n + 4]; array f64 all[n + 4]; cell f64 total; {"              \
  "  for i = 2 to n {"                                                         \
  "    local f64 s; local f64 t;"                                              \
  "    A1: s = @{0.0f64|h[0]|y[i - 1]};"                                       \
  "    A2: s @{+=|-=|*=|max=} h[0] * x[i];"                                    \
  "    @{|A3: y[i] = 3.0f64;|A3: t = s;|A3: all[i] = s;}"                      \
  "    A4: s @{+=|max=} @{h[1] * x[i - 1]|y[i]|s * h[1]};"                     \
  "    A5: s = @{h[2] - s|s + s|x[i]};"                                        \
  "    A6: y[i] = s; A7: total += s; A8: total @{+=|max=} x[i];"               \
  "    A9: t = @{x[i]|s|y[i]}; @{|B1: x[i] = 1.0f64;}"                         \
  "    B2: t = t @{*|+} t; B3: y[i - 1] = t; } } }"

/* Bytes computed in int and cut, through a cell and at once, with what is not
   short or kept in more bytes.  */
#define FAMILY_BYTES                                                           \
  "region f { value i64 n; array u8 a[n + 2]; array u8 b[n + 2];"              \
  "  array u8 d[n + 2]; array u16 h[n + 2]; array i32 w[n + 2];"               \
  "  array i8 c[n + 2]; cell i32 s; {"                                         \
  "  for i = 0 to n { local i32 v; local u8 t; A0: t = a[i];"                  \
  "    A1: v = @{i32(b[i] >= t)|i32(b[i])|i32(t) ^ 77i32|w[i]|300i32};"        \
  "    A2: v @{&=|+=|^=|-=|*=} @{(b[i + 1] >= t ? 2i32 : 0i32)"                \
  "      |i32(a[i + 1]) - i32(t)|i32(w[i] > 2i32)"                             \
  "      |(w[i] > 2i32 ? i32(a[i]) : 1i32)|(a[i] != b[i] ? -i32(t) : 9i32)};"  \
  "    A3: d[i] = u8(v);"                                                      \
  "    @{||A4: h[i] = u16(v);|A4: d[i + 1] += u8(v);|A4: w[i] += v;} }"        \
  "  for k = 0 to n {"                                                         \
  "    B1: h[k] @{=|+=} u16(i32(a[k]) + @{i32(b[k])|300i32|i32(h[k])});"       \
  "    B2: c[k] = i8(@{i32(a[k]) - i32(b[k])|i32(a[k]) & w[k]|-i32(a[k])});"   \
  "    B3: s @{+=|=} i32(u16(i32(h[k]) - i32(b[k]))); } } }"

/* Sums scattered to shifted elements, with factors, values of the line,
   loops that shift, and what the array does otherwise.  */
#define FAMILY_GATHER                                                          \
  "region f { value i64 n; array f64 a[n + n + 9]; array f64 b[n + 3][n + 3];" \
  "  array f64 c[n + 9]; array f64 d[n + 9]; array f64 w[n + n + n + 9];"      \
  "  cell f64 s; {"                                                            \
  "  for i = @{0|1} to @{n|n + 1} {"                                           \
  "    local f64 u;"                                                           \
  "    A1: u = @{c[i] * 2.0f64|sqrt(c[i] * c[i])|s};"                          \
  "    A2: a[i] @{+=|-=} u;"                                                   \
  "    A3: a[i + @{1|2}] @{+=|+=|-=|max=} u * @{c[i]|2.0f64|d[i]};"            \
  "    @{|A4: u = u * 2.0f64;|A4: s = c[i];|A4: d[i] = c[i];|A4: c[i] = "      \
  "a[i];}"                                                                     \
  "    A5: @{a[i + 3]|d[i]} += u; }"                                           \
  "  for p = 1 to n - 1 { for q = 1 to n - 1 {"                                \
  "    B1: b[p - 1][q] += w[p]; B2: b[p + 1][q] += w[@{q|p + q}];"             \
  "    B3: b[p][q @{-|+} 1] += @{w[q]|d[p]}; } }"                              \
  "  for k = 0 to n { for l = 0 to @{4|3|n} {"                                 \
  "    C1: @{a[k + @{l|2}]|d[k + 1]} += c[k] * w[@{l|k + l}]; } } } }"

/* Functions of some loops' iterators only, and of what the nest writes.  */
#define FAMILY_TABLE                                                           \
  "region f { value i64 n; array f64 x[n + 4][n + 4]; array f64 s[n + 4];"     \
  "  array f64 q[n + 4][n + 4]; array f64 y[n + 4]; array f64 z[n + 4]; {"     \
  "  for i = @{0|1|n} to n {"                                                  \
  "    for k = @{0|1} to n {"                                                  \
  "      A1: y[i] max= @{exp|sin}(s[k]@{| + 1.0f64| + x[i][k]})@{| + "         \
  "x[i][k]};"                                                                  \
  "      @{||A2: s[k] = 1.0f64;|A2: s[i] = y[i];} }"                           \
  "    for j = 0 to n { for l = @{0|1} to @{n|i} {"                            \
  "      B1: z[i] max= @{log(q[j][l] * q[j][l] + 1.0f64)|cos(x[i][j])|"        \
  "                      sin(s[j] + q[l][j])|exp(z[l])}; } }"                  \
  "    for h = 0 to @{n|3} { @{|if (y[i] > 1.0f64)} {"                         \
  "      C1: z[i] min= @{tan(s[h])|cos(s[h]) + exp(s[h])}; } } } } }"

/* Sums of multiples, of what the line sets, over both loops or one, and what
   changes or reads them in between.  */
#define FAMILY_MULTIPLES                                                       \
  "region f { value i64 n; array f64 x[n + 4][n + 4]; array f64 y[n + 4][n + " \
  "4];"                                                                        \
  "  array f64 a[n + 4]; array f64 g[n + 4]; array f64 d[n + 4];"              \
  "  array f64 s[n + 4]; array f64 u[n + 4]; array f64 v[n + 4]; {"            \
  "  for i = 0 to @{n|n|3} { for j = @{0|1} to n {"                            \
  "    local f64 t;"                                                           \
  "    A1: t = y[i][j] * @{g[j]|g[j]|2.0f64|a[i]};"                            \
  "    A2: d[j] += @{t|-t|t|t * x[i][j]};"                                     \
  "    A3: s[j] += y[i][j]@{| * 2.0f64| * g[j]| * g[j]};"                      \
  "    A4: @{v[j] += y[i][j] * g[j]|v[j] += y[i][j]|u[j] += x[i][j]|"          \
  "          g[j] = y[i][j]|u[j] += d[j]}; } }"                                \
  "  for k = 0 to n { B1: a[k] += @{d[k]|1.0f64|s[k]}; }"                      \
  "  for p = 0 to n { for q = 0 to n {"                                        \
  "    C1: d[q] += (x[p][q] - g[q]) * @{a[q]|a[p]|s[q]}; } } } }"

/* What is dear and the same everywhere: of VALUEs alone, beside what moves,
   under a condition, in bounds' arms.  */
#define FAMILY_HOIST                                                           \
  "region f { value i64 n; value f64 h; value f64 w; array f64 x[n + 2];"      \
  "  array f64 y[n + 2]; array f64 z[n + 2]; cell f64 s; {"                    \
  "  A0: s = @{sqrt(h)|h}; A1: s += exp(w) * 0.0f64;"                          \
  "  for i = 0 to n {"                                                         \
  "    B1: x[i] = y[i] * @{sqrt(h)|exp(w)|h / w|sqrt(h * 4.0f64)};"            \
  "    B2: z[i] @{+=|=} @{h / w|w / (h + 1.0f64)|sqrt(w + h)|y[i] / h};"       \
  "    if (x[i] > @{h / w|2.0f64}) { B3: z[i] = sin(@{h|w + 1.0f64|s}); }"     \
  "    for j = 0 to @{i|n} {"                                                  \
  "      C1: x[j] @{+=|max=} cos(@{h|w * 2.0f64}) * @{1.0f64|y[j]|tan(w)}; } " \
  "} } }"

/* Divisors: of VALUEs, elements and the line's own, that the innermost loop
   leaves alone or not, with something beside that is the same, or without;
   powers of two, so that all is exact.  */
#define FAMILY_DIVISORS                                                        \
  "region f { value i64 n; value f64 h; array f64 x[n + 2][n + 2];"            \
  "  array f64 y[n + 2]; array f64 z[n + 2]; array f64 s[n + 2]; {"            \
  "  for i = 0 to n { s[i] = @{2.0f64|0.5f64}; }"                              \
  "  for i = 0 to n { for j = 0 to @{n|i + 1} {"                               \
  "    B1: x[i][j] @{-=|+=|=} @{h|y[i]|-z[i]} * @{z[j]|-y[j]}"                 \
  "                           / @{s[i]|s[0]|s[j]|4.0f64};"                     \
  "    B2: z[j] @{=|+=} @{h * (y[j] / s[i])|y[j] / s[i]|h / s[j]|"             \
  "                       -(h / s[i]) * y[j]}; } }"                            \
  "  for i = 0 to n { local f64 t;"                                            \
  "    C1: t = s[i] * 2.0f64;"                                                 \
  "    C2: y[i] @{=|+=} h * y[i] / @{t|s[0]}; s[i] = 1.0f64; } } }"

/* Marked loops around loops, around a line, of known and unknown length.  */
#define FAMILY_REGISTERS                                                       \
  "region f { value i64 n; array f64 a[n + 9][n + 9] const;"                   \
  "  array f64 b[n + 9][n + 9] const; array f64 c[n + 9][n + 9];"              \
  "  array f64 x[n + 9]; array f64 y[n + 9]; {"                                \
  "  for i = @{0|1|n} to @{n|n|5|3|7} unroll(@{2|3|4|6}) {"                    \
  "    for k = 0 to n { for j = @{0|2} to @{n|4} {"                            \
  "      A1: c[i][j] @{+=|max=} a[i][k] * b[@{k|k + 1}][j]; } } }"             \
  "  for p = 0 to @{n|6} unroll(@{2|4|8}) {"                                   \
  "    local f64 s;"                                                           \
  "    B1: s = @{0.0f64|y[p]|f64(p)};"                                         \
  "    for q = 0 to @{n|4} { B2: s += a[p][q] * x[q]; }"                       \
  "    B3: y[p] = s; }"                                                        \
  "  for r = 0 to @{n|5} unroll(@{2|4|3}) {"                                   \
  "    C1: x[r + @{0|1}] = x[r] + @{y[r]|1.0f64};"                             \
  "    @{|C2: y[r] = x[r] + x[r + 1];} } } }"

/* What the iteration before stored: alone or in a sum, one or two back, up
   and down, stored by others too.  */
#define FAMILY_CARRY                                                           \
  "region f { value i64 n; array f64 x[n + 4]; array f64 y[n + 4];"            \
  "  array f64 z[n + 4][n + 4]; array f64 w[n + 4]; cell f64 s; {"             \
  "  for i = @{2|3} to @{n|n + 1} {"                                           \
  "    A1: x[i] @{=|=|+=} @{y[i] + 2.0f64 * x[i - 1]|max(x[i - 1], y[i])|"     \
  "                         w[i] + x[i - 1] + y[i] * 2.0f64|"                  \
  "                         y[i] - x[i - @{1|2}] + x[i + @{0|1}]};"            \
  "    @{|A2: w[i] = x[i];|A2: x[i + 1] = y[i];|A2: w[i] = x[i - 1];|"         \
  "      A2: s += x[i];} }"                                                    \
  "  for j = n to @{0|1} step -1 {"                                            \
  "    B1: y[j] = y[j + 1] @{* 2.0f64 +|+|-} @{x[j]|w[0]|y[j]}; }"             \
  "  for k = 0 to n { for l = 1 to @{n|k} {"                                   \
  "    C1: z[k][l] @{=|+=} z[k][l - 1] @{+|-} @{w[l]|z[l][k]|s};"              \
  "    @{|C2: w[l] = z[k][l];} } } } }"

#endif
