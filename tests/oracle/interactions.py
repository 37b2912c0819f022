"""Schemes that add to the scores what depends on queries or keys."""
import math

import torch
from biases import require_causal
from position import Position, sinusoid, zeros


def pick(products, index):
    """[B,H,T,T]: products [B,H,T,R] of every query (or key) with R rows, of which index [S,T,T] says the one for each pair."""
    batch, heads, length, _ = products.shape
    return products.gather(-1, index[:, None].expand(batch, heads, length, length))


def as_heads(rows, heads):
    """[R,D] -> [H,R,d]"""
    return rows.view(len(rows), heads, -1).transpose(0, 1)


class Shaw(Position):
    """Shaw, Uszkoreit, Vaswani 2018, equations 3 and 4: vectors of clip(n-m, -c, c) are added to keys and to values."""

    defaults = {"clip": 16, "values": True}

    def __init__(self, settings, shape):
        super().__init__(settings, shape)
        rows = 2 * self.settings["clip"] + 1
        self.aK = zeros(rows, shape.head_width)
        self.aV = zeros(rows, shape.head_width) if self.settings["values"] else None

    def rows(self, sequence):
        clip = self.settings["clip"]
        return (-sequence.whole_offsets).clamp(-clip, clip) + clip

    def interaction(self, query, key, sequence):
        return pick(query @ self.aK.T, self.rows(sequence)) / math.sqrt(query.shape[-1])

    def values(self, weights, sequence):
        if self.aV is None:
            return None
        added = self.aV[self.rows(sequence)]  # [S,T,T,d]
        return torch.einsum("bhmn,bmnd->bhmd", weights, added.expand(len(weights), -1, -1, -1))


class TransformerXL(Position):
    """Dai et al. 2019, section 3.3: (q.k + q.(W_R r) + u.k + v.(W_R r)) / sqrt(d), r the sinusoid of m-n."""

    defaults = {"base": 10000.0}

    def __init__(self, settings, shape):
        super().__init__(settings, shape)
        self.W_R = zeros(shape.width, shape.width)
        self.u, self.v = zeros(shape.heads, shape.head_width), zeros(shape.heads, shape.head_width)

    def relative(self, sequence):
        """(W_R r [H,R,d] of the R different offsets, which of them each pair has [S,T,T])."""
        offsets, index = sequence.whole_offsets.unique(return_inverse=True)
        r = sinusoid(offsets, self.shape.width, self.settings["base"]).to(self.W_R.dtype)
        return as_heads(r @ self.W_R.T, self.shape.heads), index

    def interaction(self, query, key, sequence):
        relative, index = self.relative(sequence)
        to_position = pick(query @ relative.transpose(-1, -2), index)
        of_key = torch.einsum("hd,bhnd->bhn", self.u, key)[:, :, None]
        return (to_position + of_key) / math.sqrt(query.shape[-1])

    def bias(self, sequence):
        relative, index = self.relative(sequence)
        of_position = torch.einsum("hd,hrd->hr", self.v, relative)
        return of_position[:, index].movedim(0, 1) / math.sqrt(self.shape.head_width)


class DeBERTa(Position):
    """He et al. 2020, equations 3 and 4: content to position and position to content; all over sqrt(3d)."""

    defaults = {"clip": None}

    def __init__(self, settings, shape):
        super().__init__(settings, shape)
        self.table = zeros(2 * self.settings["clip"], shape.width)
        self.W_q, self.W_k = zeros(shape.width, shape.width), zeros(shape.width, shape.width)

    def pairs(self, query, key, sequence):
        return [(query / math.sqrt(3), key, True)]

    def row(self, offsets):
        """delta(i,j) of i - j."""
        clip = self.settings["clip"]
        return (offsets + clip).clamp(0, 2 * clip - 1)

    def interaction(self, query, key, sequence):
        offsets = sequence.whole_offsets  # [S,m,n]
        relative_query, relative_key = (as_heads(self.table @ w.T, self.shape.heads) for w in (self.W_q, self.W_k))
        to_position = pick(query @ relative_key.transpose(-1, -2), self.row(offsets))
        from_position = pick(key @ relative_query.transpose(-1, -2), self.row(-offsets).transpose(-1, -2))  # [B,H,n,m]
        return (to_position + from_position.transpose(-1, -2)) / math.sqrt(3 * query.shape[-1])


class CoPE(Position):
    """Golovneva et al. 2024: gates summed from key to query are a position between two rows of the table."""

    defaults = {"max_position": None, "gates": "dot"}

    def __init__(self, settings, shape):
        super().__init__(settings, shape)
        require_causal(self, "cope")
        self.table = zeros(self.settings["max_position"], shape.head_width)

    def interaction(self, query, key, sequence):
        scale = math.sqrt(query.shape[-1]) if self.settings["gates"] == "scaled" else 1.0
        gates = (query @ key.transpose(-1, -2) / scale).sigmoid().tril()
        last = len(self.table) - 1
        places = gates.flip(-1).cumsum(-1).flip(-1).clamp(max=last)
        below = places.floor().long()
        above = (below + 1).clamp(max=last)
        products = query @ self.table.T  # [B,H,T,rows]
        share = places - below
        return (1 - share) * products.gather(-1, below) + share * products.gather(-1, above)
