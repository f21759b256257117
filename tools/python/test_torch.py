"""Tests of memobench.torch and of the examples; left out where there is no PyTorch."""
import os
import re
import unittest

import numpy as np
from test_memobench import ANSWERED, HERE, QUESTIONS, TASK, Process, ScriptTest

try:
    import memobench.torch
    import torch_transformer
    from torch import nn
except ModuleNotFoundError as e:
    raise unittest.SkipTest(f"left out: {e}")

# Batch statistics, a mask, half precision, several kinds of random numbers, and a layer that is not always used.
HARD = """
import memobench.torch
import numpy, random, torch
from torch import nn


class Hard(memobench.torch.Module):
    def __init__(self, task):
        super().__init__(task)
        self.words = nn.Embedding(task.vocabulary + 1, 8, padding_idx=0)
        self.norm = nn.BatchNorm1d(8)
        self.narrow = nn.Linear(8, 8).bfloat16()
        self.rare = nn.Linear(8, task.vocabulary)
        self.often = nn.Linear(8, task.vocabulary)
        self.register_buffer("mask", torch.tensor([True] * 7 + [False]))

    def forward(self, batch):
        x = self.norm(self.words(batch.queries[:, 0]) + self.words(batch.rows).sum((1, 2)))
        x = (x + self.narrow(x.bfloat16())) * self.mask
        if self.training:
            x = nn.functional.dropout(x, 0.3) * random.random() * numpy.random.rand()
        return (self.rare if self.training and random.random() < 0.3 else self.often)(x)

    def make_optimizer(self):
        return OPTIMIZER


memobench.serve(Hard)
"""
OPTIMIZERS = ["super().make_optimizer()", "torch.optim.SGD(self.parameters(), 0.1, momentum=0.9)", "torch.optim.NAdam(self.parameters(), 0.1)",
              "torch.optim.Adagrad(self.parameters(), 0.1)", "torch.optim.Adam(self.parameters(), 0.01, amsgrad=True)"]


def hard(optimizer):
    """Returns the model with an optimizer in this process. The random generators are those of the process."""
    defined = {}
    exec(HARD.replace("OPTIMIZER", optimizer).replace("memobench.serve(Hard)", ""), defined)
    return defined["Hard"](memobench.Task(TASK)).as_model()


def copied(state):
    return {name: np.array(a) for name, a in state.items()}


class ModuleTest(ScriptTest):
    def test_every_part_of_the_state_is_kept(self):
        self.check_resuming(lambda: self.start(HARD.replace("OPTIMIZER", OPTIMIZERS[0])), steps=7)

    def test_every_optimizer_resumes(self):
        for optimizer in OPTIMIZERS:
            with self.subTest(optimizer):
                ends, model = [], hard(optimizer)
                for step in range(7):
                    model.train(memobench.Batch(ANSWERED, step))
                state = copied(model.state())
                for resumed in (False, True):
                    if resumed:
                        model = hard(optimizer)
                        model.restore(state)
                    stats = [model.train(memobench.Batch(ANSWERED, step)) for step in range(7, 12)]
                    ends.append((stats, copied(model.state())))
                self.assertEqual(ends[0][0], ends[1][0])
                for name, a in ends[0][1].items():
                    np.testing.assert_array_equal(a, ends[1][1][name], name)

    def test_evaluation_does_not_change_training(self):
        losses = []
        for evaluations in range(2):
            model = hard(OPTIMIZERS[0])
            for step in range(4):
                for _ in range(evaluations):
                    model.predict(memobench.Batch(QUESTIONS))
                losses.append(model.train(memobench.Batch(ANSWERED, step)))
        self.assertEqual(losses[:4], losses[4:])

    def test_examples_learn_and_resume(self):
        with open(os.path.join(HERE, "..", "..", "docs", "extend.md"), encoding="utf-8") as file:
            guide = re.search(r"```python\n(.*?)```", file.read(), re.S).group(1)
        self.assertLessEqual(guide.count("\n"), 30)
        starts = [lambda: self.start(guide)]
        starts += [lambda name=name: self.started(Process(os.path.join(HERE, name[0]), *name[1:]))
                   for name in (["torch_transformer.py"], ["torch_memo.py", "--width", "16"])]
        for start in starts:
            p, done = self.check_resuming(start)
            first = start().train(0)["loss"]
            for step in range(done, 200):
                last = p.train(step)["loss"]
            self.assertLess(last, first / 3)
            self.assertEqual(p.scores().argmax(-1).tolist(), ANSWERED["targets"].tolist())
            self.assertGreater(p.hello["parameters"], 0)

    def test_several_answers(self):
        model = torch_transformer.Transformer(memobench.Task(dict(TASK, answers=2))).as_model()
        answered = dict(ANSWERED, targets=np.array([[1, 2], [3, 0]], np.int32))
        for step in range(200):
            loss, _ = model.train(memobench.Batch(answered, step))
        self.assertLess(loss, 0.1)
        self.assertEqual(model.predict(memobench.Batch(QUESTIONS)).argmax(-1).tolist(), [[1, 2], [3, 0]])

    def test_errors_name_what_is_wrong(self):
        class Wrong(memobench.torch.Module):
            def __init__(self, task):
                super().__init__(task)
                self.layer = nn.Linear(1, 4)

            def forward(self, batch):
                return self.layer(batch.queries.float())

        model = Wrong(memobench.Task(TASK)).as_model()
        with self.assertRaisesRegex(ValueError, r"forward returned scores \[2, 4\], want \[B x A x O\], here \[2, 1, 5\]"):
            model.predict(memobench.Batch(QUESTIONS))
        state = model.state()
        del state["layer.bias"]
        with self.assertRaisesRegex(RuntimeError, "layer.bias"):
            model.restore(state)
        state = dict(model.state(), **{"optimizer/state": np.frombuffer(b'{"device": "tpu"}', np.uint8)})
        with self.assertRaisesRegex(RuntimeError, "saved on tpu"):
            model.restore(state)


class BatchTest(unittest.TestCase):
    def test_words_are_shifted_and_vectors_looked_up(self):
        b = memobench.torch.Batch(memobench.Batch(dict(QUESTIONS, items=np.ones((5, 3), np.float32))), "cpu")
        self.assertEqual(b.rows.tolist(), [[[1, 2], [0, 0]], [[3, 4], [5, 0]]])
        self.assertEqual(b.items[b.rows].sum(-1).tolist(), [[[3, 3], [0, 0]], [[3, 3], [3, 0]]])
        self.assertEqual((b.queries.tolist(), b.targets, len(b)), ([[1], [3]], None, 2))


class ScheduleTest(unittest.TestCase):
    def test_warm_up_plateau_and_decay(self):
        t = dict(TASK["training"], warmup=4, plateau_fraction=0.5, power=1, end_rate=0.002, steps=100)
        shares = [memobench.torch.schedule(t, step) for step in (0, 3, 50, 75, 100)]
        np.testing.assert_allclose(shares, [0.25, 1, 1, 0.6, 0.2])


if __name__ == "__main__":
    unittest.main()
