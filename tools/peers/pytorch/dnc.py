"""The Differentiable Neural Computer (Graves et al., Nature 2016) as MEMO's
paper compares it: one step for each row, one for the query, and pondering steps
without input, after which the answer is read. One write head. Of several answers each
is given after its share of these steps (answers ponder), or continues from the one
before with a query of its own as one more input (requery)."""

import torch
import torch.nn.functional as F

from words import constant, normal

FORMS = ("",)


class Model(torch.nn.Module):
    def __init__(self, config, shape, form):
        super().__init__()
        self.config, self.slots = config, config["slots"] or min(shape["max_rows"], 256)
        dc, width, hidden, heads, word = (config[k] for k in ("embedding", "input", "hidden", "read_heads", "word"))
        reads = heads * word
        # Read keys and strengths, write key and strength, erase, write vector,
        # free gates, allocation gate, write gate, read modes.
        self.pieces = [reads, heads, word, 1, word, word, heads, 1, 1, 3 * heads]
        self.Wc = normal(shape["vocabulary"], dc, std=1)
        self.We, self.be = normal(width, shape["row_width"] * dc), constant(0, width)
        self.Wx, self.Wh, self.b = normal(4 * hidden, width + reads), normal(4 * hidden, hidden), constant(0, 4 * hidden)
        self.Wi, self.bi = normal(sum(self.pieces), hidden), constant(0, sum(self.pieces))
        self.requery = config.get("answers", "requery") == "requery"
        self.answers = torch.nn.ModuleList(Answer(config, shape, reads, self.requery or a == 0) for a in range(shape["answers"]))

    def forward(self, batch):
        """Scores [B x O] of each answer."""
        config, heads, word = self.config, self.config["read_heads"], self.config["word"]
        n, width = len(batch.lengths), config["input"]
        # The inputs' part of the gates does not wait for the memory's.
        into, self.recurrent = self.Wx[:, :width], torch.cat([self.Wx[:, width:], self.Wh], 1)
        rows = F.linear(F.linear(batch.rows.joined(self.Wc), self.We, self.be), into, self.b)
        self.state = [rows.new_zeros(n, size) for size in (config["hidden"], config["hidden"], heads * word)]
        self.memory = Memory(rows, n, self.slots, word, heads, config["content_epsilon"])
        scores, ponder, last = [], config["ponder"], None
        for a, answer in enumerate(self.answers):
            lengths, steps, query = batch.lengths if a == 0 else torch.zeros_like(batch.lengths), ponder, rows[:0]
            if not self.requery:
                steps = ponder * (a + 1) // len(self.answers) - ponder * a // len(self.answers)
            if a == 0 or self.requery:
                query = batch.query(scores, config["teacher_forcing"]).joined(self.Wc)
                query = F.linear(F.linear(query, answer.Weq, answer.beq), into, self.b)
            if len(query) or steps:
                last = self.run(rows, query, lengths, steps)
            scores.append(answer(last))
        return scores

    def run(self, rows, query, lengths, ponder):
        """Steps through lengths [B] rows, the longest first, the query, if any, and the
        pondering; what each example's last step gives, [B x (hidden + heads W)].

        An example that has ended leaves the computation.
        """
        asks = int(len(query) > 0)
        steps = lengths + asks + ponder
        t, example = torch.meshgrid(torch.arange(int(steps[0])), torch.arange(len(steps)), indexing="ij")
        first = lengths.cumsum(0) - lengths
        line = torch.where(t < lengths, first + t, torch.where((t == lengths) & (asks > 0), len(rows) + example, len(rows) + len(query)))
        active = (t < steps).sum(1).tolist()
        driven = F.embedding(line[t < steps], torch.cat([rows, query, self.b.unsqueeze(0)])).split(active)
        ended, memory = [], self.memory
        h, cell, vectors = self.state
        for x in driven:
            if len(x) < len(h):
                ended.append(torch.cat([h[len(x):], vectors[len(x):]], 1))
                h, cell, vectors = h[:len(x)], cell[:len(x)], vectors[:len(x)]
                memory.keep(len(x))
            h, cell, vectors = self.step(x, h, cell, vectors)
        if ended and len(self.answers) > 1:
            raise SystemExit("dnc: several answers about memories of different lengths: the peer has no such form")
        self.state = [h, cell, vectors]
        ended.append(torch.cat([h, vectors], 1))
        return torch.cat(ended[::-1])

    def step(self, x, h, cell, vectors):
        """The controller's state [B x hidden] twice and what is read [B x heads W] after an
        input x [B x 4 hidden]."""
        i, f, o, g = (x + F.linear(torch.cat([vectors, h], 1), self.recurrent)).chunk(4, 1)
        cell = f.sigmoid() * cell + i.sigmoid() * g.tanh()
        h = o.sigmoid() * cell.tanh()
        return h, cell, self.memory.step(F.linear(h, self.Wi, self.bi).split(self.pieces, 1))

    def compile(self):
        """Compiles one step instead of a graph of all steps of a sequence."""
        self.step = torch.compile(self.step)


class Answer(torch.nn.Module):
    """An answer's own layers; the controller and the memory are shared."""

    def __init__(self, config, shape, reads, queries):
        super().__init__()
        width = config["input"]
        if queries:
            self.Weq, self.beq = normal(width, shape["query_width"] * config["embedding"]), constant(0, width)
        self.Wy, self.by = normal(config["output"], config["hidden"] + reads), constant(0, config["output"])
        self.Wa, self.ba = normal(shape["vocabulary"], config["output"]), constant(0, shape["vocabulary"])

    def forward(self, last):
        return F.linear(F.linear(last, self.Wy, self.by), self.Wa, self.ba)


def oneplus(x):
    return 1 + F.softplus(x)


class Memory:
    """The memory and its bookkeeping, all 0 at first."""

    def __init__(self, like, batch, slots, word, heads, epsilon):
        self.heads, self.word, self.epsilon = heads, word, epsilon
        self.rows = like.new_zeros(batch, slots, word)
        self.usage, self.precedence, self.written = (like.new_zeros(batch, slots) for _ in range(3))
        self.links = like.new_zeros(batch, slots, slots)
        self.read = like.new_zeros(batch, heads, slots)
        self.off_diagonal = 1 - torch.eye(slots, dtype=like.dtype)

    def keep(self, n):
        """Goes on with the first n examples."""
        for name in ("rows", "usage", "precedence", "written", "links", "read"):
            setattr(self, name, getattr(self, name)[:n])

    def content(self, keys, strengths):
        """Weights [B x heads x N] by the cosine of keys [B x heads x W] and slots.

        Products are divided by the norms, not the memory: that is much smaller.
        """

        def inverse_norm(v):
            return (v.square().sum(-1) + self.epsilon).rsqrt()

        scale = (inverse_norm(keys) * strengths).unsqueeze(-1) * inverse_norm(self.rows).unsqueeze(1)
        return (keys @ self.rows.transpose(1, 2) * scale).softmax(-1)

    def allocation(self):
        """Weights [B x N] of free slots, the least used first."""
        sorted_usage, order = self.usage.sort(dim=1, stable=True)
        before = F.pad(sorted_usage[:, :-1], (1, 0), value=1.0).cumprod(1)
        return torch.zeros_like(self.usage).scatter(1, order, (1 - sorted_usage) * before)

    def step(self, pieces):
        """Writes and reads once; what was read, [B x heads W]."""
        keys, strengths, write_key, write_strength, erase, vector, free, allocate, write, modes = pieces
        keys, modes = keys.unflatten(1, (self.heads, self.word)), modes.unflatten(1, (self.heads, 3)).softmax(-1)

        retained = (1 - free.sigmoid().unsqueeze(-1) * self.read).prod(1)
        self.usage = (self.usage + self.written - self.usage * self.written) * retained
        content = self.content(write_key.unsqueeze(1), oneplus(write_strength)).squeeze(1)
        share = allocate.sigmoid()
        w = write.sigmoid() * (share * self.allocation() + (1 - share) * content)
        line = w.unsqueeze(-1)
        # M (1 - w e^T) + w v^T with the fewest arrays of the memory's size.
        self.rows = torch.addcmul(self.rows, line, vector.unsqueeze(1) - self.rows * erase.sigmoid().unsqueeze(1))

        column = w.unsqueeze(1)
        self.links = ((1 - line - column) * self.links + line * self.precedence.unsqueeze(1)) * self.off_diagonal
        self.precedence = (1 - w.sum(1, keepdim=True)) * self.precedence + w
        self.written = w

        onward, backward = self.read @ self.links.transpose(1, 2), self.read @ self.links
        content = self.content(keys, oneplus(strengths))
        self.read = modes[..., 0:1] * backward + modes[..., 1:2] * content + modes[..., 2:3] * onward
        return (self.read @ self.rows).flatten(1)
