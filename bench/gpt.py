"""Train the model of examples/gpt.c in PyTorch, and compare.

    python3 bench/gpt.py PROGRAM TEXT STEPS [OUTPUT]

PROGRAM is gpt.c, compiled; TEXT what both learn from.  Both begin with the
same numbers, see the same letters in the same order and take the same steps;
PyTorch runs in the usual way, without a compiler of its own, on as many
threads as OMP_NUM_THREADS says.  Prints both losses, each 50 steps, the
largest distance between them, and how many letters a second each learns; to
OUTPUT goes the same as JSON.  Ends with 1 when the losses differ by more than
DISTANCE, with 0 where PyTorch is not installed.
"""

import json
import math
import re
import subprocess
import sys
import time

try:
    import numpy as np
    import torch
    import torch.nn.functional as F
except ImportError:
    print("PyTorch is not installed: nothing to compare with")
    sys.exit(0)

T, B, C, H, L, V, HELD = 64, 16, 128, 4, 3, 96, 4096
D, WIDE, N = C // H, 4 * C, B * T
EACH = 50
DISTANCE = 0.05


class Draw:
    """The fixed sequence of numbers from 0 to 1 of gpt.c."""

    def __init__(self):
        self.seed = 1

    def numbers(self, n):
        found = np.empty(n, np.float32)
        for i in range(n):
            self.seed = (self.seed * 1664525 + 1013904223) & 0xFFFFFFFF
            found[i] = self.seed >> 8
        return found / np.float32(1 << 24)


def shapes():
    """The members of struct model in their order."""
    yield from [("letter", (V, C)), ("place", (T, C))]
    for l in range(L):
        yield from [(f"gain_a{l}", (C,)), (f"shift_a{l}", (C,)),
                    (f"qkv{l}", (3 * C, C)), (f"mix{l}", (C, C))]
    for l in range(L):
        yield from [(f"gain_t{l}", (C,)), (f"shift_t{l}", (C,)),
                    (f"wide{l}", (WIDE, C)), (f"narrow{l}", (C, WIDE))]
    yield from [("gain_s", (C,)), ("shift_s", (C,)), ("out", (V, C))]


def start(draw):
    """The model before it has learnt, as gpt.c's."""
    model = {}
    for name, shape in shapes():
        size = np.float32(0.02) * np.float32(math.sqrt(3))
        value = size * (2 * draw.numbers(math.prod(shape)) - 1)
        if name.startswith("gain"):
            value[:] = 1
        if name.startswith("shift"):
            value[:] = 0
        model[name] = torch.from_numpy(value.reshape(shape)).requires_grad_()
    return model


def forward(m, ids, after):
    """The loss of model M on the texts IDS whose next letters are AFTER."""
    x = m["letter"][ids] + m["place"]
    for l in range(L):
        z = F.layer_norm(x, (C,), m[f"gain_a{l}"], m[f"shift_a{l}"])
        q, k, v = (F.linear(z, m[f"qkv{l}"]).view(-1, T, 3, H, D)
                   .permute(2, 0, 3, 1, 4))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + F.linear(y.transpose(1, 2).reshape(-1, T, C), m[f"mix{l}"])
        z = F.layer_norm(x, (C,), m[f"gain_t{l}"], m[f"shift_t{l}"])
        z = F.gelu(F.linear(z, m[f"wide{l}"]), approximate="tanh")
        x = x + F.linear(z, m[f"narrow{l}"])
    z = F.layer_norm(x, (C,), m["gain_s"], m["shift_s"])
    return F.cross_entropy(F.linear(z, m["out"]).view(-1, V), after.view(-1))


def read_text(name):
    """The letters of the file NAME, numbered as they first occur."""
    kinds = {}
    with open(name, "rb") as file:
        return np.array([kinds.setdefault(c, len(kinds)) for c in file.read()])


def choose(draw, text):
    """B texts and the letters that follow."""
    room = np.float32(len(text) - HELD - T)
    at = (draw.numbers(B) * room).astype(int)[:, None] + np.arange(T)
    return torch.from_numpy(text[at]), torch.from_numpy(text[at + 1])


def learn(text, steps):
    """The smoothed loss each EACH steps, and letters a second."""
    draw = Draw()
    model = start(draw)
    optimizer = torch.optim.AdamW(model.values(), betas=(0.9, 0.99), eps=1e-8,
                                  weight_decay=0.01)
    curve, loss = {}, None
    begin = time.perf_counter()
    for step in range(1, steps + 1):
        rate = 2e-3 * min(step / 50, 1) * (1.05 - step / steps)
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        value = forward(model, *choose(draw, text))
        value.backward()
        optimizer.step()
        last = value.item()
        loss = last if loss is None else 0.9 * loss + 0.1 * last
        if step % EACH == 0 or step == steps:
            curve[step] = loss
    return curve, steps * N / (time.perf_counter() - begin)


def learn_by_program(program, text, steps):
    """The same of PROGRAM, from what it tells on stderr."""
    told = subprocess.run([program, str(steps), "0", text], check=True,
                          capture_output=True, text=True).stderr
    rows = re.findall(r"step +(\d+) +loss ([0-9.]+) +(\d+) letters", told)
    return {int(s): float(loss) for s, loss, _ in rows}, float(rows[-1][2])


def main(program, name, steps, output=None):
    ours, our_speed = learn_by_program(program, name, steps)
    theirs, their_speed = learn(read_text(name), steps)
    distance = max(abs(ours[s] - theirs[s]) for s in ours)
    print(f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads\n")
    print("  step     loss  PyTorch")
    for step in ours:
        print(f"{step:6d} {ours[step]:8.3f} {theirs[step]:8.3f}")
    print(f"\nlargest distance {distance:.3f}; {our_speed:.0f} and "
          f"{their_speed:.0f} letters a second, {our_speed / their_speed:.2f}x")
    if output:
        with open(output, "w") as file:
            json.dump({"ours": ours, "pytorch": theirs, "distance": distance,
                       "letters_a_second": our_speed,
                       "pytorch_letters_a_second": their_speed}, file, indent=1)
    return int(distance > DISTANCE)


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), *sys.argv[4:]))
