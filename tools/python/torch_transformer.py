"""A Transformer encoder in PyTorch over the memory rows and the query, one token each."""
import memobench.torch
import torch
from torch import nn


class Transformer(memobench.torch.Module):
    def __init__(self, task, width=64, heads=4, layers=2):
        super().__init__(task)
        self.words = nn.Embedding(task.vocabulary + 1, width, padding_idx=0)
        self.row = nn.Linear(task.row_width * width, width)
        self.query = nn.Linear(task.query_width * width, width)
        self.age = nn.Embedding(task.max_rows, width) if task.temporal else None
        layer = nn.TransformerEncoderLayer(width, heads, 2 * width, dropout=0, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.answer = nn.Linear(width, task.answers * task.vocabulary)

    def forward(self, batch):
        tokens, mask = self.row(self.words(batch.rows).flatten(2)), batch.mask
        if self.age is not None:
            ages = mask.sum(1, keepdim=True) - 1 - torch.arange(mask.shape[1], device=mask.device)  # 0 for the latest row
            tokens = tokens + self.age(ages.clamp(min=0))
        tokens = torch.cat([self.query(self.words(batch.queries).flatten(1))[:, None], tokens], 1)
        padding = torch.cat([torch.zeros_like(mask[:, :1]), ~mask], 1)
        read = self.encoder(tokens, src_key_padding_mask=padding)[:, 0]
        return self.answer(read).unflatten(1, (self.task.answers, self.task.vocabulary))


if __name__ == "__main__":
    memobench.serve(Transformer)
