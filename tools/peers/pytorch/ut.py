"""The Universal Transformer encoder as MEMO's paper compares it: rows and query
are tokens, one pre-norm block is applied several times, and the answer is read
from the query's token. Codes of positions and steps are tensor2tensor's. Answers
share the embedded rows, and nothing else."""

import math

import torch
import torch.nn.functional as F

from words import constant, normal

FORMS = ("",)
EPSILON = 1e-6  # of LayerNorm, tensor2tensor's


def timing(n, d):
    """Codes of 0 to n-1, [n x d]: all sines, then all cosines."""
    half = d // 2
    rate = torch.exp(-torch.arange(half, dtype=torch.float64) * math.log(1e4) / max(half - 1, 1))
    angle = torch.arange(n, dtype=torch.float64).unsqueeze(1) * rate
    return F.pad(torch.cat([angle.sin(), angle.cos()], 1), (0, d - 2 * half)).to(torch.get_default_dtype())


class Model(torch.nn.Module):
    def __init__(self, config, shape, form):
        super().__init__()
        for key, want in dict(halting="none", answer_from="query").items():
            if config[key] != want:
                raise SystemExit(f"ut: {key} = {config[key]!r}: the peer has {want!r} only")
        self.config = config
        self.Wc = normal(shape["vocabulary"], config["embedding"], std=1)
        self.We, self.be = normal(config["hidden"], shape["row_width"] * config["embedding"]), constant(0, config["hidden"])
        self.appends = config.get("answers", "requery") == "append"
        self.answers = torch.nn.ModuleList(Answer(config, shape, int(self.appends and a > 0)) for a in range(shape["answers"]))

    def forward(self, batch):
        """Scores [B x O] of each answer."""
        stored = batch.spread(F.linear(batch.rows.joined(self.Wc), self.We, self.be))
        # Tokens stand first, [n x B x hidden]: heads are then views, not copies.
        stored = [x.transpose(0, 1) for x in stored]
        scores = []
        for answer in self.answers:
            query = batch.query(scores, self.config["teacher_forcing"], self.appends).joined(self.Wc)
            scores.append(batch.each(answer, F.linear(query, answer.Weq, answer.beq), stored))
        return scores


class Answer(torch.nn.Module):
    """An encoder, which groups of examples pass one after another."""

    def __init__(self, config, shape, appended):
        super().__init__()
        self.config = config
        hidden, attention, transition = config["hidden"], config["attention"], config["transition"]
        self.Weq, self.beq = normal(hidden, (shape["query_width"] + appended) * config["embedding"]), constant(0, hidden)
        self.ln1_g, self.ln1_b = constant(1, hidden), constant(0, hidden)
        self.Wq, self.Wk, self.Wv = (normal(attention, hidden) for _ in range(3))
        self.Wo = normal(hidden, attention)
        self.ln2_g, self.ln2_b = constant(1, hidden), constant(0, hidden)
        self.W1, self.b1 = normal(transition, hidden), constant(0, transition)
        self.W2, self.b2 = normal(hidden, transition), constant(0, hidden)
        self.lnf_g, self.lnf_b = constant(1, hidden), constant(0, hidden)
        self.Wa, self.ba = normal(shape["vocabulary"], hidden), constant(0, shape["vocabulary"])
        codes = timing(config["recurrent_steps"], hidden).unsqueeze(1)
        if config["position"]:
            codes = codes + timing(shape["max_rows"] + 1, hidden)
        self.register_buffer("codes", codes.unsqueeze(2), persistent=False)  # [T x (I + 1 or 1) x 1 x hidden]

    def drop(self, x, kind):
        return F.dropout(x, self.config["dropout_" + kind], self.training)

    def forward(self, group, asked, stored):
        """Scores [n x O] of embedded queries [n x hidden] about rows [I x n x hidden]."""
        z = self.drop(self.append(group, asked, stored), "residual")
        width = z.shape[-1:]
        for code in self.codes[:, :len(z)]:
            z = z + code
            z = z + self.drop(self.attend(group, F.layer_norm(z, width, self.ln1_g, self.ln1_b, EPSILON)), "residual")
            y = F.layer_norm(z, width, self.ln2_g, self.ln2_b, EPSILON)
            y = F.linear(self.drop(F.relu(F.linear(y, self.W1, self.b1)), "relu"), self.W2, self.b2)
            z = z + self.drop(y, "residual")
        z = z[-1] if group.empty is None else z[group.lengths, torch.arange(group.n)]
        return F.linear(F.layer_norm(z, width, self.lnf_g, self.lnf_b, EPSILON), self.Wa, self.ba)

    def append(self, group, asked, stored):
        """Tokens [(I + 1) x n x hidden]: the query stands right behind the rows of its example."""
        tokens = torch.cat([stored, asked.unsqueeze(0)])
        if group.empty is None:
            return tokens
        # The last token changes places with the first empty one.
        order = torch.arange(len(tokens)).unsqueeze(1).repeat(1, group.n)
        example = torch.arange(group.n)
        order[group.lengths, example] = group.longest
        order[group.longest, example] = group.lengths
        return F.embedding(order * group.n + example, tokens.flatten(0, 1))

    def attend(self, group, y):
        """What every token reads from all tokens of its example, [n x B x hidden]."""
        n, batch, heads = y.shape[0], y.shape[1], self.config["heads"]

        def project(weight):
            return F.linear(y, weight).view(n, batch * heads, -1).transpose(0, 1)

        q, k, v = project(self.Wq), project(self.Wk), project(self.Wv)
        h = torch.bmm(q * (1 / math.sqrt(q.shape[-1])), k.transpose(1, 2))
        if group.empty is not None:
            beyond = torch.arange(n) > group.lengths.unsqueeze(1)
            h.view(batch, -1, n).masked_fill_(beyond.unsqueeze(1), float("-inf"))
        r = torch.bmm(self.drop(h.softmax(-1), "attention"), v)
        return F.linear(r.transpose(0, 1).reshape(n, batch, -1), self.Wo)
