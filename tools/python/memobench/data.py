"""What a model sees: the sizes of a task, and batches of questions."""
from __future__ import annotations

from typing import Any, Mapping, Sequence

import numpy as np

NO_WORD = -1


class Task:
    """Sizes and settings of a task.

    vocabulary   O: answers are 0 to O-1, and so are words unless they index a table of vectors
    max_rows     I: rows of the longest memory
    row_width    S: words of a row
    query_width  S_q: words of a query
    answers      A: answers per question
    item_dim     d: features of an item where words index a table of vectors, else 0
    temporal     whether rows are in the order in which they happened
    seed         of weights and training batches
    training     the recipe of the study: optimizer, learning_rate, warmup, plateau_fraction, power,
                 end_rate, clip_norm, weight_decay, steps; {} for batches(), where it is yours
    """

    vocabulary: int
    max_rows: int
    row_width: int
    query_width: int
    answers: int
    item_dim: int
    temporal: bool
    seed: int
    training: dict[str, Any]

    def __init__(self, fields: Mapping[str, Any]):
        self.item_dim, self.temporal, self.seed, self.training = 0, False, 0, {}
        self.__dict__.update(fields)


class Batch:
    """B questions with their memories, as NumPy arrays of int32. Word -1 is no word.

    rows     [R x S] the rows of all memories, one memory after the other
    offsets  [B+1] int64: question b has rows offsets[b] to offsets[b+1]-1
    queries  [B x S_q]
    targets  [B x A] the right answers; None where memobench evaluates
    kinds    [B] the kind of each question, an index; None where memobench evaluates
    items    [U x d] float32, where words index a table of vectors; else None
    step     updates done before this batch; None where memobench evaluates
    ids      the name of each question, for score(); None in serve()
    """

    def __init__(self, arrays: Mapping[str, np.ndarray], step: int | None = None, ids: Sequence[str] | None = None):
        self.rows, self.offsets, self.queries = arrays["rows"], arrays["offsets"], arrays["queries"]
        self.targets, self.kinds, self.items = arrays.get("targets"), arrays.get("kinds"), arrays.get("items")
        self.step, self.ids = step, ids

    def __len__(self) -> int:
        return len(self.queries)

    def padded(self) -> tuple[np.ndarray, np.ndarray]:
        """Returns the rows as [B x I x S], padded with -1 at the end of each memory, where I is the length of
        the longest, and a mask [B x I] that is true for rows that exist."""
        lengths = np.diff(self.offsets)
        mask = np.arange(lengths.max(initial=0)) < lengths[:, None]
        rows = np.full(mask.shape + self.rows.shape[1:], NO_WORD, self.rows.dtype)
        rows[mask] = self.rows
        return rows, mask
