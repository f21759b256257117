"""MEMO with a fixed number of hops, equations 7 to 15 of its paper, in two forms
that compute the same function:

literal      builds keys and values of all rows and reads them at every hop;
associative  projects the query instead: K q = C (W_k^T q), w V = (w C) W_v^T.

Answers share the embedding, keys and values, and nothing else.
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
        if form not in FORMS:
            raise SystemExit(f"memo: form {form!r}: want {' or '.join(FORMS)}")
        self.form, self.config = form, config
        heads, d, dc = config["heads"], config["width"], config["embedding"]
        timed = config["time_encoding"] == "on" or config["time_encoding"] == "auto" and shape["temporal"]
        row = (shape["row_width"] + timed) * dc
        self.Wc = normal(shape["vocabulary"], dc, std=1)
        self.Wk, self.Wv = normal(heads, d, row), normal(heads, d, row)
        self.answers = torch.nn.ModuleList(Answer(config, shape) for _ in range(shape["answers"]))
        self.register_buffer("codes", time_codes(shape["max_rows"], dc) if timed else None, persistent=False)

    def forward(self, batch):
        """Scores [B x O] of each answer."""
        c = batch.rows.joined(self.Wc)
        if self.codes is not None:
            c = torch.cat([c, self.codes[batch.ages]], -1)
        memory = (Literal if self.form == "literal" else Associative)(self, batch, c)
        scores = []
        for answer in self.answers:
            query = batch.query(scores, self.config["teacher_forcing"]).joined(self.Wc)
            scores.append(answer(memory, query))
        return scores


def time_codes(n, d):
    """Sinusoidal codes of ages 0 to n-1 (Vaswani et al. 2017), [n x d]."""
    j = torch.arange(d)
    angle = torch.arange(n, dtype=torch.float64).unsqueeze(1) / torch.pow(1e4, (j - j % 2).double() / d)
    return torch.where(j % 2 == 0, angle.sin(), angle.cos()).to(torch.get_default_dtype())


class Answer(torch.nn.Module):
    def __init__(self, config, shape):
        super().__init__()
        self.config = config
        heads, d, words, rows = config["heads"], config["width"], shape["vocabulary"], shape["max_rows"]
        self.Wq0 = normal(heads, d, shape["query_width"] * config["embedding"])
        self.Wh = torch.nn.Parameter(torch.eye(rows)) if config["wh"] != "none" else None
        self.Wq = normal(heads * d, heads * d)
        self.ln_g, self.ln_b = constant(1, d), constant(0, d)
        self.Wqa, self.Wa = normal(config["answer_width"], heads * d), normal(words, config["answer_width"])
        biases = config["answer_bias"]
        self.bqa = constant(0, config["answer_width"]) if biases else None
        self.ba = constant(0, words) if biases else None

    def forward(self, memory, query):
        """Scores [B x O] of embedded queries [B x S_q d_c]."""
        config = self.config
        heads, d = config["heads"], config["width"]
        q = F.linear(query, self.Wq0.flatten(0, 1)).unflatten(-1, (heads, d))
        for _ in range(config["hops"]):
            r = memory.read(q, self.weights)
            r = F.linear(r.flatten(-2), self.Wq).unflatten(-1, (heads, d))
            q = F.layer_norm(r + q, (d,), self.ln_g, self.ln_b)
        hidden = F.relu(F.linear(q.flatten(-2), self.Wqa, self.bqa))
        return F.linear(F.dropout(hidden, config["dropout_output"], self.training), self.Wa, self.ba)

    def weights(self, group, h):
        """Attention weights of products h [n x H x I] of a group."""
        h = h / math.sqrt(self.config["width"])
        if self.Wh is not None:
            if group.empty is not None:  # an empty row adds nothing to another's logit
                h = h.masked_fill(group.empty.unsqueeze(1), 0.0)
            h = F.linear(h, self.Wh[:group.longest, :group.longest])
        return F.dropout(group.mask(h).softmax(-1), self.config["dropout_attention"], self.training)


class Literal:
    """Keys and values, [n H x I x d] of each group of n examples."""

    def __init__(self, model, batch, c):
        self.batch, self.heads = batch, model.config["heads"]

        def build(weight):
            return [x.unflatten(-1, (self.heads, -1)).transpose(1, 2).flatten(0, 1)
                    for x in batch.spread(F.linear(c, weight.flatten(0, 1)))]

        self.k, self.v = build(model.Wk), build(model.Wv)

    def read(self, q, weigh):
        """What queries [B x H x d] read, [B x H x d]."""

        def one(group, q, k, v):
            h = torch.bmm(k, q.flatten(0, 1).unsqueeze(-1)).view(group.n, self.heads, -1)
            w = weigh(group, h).flatten(0, 1).unsqueeze(1)
            return torch.bmm(w, v).view(group.n, self.heads, -1)

        return self.batch.each(one, q, self.k, self.v)


class Associative:
    """Embedded rows C, [n x I x S d_c] of each group; products per head of [B x d] with [d x S d_c]."""

    def __init__(self, model, batch, c):
        self.batch, self.c, self.k, self.v = batch, batch.spread(c), model.Wk, model.Wv.transpose(1, 2)

    def read(self, q, weigh):
        """What queries [B x H x d] read, [B x H x d]."""

        def one(group, u, c):
            return torch.bmm(weigh(group, torch.bmm(u, c.transpose(1, 2))), c)

        u = torch.bmm(q.transpose(0, 1), self.k).transpose(0, 1)
        z = self.batch.each(one, u, self.c)
        return torch.bmm(z.transpose(0, 1), self.v).transpose(0, 1)
