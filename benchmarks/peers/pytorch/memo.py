"""MEMO with a fixed number of hops, equations 7 to 15 of its paper, in two forms
that compute the same function:

literal      builds keys and values of all rows and reads them at every hop;
associative  projects the query instead: K q = C (W_k^T q), w V = (w C) W_v^T.
"""

import math

import torch
import torch.nn.functional as F

from words import constant, normal

FORMS = ("literal", "associative")


class Model(torch.nn.Module):
    def __init__(self, config, shape, form):
        super().__init__()
        for key, want in dict(halting="fixed", memory="separate", recurrent=True, layer_norm="head", loss="final").items():
            if config[key] != want:
                raise SystemExit(f"memo: {key} = {config[key]!r}: the peer has {want!r} only")
        if config["time_encoding"] == "on" or config["time_encoding"] == "auto" and shape["temporal"]:
            raise SystemExit("memo: time_encoding: the peer has no time code")
        if form not in FORMS:
            raise SystemExit(f"memo: form {form!r}: want {' or '.join(FORMS)}")
        self.form, self.config = form, config
        heads, d, dc = config["heads"], config["width"], config["embedding"]
        row, query, flat = shape["row_width"] * dc, shape["query_width"] * dc, heads * d
        words, rows = shape["vocabulary"], shape["max_rows"]
        self.Wc = normal(words, dc, std=1)
        self.Wk, self.Wv, self.Wq0 = normal(heads, d, row), normal(heads, d, row), normal(heads, d, query)
        self.Wh = torch.nn.Parameter(torch.eye(rows)) if config["wh"] != "none" else None
        self.Wq = normal(flat, flat)
        self.ln_g, self.ln_b = constant(1, d), constant(0, d)
        self.Wqa, self.Wa = normal(config["answer_width"], flat), normal(words, config["answer_width"])
        biases = config["answer_bias"]
        self.bqa = constant(0, config["answer_width"]) if biases else None
        self.ba = constant(0, words) if biases else None

    def forward(self, rows, query):
        """Scores [B x O] of queries [B x S_q] about rows [B x I x S]."""
        config = self.config
        heads, d = config["heads"], config["width"]
        c = rows.joined(self.Wc)
        q = F.linear(query.joined(self.Wc), self.Wq0.flatten(0, 1)).unflatten(-1, (heads, d))
        memory = (Literal if self.form == "literal" else Associative)(self, c)
        for _ in range(config["hops"]):
            h = memory.scores(q) / math.sqrt(d)
            if self.Wh is not None:
                h = F.linear(h, self.Wh)
            w = F.dropout(h.softmax(-1), config["dropout_attention"], self.training)
            r = F.linear(memory.read(w).flatten(-2), self.Wq).unflatten(-1, (heads, d))
            q = F.layer_norm(r + q, (d,), self.ln_g, self.ln_b)
        hidden = F.relu(F.linear(q.flatten(-2), self.Wqa, self.bqa))
        return F.linear(F.dropout(hidden, config["dropout_output"], self.training), self.Wa, self.ba)


class Literal:
    """Keys and values [B x H x I x d]."""

    def __init__(self, model, c):
        def split(x):
            return x.unflatten(-1, (model.config["heads"], model.config["width"])).transpose(1, 2)

        self.k = split(F.linear(c, model.Wk.flatten(0, 1)))
        self.v = split(F.linear(c, model.Wv.flatten(0, 1)))

    def scores(self, q):
        return (self.k @ q.unsqueeze(-1)).squeeze(-1)

    def read(self, w):
        return (w.unsqueeze(-2) @ self.v).squeeze(-2)


class Associative:
    """Embedded rows C [B x I x S d_c]; products per head of [B x d] with [d x S d_c]."""

    def __init__(self, model, c):
        self.c, self.k, self.v = c, model.Wk, model.Wv.transpose(1, 2)

    def scores(self, q):
        u = (q.transpose(0, 1) @ self.k).transpose(0, 1)
        return u @ self.c.transpose(1, 2)

    def read(self, w):
        z = w @ self.c
        return (z.transpose(0, 1) @ self.v).transpose(0, 1)
