"""The batches and questions of memobench, and the scores of answers to them, for a program that trains in its
own loop. Both start the program memobench: $MEMOBENCH, or that of the search path, or bin/memobench."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from typing import Any, Iterator, Mapping

import numpy as np

from .data import Batch, Task


def _command(subcommand: str, task: str, options: Mapping[str, Any], settings: Mapping[str, Any] | None) -> list[str]:
    program = os.environ.get("MEMOBENCH") or shutil.which("memobench") or shutil.which(os.path.join("bin", "memobench"))
    if program is None:
        raise FileNotFoundError("no program memobench: want its path in the environment variable MEMOBENCH, or a directory with it in PATH")
    words = [program, *subcommand.split(), task]
    for name, value in options.items():
        words += [] if value is None else [f"--{name}={value}"]
    for key, value in (settings or {}).items():
        words += ["--set", f"{key}={value}"]
    return words


class Batches(Iterator[Batch]):
    """An iterator over batches, which can be read once. It ends the program that writes them when it is closed
    or at the end of a with block.

    task      sizes of the task, and besides them name, kinds (a name for each number of Batch.kinds) and words
              (a word for each number; None where words are numbers)
    protocol  values of the protocol: steps, batch_size, ...
    """

    task: Task
    protocol: dict[str, Any]

    def __init__(self, command: list[str]):
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._step = 0
        try:
            header = self._line()
            if header is None:
                raise RuntimeError(f"{command}: no output")
        except BaseException:
            self.close()
            raise
        self.task = Task(dict(header["shape"], seed=header["seed"], name=header["task"], kinds=header["kinds"],
                              words=header.get("vocabulary")))
        self.protocol = header["protocol"]["values"]
        self._kinds = {name: i for i, name in enumerate(header["kinds"])}

    def _line(self) -> dict | None:
        """Returns the next line; None at the end. Raises RuntimeError with the program's message if it failed."""
        line = self._process.stdout.readline()
        if line:
            return json.loads(line)
        message = self._process.stderr.read().decode(errors="replace").strip()
        if self._process.wait() != 0:
            raise RuntimeError(message)
        return None

    def __next__(self) -> Batch:
        examples: list[dict] = []
        while len(examples) < self.protocol["batch_size"]:
            example = self._line()
            if example is None:
                break
            examples.append(example)
        if not examples:
            self.close()
            raise StopIteration
        self._step += 1
        return Batch({
            "rows": np.array([row for e in examples for row in e["rows"]], np.int32).reshape(-1, self.task.row_width),
            "offsets": np.cumsum([0] + [len(e["rows"]) for e in examples]),
            "queries": np.array([e["query"] for e in examples], np.int32),
            "targets": np.array([e["targets"] for e in examples], np.int32),
            "kinds": np.array([self._kinds[e["kind"]] for e in examples], np.int32),
        }, self._step - 1, [e["id"] for e in examples])

    def close(self) -> None:
        """Ends the program."""
        self._process.stdout.close()
        self._process.stderr.close()
        self._process.kill()
        self._process.wait()

    def __enter__(self) -> Batches:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_process"):
            self.close()


def batches(task: str, split: str = "train", seed: int = 0, *, study: str | None = None,
            settings: Mapping[str, Any] | None = None, data: str | None = None, steps: int | None = None) -> Batches:
    """Returns the batches that memobench gives to its own models.

    task      a name of "memobench ls"
    split     train: the training batches of the seed, without end unless steps is given; validation, test:
              the questions of an evaluation, in batches of at most the same size
    study     the study whose protocol counts (memobench's default: standard)
    settings  changes of the protocol or the task, such as {"batch_size": 32}: --set of memobench
    data      path of the data, for tasks that read files

    Raises RuntimeError with the message of memobench for a misspelt name, and for a task whose words are
    vectors: "memobench data export --out DIR" writes these as files.
    """
    options = {"out": "-", "split": split, "seed": seed, "study": study, "data": data, "steps": steps}
    return Batches(_command("data export", task, options, settings) + ["--header"])


def score(task: str, answers: Mapping[str, Any], name: str, *, study: str | None = None, settings: Mapping[str, Any] | None = None,
          data: str | None = None, out: str | None = None, seed: int = 0, steps: int | None = None,
          parameters: int | None = None, framework: str | None = None) -> dict[str, dict[str, float]]:
    """Counts the right answers to the test questions and returns the numbers of each kind of question:
    "questions", their number; "accuracy" in per cent; and where a question offers two answers "accuracy_2afc",
    that of the better-scored of these, in per cent.

    answers   by the id of each question of batches(task, "test"): a number, a word, or a list of A of them;
              or an array of floats, [O] or [A x O], a score for each possible answer
    name      of the model in tables
    study, settings, data  as for batches
    out       a new directory for the record, which "memobench table" reads; not kept by default
    seed, steps, parameters, framework  how the model was trained; recorded, not checked

    Raises RuntimeError with the message of memobench for missing answers and those to other questions.
    """
    with tempfile.TemporaryDirectory() as scratch:
        record = out or os.path.join(scratch, "run")
        options = {"task": task, "name": name, "study": study, "data": data, "out": record, "seed": seed, "steps": steps,
                   "parameters": parameters, "framework": framework}
        lines = "".join(json.dumps(_answer(i, a)) + "\n" for i, a in answers.items())
        done = subprocess.run(_command("score", "-", options, settings), input=lines, text=True, capture_output=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        with open(os.path.join(record, "record.json"), encoding="utf-8") as file:
            kinds = json.load(file)["evaluation"]["kinds"]
    numbers = {}
    for kind in kinds:
        numbers[kind["name"]] = {"questions": kind["total"], "accuracy": 100 * kind["correct"] / kind["total"]}
        if "choice_correct" in kind:
            numbers[kind["name"]]["accuracy_2afc"] = 100 * kind["choice_correct"] / kind["total"]
    return numbers


def _answer(question: str, answer: Any) -> dict:
    a = np.asarray(answer)
    return {"id": question, "scores" if a.dtype.kind == "f" else "answer": a.tolist()}
