"""Networks in PyTorch: layers and forward(batch) are yours; the rest is here.

    import memobench.torch
    from torch import nn

    class Mine(memobench.torch.Module):
        def __init__(self, task):
            super().__init__(task)              # first: it seeds the layers that follow
            self.words = nn.Embedding(task.vocabulary + 1, 64, padding_idx=0)
            self.answer = nn.Linear(64, task.vocabulary)

        def forward(self, batch):               # scores, [B x O]
            return self.answer(self.words(batch.queries).sum(1))

    memobench.serve(Mine)

A network runs on the first GPU that CUDA_VISIBLE_DEVICES shows, on the CPU where there is none.
"""
from __future__ import annotations

import itertools
import json
import os
import random
from typing import Any, Mapping

os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # the same bits in every run

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from . import data
from .protocol import serve

__all__ = ["Batch", "DEVICE", "Module", "serve"]

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Batch:
    """B questions with their memories, as tensors of int64. A word is its number plus one; 0 is no word.

    rows     [B x I x S] the memories, filled up with 0 to the length of the longest
    mask     [B x I] bool: true for rows that exist
    queries  [B x S_q]
    targets  [B x A] the right answers, 0 to O-1; None where memobench evaluates
    kinds    [B] the kind of each question, an index; None where memobench evaluates
    items    [1+U x d] float32, where words index a table of vectors: items[rows] are the rows, and
             line 0 is 0; else None
    """

    def __init__(self, batch: data.Batch, device: torch.device | str = DEVICE):
        def integers(a: np.ndarray) -> torch.Tensor:
            return torch.from_numpy(a.astype(np.int64)).to(device)

        rows, mask = batch.padded()
        self.rows, self.queries = integers(rows) + 1, integers(batch.queries) + 1
        self.mask = torch.from_numpy(mask).to(device)
        self.targets = None if batch.targets is None else integers(batch.targets)
        self.kinds = None if batch.kinds is None else integers(batch.kinds)
        self.items = None if batch.items is None else F.pad(torch.from_numpy(batch.items), (0, 0, 1, 0)).to(device)

    def __len__(self) -> int:
        return len(self.queries)


class Module(nn.Module):
    """A network that memobench trains and evaluates.

    A subclass makes its layers in __init__(task), after super().__init__(task), and returns scores from
    forward(batch). It is in training mode for an update and in evaluation mode for questions. A checkpoint
    has all parameters and buffers, the state of the optimizer, and that of the random generators of
    PyTorch, NumPy and Python: a run that is resumed ends with the same bits.

    PyTorch computes on one thread, by deterministic algorithms alone. A subclass may change that after
    super().__init__(task), with torch.set_num_threads or torch.use_deterministic_algorithms.
    """

    def __init__(self, task: data.Task):
        super().__init__()
        torch.set_num_threads(1)
        torch.use_deterministic_algorithms(True)
        torch.manual_seed(task.seed)
        random.seed(task.seed)
        np.random.seed(task.seed % 2**32)
        self.task = task

    def forward(self, batch: Batch) -> torch.Tensor:
        """Returns a score for each possible answer, before softmax: [B x A x O], or [B x O] where A is 1."""
        raise NotImplementedError(f"{type(self).__name__} has no forward(batch)")

    def compute_loss(self, batch: Batch) -> torch.Tensor:
        """Returns what an update descends: the mean cross entropy per answer, in nats. A subclass may add terms
        of 0 or more."""
        return F.cross_entropy(_scores(self, batch).flatten(0, 1), batch.targets.flatten())

    def make_optimizer(self) -> torch.optim.Optimizer:
        """Returns the optimizer, here that of the study: Adam or RMSProp. A subclass may return another. Its
        learning rates are peaks: the study's schedule multiplies them by 0 to 1 before each update."""
        t = self.task.training
        if t.get("optimizer") == "rmsprop":
            return torch.optim.RMSprop(self.parameters(), t["learning_rate"])
        return torch.optim.AdamW(self.parameters(), t["learning_rate"], weight_decay=t.get("weight_decay", 0))

    def as_model(self) -> _Trainer:
        """Returns this network as a memobench.Model, which serve needs."""
        return _Trainer(self)


def _scores(module: Module, batch: Batch) -> torch.Tensor:
    """Returns what forward returns, as [B x A x O]. Raises ValueError for another shape."""
    scores, want = module(batch), (len(batch), module.task.answers, module.task.vocabulary)
    if scores.shape not in (want, want[::2]) or scores.dim() == 2 and want[1] > 1:
        raise ValueError(f"forward returned scores {list(scores.shape)}, want [B x A x O], here {list(want)}")
    return scores.reshape(want)


class _Trainer:
    """A memobench.Model that trains a Module."""

    def __init__(self, module: Module):
        self.module = module.to(DEVICE)
        self.optimizer = module.make_optimizer()
        for group in self.optimizer.param_groups:
            group["initial_lr"] = group["lr"]  # its name in torch.optim.lr_scheduler
        self.parameter_count = sum(p.numel() for p in module.parameters())
        self.learning_rate = 0.0

    def train(self, batch: data.Batch) -> tuple[float, float]:
        share = schedule(self.module.task.training, batch.step)
        for group in self.optimizer.param_groups:
            group["lr"] = group["initial_lr"] * share
        self.learning_rate = self.optimizer.param_groups[0]["lr"]
        self.module.train()
        self.optimizer.zero_grad(set_to_none=True)  # a gradient of 0 is not that of an unused layer, which is None
        loss = self.module.compute_loss(Batch(batch))
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.module.parameters(), self.module.task.training["clip_norm"] or float("inf"))
        self.optimizer.step()
        return loss.item(), norm.item()

    def predict(self, batch: data.Batch) -> np.ndarray:
        self.module.eval()
        devices = [torch.cuda.current_device()] if DEVICE.type == "cuda" else []
        with torch.no_grad(), torch.random.fork_rng(devices):  # evaluations leave the training as it is
            return _scores(self.module, Batch(batch)).float().cpu().numpy()

    def state(self) -> dict[str, np.ndarray]:
        arrays = {name: _array(name, t) for name, t in self.module.state_dict().items()}
        numbers = itertools.count()

        def place(value: Any) -> dict:  # of a tensor, which JSON does not have
            name = f"optimizer/{next(numbers)}"
            arrays[name] = _array("the optimizer's state", value)
            return {"tensor": name, "dtype": str(value.dtype).split(".")[1], "device": value.device.type}

        optimizer = self.optimizer.state_dict()
        optimizer["state"] = dict(sorted(optimizer["state"].items(), key=str))  # which are in the order of their first update
        name, keys, *position = np.random.get_state()
        text = json.dumps({
            "optimizer": optimizer, "device": DEVICE.type,
            "torch": torch.get_rng_state(), "cuda": torch.cuda.get_rng_state() if DEVICE.type == "cuda" else None,
            "numpy": [name, keys.tolist(), *position], "python": random.getstate(),
        }, default=place)
        arrays["optimizer/state"] = np.frombuffer(text.encode(), np.uint8)
        return arrays

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.module.load_state_dict({name: torch.from_numpy(a) for name, a in state.items() if not name.startswith("optimizer/")})
        if "optimizer/state" not in state:  # to evaluate
            return

        def tensor(found: dict) -> Any:
            if "tensor" not in found:
                return found
            return torch.tensor(state[found["tensor"]], dtype=getattr(torch, found["dtype"]), device=found["device"])

        text = state["optimizer/state"].tobytes()
        if (device := json.loads(text)["device"]) != DEVICE.type:
            raise RuntimeError(f"this run was saved on {device}; here PyTorch computes on {DEVICE.type}")
        rest = json.loads(text, object_hook=tensor)
        saved = rest["optimizer"]
        saved["state"] = {int(key) if key.isdigit() else key: value for key, value in saved["state"].items()}
        self.optimizer.load_state_dict(saved)
        for group, numbers in zip(self.optimizer.param_groups, saved["param_groups"]):
            for p, number in zip(group["params"], numbers["params"]):
                if number in saved["state"]:  # uncast: load_state_dict casts to the type of p
                    self.optimizer.state[p] = saved["state"][number]
        torch.set_rng_state(rest["torch"])
        if DEVICE.type == "cuda":
            torch.cuda.set_rng_state(rest["cuda"])
        np.random.set_state(tuple(rest["numpy"]))
        version, keys, gauss = rest["python"]
        random.setstate((version, tuple(keys), gauss))


def schedule(training: Mapping[str, Any], step: int) -> float:
    """Returns the learning rate at a step, counted from 0, as a share of its peak: a linear warm-up, the peak
    until a fraction of all steps is done, then polynomial decay to end_rate."""
    share = 1.0
    if training["power"] > 0 and training["steps"] > 0:
        start, end = training["plateau_fraction"] * training["steps"], training["end_rate"] / training["learning_rate"]
        done = min(max((step - start) / (training["steps"] - start), 0), 1)
        share = end + (1 - end) * (1 - done) ** training["power"]
    return share * min((step + 1) / max(training["warmup"], 1), 1)


WIDER = {torch.float16: torch.float32, torch.bfloat16: torch.float32, torch.bool: torch.uint8,
         torch.int8: torch.int32, torch.int16: torch.int32}  # types that messages do not have


def _array(name: str, value: Any) -> np.ndarray:
    """Returns a tensor as an array of a type that holds every value of the tensor's own."""
    if not isinstance(value, torch.Tensor):
        raise TypeError(f"{name}: a {type(value).__name__} cannot be stored, want a tensor")
    return value.detach().cpu().to(WIDER.get(value.dtype, value.dtype)).numpy()
