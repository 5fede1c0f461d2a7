"""Time the rows of the library of tensors in PyTorch, eagerly.

    python3 bench/tensors.py TENSORS OUTPUT SECONDS

TENSORS is the tensors.json that bench/tensors has left; to OUTPUT goes a list
of objects "name, threads, forward_ns, both_ns" of PyTorch's times, null where
there is none.  The table goes to stdout, the library's times beside how many
times as long PyTorch takes: below 1 PyTorch is faster.

Each time is the best of the calls that fill SECONDS, after a quarter of that
to warm up, and so is the library's: both are not timed in turns, and what else
the machine does only makes a call longer.  Where PyTorch is not installed it
says so, and ends with 0.
"""

import json
import sys
import time

try:
    import torch
    import torch.nn.functional as F
    from torch import nn
except ImportError:
    print("PyTorch is not installed: nothing to compare with")
    sys.exit(0)

MANY = 16 << 20
FIVE, LONG, TABLE = (5,), (1 << 20,), (2048, 768)
NORM = [TABLE, (768,), (768,)]
HEADS = [(1, 8, 128, 64)] * 3
STATE = [(32, 128), (32, 128)]


def attention(causal):
    """Attention of heads."""
    return lambda q, k, v: F.scaled_dot_product_attention(
        q, k, v, is_causal=causal)


# An input of whole numbers: how many, below which.
class Whole:
    def __init__(self, count, kinds):
        self.count, self.kinds = count, kinds


# Name of the row: function of the inputs, their shapes, how many of them want
# a gradient.
OPERATIONS = {
    "add of 5": (torch.add, [FIVE, FIVE], 0),
    "mul of 5": (torch.mul, [FIVE, FIVE], 0),
    "relu of 5": (torch.relu, [FIVE], 0),
    "exp of 5": (torch.exp, [FIVE], 0),
    "sum of 5": (torch.sum, [FIVE], 0),
    "add": (torch.add, [LONG, LONG], 2),
    "elementwise chain": (
        lambda x, y: torch.sigmoid(x * y + x) * y, [LONG, LONG], 2),
    "sum of rows": (lambda x: x.sum(1), [TABLE], 1),
    "sum of columns": (lambda x: x.sum(0), [TABLE], 1),
    "softmax": (lambda x: x.softmax(1), [TABLE], 1),
    "layer norm": (lambda x, g, s: F.layer_norm(x, (768,), g, s), NORM, 3),
    "batch norm": (
        lambda x, g, s, m, v: F.batch_norm(x, m, v, g, s, training=True),
        NORM + [(768,), (768,)], 3),
    "cross entropy": (F.cross_entropy, [TABLE, Whole(2048, 768)], 1),
    "linear 64x1000 to 100": (
        F.linear, [(64, 1000), (100, 1000), (100,)], 3),
    "matmul 512": (torch.matmul, [(512, 512), (512, 512)], 2),
    "conv2d 8x6x30x30 to 16": (
        F.conv2d, [(8, 6, 30, 30), (16, 6, 3, 3), (16,)], 3),
    "max pool 8x16x28x28": (
        lambda x: F.max_pool2d(x, 2), [(8, 16, 28, 28)], 1),
    "attention 8x128x64": (attention(False), HEADS, 3),
    "causal attention": (attention(True), HEADS, 3),
    "embedding": (
        lambda t, i: F.embedding(i, t), [(10000, 256), Whole(2048, 10000)], 1),
    "index rows": (
        lambda t, i: t[i], [(10000, 256), Whole(2048, 10000)], 1),
    "gru cell 32x128": (
        torch.gru_cell,
        STATE + [(384, 128), (384, 128), (384,), (384,)], 6),
    "lstm cell 32x128": (
        lambda x, h, w, u, b, c: torch.lstm_cell(
            x, (h, c), w, u, b, torch.zeros(512))[0],
        STATE + [(512, 128), (512, 128), (512,), (32, 128)], 6),
    "transposed copy 2048": (
        lambda x: x.t().contiguous(), [(2048, 2048)], 1),
}


class Block(nn.Module):
    """A block of a GPT, heads of 64 numbers."""

    def __init__(self, width):
        super().__init__()
        self.heads = width // 64
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.mix = nn.Linear(width, width)
        self.wide = nn.Linear(width, 4 * width)
        self.narrow = nn.Linear(4 * width, width)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(self.before(x)).view(
            b, t, 3, self.heads, 64).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.mix(y.transpose(1, 2).reshape(b, t, c))
        y = F.gelu(self.wide(self.between(x)), approximate="tanh")
        return x + self.narrow(y)


class GPT(nn.Module):
    """A GPT of texts of 64."""

    def __init__(self, layers, width, kinds):
        super().__init__()
        self.letter, self.place = (
            nn.Embedding(kinds, width), nn.Embedding(64, width))
        self.blocks = nn.Sequential(*[Block(width) for _ in range(layers)])
        self.last, self.out = nn.LayerNorm(width), nn.Linear(width, kinds)

    def forward(self, x):
        x = self.blocks(self.letter(x) + self.place(torch.arange(64)))
        return self.out(self.last(x)).flatten(0, 1)


def training(model, x, kinds, rows, method):
    """A step of MODEL."""
    label = torch.randint(kinds, (rows,))
    optimiser = method(model.parameters(), lr=1e-4, fused=True)

    def step():
        optimiser.zero_grad()
        F.cross_entropy(model(x), label).backward()
        optimiser.step()
    return step


def two_layers():
    model = nn.Sequential(nn.Linear(1000, 100), nn.ReLU(), nn.Linear(100, 10))
    return training(model, torch.rand(64, 1000), 10, 64, torch.optim.SGD)


def convnet():
    model = nn.Sequential(
        nn.Conv2d(1, 6, 3), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(576, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(),
        nn.Linear(84, 10))
    return training(model, torch.rand(8, 1, 32, 32), 10, 8, torch.optim.SGD)


def gpt(layers, width, kinds):
    return lambda: training(
        GPT(layers, width, kinds), torch.randint(kinds, (4, 64)), kinds, 256,
        torch.optim.Adam)


def adam(n, size):
    """A step over N weights of SIZE."""
    def make():
        weights = [torch.ones(size, requires_grad=True) for _ in range(n)]
        for w in weights:
            w.grad = torch.full_like(w, 0.01)
        return torch.optim.Adam(weights, lr=1e-4, fused=True).step
    return make


def normal():
    return lambda: torch.randn(MANY)


def dropout():
    x = torch.ones(MANY)
    return lambda: F.dropout(x, 0.1)


# Name of the row: what makes the call.
TASKS = {
    "two layers 64x1000-100-10": two_layers,
    "convnet, batch 8": convnet,
    "GPT 4x256, 4x64": gpt(4, 256, 256),
    "GPT 12x768, 4x64": gpt(12, 768, 50257),
    "normal, 16 M": normal,
    "dropout, 16 M": dropout,
    "Adam, 16 M": adam(1, MANY),
    "Adam, 200 of 1,000": adam(200, 1000),
}


def best_ns(call, seconds):
    """The best time of a call of CALL, some of them together where they are
    short, over SECONDS."""
    start = time.perf_counter_ns()
    call()
    calls = max(1, min(1000, 100000 // (time.perf_counter_ns() - start)))
    times = []
    begin = time.perf_counter()
    while time.perf_counter() - begin < 1.25 * seconds or not times:
        start = time.perf_counter_ns()
        for _ in range(calls):
            call()
        if time.perf_counter() - begin > 0.25 * seconds:
            times.append((time.perf_counter_ns() - start) / calls)
    return min(times)


def make_input(shape):
    """An input of SHAPE, or of whole numbers."""
    if isinstance(shape, Whole):
        return torch.randint(shape.kinds, (shape.count,))
    return 2 * torch.rand(shape) - 1


def time_operation(function, shapes, wanted, seconds):
    """Times of FUNCTION, and of it and its backward."""
    inputs = [make_input(s) for s in shapes]
    with torch.no_grad():
        forward = best_ns(lambda: function(*inputs), seconds)
    if not wanted:
        return forward, None
    grown = [x for x in inputs if x.is_floating_point()][:wanted]
    for x in grown:
        x.requires_grad_()
    seed = torch.rand_like(function(*inputs))
    both = best_ns(
        lambda: torch.autograd.grad(function(*inputs), grown, seed), seconds)
    return forward, both


def time_row(name, seconds):
    """Times of the row NAME, None where there is none."""
    if name in OPERATIONS:
        return time_operation(*OPERATIONS[name], seconds)
    if name in TASKS:
        return best_ns(TASKS[name](), seconds), None
    return None, None


def in_words(ns):
    """A time with a unit."""
    for unit in "ns", "us", "ms":
        if ns < 1000:
            return f"{ns:.1f} {unit}"
        ns /= 1000
    return f"{ns:.1f} s"


def beside(ours, theirs):
    """The library's time, PyTorch's as a multiple of it."""
    if not ours["best_ns"]:
        return f" {'-':>10s} {'-':>9s}"
    times = f"{theirs / ours['best_ns']:.2f}x" if theirs else "-"
    return f" {in_words(ours['best_ns']):>10s} {times:>9s}"


def main(tensors, output, seconds):
    torch.manual_seed(1)
    rows = []
    print(f"PyTorch {torch.__version__}\n")
    print(f"{'tensors':32s} threads {'forward':>10s} {'PyTorch':>9s} "
          f"{'both':>10s} {'PyTorch':>9s}")
    with open(tensors) as file:
        measured = json.load(file)
    for row in measured:
        name = row["name"]
        torch.set_num_threads(row["threads"])
        forward, both = time_row(name, seconds)
        if not forward:
            continue
        rows.append({"name": name, "threads": row["threads"],
                     "forward_ns": forward, "both_ns": both})
        print(f"{name:32s} {row['threads']:7d}"
              f"{beside(row['forward'], forward)}{beside(row['both'], both)}",
              flush=True)
    with open(output, "w") as file:
        json.dump(rows, file, indent=1)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
