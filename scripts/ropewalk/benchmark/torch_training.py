"""The peer of build/benchmark_training: the same training in PyTorch, as somebody who knows PyTorch would write it.

    python -m ropewalk.benchmark.torch_training --size S|M|L --threads K --seconds N

prints one line, tokens_per_second=… peak_bytes=…; --describe prints version=… blas=… instead. A causal pre-norm decoder over
bytes with alibi, whose bias costs nothing here, since it shares the mask's addition; GELU, layer norm, cross-entropy, clipping at
norm 1 and AdamW. Random tokens: speed is all.

Other ways to write it, measured by turns with this one in PyTorch 1.13, are as fast within the noise, or slower by up to 10 %: a
plain causal mask, broadcasting instead of batched products, masked_fill, nn.TransformerEncoderLayer, an optimizer without
foreach, torch.jit.trace.
"""
import argparse
import math
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from .sizes import SIZES, VOCABULARY

WARM_UP = 3  # steps


class Attention(nn.Module):
    """x [B,T,D] -> [B,T,D]; bias [B*H,T,T] holds alibi and the causal mask."""

    def __init__(self, size, bias):
        super().__init__()
        self.heads, self.scale = size.heads, 1 / math.sqrt(size.width // size.heads)
        self.qkv, self.out = nn.Linear(size.width, 3 * size.width), nn.Linear(size.width, size.width)
        self.register_buffer("bias", bias, persistent=False)

    def forward(self, x):
        batch, length, width = x.shape
        query, key, value = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)  # each [B,H,T,d]
        if hasattr(F, "scaled_dot_product_attention"):  # since PyTorch 2.0
            y = F.scaled_dot_product_attention(query, key, value, self.bias.view(batch, self.heads, length, length))
        else:
            query, key, value = (part.reshape(batch * self.heads, length, -1) for part in (query, key, value))
            weights = torch.baddbmm(self.bias, query, key.transpose(1, 2), alpha=self.scale).softmax(-1)
            y = torch.bmm(weights, value).view(batch, self.heads, length, -1)
        return self.out(y.transpose(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    def __init__(self, size, bias):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(size.width), nn.LayerNorm(size.width)
        self.attention = Attention(size, bias)
        self.mlp = nn.Sequential(nn.Linear(size.width, 4 * size.width), nn.GELU(), nn.Linear(4 * size.width, size.width))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


def alibi(size):
    """[B*H,T,T], masked entries -infinity."""
    slopes = 2 ** (-8 * torch.arange(1, size.heads + 1) / size.heads)
    position = torch.arange(size.length)
    distance = position[:, None] - position[None, :]
    bias = (-slopes[:, None, None] * distance).masked_fill(distance < 0, -math.inf)
    return bias.repeat(size.batch, 1, 1)


def make_model(size):
    bias = alibi(size)
    blocks = (Block(size, bias) for _ in range(size.layers))
    head = nn.Linear(size.width, VOCABULARY, bias=False)
    return nn.Sequential(nn.Embedding(VOCABULARY, size.width), *blocks, nn.LayerNorm(size.width), head)


def make_optimizer(model):
    decayed = [parameter for parameter in model.parameters() if parameter.dim() >= 2]
    others = [parameter for parameter in model.parameters() if parameter.dim() < 2]
    groups = [{"params": decayed, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.98), foreach=True)


def train_step(model, optimizer, size):
    text = torch.randint(VOCABULARY, (size.batch, size.length + 1))
    optimizer.zero_grad(set_to_none=True)
    loss = F.cross_entropy(model(text[:, :-1]).flatten(0, 1), text[:, 1:].flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()


def tokens_per_second(size, seconds):
    model = make_model(size)
    optimizer = make_optimizer(model)
    for _ in range(WARM_UP):
        train_step(model, optimizer, size)
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        train_step(model, optimizer, size)
        steps += 1
    return steps * size.batch * size.length / (time.perf_counter() - start)


def peak_bytes():
    """Not getrusage's ru_maxrss: that one begins with what the program held that started this one."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.split("VmHWM:")[1].split()[0])


def blas():
    """The library behind matrix products: MKL, or the files of a BLAS that this process has loaded."""
    if torch.backends.mkl.is_available():
        return "MKL"
    mapped = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "libblas" in line}
    return ",".join(sorted(mapped)) or "unknown"


def main():
    parser = argparse.ArgumentParser(description="Training speed of PyTorch.")
    parser.add_argument("--size", choices=SIZES, default="M")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--describe", action="store_true", help="print version and BLAS instead")
    arguments = parser.parse_args()
    if arguments.describe:
        print(f"version={torch.__version__} blas={blas()}")
        return
    torch.manual_seed(0)
    torch.set_num_threads(arguments.threads)
    speed = tokens_per_second(SIZES[arguments.size], arguments.seconds)
    print(f"tokens_per_second={speed:.0f} peak_bytes={peak_bytes()}")


if __name__ == "__main__":
    main()
