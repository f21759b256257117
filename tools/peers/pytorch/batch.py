"""A batch of examples whose memories differ in length, arranged once, outside of
what is timed:

packed   rows of all examples one after another, the longest memories first; what
         relates a query to its rows works on groups of similar length, each
         padded to the longest memory of the group;
padded   every memory padded with empty rows to the task's longest.

Where all memories are full, the two are the same and nothing is padded.
"""

import torch
import torch.nn.functional as F

from words import Words

ROWS = ("packed", "padded")

# A group holds lengths down to this share of its longest.
SIMILAR = 0.75
SMALL = 4  # lengths up to this one are all similar


class Group:
    """Examples of similar length: n of them, the longest of which has `longest` rows."""

    def __init__(self, lengths):
        self.n, self.longest, self.rows = len(lengths), lengths[0], sum(lengths)
        self.lengths = torch.tensor(lengths)
        self.index = self.empty = None
        if lengths[-1] == lengths[0]:
            return
        slot = torch.arange(self.longest)
        first = self.lengths.cumsum(0) - self.lengths
        self.empty = slot >= self.lengths.unsqueeze(1)  # [n x longest]
        # Empty slots repeat a row, which attention then weights with 0.
        self.index = (first.unsqueeze(1) + slot).masked_fill(self.empty, 0)

    def spread(self, x):
        """Lines [rows x d] as [n x longest x d]."""
        if self.index is None:
            return x.unflatten(0, (self.n, self.longest))
        return F.embedding(self.index, x)

    def mask(self, logits):
        """logits [n x H x longest], minus infinity at empty slots."""
        return logits if self.empty is None else logits.masked_fill(self.empty.unsqueeze(1), float("-inf"))


class Batch:
    """What train_step.py reads of a batch: rows, offsets, queries, targets, as in
    datasets.Batch, flat lists."""

    def __init__(self, words, shape, rows="packed"):
        offsets = torch.tensor(words["offsets"])
        lengths = offsets.diff()
        order = lengths.argsort(descending=True, stable=True)
        memory = torch.tensor(words["rows"]).view(-1, shape["row_width"]).split(lengths.tolist())
        lengths = lengths[order].tolist()
        self.order, full = order, shape["max_rows"]
        if rows == "padded":
            parts = [F.pad(memory[i], (0, 0, 0, full - len(memory[i])), value=-1) for i in order]
            group = Group([full] * len(parts))
            if lengths[-1] < full:
                group.empty = torch.arange(full) >= torch.tensor(lengths).unsqueeze(1)
            self.groups = [group]
        else:
            parts, self.groups, start = [memory[i] for i in order], [], 0
            for i in range(1, len(lengths) + 1):
                if i == len(lengths) or lengths[i] < lengths[start] * SIMILAR and lengths[start] > SMALL:
                    self.groups.append(Group(lengths[start:i]))
                    start = i
        self.lengths = torch.tensor(lengths)
        self.uneven = rows == "packed" and lengths[-1] < lengths[0]
        self.first = self.lengths.cumsum(0) - self.lengths
        self.line = torch.arange(sum(lengths))
        self.example = torch.arange(len(lengths)).repeat_interleave(self.lengths)  # of each line
        self.rows = Words(torch.cat(parts))
        # The most recent row of an example has age 0.
        self.ages = torch.cat([torch.arange(n - 1, n - 1 - len(part), -1).clamp(min=0) for n, part in zip(lengths, parts)])
        answers = shape["answers"]
        self.targets = torch.tensor(words["targets"]).view(-1, answers)[order].unbind(1)
        self.asked = torch.tensor(words["queries"]).view(-1, shape["query_width"])[order]
        self.slot, self.queries = shape["query_slot"], {}

    def answered(self, answer, append):
        """The queries with answers [B] in their place, or as one more word."""
        if append:
            return Words(torch.cat([self.asked, answer.unsqueeze(1)], 1))
        ids = self.asked.clone()
        ids[:, self.slot] = answer
        return Words(ids)

    def query(self, scores, forced, append=False):
        """The queries of the next answer after those with the given scores."""
        if scores and not forced:
            return self.answered(scores[-1].argmax(1), append)
        a = len(scores)
        if a not in self.queries:  # arranged once
            self.queries[a] = self.answered(self.targets[a - 1], append) if a else Words(self.asked)
        return self.queries[a]

    def spread(self, x):
        """Lines [R x d] of all rows as [n x longest x d] of each group."""
        parts = x.split([g.rows for g in self.groups]) if len(self.groups) > 1 else [x]
        return [g.spread(part) for g, part in zip(self.groups, parts)]

    def each(self, f, x, *memories):
        """f(group, the group's part of x [B x ...], and of every memory), joined again."""
        if len(self.groups) == 1:
            return f(self.groups[0], x, *(m[0] for m in memories))
        parts = x.split([g.n for g in self.groups])
        return torch.cat([f(*arguments) for arguments in zip(self.groups, parts, *memories)])

    def attend(self, q, k, v):
        """softmax(k q) v, [B x d], of queries [B x d] and the packed lines [R x d] of
        their examples. Fewer and smaller arrays than groups need where one head reads."""
        h = (F.embedding(self.example, q) * k).sum(-1)
        most = h.new_full((len(q),), float("-inf")).scatter_reduce(0, self.example, h.detach(), "amax")
        e = (h - most.index_select(0, self.example)).exp()
        total = h.new_zeros(len(q)).index_add(0, self.example, e)
        w = e / total.index_select(0, self.example)
        return F.embedding_bag(self.line, v, self.first, mode="sum", per_sample_weights=w)

    def loss(self, scores):
        """Mean cross entropy of the answers' scores."""
        return sum(F.cross_entropy(s, t) for s, t in zip(scores, self.targets)) / len(scores)
