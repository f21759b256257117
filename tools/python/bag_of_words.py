"""A bag of words in NumPy, the weakest model of language that learns: scores are linear in
the counts of the words of the rows and of the query. Adam at the rate that memobench gives."""
import sys

import memobench
import numpy as np


class BagOfWords:
    def __init__(self, task):
        if task.item_dim:
            sys.exit("the bag of words takes words, not vectors")
        self.words, self.answers, self.rate = task.vocabulary, task.answers, task.training["learning_rate"]
        shape = (self.answers, 2 * self.words + 1, self.words)  # rows, query, bias
        self.weights = np.zeros(shape, np.float32)
        self.moments = np.zeros((2,) + shape, np.float32)
        self.steps = 0
        self.parameter_count = self.weights.size
        self.learning_rate = self.rate

    def features(self, batch):
        x = np.zeros((len(batch), 2 * self.words + 1), np.float32)
        x[:, -1] = 1
        example = np.repeat(np.arange(len(batch)), np.diff(batch.offsets))
        for column in range(batch.rows.shape[1]):
            word = batch.rows[:, column]
            np.add.at(x, (example[word >= 0], word[word >= 0]), 1)
        for column in range(batch.queries.shape[1]):
            word = batch.queries[:, column]
            np.add.at(x, (np.flatnonzero(word >= 0), self.words + word[word >= 0]), 1)
        return x

    def predict(self, batch):
        return np.einsum("bf,afo->bao", self.features(batch), self.weights)

    def train(self, batch):
        x, size = self.features(batch), len(batch)
        scores = np.einsum("bf,afo->bao", x, self.weights)
        scores -= scores.max(-1, keepdims=True)
        p = np.exp(scores)
        p /= p.sum(-1, keepdims=True)
        at = np.arange(size)[:, None], np.arange(self.answers), batch.targets
        loss = -np.log(np.maximum(p[at], 1e-30)).mean()
        p[at] -= 1
        gradient = np.einsum("bf,bao->afo", x, p) / (size * self.answers)
        self.update(gradient)
        return loss, np.linalg.norm(gradient)

    def update(self, gradient):
        self.steps += 1
        m, v = self.moments
        m += 0.1 * (gradient - m)
        v += 0.001 * (gradient**2 - v)
        scale = np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        self.weights -= self.rate * scale * m / (np.sqrt(v) + 1e-8)

    def state(self):
        return {"weights": self.weights, "optimizer/moments": self.moments, "optimizer/steps": np.int64([self.steps])}

    def restore(self, state):
        if state["weights"].shape != self.weights.shape:
            raise ValueError(f"weights are {state['weights'].shape}, want {self.weights.shape}")
        self.weights = state["weights"].copy()
        if "optimizer/moments" in state:  # not when only evaluating
            self.moments, self.steps = state["optimizer/moments"].copy(), int(state["optimizer/steps"][0])


memobench.serve(BagOfWords)
