/* A small GPT learns to write the manual of gcc-tensor, letter by letter.

   The forward pass is loops.  The gradients of its four parts, each of which
   calls others, are written by the plugin:

     embed    x = letters and places as numbers
     attend   y = x + mix (attention (qkv (norm (x))))      L times, by turns
     think    y = x + narrow (gelu (wide (norm (x))))
     score    cross entropy of out (norm (x)) and the letters that follow

     tensorcc -O3 -march=native gpt.c -lm && ./a.out [steps [letters [text]]]

   Prints the entropy of the text's letters, the loss at the end, the loss on a
   part that was not learnt, and LETTERS letters of the model's own; how it goes
   on stderr.  Without the plugin there are no gradients: it does not link.  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
  T = 64,      /* letters that are seen together */
  B = 16,      /* such texts in a step */
  N = B * T,   /* letters in a step */
  C = 128,     /* numbers for each letter */
  H = 4,       /* heads of attention */
  D = C / H,   /* numbers of a head */
  F = 4 * C,   /* numbers of the wide layer */
  L = 3,       /* blocks */
  V = 96,      /* kinds of letters */
  HELD = 4096, /* letters at the end that are not learnt */
  ROOM = 1 << 20
};

/* What is learnt.  */
typedef struct table
{
  float letter[V][C], place[T][C];
} table;

typedef struct heads
{
  float gain[C], shift[C], qkv[3 * C][C], mix[C][C];
} heads;

typedef struct layers
{
  float gain[C], shift[C], wide[F][C], narrow[C][F];
} layers;

typedef struct judge
{
  float gain[C], shift[C], out[V][C];
} judge;

typedef struct model
{
  table table;
  heads heads[L];
  layers layers[L];
  judge judge;
} model;

/* What the forward pass leaves for the gradients.  */
typedef struct attended
{
  float norm[N][C], qkv[N][3 * C], mixed[N][C];
} attended;

typedef struct thought
{
  float norm[N][C], wide[N][F], bent[N][F];
} thought;

typedef struct scored
{
  float norm[N][C], out[N][V];
} scored;

/* y := x, each row moved and scaled to mean 0 and variance 1, then learnt.  */
static void
norm (int n, float y[][C], float x[][C], const float *gain, const float *shift)
{
  for (int i = 0; i < n; i++)
    {
      float m = 0, v = 0;
      for (int c = 0; c < C; c++)
        m += x[i][c] / C;
      for (int c = 0; c < C; c++)
        v += (x[i][c] - m) * (x[i][c] - m) / C;
      float scale = 1 / sqrtf (v + 1e-5f);
      for (int c = 0; c < C; c++)
        y[i][c] = (x[i][c] - m) * scale * gain[c] + shift[c];
    }
}

/* y := x w'.  */
static void
linear (int n, int p, int q, float y[][p], float x[][q], float w[][q])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < p; j++)
      {
        y[i][j] = 0;
        for (int k = 0; k < q; k++)
          y[i][j] += x[i][k] * w[j][k];
      }
}

/* y := GELU (x), by its tanh form.  */
static void
gelu (int n, float y[][F], float x[][F])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < F; j++)
      {
        float u = x[i][j];
        y[i][j]
          = 0.5f * u * (1 + tanhf (0.7978846f * (u + 0.044715f * u * u * u)));
      }
}

/* y := what each letter takes of those up to it.  */
static void
attention (int b, float y[][T][H][D], float x[][T][3][H][D])
{
  for (int i = 0; i < b; i++)
    for (int h = 0; h < H; h++)
      for (int t = 0; t < T; t++)
        {
          float s[T], most = -INFINITY, sum = 0;
          for (int u = 0; u <= t; u++)
            {
              s[u] = 0;
              for (int d = 0; d < D; d++)
                s[u] += x[i][t][0][h][d] * x[i][u][1][h][d];
              s[u] /= sqrtf (D);
              most = fmaxf (most, s[u]);
            }
          for (int u = 0; u <= t; u++)
            sum += s[u] = expf (s[u] - most);
          for (int u = 0; u <= t; u++)
            s[u] /= sum;
          for (int d = 0; d < D; d++)
            {
              y[i][t][h][d] = 0;
              for (int u = 0; u <= t; u++)
                y[i][t][h][d] += s[u] * x[i][u][2][h][d];
            }
        }
}

/* y := y + x.  */
static void
add (int n, float y[][C], float x[][C])
{
  for (int i = 0; i < n; i++)
    for (int c = 0; c < C; c++)
      y[i][c] += x[i][c];
}

/* The four parts of the model, of B texts or N letters.  */
static void
embed (int b, int id[][T], const table *restrict w, float y[restrict][T][C])
{
#pragma tensor name("embed")
  for (int i = 0; i < b; i++)
    for (int t = 0; t < T; t++)
      for (int c = 0; c < C; c++)
        y[i][t][c] = w->letter[id[i][t]][c] + w->place[t][c];
}

static void
attend (int b, const heads *restrict w, float x[restrict][C],
        float y[restrict][C], attended *restrict v)
{
#pragma tensor name("attend")
  {
    norm (b * T, v->norm, x, w->gain, w->shift);
    linear (b * T, 3 * C, C, v->qkv, v->norm, (void *) w->qkv);
    attention (b, (void *) v->mixed, (void *) v->qkv);
    linear (b * T, C, C, y, v->mixed, (void *) w->mix);
    add (b * T, y, x);
  }
}

static void
think (int n, const layers *restrict w, float x[restrict][C],
       float y[restrict][C], thought *restrict v)
{
#pragma tensor name("think")
  {
    norm (n, v->norm, x, w->gain, w->shift);
    linear (n, F, C, v->wide, v->norm, (void *) w->wide);
    gelu (n, v->bent, v->wide);
    linear (n, C, F, y, v->bent, (void *) w->narrow);
    add (n, y, x);
  }
}

static float
score (int n, const judge *restrict w, float x[restrict][C], int next[restrict],
       scored *restrict v)
{
  float loss = 0;
#pragma tensor name("score")
  {
    norm (n, v->norm, x, w->gain, w->shift);
    linear (n, V, C, v->out, v->norm, (void *) w->out);
    for (int i = 0; i < n; i++)
      {
        float most = -INFINITY, sum = 0;
        for (int j = 0; j < V; j++)
          most = fmaxf (most, v->out[i][j]);
        for (int j = 0; j < V; j++)
          sum += expf (v->out[i][j] - most);
        loss += (most + logf (sum) - v->out[i][next[i]]) / n;
      }
  }
  return loss;
}

#pragma tensor gradient(embed) of(y: dy) wrt(w: dw)
void embed_gradient (int b, int id[][T], const table *restrict w,
                     float dy[restrict][T][C], table *restrict dw);

#pragma tensor gradient(attend) of(y: dy) wrt(x: dx, w: dw) given(v)
void attend_gradient (int b, const heads *restrict w, float x[restrict][C],
                      attended *restrict v, float dy[restrict][C],
                      heads *restrict dw, float dx[restrict][C]);

#pragma tensor gradient(think) of(y: dy) wrt(x: dx, w: dw) given(v)
void think_gradient (int n, const layers *restrict w, float x[restrict][C],
                     thought *restrict v, float dy[restrict][C],
                     layers *restrict dw, float dx[restrict][C]);

#pragma tensor gradient(score) of(return) wrt(x: dx, w: dw) given(v)
void score_gradient (int n, const judge *restrict w, float x[restrict][C],
                     int next[restrict], scored *restrict v, judge *restrict dw,
                     float dx[restrict][C]);

/* The model, its slope, and the moments of that; x: what goes into and comes
   out of each part, and its slope.  */
static model weight, slope, mean, square;
static float x[2 * L + 1][N][C], dx[2 * L + 1][N][C];
static attended attended_at[L];
static thought thought_at[L];
static scored scored_at;

/* The loss of the model on B texts whose next letters are NEXT.  */
static float
forward (int b, int *id, int *next)
{
  int n = b * T;
  embed (b, (void *) id, &weight.table, (void *) x[0]);
  for (int l = 0; l < L; l++)
    {
      attend (b, &weight.heads[l], x[2 * l], x[2 * l + 1], &attended_at[l]);
      think (n, &weight.layers[l], x[2 * l + 1], x[2 * l + 2], &thought_at[l]);
    }
  return score (n, &weight.judge, x[2 * L], next, &scored_at);
}

/* Its slope.  */
static void
backward (int b, int *id, int *next)
{
  int n = b * T;
  memset (dx, 0, sizeof dx);
  memset (&slope, 0, sizeof slope);
  score_gradient (n, &weight.judge, x[2 * L], next, &scored_at, &slope.judge,
                  dx[2 * L]);
  for (int l = L - 1; l >= 0; l--)
    {
      think_gradient (n, &weight.layers[l], x[2 * l + 1], &thought_at[l],
                      dx[2 * l + 2], &slope.layers[l], dx[2 * l + 1]);
      attend_gradient (b, &weight.heads[l], x[2 * l], &attended_at[l],
                       dx[2 * l + 1], &slope.heads[l], dx[2 * l]);
    }
  embed_gradient (b, (void *) id, &weight.table, (void *) dx[0], &slope.table);
}

/* w := w less a step against its slope G, whose moments are M and S; STEP
   counts from 1.  */
static void
adamw (long n, float *restrict w, const float *restrict g, float *restrict m,
       float *restrict s, int step, float rate)
{
  float scale_m = 1 / (1 - powf (0.9f, step));
  float scale_s = 1 / (1 - powf (0.99f, step));
#pragma tensor name("AdamW")
  for (long i = 0; i < n; i++)
    {
      m[i] = 0.9f * m[i] + 0.1f * g[i];
      s[i] = 0.99f * s[i] + 0.01f * g[i] * g[i];
      w[i]
        -= rate
           * (m[i] * scale_m / (sqrtf (s[i] * scale_s) + 1e-8f) + 0.01f * w[i]);
    }
}

static int text[ROOM], length, kinds;
static char letter[V];

/* A number from 0 to 1, the next of a fixed sequence.  */
static float
draw (void)
{
  static unsigned seed = 1;
  seed = seed * 1664525u + 1013904223u;
  return (float) (seed >> 8) / (1 << 24);
}

/* B texts from places between FROM and TO, and the letters that follow.  */
static void
choose (int from, int to, int *id, int *next)
{
  for (int i = 0; i < B; i++)
    {
      int at = from + (int) (draw () * (float) (to - from - T));
      memcpy (id + i * T, text + at, sizeof (int) * T);
      memcpy (next + i * T, text + at + 1, sizeof (int) * T);
    }
}

/* One of STEPS steps of learning; the loss before it.  */
static float
learn (int step, int steps)
{
  static int id[N], next[N];
  float rate = 2e-3f * fminf ((float) step / 50, 1)
               * (1.05f - (float) step / (float) steps);
  choose (0, length - HELD, id, next);
  float loss = forward (B, id, next);
  backward (B, id, next);
  adamw (sizeof weight / sizeof (float), (float *) &weight, (float *) &slope,
         (float *) &mean, (float *) &square, step, rate);
  return loss;
}

/* The loss on letters that were not learnt.  */
static float
examine (void)
{
  static int id[N], next[N];
  choose (length - HELD, length - 1, id, next);
  return forward (B, id, next);
}

/* A letter by the probabilities that Y, a row of the output, stands for; those
   that are unlikely become more so.  */
static int
pick (const float *y)
{
  float p[V], most = -INFINITY, sum = 0;
  int k = 0;
  for (int j = 0; j < kinds; j++)
    most = fmaxf (most, y[j]);
  for (int j = 0; j < kinds; j++)
    sum += p[j] = expf (1.25f * (y[j] - most));
  for (float left = sum * draw (); k < kinds - 1 && (left -= p[k]) > 0;)
    k++;
  return k;
}

/* Print COUNT letters, each chosen by those before it.  */
static void
tell (int count)
{
  int id[T] = { text[0] }, next[T] = { 0 };
  for (int t = 0; count-- > 0; t = t < T - 1 ? t + 1 : t)
    {
      forward (1, id, next);
      int k = pick (scored_at.out[t]);
      putchar (letter[k]);
      if (t == T - 1)
        memmove (id, id + 1, sizeof id - sizeof *id);
      id[t < T - 1 ? t + 1 : t] = k;
    }
  putchar ('\n');
}

/* W[0..N) := numbers of mean 0 and variance SIZE squared.  */
static void
spread (long n, float *w, float size)
{
  for (long i = 0; i < n; i++)
    w[i] = size * sqrtf (3) * (2 * draw () - 1);
}

/* A norm that leaves its rows as they are.  */
static void
start_norm (float *gain, float *shift)
{
  for (int c = 0; c < C; c++)
    {
      gain[c] = 1;
      shift[c] = 0;
    }
}

/* The model before it has learnt.  */
static void
start (void)
{
  spread (sizeof weight / sizeof (float), (float *) &weight, 0.02f);
  for (int l = 0; l < L; l++)
    {
      start_norm (weight.heads[l].gain, weight.heads[l].shift);
      start_norm (weight.layers[l].gain, weight.layers[l].shift);
    }
  start_norm (weight.judge.gain, weight.judge.shift);
}

/* Open NAME, or the file of that name beside this source.  */
static FILE *
open_input (const char *name)
{
  char beside[4096];
  const char *slash = strrchr (__FILE__, '/');
  FILE *file = fopen (name, "r");
  snprintf (beside, sizeof beside, "%.*s%s",
            slash ? (int) (slash + 1 - __FILE__) : 0, __FILE__, name);
  return file ? file : fopen (beside, "r");
}

/* Fill text, letter, kinds from NAME; the entropy of the letters alone.  */
static double
read_text (const char *name)
{
  int kind[256] = { 0 }, count[V] = { 0 };
  double entropy = 0;
  FILE *file = open_input (name);
  for (int c; file && length < ROOM && (c = getc (file)) != EOF;)
    {
      if (!kind[c] && kinds < V)
        {
          letter[kinds] = (char) c;
          kind[c] = ++kinds;
        }
      text[length] = kind[c] ? kind[c] - 1 : 0;
      count[text[length++]]++;
    }
  for (int k = 0; k < kinds; k++)
    entropy -= (double) count[k] / length * log ((double) count[k] / length);
  if (file)
    fclose (file);
  return entropy;
}

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

int
main (int argc, char **argv)
{
  int steps = argc > 1 ? atoi (argv[1]) : 1200;
  int letters = argc > 2 ? atoi (argv[2]) : 600;
  double entropy = read_text (argc > 3 ? argv[3] : "../doc/gcc-tensor.texi");
  double begin = now ();
  float loss = 0;
  if (length < 2 * HELD)
    return fprintf (stderr, "no text to learn from\n"), 1;
  start ();
  for (int step = 1; step <= steps; step++)
    {
      float last = learn (step, steps);
      loss = step == 1 ? last : 0.9f * loss + 0.1f * last;
      if (step % 50 == 0 || step == steps)
        fprintf (stderr, "step %4d  loss %.3f  %6.0f letters a second\n", step,
                 loss, step * N / (now () - begin));
    }
  printf ("%d letters of %d kinds, entropy %.3f; loss %.3f, unseen %.3f\n\n",
          length, kinds, entropy, loss, examine ());
  tell (letters);
  return 0;
}
