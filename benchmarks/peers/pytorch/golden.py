"""Holds the models against reference files: python3 golden.py FILE...

Each file has a network's configuration, weights, inputs, scores, loss and
gradients in float64. Exits with 1 at the first difference above the tolerance.
"""

import json
import sys

import torch
import torch.nn.functional as F

import dnc
import emn
import memo
import ut
from words import Words

TOLERANCE = 1e-9


def build(f):
    """Yields (form, model, expected scores, loss and gradients) of a file."""
    p = {k: torch.tensor(v) for k, v in f["params"].items()}
    shape = dict(vocabulary=f["O"], max_rows=f["I"], row_width=f["S"], query_width=len(f["query"][0]), temporal=False)
    kind = f["model"].split("_")[0]
    scores, loss, gradients = f.get("logits"), f.get("loss"), f.get("grads")
    if kind == "memo":
        config = dict(
            heads=p["Wk"].shape[0], width=p["Wk"].shape[1], embedding=p["Wc"].shape[1], answer_width=p["Wqa"].shape[0],
            hops=len(f["logits_per_hop"]), wh="identity" if "Wh" in p else "none", answer_bias=False, halting="fixed", time_encoding="off",
            memory="separate", recurrent=True, layer_norm=f["ln_axis"], loss="final", dropout_attention=0, dropout_output=0)
        models = [(form, memo.Model(config, shape, form)) for form in memo.FORMS]
        scores, loss, gradients = f["logits_per_hop"][-1], f["loss_final"], f["grad_loss_final"]
    elif kind.startswith("emn"):
        config = dict(width=p["Wk"].shape[0], hops=f["hops"], temporal="off", init_std=1, position_encoding=True,
                      position_on_values=f["pe_on_values"], position_on_query=f["pe_on_query"])
        models = [("", emn.Model(config, shape, ""))]
        scores = f["logits_per_hop"][-1]
        for name in ("Wk", "Wv", "Wq"):  # here word-major
            p[name], gradients[name] = p[name].t(), torch.tensor(gradients[name]).t().tolist()
    elif kind == "ut":
        config = dict(
            embedding=p["Wc"].shape[1], hidden=p["We"].shape[0], attention=p["Wq"].shape[0], transition=p["W1"].shape[0],
            heads=f["heads"], recurrent_steps=f["steps"], position="pos1" in f["model"], halting="none", answer_from="query",
            dropout_attention=0, dropout_relu=0, dropout_residual=0)
        models = [("", ut.Model(config, shape, ""))]
    elif kind == "dnc":
        config = dict(
            embedding=p["Wc"].shape[1], input=p["We"].shape[0], hidden=p["Wh"].shape[1], output=p["Wy"].shape[0],
            slots=f["slots"], read_heads=f["read_heads"], word=f["word"], ponder=f["ponder"], content_epsilon=f["content_eps"])
        models = [("", dnc.Model(config, shape, ""))]
    else:
        raise SystemExit(f"no model {f['model']}")
    for form, model in models:
        model.load_state_dict(p)
        yield form, model, scores, loss, gradients


def check(path):
    with open(path) as file:
        f = json.load(file)
    rows, query = Words(torch.tensor(f["memory"])), Words(torch.tensor(f["query"]))
    f.setdefault("O", len(f["params"]["Wa"]))
    f.setdefault("I", rows.ids.shape[1])
    f.setdefault("S", rows.ids.shape[2])
    for form, model, scores, loss, gradients in build(f):
        def same(what, got, want):
            worst = (got - torch.tensor(want)).abs().max().item()
            if not worst < TOLERANCE:
                raise SystemExit(f"{path} {form}: {what} differs by {worst:.2g}")

        got = model(rows, query)
        cost = F.cross_entropy(got, torch.tensor(f["target"]))
        cost.backward()
        same("scores", got, scores)
        same("loss", cost, loss)
        for name, parameter in model.named_parameters():
            same("gradient of " + name, parameter.grad, gradients[name])
        print(f"{path} {form}: same")


if __name__ == "__main__":
    torch.set_default_dtype(torch.float64)
    for path in sys.argv[1:]:
        check(path)
