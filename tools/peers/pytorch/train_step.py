"""Times training steps (forward, backward, Adam) of one model.

Reads from standard input one JSON object:

    {"model": "memo", "form": "literal", "rows": "packed", "config": {...},
     "shape": {...}, "batches": [{...}], "learning_rate": 5e-4,
     "parameters": 586344, "threads": 1, "seconds": 1.0}

config has the keys of the model's settings, shape those of a task: vocabulary,
max_rows, row_width, query_width, answers, query_slot, temporal; rows and the
keys of a batch are described in batch.py; parameters is how many the model must
have, so that two sides are known to compute the same sizes. A key device, such
as "cuda", names the device that computes instead of the CPU. With "compile": true
the model is compiled (torch.compile) by the steps that are not counted.

Prints one JSON object: mean wall and processor time of a step in nanoseconds,
over whole passes through the batches for at least that many seconds, after
steps that are not counted, and what computed it. Where all batches have the
same sizes, one of them is a pass.
"""

import ctypes
import importlib
import json
import sys
import time

import torch

from batch import ROWS, Batch

FEWEST = 3  # steps, of a model whose step does not take LONG
LONG = 1  # second


def blas():
    """The linear algebra library in this process and its core type."""
    try:
        with open("/proc/self/maps") as maps:
            found = {line.split()[-1] for line in maps if "openblas" in line}
    except OSError:
        found = set()
    for library in map(ctypes.CDLL, sorted(found)):
        if not hasattr(library, "openblas_get_config"):
            continue  # NumPy's own copy, whose functions have other names
        library.openblas_get_config.restype = library.openblas_get_corename.restype = ctypes.c_char_p
        version = " ".join(library.openblas_get_config().decode().split()[:2])
        return f"{version} ({library.openblas_get_corename().decode()})"
    return "MKL" if torch.backends.mkl.is_available() else "unknown"


def main():
    job = json.load(sys.stdin)
    torch.manual_seed(1)
    torch.set_num_threads(job["threads"])
    device = job.get("device")
    if device:
        torch.set_default_device(device)
    model = importlib.import_module(job["model"]).Model(job["config"], job["shape"], job["form"])
    parameters = sum(p.numel() for p in model.parameters())
    if parameters != job["parameters"]:
        raise SystemExit(f"{job['model']} has {parameters} parameters here, {job['parameters']} there")
    if job["rows"] not in ROWS:
        raise SystemExit(f"rows {job['rows']!r}: want {' or '.join(ROWS)}")
    model.train()
    if job.get("compile"):
        if not hasattr(torch.nn.Module, "compile"):
            raise SystemExit(f"--compile: PyTorch {torch.__version__} cannot; it needs 2.2 or later")
        model.compile()
    optimizer = torch.optim.Adam(model.parameters(), lr=job["learning_rate"])
    data = [Batch(words, job["shape"], job["rows"]) for words in job["batches"]]
    # A memory that is computed in full costs the same in every batch.
    same = all(len(b.groups) == 1 and b.groups[0].longest == job["shape"]["max_rows"] for b in data)

    def step(i):
        batch = data[i % len(data)]
        optimizer.zero_grad(set_to_none=True)
        batch.loss(model(batch)).backward()
        optimizer.step()

    def wait():
        """Until an asynchronous device has computed what it was given."""
        if device:
            getattr(torch, torch.device(device).type).synchronize()

    def run(seconds, unit, least):
        """Units of steps for so long, and so many steps unless they are long."""
        steps, start = 0, time.perf_counter_ns()
        while True:
            for _ in range(unit):
                step(steps)
                steps += 1
            elapsed = (time.perf_counter_ns() - start) / 1e9
            if elapsed >= seconds and (steps >= least or elapsed >= LONG):
                return steps

    # A device's first step, and the first of a compiled model with a batch's sizes, may take
    # longer than all others; each batch is seen once.
    run(0, len(data) if device or job.get("compile") else 1, len(data))
    wait()
    wall, cpu = time.perf_counter_ns(), time.process_time_ns()
    steps = run(job["seconds"], 1 if same else len(data), FEWEST)
    wait()
    cpu, wall = time.process_time_ns() - cpu, time.perf_counter_ns() - wall
    json.dump({
        "steps": steps, "wall_ns": wall / steps, "cpu_ns": cpu / steps,
        "torch": torch.__version__, "blas": "" if device else blas(), "threads": torch.get_num_threads(),
    }, sys.stdout)
    print()


if __name__ == "__main__":
    main()
