"""Holds the models against reference files: python3 golden.py FILE...

A file has a network's configuration, weights, inputs, scores, loss and
gradients in float64, and every form must give them. Or it has the "job" of
train_step.py with weights and what another program computed in float32 from
them: scores, loss and the norm of the gradient. Then all forms and arrangements
of rows must agree with it, and in float64 with each other. Exits with 1 at the
first difference above the tolerance.
"""

import importlib
import json
import sys

import torch

import dnc
import emn
import memo
import ut
from batch import ROWS, Batch
from words import place

TOLERANCE = 1e-9
PADDED = ("memo", "emn")  # models that take padded memories
SINGLE = 2e-4  # between float32 and float64, relative to the largest value


def build(f, shape):
    """Yields (form, model, expected scores, loss and gradients) of a file."""
    p = {k: torch.tensor(v) for k, v in f["params"].items()}
    kind = f["model"].split("_")[0]
    scores, loss, gradients = f.get("logits"), f.get("loss"), f.get("grads")
    if kind == "memo":
        config = dict(
            heads=p["Wk"].shape[0], width=p["Wk"].shape[1], embedding=p["Wc"].shape[1], answer_width=p["Wqa"].shape[0],
            hops=len(f["logits_per_hop"]), wh="identity" if "Wh" in p else "none", answer_bias=False, halting="fixed", time_encoding="off",
            memory="separate", recurrent=True, layer_norm=f["ln_axis"], loss="final", teacher_forcing=False, dropout_attention=0, dropout_output=0)
        models = [(form, memo.Model(config, shape, form)) for form in memo.FORMS]
        scores, loss, gradients = f["logits_per_hop"][-1], f["loss_final"], f["grad_loss_final"]
    elif kind.startswith("emn"):
        config = dict(teacher_forcing=True, width=p["Wk"].shape[0], hops=f["hops"], temporal="off", init_std=1, position_encoding=True,
                      position_on_values=f["pe_on_values"], position_on_query=f["pe_on_query"])
        models = [("", emn.Model(config, shape, ""))]
        scores = f["logits_per_hop"][-1]
        for name in ("Wk", "Wv", "Wq"):  # here word-major
            p[name], gradients[name] = p[name].t(), torch.tensor(gradients[name]).t().tolist()
    elif kind == "ut":
        config = dict(
            teacher_forcing=False, embedding=p["Wc"].shape[1], hidden=p["We"].shape[0], attention=p["Wq"].shape[0], transition=p["W1"].shape[0],
            heads=f["heads"], recurrent_steps=f["steps"], position="pos1" in f["model"], halting="none", answer_from="query",
            dropout_attention=0, dropout_relu=0, dropout_residual=0)
        models = [("", ut.Model(config, shape, ""))]
    elif kind == "dnc":
        config = dict(
            teacher_forcing=False, embedding=p["Wc"].shape[1], input=p["We"].shape[0], hidden=p["Wh"].shape[1], output=p["Wy"].shape[0],
            slots=f["slots"], read_heads=f["read_heads"], word=f["word"], ponder=f["ponder"], content_epsilon=f["content_eps"])
        models = [("", dnc.Model(config, shape, ""))]
    else:
        raise SystemExit(f"no model {f['model']}")
    for form, model in models:
        model.load_state_dict(place(model, p))
        yield form, model, scores, loss, gradients


def differ(path, what, got, want, tolerance):
    worst = (got - torch.as_tensor(want).reshape(got.shape)).abs().max().item()
    if not worst < tolerance:
        raise SystemExit(f"{path}: {what} differs by {worst:.2g}")


def check(path, f):
    rows = torch.tensor(f["memory"])
    batch, n, width = rows.shape
    shape = dict(vocabulary=len(f["params"]["Wa"]), max_rows=n, row_width=width, query_width=len(f["query"][0]),
                 answers=1, query_slot=0, temporal=False)
    words = dict(rows=rows.flatten().tolist(), offsets=list(range(0, batch * n + 1, n)),
                 queries=torch.tensor(f["query"]).flatten().tolist(), targets=f["target"])
    for form, model, scores, loss, gradients in build(f, shape):
        data = Batch(words, shape)
        got = model(data)
        cost = data.loss(got)
        cost.backward()
        where = f"{path} {form}"
        differ(where, "scores", got[0], scores, TOLERANCE)
        differ(where, "loss", cost, loss, TOLERANCE)
        gradients = place(model, gradients)
        for name, parameter in model.named_parameters():
            differ(where, "gradient of " + name, parameter.grad, gradients[name], TOLERANCE)
        print(f"{where}: same")


def check_job(path, f):
    job = f["job"]
    module, first = importlib.import_module(job["model"]), None
    parameters = {p["name"]: torch.tensor(p["values"], dtype=torch.float64).view(p["shape"]) for p in f["weights"]}
    for rows in ROWS if job["model"] in PADDED else ROWS[:1]:
        for form in module.FORMS:
            model = module.Model(job["config"], job["shape"], form)
            model.load_state_dict(place(model, parameters))
            data = Batch(job["batches"][0], job["shape"], rows)
            scores = torch.stack(model(data), 1)  # [B x A x O], the longest memories first
            loss = data.loss(scores.unbind(1))
            loss.backward()
            gradients = {name: p.grad for name, p in model.named_parameters()}
            where = f"{path} {form} {rows}"
            want = torch.tensor(f["scores"]).view(scores.shape)[data.order]
            differ(where, "scores", scores, want, SINGLE * want.abs().max().item())
            differ(where, "loss", loss, f["loss"], SINGLE * f["loss"])
            norm = torch.stack([g.square().sum() for g in gradients.values()]).sum().sqrt()
            differ(where, "norm of the gradient", norm, f["grad_norm"], SINGLE * f["grad_norm"])
            first = first or (scores.detach(), gradients)
            differ(where, "scores of another form", scores, first[0], TOLERANCE)
            for name, gradient in gradients.items():
                differ(where, "gradient in another form of " + name, gradient, first[1][name], TOLERANCE)
            print(f"{where}: same")


if __name__ == "__main__":
    torch.set_default_dtype(torch.float64)
    for path in sys.argv[1:]:
        with open(path) as file:
            f = json.load(file)
        (check_job if "job" in f else check)(path, f)
