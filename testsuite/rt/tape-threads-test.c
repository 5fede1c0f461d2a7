/* Tapes in many threads: eight small trainings, each with tapes of its own,
   give the same bits whether 1, 2 or 4 threads share them out; threads that
   read the same weights, and ask for their gradients, do not meet; and threads
   that end leave nothing behind.  */

#include "expect.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define LOOPS 8
#define STEPS 40
#define ROWS  16
#define IN    8
#define WIDTH 12
#define OUT   3

/* What a training ends with.  */
typedef struct weights
{
  double w[WIDTH][IN], b[WIDTH], u[OUT][WIDTH];
} weights;

/* N numbers at AT, of a sequence of its own for each SEED.  */
static void
fill (double *at, int64_t n, uint64_t seed)
{
  uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
  for (int64_t i = 0; i < n; i++)
    {
      state = state * 6364136223846793005u + 1442695040888963407u;
      at[i] = (double) (state >> 40) / (1 << 24) - 0.5;
    }
}

/* A leaf over N numbers at AT, [n / m][m], or [n] where M is 0.  */
static trm_tensor *
leaf (double *at, int64_t n, int64_t m)
{
  return trm_want_gradient (
    m ? trm_wrap (TRM_F64, TRM_SHAPE (n / m, m), NULL, at, NULL, NULL)
      : trm_wrap (TRM_F64, TRM_SHAPE (n), NULL, at, NULL, NULL));
}

/* x to the hidden layer; CONTEXT holds its weights.  */
static trm_tensor *
hidden (int n, trm_tensor **x, void *context)
{
  trm_tensor **w = context;
  (void) n;
  return trm_linear (x[0], w[0], w[1]);
}

/* One step: W -= rate * its gradient, which is forgotten.  */
static void
step (trm_tensor *w)
{
  const trm_tensor *g = trm_gradient_of (w);
  for (int64_t i = 0; g && i < trm_count (w); i++)
    ((double *) w->at)[i] -= 0.05 * ((double *) g->at)[i];
  trm_forget_gradient (w);
}

/* The loss of weights W on pictures of SEED, and the tape is open.  */
static trm_tensor *
loss_of (trm_tensor **w, uint64_t seed)
{
  trm_tensor *x = trm_empty (TRM_F64, TRM_SHAPE (ROWS, IN));
  trm_tensor *y = trm_empty (TRM_F64, TRM_SHAPE (ROWS, OUT));
  if (!x || !y)
    return NULL;
  fill (x->at, ROWS * IN, seed);
  fill (y->at, ROWS * OUT, seed + 1000);
  trm_tensor *h
    = seed % 2 ? trm_checkpoint (hidden, 1, &x, w) : hidden (1, &x, w);
  return trm_mse (trm_linear (h, w[2], NULL), y);
}

/* Train with numbers of SEED; whether the loss became less.  */
static bool
train (uint64_t seed, weights *out)
{
  double first = 0, last = 0;
  fill (&out->w[0][0], sizeof *out / sizeof (double), seed + 77);
  trm_tensor *w[]
    = { leaf (&out->w[0][0], WIDTH * IN, IN), leaf (out->b, WIDTH, 0),
        leaf (&out->u[0][0], OUT * WIDTH, WIDTH) };
  for (int i = 0; i < STEPS; i++)
    {
      trm_tape_open ();
      trm_tensor *loss = loss_of (w, seed);
      last = trm_get (loss, TRM_SCALAR);
      first = i ? first : last;
      trm_backward (loss, NULL);
      trm_tape_close ();
      for (int k = 0; k < 3; k++)
        step (w[k]);
    }
  for (int k = 0; k < 3; k++)
    trm_drop (w[k]);
  return last < first;
}

/* Trainings of one thread: FIRST, FIRST + STRIDE, ...  */
typedef struct share
{
  int first, stride;
  bool learned;
  weights *out;
} share;

static void *
train_share (void *argument)
{
  share *s = argument;
  s->learned = true;
  for (int i = s->first; i < LOOPS; i += s->stride)
    s->learned &= train ((uint64_t) i, &s->out[i]);
  return NULL;
}

/* Train all in THREADS threads; whether all have learned.  */
static bool
train_all (int threads, weights *out)
{
  pthread_t thread[4];
  share part[4];
  bool learned = true;
  for (int i = 0; i < threads; i++)
    {
      part[i] = (share){ .first = i, .stride = threads, .out = out };
      if (pthread_create (&thread[i], NULL, train_share, &part[i]))
        return false;
    }
  for (int i = 0; i < threads; i++)
    {
      pthread_join (thread[i], NULL);
      learned &= part[i].learned;
    }
  return learned;
}

static trm_tensor *shared[3];

/* The gradients of the shared weights for one part of the numbers, one after
   the other.  */
static trm_status
slope (void *argument, trm_tensor **result)
{
  trm_tensor *g[3];
  trm_status status = trm_tape_open ();
  if (status)
    return status;
  trm_tensor *loss = loss_of (shared, (uint64_t) * (int *) argument);
  trm_tape_pause ();
  status = trm_gradients (loss, 3, shared, g);
  for (int k = 0; k < 3 && !status; k++)
    g[k] = trm_reshape (g[k], TRM_SHAPE (-1));
  *result = status ? NULL : trm_concat (3, g, 0);
  return status;
}

/* The slopes of all parts from calls that run beside, or one by one.  */
static bool
slopes (bool beside, trm_tensor **result)
{
  trm_future *future[LOOPS];
  int part[LOOPS];
  bool right = true;
  for (int i = 0; i < LOOPS; i++)
    {
      part[i] = i;
      future[i] = trm_fork (slope, &part[i]);
      if (!beside)
        right &= !trm_wait (future[i], &result[i]);
    }
  for (int i = 0; i < LOOPS && beside; i++)
    right &= !trm_wait (future[i], &result[i]);
  return right;
}

static void
test_shared (void)
{
  static weights w;
  trm_tensor *one[LOOPS], *other[LOOPS];
  fill (&w.w[0][0], sizeof w / sizeof (double), 5);
  shared[0] = leaf (&w.w[0][0], WIDTH * IN, IN);
  shared[1] = leaf (w.b, WIDTH, 0);
  shared[2] = leaf (&w.u[0][0], OUT * WIDTH, WIDTH);
  bool right = slopes (false, one) && slopes (true, other);
  for (int i = 0; i < LOOPS && right; i++)
    right = expect_close (one[i], other[i], 0);
  expect (right, "gradients of shared weights in forked calls, bit for bit");
  expect (!trm_gradient_of (shared[0]), "the weights are left alone");
  for (int i = 0; i < LOOPS; i++)
    {
      trm_drop (one[i]);
      trm_drop (other[i]);
    }
  for (int k = 0; k < 3; k++)
    trm_drop (shared[k]);
}

int
main (void)
{
  static weights alone[LOOPS], together[LOOPS];
  int64_t before = trm_memory_now ().bytes;
  expect (train_all (1, alone), "eight trainings in one thread");
  for (int threads = 2; threads <= 4; threads *= 2)
    {
      memset (together, 0, sizeof together);
      expect (train_all (threads, together)
                && memcmp (alone, together, sizeof alone) == 0,
              "the same bits in %d threads", threads);
    }
  test_shared ();
  expect (trm_memory_now ().bytes == before, "no memory is lost");
  return expect_status ();
}
