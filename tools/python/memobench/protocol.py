"""The messages between memobench and the process of a model: models/external/PROTOCOL.md."""
from __future__ import annotations

import json
import struct
import sys
import traceback
from typing import Any, BinaryIO, Callable, Mapping, Protocol

import numpy as np

from . import pipe
from .data import Batch, Task

VERSION = 1
DTYPES = {"f32": "<f4", "f64": "<f8", "i32": "<i4", "i64": "<i8", "u8": "|u1"}


class Model(Protocol):
    """What memobench asks of a model. A model may also have the attributes parameter_count, and
    learning_rate, the rate of the last update."""

    def train(self, batch: Batch) -> float | tuple[float, float]:
        """Does one update. Returns the loss, the mean cross entropy per answer in nats, or the loss and the
        norm of the gradient."""

    def predict(self, batch: Batch) -> np.ndarray:
        """Returns a score for each possible answer, [B x A x O]; the highest counts. The loss of an
        evaluation is the cross entropy of their softmax."""

    def state(self) -> Mapping[str, np.ndarray]:
        """Returns all that resuming needs, as float32, float64, int32, int64 or uint8. Arrays whose names
        begin with "optimizer/" are not needed to predict."""

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Takes the arrays of state() back; to evaluate, those without "optimizer/" alone."""


def serve(model: Callable[[Task], Any]) -> None:
    """Answers the requests of memobench until it closes the connection.

    model is called once with the task and returns the model: a subclass of memobench.torch.Module, or
    any class or function whose result has the methods of Model. Random numbers should depend on task.seed
    alone. An exception ends the run; memobench prints its text and keeps the last checkpoint.
    """
    if sys.stdin is not None and sys.stdin.isatty():
        sys.exit(f"""{sys.argv[0]} is a model; memobench starts it:
    memobench train --task pai3 --model "exec:{sys.executable} {sys.argv[0]}\"""")
    requests, answers = pipe.requests(), pipe.answers()
    served = None
    while True:
        head, arrays = read(requests)
        if head is None:
            return
        try:
            if head["type"] == "hello":
                served = model(Task(head["task"]))
                if hasattr(served, "as_model"):  # a Module
                    served = served.as_model()
                answer, result = {"type": "hello", "protocol": VERSION,
                                  "parameters": int(getattr(served, "parameter_count", 0))}, {}
            else:
                answer, result = _answer(served, head, arrays)
            write(answers, dict(answer, id=head["id"]), result)
        except Exception as e:
            traceback.print_exc()
            write(answers, {"type": "error", "id": head["id"], "error": f"{type(e).__name__}: {e}"}, {})
            sys.exit(1)


def _answer(model: Model, head: dict, arrays: dict) -> tuple[dict, Mapping[str, np.ndarray]]:
    kind = head["type"]
    if kind == "train":
        result = model.train(Batch(arrays, head["step"]))
        loss, norm = result if isinstance(result, tuple) else (result, None)
        loss, norm = float(loss), None if norm is None else float(norm)
        answer = {"type": "trained", "loss": loss if np.isfinite(loss) else None}  # null: diverged
        if norm is not None and np.isfinite(norm):
            answer["grad_norm"] = norm
        return dict(answer, learning_rate=float(getattr(model, "learning_rate", 0))), {}
    if kind == "predict":
        return {"type": "predicted"}, {"scores": np.asarray(model.predict(Batch(arrays)), np.float32)}
    if kind == "save":
        return {"type": "saved"}, model.state()
    if kind == "restore":
        model.restore(arrays)
        return {"type": "restored"}, {}
    raise ValueError(f"unknown request {kind!r}")


def read(stream: BinaryIO) -> tuple[dict | None, dict[str, np.ndarray]]:
    """Returns the header and the arrays of the next message; None at the end of the stream."""
    length = stream.read(4)
    if len(length) < 4:
        return None, {}
    head = json.loads(stream.read(struct.unpack("<I", length)[0]))
    arrays = {}
    for a in head.get("arrays", []):
        dtype, shape = np.dtype(DTYPES[a["dtype"]]), a["shape"] or ()
        raw = bytearray(stream.read(dtype.itemsize * int(np.prod(shape, dtype=np.int64))))
        arrays[a["name"]] = np.frombuffer(raw, dtype).reshape(shape)
    return head, arrays


def write(stream: BinaryIO, head: dict, arrays: Mapping[str, Any]) -> None:
    """Writes a message. Raises TypeError for an array of a type that messages do not have."""
    listed, raw = [], []
    for name, a in arrays.items():
        a = np.asarray(a)
        dtype = next((k for k, v in DTYPES.items() if np.dtype(v) == a.dtype), None)
        if dtype is None:
            raise TypeError(f"array {name!r} is {a.dtype}, want float32, float64, int32, int64 or uint8")
        listed.append({"name": name, "dtype": dtype, "shape": list(a.shape)})
        raw.append(a.astype(DTYPES[dtype]).tobytes())
    text = json.dumps(dict(head, arrays=listed)).encode()
    stream.write(struct.pack("<I", len(text)) + text + b"".join(raw))
    stream.flush()
