"""What the four models share: word ids, their embeddings, initial values.

A batch's words are ids [... x S], -1 for an empty slot, whose embedding is 0.
"""

import math

import torch
import torch.nn.functional as F


class Words:
    """Word ids, with the empty slots known beforehand: most batches have none."""

    def __init__(self, ids):
        self.empty = (ids < 0).unsqueeze(-1) if bool((ids < 0).any()) else None
        self.ids = ids.clamp(min=0)

    def embed(self, table):
        """The words' lines of table [O x d]: [... x S x d]."""
        found = F.embedding(self.ids, table)
        return found if self.empty is None else found.masked_fill(self.empty, 0.0)

    def joined(self, table):
        """The embeddings of a line's words side by side: [... x S d]."""
        return self.embed(table).flatten(-2)


def place(model, parameters):
    """Names of the model's parameters for {"Wa": ..., "Wa.2": ...}, where ".2"
    marks those of the second answer."""
    known, placed = set(model.state_dict()), {}
    for name, value in parameters.items():
        base, _, number = name.partition(".")
        own = f"answers.{int(number or 1) - 1}.{base}"
        placed[own if own in known else name] = value
    return placed


def normal(*shape, std=None):
    """A parameter drawn from N(0, std^2), by default one over its fan-in."""
    std = 1 / math.sqrt(shape[-1]) if std is None else std
    return torch.nn.Parameter(torch.randn(*shape) * std)


def constant(value, *shape):
    return torch.nn.Parameter(torch.full(shape, float(value)))
