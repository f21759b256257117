"""Times training steps (forward, backward, Adam) of one model.

Reads from standard input one JSON object:

    {"model": "memo", "form": "literal", "config": {...}, "shape": {...},
     "batch": 64, "learning_rate": 5e-4, "parameters": 586344,
     "threads": 1, "seconds": 1.0}

config has the keys of the model's settings, shape those of a task: vocabulary,
max_rows, row_width, query_width, temporal; parameters is how many the model
must have, so that two sides are known to compute the same sizes. Words are drawn at random: none of
the models' times depends on them. Prints one JSON object: mean wall and
processor time of a step in nanoseconds, over at least that many seconds and
three steps after two that are not counted, and what computed it.
"""

import ctypes
import importlib
import json
import sys
import time

import torch
import torch.nn.functional as F

from words import Words

WARM_UP = 2
FEWEST = 3


def blas():
    """The linear algebra library in this process and its core type."""
    try:
        with open("/proc/self/maps") as maps:
            found = [line.split()[-1] for line in maps if "openblas" in line]
    except OSError:
        found = []
    if not found:
        return "MKL" if torch.backends.mkl.is_available() else "unknown"
    library = ctypes.CDLL(found[0])
    library.openblas_get_config.restype = library.openblas_get_corename.restype = ctypes.c_char_p
    version = " ".join(library.openblas_get_config().decode().split()[:2])
    return f"{version} ({library.openblas_get_corename().decode()})"


def batches(shape, batch, n):
    """n batches of (rows, query, target)."""

    def words(*size):
        return torch.randint(shape["vocabulary"], size)

    return [(Words(words(batch, shape["max_rows"], shape["row_width"])), Words(words(batch, shape["query_width"])), words(batch))
            for _ in range(n)]


def main():
    job = json.load(sys.stdin)
    torch.manual_seed(1)
    torch.set_num_threads(job["threads"])
    model = importlib.import_module(job["model"]).Model(job["config"], job["shape"], job["form"])
    parameters = sum(p.numel() for p in model.parameters())
    if parameters != job["parameters"]:
        raise SystemExit(f"{job['model']} has {parameters} parameters here, {job['parameters']} there")
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=job["learning_rate"])
    data = batches(job["shape"], job["batch"], 4)

    def step(i):
        rows, query, target = data[i % len(data)]
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(rows, query), target)
        loss.backward()
        optimizer.step()

    for i in range(WARM_UP):
        step(i)
    steps, wall, cpu = 0, time.perf_counter_ns(), time.process_time_ns()
    while steps < FEWEST or time.perf_counter_ns() - wall < job["seconds"] * 1e9:
        step(steps)
        steps += 1
    cpu, wall = time.process_time_ns() - cpu, time.perf_counter_ns() - wall
    json.dump({
        "steps": steps, "wall_ns": wall / steps, "cpu_ns": cpu / steps,
        "torch": torch.__version__, "blas": blas(), "threads": torch.get_num_threads(),
    }, sys.stdout)
    print()


if __name__ == "__main__":
    main()
