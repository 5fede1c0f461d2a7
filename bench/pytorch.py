"""Time PyTorch's backward of the layers of gradient.c.

    python3 bench/pytorch.py KERNELS OUTPUT SECONDS

KERNELS is the kernels.json that bench/measure has left; to OUTPUT goes a list
of objects "name, threads, fused_ns, backward_ns, both_ns".  The table goes to
stdout:

    fused      the plugin's gradient, the median in KERNELS
    backward   how many times as long PyTorch's backward takes
    both       the same of its forward and backward together: what a gradient
               does that is not given anything

Each time is the median of the calls that fill SECONDS, after a quarter of that
to warm up.  Where PyTorch is not installed it says so, and ends with 0.
"""

import json
import sys
import time

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    print("PyTorch is not installed: nothing to compare with")
    sys.exit(0)

ROWS, COLUMNS = 2048, 768
SIZE = 384
TEXT, HEADS, WIDTH = 256, 4, 64
PLANES, EDGE = 32, 56
CELLS, BATCH = 128, 128


def lstm(x, w, c):
    """The cell of gradient.c: gates 0, 1 and 3 open, 2 is what comes in."""
    z = F.linear(x, w).view(-1, 4, CELLS)
    open_ = torch.sigmoid(z)
    state = open_[:, 0] * c + open_[:, 1] * torch.tanh(z[:, 2])
    return open_[:, 3] * torch.tanh(state)


def attention(causal):
    """Attention of heads, scores divided by WIDTH."""
    return lambda q, k, v: F.scaled_dot_product_attention(
        q, k, v, is_causal=causal, scale=1 / WIDTH)


HEAD = (1, HEADS, TEXT, WIDTH)
LABEL = torch.arange(ROWS) * 7919 % COLUMNS

# Name of the row: function of the inputs, their shapes.
LAYERS = {
    "product and GELU, given": (
        lambda x, w, b: F.gelu(F.linear(x, w, b), approximate="tanh"),
        [(SIZE, SIZE), (SIZE, SIZE), (SIZE,)]),
    "softmax and entropy": (
        lambda x: F.cross_entropy(x, LABEL, reduction="none"),
        [(ROWS, COLUMNS)]),
    "layer norm": (
        lambda x, g, s: F.layer_norm(x, (COLUMNS,), g, s),
        [(ROWS, COLUMNS), (COLUMNS,), (COLUMNS,)]),
    "batch norm, given": (
        lambda x, g, s: F.batch_norm(x, None, None, g, s, training=True),
        [(ROWS, COLUMNS), (COLUMNS,), (COLUMNS,)]),
    "convolution": (
        F.conv2d,
        [(1, PLANES, EDGE + 2, EDGE + 2), (PLANES, PLANES, 3, 3)]),
    "attention": (attention(False), [HEAD] * 3),
    "causal attention": (attention(True), [HEAD] * 3),
    "LSTM cell, given": (
        lstm, [(BATCH, CELLS), (4 * CELLS, CELLS), (BATCH, CELLS)]),
}


def median_ns(call, seconds):
    """The median time of CALL over SECONDS."""
    times = []
    begin = time.perf_counter()
    while time.perf_counter() - begin < 1.25 * seconds or not times:
        start = time.perf_counter_ns()
        call()
        if time.perf_counter() - begin > 0.25 * seconds:
            times.append(time.perf_counter_ns() - start)
    return sorted(times)[len(times) // 2]


def time_layer(function, shapes, seconds):
    """Times of the backward of FUNCTION, and of forward and backward."""
    inputs = [(2 * torch.rand(s) - 1).requires_grad_() for s in shapes]
    result = function(*inputs)
    slope = torch.rand_like(result)
    backward = median_ns(
        lambda: torch.autograd.grad(result, inputs, slope, retain_graph=True),
        seconds)
    both = median_ns(
        lambda: torch.autograd.grad(function(*inputs), inputs, slope), seconds)
    return backward, both


def main(kernels, output, seconds):
    torch.manual_seed(1)
    rows = []
    print(f"PyTorch {torch.__version__}\n")
    print(f"{'gradient of':30s} threads {'fused':>11s} {'backward':>9s} "
          f"{'both':>9s}")
    with open(kernels) as file:
        measured = json.load(file)["kernels"]
    for kernel in measured:
        name = kernel["name"].removeprefix("gradient of ")
        if name == kernel["name"] or name not in LAYERS:
            continue
        torch.set_num_threads(kernel["threads"])
        fused = kernel["fused"]["median_ns"]
        backward, both = time_layer(*LAYERS[name], seconds)
        rows.append({"name": name, "threads": kernel["threads"],
                     "fused_ns": fused, "backward_ns": backward,
                     "both_ns": both})
        print(f"{name:30s} {kernel['threads']:7d} {fused / 1000:8.1f} us "
              f"{backward / fused:8.2f}x {both / fused:8.2f}x", flush=True)
    with open(output, "w") as file:
        json.dump(rows, file, indent=1)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
