"""The Universal Transformer encoder as MEMO's paper compares it: rows and query
are tokens, one pre-norm block is applied several times, and the answer is read
from the query's token. Codes of positions and steps are tensor2tensor's."""

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
        dc, hidden, attention, transition = (config[k] for k in ("embedding", "hidden", "attention", "transition"))
        self.Wc = normal(shape["vocabulary"], dc, std=1)
        self.We, self.be = normal(hidden, shape["row_width"] * dc), constant(0, hidden)
        self.Weq, self.beq = normal(hidden, shape["query_width"] * dc), constant(0, hidden)
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

    def forward(self, rows, query):
        """Scores [B x O] of queries [B x S_q] about rows [B x I x S]."""
        stored = F.linear(rows.joined(self.Wc), self.We, self.be)
        asked = F.linear(query.joined(self.Wc), self.Weq, self.beq)
        # Tokens stand first, [n x B x hidden]: heads are then views, not copies.
        z = self.drop(torch.cat([stored.transpose(0, 1), asked.unsqueeze(0)]), "residual")
        width = z.shape[-1:]
        for code in self.codes:
            z = z + code
            z = z + self.drop(self.attend(F.layer_norm(z, width, self.ln1_g, self.ln1_b, EPSILON)), "residual")
            y = F.layer_norm(z, width, self.ln2_g, self.ln2_b, EPSILON)
            y = F.linear(self.drop(F.relu(F.linear(y, self.W1, self.b1)), "relu"), self.W2, self.b2)
            z = z + self.drop(y, "residual")
        return F.linear(F.layer_norm(z[-1], width, self.lnf_g, self.lnf_b, EPSILON), self.Wa, self.ba)

    def attend(self, y):
        """What every token reads from all tokens of its example, [n x B x hidden]."""
        n, batch, heads = y.shape[0], y.shape[1], self.config["heads"]

        def project(weight):
            return F.linear(y, weight).view(n, batch * heads, -1).transpose(0, 1)

        q, k, v = project(self.Wq), project(self.Wk), project(self.Wv)
        w = torch.bmm(q * (1 / math.sqrt(q.shape[-1])), k.transpose(1, 2)).softmax(-1)
        r = torch.bmm(self.drop(w, "attention"), v)
        return F.linear(r.transpose(0, 1).reshape(n, batch, -1), self.Wo)
