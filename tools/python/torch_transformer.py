"""A Transformer encoder in PyTorch over the memory rows and the query, one token each."""
import torch
from torch import nn

import memobench
from torch_model import Base


class Transformer(Base):
    def build(self, task, width=64, heads=4, layers=2):
        self.words = nn.Embedding(task.vocabulary + 1, width, padding_idx=0)
        self.row = nn.Linear(task.row_width * width, width)
        self.query = nn.Linear(task.query_width * width, width)
        self.age = nn.Embedding(task.max_rows, width) if task.temporal else None
        layer = nn.TransformerEncoderLayer(width, heads, 2 * width, dropout=0, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.answer = nn.Linear(width, task.vocabulary)

    def forward(self, rows, mask, query):
        tokens = self.row(self.words(rows).flatten(2))
        if self.age is not None:
            ages = mask.sum(1, keepdim=True) - 1 - torch.arange(mask.shape[1], device=mask.device)  # 0 for the latest row
            tokens = tokens + self.age(ages.clamp(min=0))
        tokens = torch.cat([self.query(self.words(query).flatten(1))[:, None], tokens], 1)
        padding = torch.cat([torch.zeros_like(mask[:, :1]), ~mask], 1)
        return self.answer(self.encoder(tokens, src_key_padding_mask=padding)[:, 0])


if __name__ == "__main__":
    memobench.serve(lambda task, seed: Transformer(task, seed))
