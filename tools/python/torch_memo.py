"""MEMO in PyTorch, with keys and values built as the paper writes them (Banino et al. 2020, equations
7 to 15, fixed hops). It gets the batches that memobench's own MEMO gets.

    memobench train --model exec:'python3 torch_memo.py --heads 1 --width 64' --task pai3"""
import argparse

import memobench.torch
import torch
from torch import nn
from torch.nn import functional as F


def normal(*shape, fan_in, gain=1.0):
    return nn.Parameter(torch.randn(*shape) * gain / fan_in**0.5)


class MEMO(memobench.torch.Module):
    def __init__(self, task, options):
        super().__init__(task)
        self.o = o = options
        S, Q, I, O = task.row_width, task.query_width, task.max_rows, task.vocabulary
        flat = o.heads * o.width
        self.words = nn.Embedding(O + 1, o.embedding, padding_idx=0)  # W_c, N(0, 1)
        self.key = normal(o.heads, o.width, S * o.embedding, fan_in=S * o.embedding)
        self.value = normal(o.heads, o.width, S * o.embedding, fan_in=S * o.embedding)
        self.query0 = normal(o.heads, o.width, Q * o.embedding, fan_in=Q * o.embedding)
        self.mix = nn.Parameter(torch.eye(I)) if o.mix else None  # W_h
        self.recur = normal(flat, flat, fan_in=flat)  # W_q
        self.norm = nn.LayerNorm(o.width)  # within each head, shared gain and bias
        self.hidden = nn.Linear(flat, o.answer)
        self.answer = nn.Linear(o.answer, O)
        with torch.no_grad():
            self.hidden.weight.copy_(normal(o.answer, flat, fan_in=flat, gain=2**0.5))
            self.answer.weight.copy_(normal(O, o.answer, fan_in=o.answer))
            self.hidden.bias.zero_()
            self.answer.bias.zero_()

    def forward(self, batch):
        o, mask = self.o, batch.mask
        c = self.words(batch.rows).flatten(2)  # (7) [B x I x S d_c]
        keys = torch.einsum("bif,hdf->bhid", c, self.key)  # (8)
        values = torch.einsum("bif,hdf->bhid", c, self.value)  # (9)
        q = torch.einsum("bf,hdf->bhd", self.words(batch.queries).flatten(1), self.query0)  # (10)
        for _ in range(o.hops):
            h = torch.einsum("bhid,bhd->bhi", keys, q) / o.width**0.5  # (11)
            if self.mix is not None:
                I = h.shape[2]
                h = h.masked_fill(~mask[:, None], 0) @ self.mix[:I, :I].T
            w = torch.softmax(h.masked_fill(~mask[:, None], float("-inf")), -1)  # (12)
            r = torch.einsum("bhi,bhid->bhd", F.dropout(w, o.dropout, self.training), values)  # (13)
            q = self.norm((r.flatten(1) @ self.recur.T).view_as(q) + q)  # (14)
        return self.answer(F.relu(self.hidden(q.flatten(1))))  # (15)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    for name, value in (("heads", 1), ("embedding", 128), ("width", 256), ("answer", 128), ("hops", 3), ("mix", 1)):
        p.add_argument("--" + name, type=int, default=value)
    p.add_argument("--dropout", type=float, default=0.1)
    options = p.parse_args()
    memobench.serve(lambda task: MEMO(task, options))
