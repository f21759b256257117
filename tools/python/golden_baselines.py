"""Writes reference values of the Transformer, DeltaNet and the LSTM, with which models/golden_test.go compares.

The networks are written in PyTorch, with its own layers where it has them, for one example at a time and in
float64. A file has the sizes, random parameters [out x in], a batch of word ids (-1 is an empty slot), scores
[B x O], cross-entropy, and the gradients that autograd computes. Nothing is dropped. The files in
models/testdata/golden were made with PyTorch 1.13 by

    python3 tools/python/golden_baselines.py models/testdata/golden
"""
import json
import os
import sys

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.stateless import functional_call

WORDS, EMBEDDING, HIDDEN, HEADS, TRANSITION, LAYERS = 7, 5, 8, 2, 10, 2
ROW_WIDTH, QUERY_WIDTH = 3, 2
EPSILON = 1e-6  # of LayerNorm


def vectors(p, words):
    """The concatenated embeddings of each line's words; an empty slot, -1, is the line of zeros at the end."""
    table = torch.cat([p["Wc"], torch.zeros(1, EMBEDDING)])
    return table[torch.tensor(words)].flatten(-2)


def encoder_shapes(attention, own):
    """Shapes of an encoder's parameters; own are those that a layer has besides."""
    layer = {
        "ln1_g": [HIDDEN], "ln1_b": [HIDDEN],
        "Wq": [attention, HIDDEN], "Wk": [attention, HIDDEN], "Wv": [attention, HIDDEN], "Wo": [HIDDEN, attention],
        "ln2_g": [HIDDEN], "ln2_b": [HIDDEN],
        "W1": [TRANSITION, HIDDEN], "b1": [TRANSITION], "W2": [HIDDEN, TRANSITION], "b2": [HIDDEN], **own}
    return {
        "Wc": [WORDS, EMBEDDING],
        "We": [HIDDEN, ROW_WIDTH * EMBEDDING], "be": [HIDDEN],
        "Weq": [HIDDEN, QUERY_WIDTH * EMBEDDING], "beq": [HIDDEN],
        **{f"layer{i + 1}.{name}": shape for i in range(LAYERS) for name, shape in layer.items()},
        "lnf_g": [HIDDEN], "lnf_b": [HIDDEN], "Wa": [WORDS, HIDDEN], "ba": [WORDS]}


def encode(p, rows, query, layer, codes=None):
    """Scores of an encoder whose layers are layer(their parameters, tokens); the query is the last token."""
    z = torch.cat([F.linear(vectors(p, rows), p["We"], p["be"]), F.linear(vectors(p, [query]), p["Weq"], p["beq"])])
    if codes is not None:
        z = z + codes[:len(z)]
    for i in range(LAYERS):
        prefix = f"layer{i + 1}."
        z = layer({name[len(prefix):]: w for name, w in p.items() if name.startswith(prefix)}, z)
    return F.linear(F.layer_norm(z[-1], [HIDDEN], p["lnf_g"], p["lnf_b"], EPSILON), p["Wa"], p["ba"])


def position_codes(count):
    """Sines, then cosines, of wavelengths from 2 pi to 20000 pi, as in tensor2tensor."""
    half = HIDDEN // 2
    angles = torch.outer(torch.arange(count), 10000 ** (-torch.arange(half) / (half - 1)))
    return torch.cat([angles.sin(), angles.cos()], 1)


def transformer_layer(p, z):
    layer = nn.TransformerEncoderLayer(HIDDEN, HEADS, TRANSITION, 0, layer_norm_eps=EPSILON, batch_first=True, norm_first=True)
    weights = {
        "self_attn.in_proj_weight": torch.cat([p["Wq"], p["Wk"], p["Wv"]]), "self_attn.in_proj_bias": torch.zeros(3 * HIDDEN),
        "self_attn.out_proj.weight": p["Wo"], "self_attn.out_proj.bias": torch.zeros(HIDDEN),
        "linear1.weight": p["W1"], "linear1.bias": p["b1"], "linear2.weight": p["W2"], "linear2.bias": p["b2"],
        "norm1.weight": p["ln1_g"], "norm1.bias": p["ln1_b"], "norm2.weight": p["ln2_g"], "norm2.bias": p["ln2_b"]}
    assert weights.keys() == dict(layer.named_parameters()).keys()
    return functional_call(layer, weights, (z[None],))[0]


def deltanet_layer(p, z):
    """Yang et al. 2024: S_t = S_{t-1} (I - beta_t k_t k_t^T) + beta_t v_t k_t^T, o_t = RMSNorm(S_t q_t) in every head."""
    def heads(name):
        return F.linear(y, p[name]).unflatten(1, [HEADS, -1])

    def unit(x):
        return x / (x.square().sum(-1, keepdim=True) + 1e-6).sqrt()

    y = F.layer_norm(z, [HIDDEN], p["ln1_g"], p["ln1_b"], EPSILON)
    q, k, v, beta = unit(F.silu(heads("Wq"))), unit(F.silu(heads("Wk"))), heads("Wv"), heads("Wb").sigmoid()
    read = []
    for head in range(HEADS):
        width = v.shape[-1]
        s, out = torch.zeros(width, width), []
        for t in range(len(z)):
            s = s @ (torch.eye(width) - beta[t, head] * torch.outer(k[t, head], k[t, head]))
            s = s + beta[t, head] * torch.outer(v[t, head], k[t, head])
            out.append(s @ q[t, head])
        out = torch.stack(out)
        read.append(p["lno_g"] * out / (out.square().mean(1, keepdim=True) + 1e-5).sqrt())
    z = z + F.linear(torch.cat(read, 1), p["Wo"])
    y = F.layer_norm(z, [HIDDEN], p["ln2_g"], p["ln2_b"], EPSILON)
    return z + F.linear(F.relu(F.linear(y, p["W1"], p["b1"])), p["W2"], p["b2"])


def lstm(p, rows, query):
    """Scores of an LSTM whose last input is the query; rows and query have input matrices of their own."""
    def gates(x):  # the files' i, f, o, g as PyTorch's i, f, g, o
        i, f, o, g = x.chunk(4)
        return torch.cat([i, f, g, o])

    def step(matrix, x, state):
        weights = {"weight_ih": gates(p[matrix]), "weight_hh": gates(p["Wh"]),
                   "bias_ih": gates(p["b"]), "bias_hh": torch.zeros(4 * HIDDEN)}
        return functional_call(nn.LSTMCell(len(x), HIDDEN), weights, (x, state))

    state = torch.zeros(HIDDEN), torch.zeros(HIDDEN)
    for x in vectors(p, rows):
        state = step("Wx", x, state)
    hidden, _ = step("Wxq", vectors(p, query), state)
    return F.linear(hidden, p["Wa"], p["ba"])


def batch():
    """Stories of 4 rows, with empty slots and an empty row, 70, 2, 31 and 1: DeltaNet is computed by 32 tokens at a time."""
    def story(rows):
        return torch.randint(-1, WORDS, [rows, ROW_WIDTH]).tolist()

    return {
        "memory": [[[0, 1, -1], [1, 1, 5], [-1, -1, -1], [3, 4, 6]], story(70), [[5, -1, 2], [2, 0, 5]], story(31), story(1)],
        "query": [[0, 4], [6, 6], [2, -1], [1, 3], [5, 0]],
        "target": [2, 3, 2, 6, 0]}


def write(folder, model, shapes, score, **sizes):
    torch.manual_seed(1)
    file = {"model": model, **sizes, **batch()}
    p = {}
    for name, shape in shapes.items():
        p[name] = torch.randn(shape) * (0.7 if len(shape) == 2 else 0.3) + (1 if name.endswith("_g") else 0)
        p[name].requires_grad_()
    scores = torch.stack([score(p, rows, query) for rows, query in zip(file["memory"], file["query"])])
    loss = F.cross_entropy(scores, torch.tensor(file["target"]))
    loss.backward()
    file["params"] = {name: w.tolist() for name, w in p.items()}
    file["logits"], file["loss"] = scores.tolist(), loss.item()
    file["grads"] = {name: w.grad.tolist() for name, w in p.items()}
    with open(os.path.join(folder, model + ".json"), "w") as out:
        json.dump(file, out)


if __name__ == "__main__":
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    folder = sys.argv[1]
    encoder = dict(heads=HEADS, layers=LAYERS, ln_eps=EPSILON)

    codes = position_codes(71)
    write(folder, "transformer", encoder_shapes(HIDDEN, {}),
          lambda p, rows, query: encode(p, rows, query, transformer_layer, codes), timing_positions=codes.tolist(), **encoder)

    attention = 12
    write(folder, "deltanet", encoder_shapes(attention, {"Wb": [HEADS, HIDDEN], "lno_g": [attention // HEADS]}),
          lambda p, rows, query: encode(p, rows, query, deltanet_layer), **encoder)

    write(folder, "lstm", {
        "Wc": [WORDS, EMBEDDING], "Wx": [4 * HIDDEN, ROW_WIDTH * EMBEDDING], "Wh": [4 * HIDDEN, HIDDEN], "b": [4 * HIDDEN],
        "Wxq": [4 * HIDDEN, QUERY_WIDTH * EMBEDDING], "Wa": [WORDS, HIDDEN], "ba": [WORDS]}, lstm)
