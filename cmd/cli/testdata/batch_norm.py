"""A bag of memory rows, normalized over the batch: its statistics are buffers, not parameters."""
import memobench.torch
import torch
from torch import nn


class BN(memobench.torch.Module):
    def __init__(self, task, width=64):
        super().__init__(task)
        self.words = nn.Embedding(task.vocabulary + 1, width, padding_idx=0)
        self.row, self.norm = nn.Linear(task.row_width * width, width), nn.BatchNorm1d(width)
        self.answer = nn.Linear((1 + task.query_width) * width, task.vocabulary)

    def forward(self, batch):
        rows = self.row(self.words(batch.rows).flatten(2)).relu() * batch.mask[..., None]
        x = self.norm(rows.sum(1))
        return self.answer(torch.cat([x, self.words(batch.queries).flatten(1)], 1))


memobench.serve(BN)
