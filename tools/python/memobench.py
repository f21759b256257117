"""Connects a model in Python to memobench: one file, which needs only NumPy.

    class MyModel:
        def __init__(self, task, seed): ...         # task: sizes and training settings, see Task
        def train(self, batch): return loss          # one update; or (loss, gradient norm)
        def predict(self, batch): return scores      # [B x A x O], batch.targets is None
        def state(self): return {"name": array}      # weights; "optimizer/..." is kept for resuming only
        def restore(self, state): ...                # takes the same arrays back

    memobench.serve(MyModel)

Then: memobench train --model exec:'python3 my_model.py' --task pai3. Standard output
belongs to the messages (PROTOCOL.md): what a model prints goes to standard error.
"""
import json
import os
import struct
import sys

import numpy as np

PROTOCOL = 1
DTYPES = {"f32": "<f4", "f64": "<f8", "i32": "<i4", "i64": "<i8", "u8": "|u1"}


class Task:
    """Sizes of a task: vocabulary (O), max_rows (I), row_width (S), query_width, answers (A),
    item_dim (0 for words), temporal; training: optimizer, learning_rate, warmup, steps, ..."""

    def __init__(self, fields):
        self.item_dim = 0
        self.__dict__.update(fields)


class Batch:
    """B questions. rows [R x S] holds the memory rows of all of them, question b's from
    offsets[b] to offsets[b+1]; queries [B x S_q]; targets [B x A] and kinds [B] while
    training, else None; items [U x d] where words index a table of vectors. -1 is no word."""

    def __init__(self, arrays):
        for name in ("rows", "offsets", "queries", "targets", "kinds", "items"):
            setattr(self, name, arrays.get(name))

    def __len__(self):
        return len(self.queries)

    def padded(self):
        """Returns rows as [B x I x S], padded with -1 at the end, and a mask [B x I] of true rows."""
        lengths = np.diff(self.offsets)
        mask = np.arange(lengths.max(initial=0)) < lengths[:, None]
        rows = np.full(mask.shape + self.rows.shape[1:], -1, self.rows.dtype)
        rows[mask] = self.rows
        return rows, mask


def _read(stream):
    head = stream.read(4)
    if len(head) < 4:
        return None, None
    head = json.loads(stream.read(struct.unpack("<I", head)[0]))
    arrays = {}
    for a in head.get("arrays", []):
        dtype = np.dtype(DTYPES[a["dtype"]])
        raw = stream.read(dtype.itemsize * int(np.prod(a["shape"], dtype=np.int64)))
        arrays[a["name"]] = np.frombuffer(raw, dtype).reshape(a["shape"])
    return head, arrays


def _write(stream, head, arrays):
    listed, raw = [], []
    for name, a in arrays.items():
        a = np.asarray(a)
        dtype = next((k for k, v in DTYPES.items() if np.dtype(v) == a.dtype), None)
        if dtype is None:
            raise TypeError(f"array {name!r} is {a.dtype}, want float32, float64, int32, int64 or uint8")
        listed.append({"name": name, "dtype": dtype, "shape": list(a.shape)})
        raw.append(a.astype(DTYPES[dtype]).tobytes())
    head = json.dumps(dict(head, arrays=listed)).encode()
    stream.write(struct.pack("<I", len(head)) + head + b"".join(raw))
    stream.flush()


def _answer(model, kind, arrays):
    if kind == "train":
        result = model.train(Batch(arrays))
        loss, norm = result if isinstance(result, tuple) else (result, None)
        loss, norm = float(loss), None if norm is None else float(norm)
        head = {"type": "trained", "loss": loss if np.isfinite(loss) else None}  # null: diverged
        if norm is not None and np.isfinite(norm):
            head["grad_norm"] = norm
        return dict(head, learning_rate=float(getattr(model, "learning_rate", 0))), {}
    if kind == "predict":
        return {"type": "predicted"}, {"scores": np.asarray(model.predict(Batch(arrays)), np.float32)}
    if kind == "save":
        return {"type": "saved"}, model.state()
    if kind == "restore":
        model.restore(arrays)
        return {"type": "restored"}, {}
    raise ValueError(f"unknown request {kind!r}")


def serve(new):
    """Answers memobench's requests until it closes the connection; new(task, seed) makes the model."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # prints must not mix with the messages
    model = None
    while True:
        head, arrays = _read(requests)
        if head is None:
            return
        try:
            if head["type"] == "hello":
                task = Task(head["task"])
                model = new(task, task.seed)
                answer, result = {"type": "hello", "protocol": PROTOCOL,
                                  "parameters": int(getattr(model, "parameter_count", 0))}, {}
            else:
                answer, result = _answer(model, head["type"], arrays)
            _write(answers, dict(answer, id=head["id"]), result)
        except Exception as e:
            import traceback
            traceback.print_exc()
            _write(answers, {"type": "error", "id": head["id"], "error": f"{type(e).__name__}: {e}"}, {})
            sys.exit(1)
