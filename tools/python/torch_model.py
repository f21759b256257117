"""What the examples in PyTorch share: embedded words, Adam with memobench's schedule, cross entropy,
and a state that resumes bit for bit. They run on the GPU that CUDA_VISIBLE_DEVICES shows first, on the
CPU where there is none."""
import os
import sys

os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # the same bits in every run

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)
torch.use_deterministic_algorithms(True)
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
RANDOM = torch.cuda if DEVICE.type == "cuda" else torch  # whose generator draws dropout
STREAM = f"optimizer/random_{DEVICE.type}"


def as_words(array):
    return torch.from_numpy(array.astype(np.int64)).to(DEVICE)


class Base(nn.Module):
    """A subclass builds its layers in build(task) and gives scores [B x O] in forward(rows, mask,
    query): rows [B x I x S] and query [B x S_q] are words plus one, 0 for none; mask [B x I]."""

    def __init__(self, task, seed):
        super().__init__()
        if task.item_dim or task.answers != 1:
            sys.exit("this example takes words and one answer per question")
        torch.manual_seed(seed)
        self.task, self.steps, self.recipe = task, 0, task.training
        self.build(task)
        self.to(DEVICE)
        self.trained = [p for _, p in self.named_parameters()]
        self.optimizer = torch.optim.Adam(self.trained, lr=0, eps=1e-8)
        self.learning_rate, self.parameter_count = 0.0, sum(p.numel() for p in self.trained)

    def inputs(self, batch):
        rows, mask = batch.padded()
        return as_words(rows) + 1, torch.from_numpy(mask).to(DEVICE), as_words(batch.queries) + 1

    def rate(self):
        """Linear warm-up, the peak until a share of all steps is done, then polynomial decay."""
        r, rate = self.recipe, self.recipe["learning_rate"]
        if r["power"] > 0 and r["steps"] > 0:
            start = r["plateau_fraction"] * r["steps"]
            done = min(max((self.steps - start) / (r["steps"] - start), 0), 1)
            rate = r["end_rate"] + (rate - r["end_rate"]) * (1 - done) ** r["power"]
        return rate * min((self.steps + 1) / max(r["warmup"], 1), 1)

    def train(self, mode=True):
        if isinstance(mode, bool):  # nn.Module.train
            return super().train(mode)
        super().train(True)
        self.learning_rate = self.optimizer.param_groups[0]["lr"] = self.rate()
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self(*self.inputs(mode)), as_words(mode.targets[:, 0]))
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.trained, self.recipe["clip_norm"] or float("inf"))
        self.optimizer.step()
        self.steps += 1
        return loss.item(), norm.item()

    def predict(self, batch):
        super().train(False)
        with torch.no_grad():
            return self(*self.inputs(batch)).cpu().numpy()[:, None, :]

    def state(self):
        arrays = {name: p.detach().cpu().numpy() for name, p in self.named_parameters()}
        for i, p in enumerate(self.trained):
            for key, value in self.optimizer.state.get(p, {}).items():
                arrays[f"optimizer/{i}/{key}"] = value.cpu().numpy()
        arrays[STREAM] = RANDOM.get_rng_state().numpy()
        arrays["optimizer/steps"] = np.int64([self.steps])
        return arrays

    def restore(self, state):
        with torch.no_grad():
            for name, p in self.named_parameters():
                p.copy_(torch.from_numpy(state[name].copy()))
        if "optimizer/steps" not in state:  # to evaluate only
            return
        self.steps = int(state["optimizer/steps"][0])
        if STREAM not in state:
            sys.exit(f"this run was saved on another device; here PyTorch computes on {DEVICE.type}")
        RANDOM.set_rng_state(torch.from_numpy(state[STREAM].copy()))
        for i, p in enumerate(self.trained):
            prefix = f"optimizer/{i}/"
            saved = {k[len(prefix):]: torch.from_numpy(v.copy()) for k, v in state.items() if k.startswith(prefix)}
            self.optimizer.state[p] = {k: v if k == "step" else v.to(DEVICE) for k, v in saved.items()}
