"""The End-to-End Memory Network with weights shared by all hops, as in section
2.1 of MEMO's paper. Tables are word-major, [O x d]. Answers share keys and
values, and nothing else."""

import torch
import torch.nn.functional as F

from words import normal

FORMS = ("",)


def position_encoding(words, d):
    """l [S x d] of Sukhbaatar et al. 2015, positions counted from 1."""
    s = torch.arange(1.0, words + 1).unsqueeze(1) / words
    j = torch.arange(1.0, d + 1) / d
    return (1 - s) - j * (1 - 2 * s)


def total(words, table, code):
    """Sums [... x d] of the words' lines of table, weighted by code [S x d]."""
    found = words.embed(table)
    return (found if code is None else found * code).sum(-2)


class Model(torch.nn.Module):
    def __init__(self, config, shape, form):
        super().__init__()
        self.config = config
        d, words, std = config["width"], shape["vocabulary"], config["init_std"]
        self.Wk, self.Wv = normal(words, d, std=std), normal(words, d, std=std)
        self.Tk = self.Tv = None
        if config["temporal"] == "on" or config["temporal"] == "auto" and shape["temporal"]:
            self.Tk, self.Tv = normal(shape["max_rows"], d, std=std), normal(shape["max_rows"], d, std=std)
        self.answers = torch.nn.ModuleList(Answer(config, shape) for _ in range(shape["answers"]))
        code = position_encoding(shape["row_width"], d)
        self.register_buffer("key_code", code if config["position_encoding"] else None, persistent=False)
        self.register_buffer("value_code", code if config["position_on_values"] else None, persistent=False)

    def forward(self, batch):
        """Scores [B x O] of each answer."""

        def memory(table, code, ages):
            m = total(batch.rows, table, code)
            m = m if ages is None else m + F.embedding(batch.ages, ages)
            return m if batch.uneven else batch.spread(m)

        k, v = memory(self.Wk, self.key_code, self.Tk), memory(self.Wv, self.value_code, self.Tv)
        scores = []
        for answer in self.answers:
            scores.append(answer(batch, k, v, batch.query(scores, self.config["teacher_forcing"])))
        return scores


class Answer(torch.nn.Module):
    def __init__(self, config, shape):
        super().__init__()
        d, words = config["width"], shape["vocabulary"]
        self.hops = config["hops"]
        self.Wq, self.Wqv, self.Wa = normal(words, d, std=config["init_std"]), torch.nn.Parameter(torch.eye(d)), normal(words, d)
        code = position_encoding(shape["query_width"], d) if config["position_on_query"] else None
        self.register_buffer("code", code, persistent=False)

    def forward(self, batch, k, v, query):
        def read(group, q, k, v):
            h = torch.bmm(q.unsqueeze(1), k.transpose(1, 2))
            return torch.bmm(group.mask(h).softmax(-1), v).squeeze(1)

        q = total(query, self.Wq, self.code)
        for _ in range(self.hops):
            r = batch.attend(q, k, v) if batch.uneven else batch.each(read, q, k, v)
            q = r + F.linear(q, self.Wqv)
        return F.linear(q, self.Wa)
