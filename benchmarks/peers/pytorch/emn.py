"""The End-to-End Memory Network with weights shared by all hops, as in section
2.1 of MEMO's paper. Tables are word-major, [O x d]."""

import torch
import torch.nn.functional as F

from words import normal

FORMS = ("",)


def position_encoding(words, d):
    """l [S x d] of Sukhbaatar et al. 2015, positions counted from 1."""
    s = torch.arange(1.0, words + 1).unsqueeze(1) / words
    j = torch.arange(1.0, d + 1) / d
    return (1 - s) - j * (1 - 2 * s)


class Model(torch.nn.Module):
    def __init__(self, config, shape, form):
        super().__init__()
        if config["temporal"] == "on" or config["temporal"] == "auto" and shape["temporal"]:
            raise SystemExit("emn: temporal: the peer has no ages of rows")
        self.config = config
        d, words = config["width"], shape["vocabulary"]
        self.Wk, self.Wv, self.Wq = (normal(words, d, std=config["init_std"]) for _ in range(3))
        self.Wqv = torch.nn.Parameter(torch.eye(d))
        self.Wa = normal(words, d)
        self.register_buffer("row", position_encoding(shape["row_width"], d), persistent=False)
        self.register_buffer("query", position_encoding(shape["query_width"], d), persistent=False)

    def forward(self, rows, query):
        """Scores [B x O] of queries [B x S_q] about rows [B x I x S]."""

        def total(words, table, code, encoded):
            found = words.embed(table)
            return (found * code if encoded else found).sum(-2)

        k = total(rows, self.Wk, self.row, self.config["position_encoding"])
        v = total(rows, self.Wv, self.row, self.config["position_on_values"])
        q = total(query, self.Wq, self.query, self.config["position_on_query"])
        for _ in range(self.config["hops"]):
            w = (k @ q.unsqueeze(-1)).squeeze(-1).softmax(-1)
            q = (w.unsqueeze(1) @ v).squeeze(1) + F.linear(q, self.Wqv)
        return F.linear(q, self.Wa)
