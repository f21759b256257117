"""Tests of the package that need no PyTorch. python3 -m unittest discover tools/python runs all tests."""
import io
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import memobench
import numpy as np
from memobench import protocol

HERE = os.path.dirname(os.path.abspath(__file__))
TASK = {"vocabulary": 5, "max_rows": 3, "row_width": 2, "query_width": 1, "answers": 1, "temporal": False, "seed": 1,
        "training": {"optimizer": "adam", "learning_rate": 0.01, "warmup": 0, "plateau_fraction": 0, "power": 1, "end_rate": 0,
                     "clip_norm": 0, "steps": 400}}
QUESTIONS = {"rows": np.array([[0, 1], [2, 3], [4, -1]], np.int32), "offsets": np.array([0, 1, 3]),
             "queries": np.array([[0], [2]], np.int32)}
ANSWERED = dict(QUESTIONS, targets=np.array([[1], [3]], np.int32), kinds=np.array([0, 0], np.int32))


class Process:
    """A model in a process, with which a test speaks the protocol as memobench does."""

    def __init__(self, *command, directory=HERE, task=TASK):
        environment = dict(os.environ, PYTHONPATH=directory)
        self.process = subprocess.Popen([sys.executable, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=environment)
        self.hello = self.ask({"type": "hello", "protocol": 1, "task": task})[0]

    def ask(self, head, arrays={}):
        protocol.write(self.process.stdin, dict(head, id=7), arrays)
        head, answer = protocol.read(self.process.stdout)
        if head is None:
            raise EOFError(self.process.stderr.read().decode())
        assert head["id"] == 7
        return head, answer

    def train(self, step):
        return self.ask({"type": "train", "step": step}, ANSWERED)[0]

    def scores(self):
        return self.ask({"type": "predict"}, QUESTIONS)[1]["scores"]

    def state(self):
        return self.ask({"type": "save"})[1]

    def restore(self, state):
        return self.ask({"type": "restore"}, state)[0]

    def close(self):
        """Returns the exit status and what was written to standard error."""
        message = self.process.communicate(timeout=60)[1].decode()
        return self.process.returncode, message


class ScriptTest(unittest.TestCase):
    """Has a directory for scripts, which a test starts as memobench does."""

    def setUp(self):
        self.directory = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.directory)

    def start(self, script, *arguments, **options):
        path = os.path.join(self.directory, "model.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(script)
        return self.started(Process(path, *arguments, **options))

    def started(self, process):
        self.addCleanup(lambda: process.process.poll() is None and process.close())
        return process

    def check_resuming(self, start, steps=5):
        """A process that takes a state back continues with the same bits; weights alone give the same scores.
        Returns a process and the number of its updates."""
        a, b, c = start(), start(), start()
        for step in range(steps):
            a.train(step)
        state = a.state()
        self.assertEqual(b.restore(state)["type"], "restored")
        c.restore({name: x for name, x in state.items() if not name.startswith("optimizer/")})
        np.testing.assert_array_equal(a.scores(), b.scores())
        np.testing.assert_array_equal(a.scores(), c.scores())
        for step in range(steps, steps + 3):
            self.assertEqual(a.train(step), b.train(step))
        for name, x in a.state().items():
            np.testing.assert_array_equal(x, b.state()[name], name)
        return a, steps + 3


COUNTER = """
import ctypes, os, subprocess, sys
import memobench
print("at import")
os.write(1, b"to the descriptor")
ctypes.CDLL(None).puts(b"from C")
ctypes.CDLL(None).fflush(None)
import numpy as np


class Counter:
    parameter_count = 1

    def __init__(self, task):
        print("in the constructor, with seed", task.seed)
        subprocess.run([sys.executable, "-c", "import sys; print('from a child', sys.stdin.read())"])
        self.steps = np.zeros(1, np.float32)

    def train(self, batch):
        print("step", batch.step)
        if batch.step == 3:
            raise ValueError("no step 3")
        self.steps += 1
        return (float("nan"), 2) if batch.step == 2 else 1 / self.steps[0]

    def predict(self, batch):
        assert batch.targets is None and batch.kinds is None
        return np.zeros((len(batch), 1, 5)) + self.steps

    def state(self):
        return {"steps": self.steps, "optimizer/none": np.zeros((0, 3), np.int64)}

    def restore(self, state):
        assert "optimizer/none" not in state or state["optimizer/none"].shape == (0, 3)
        self.steps = state["steps"]


memobench.serve(Counter)
"""


class ServeTest(ScriptTest):
    def test_prints_do_not_break_the_messages(self):
        p = self.start(COUNTER)
        self.assertEqual(p.hello, {"type": "hello", "protocol": 1, "parameters": 1, "id": 7, "arrays": []})
        self.assertEqual(p.train(0)["loss"], 1)
        status, message = p.close()
        self.assertEqual(status, 0)
        for printed in ("at import", "to the descriptor", "from C", "in the constructor, with seed 1", "from a child", "step 0"):
            self.assertIn(printed, message)

    def test_requests_are_answered(self):
        self.check_resuming(lambda: self.start(COUNTER), steps=0)
        p = self.start(COUNTER)
        p.restore(dict(p.state(), steps=np.ones(1, np.float32)))
        self.assertEqual(p.train(0)["loss"], 0.5)
        self.assertEqual(p.scores().tolist(), [[[2] * 5]] * 2)
        diverged = p.train(2)
        self.assertIsNone(diverged["loss"])
        self.assertEqual(diverged["grad_norm"], 2)

    def test_an_exception_is_reported(self):
        p = self.start(COUNTER)
        self.assertEqual(p.train(3)["error"], "ValueError: no step 3")
        status, message = p.close()
        self.assertEqual(status, 1)
        self.assertIn("Traceback", message)

    def test_the_bag_of_words_resumes(self):
        self.check_resuming(lambda: self.started(Process(os.path.join(HERE, "bag_of_words.py"))))

    def test_a_message_has_no_other_types(self):
        with self.assertRaisesRegex(TypeError, "array 'x' is complex64"):
            protocol.write(io.BytesIO(), {}, {"x": np.zeros(1, np.complex64)})


class BatchTest(unittest.TestCase):
    def test_padded(self):
        rows, mask = memobench.Batch(QUESTIONS).padded()
        self.assertEqual(rows.tolist(), [[[0, 1], [-1, -1]], [[2, 3], [4, -1]]])
        self.assertEqual(mask.tolist(), [[True, False], [True, True]])


@unittest.skipUnless(os.environ.get("MEMOBENCH"), "left out: MEMOBENCH does not name the program")
class HarnessTest(unittest.TestCase):
    SETTINGS = {"test_per_kind": 10, "validation_per_kind": 5, "batch_size": 4}

    def batches(self, task="pai3", *args, **options):
        return self.enterContext(memobench.batches(task, *args, study="quick", settings=self.SETTINGS, **options))

    def enterContext(self, manager):  # unittest has it since Python 3.11
        self.addCleanup(manager.__exit__, None, None, None)
        return manager.__enter__()

    def test_batches_of_training(self):
        stream = self.batches(seed=3)
        batches = [next(stream) for _ in range(3)]
        self.assertEqual([b.step for b in batches], [0, 1, 2])
        again = list(self.batches(seed=3, steps=2))
        self.assertEqual(len(again), 2)
        np.testing.assert_array_equal(batches[1].rows, again[1].rows)
        self.assertFalse(np.array_equal(batches[0].rows, next(self.batches(seed=4)).rows))
        task = stream.task
        self.assertEqual((task.name, task.row_width, task.answers, task.item_dim), ("pai3", 2, 1, 0))
        self.assertEqual((batches[0].queries.shape, batches[0].targets.shape), ((4, task.query_width), (4, 1)))
        self.assertTrue(all(task.kinds[kind] in ("A-B", "B-C", "A-C") for kind in batches[0].kinds))

    def test_answers_are_scored(self):
        stream = self.batches("pai3", "test")
        questions = list(stream)
        self.assertEqual([len(b) for b in questions], [4] * 7 + [2])
        answers, scores = {}, {}
        for b in questions:
            for i, target, kind in zip(b.ids, b.targets, b.kinds):
                right = stream.task.kinds[kind] != "A-C"
                answers[i] = target[0] if right else -1
                scores[i] = np.eye(stream.task.vocabulary)[target] * (1 if right else -1)
        options = {"study": "quick", "settings": self.SETTINGS}
        with tempfile.TemporaryDirectory() as directory:
            out = os.path.join(directory, "run")
            numbers = memobench.score("pai3", answers, "two of three", out=out, framework="mine", steps=5, **options)
            self.assertTrue(os.path.exists(os.path.join(out, "record.json")))
        self.assertEqual({kind: n["accuracy"] for kind, n in numbers.items()}, {"A-B": 100, "B-C": 100, "A-C": 0})
        self.assertEqual(memobench.score("pai3", scores, "scored", **options)["A-B"], {"questions": 10, "accuracy": 100, "accuracy_2afc": 100})
        del answers[questions[0].ids[0]]
        with self.assertRaisesRegex(RuntimeError, "1 of 30 questions have no answer"):
            memobench.score("pai3", answers, "incomplete", **options)

    def test_errors_are_those_of_the_program(self):
        with self.assertRaisesRegex(RuntimeError, "pai33"):
            memobench.batches("pai33")
        with self.assertRaisesRegex(RuntimeError, "are vectors"):
            memobench.batches("pai3-embeddings")


class InstallTest(ScriptTest):
    def test_pip_installs_the_package_alone(self):
        source, target = os.path.join(self.directory, "source"), os.path.join(self.directory, "target")
        shutil.copytree(HERE, source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
        if subprocess.run([sys.executable, "-c", "import setuptools, wheel, pip"], capture_output=True).returncode != 0:
            self.skipTest("left out: no pip, setuptools and wheel here")
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--no-index", "--target", target,
                               source], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([name for name in sorted(os.listdir(target)) if "dist-info" not in name], ["memobench"])
        p = self.start(COUNTER, directory=target)
        self.assertEqual(p.train(0)["loss"], 1)


if __name__ == "__main__":
    unittest.main()
