"""Prints the examples of an export as text, read from one of its formats: a line per example with
id, kind, rows, query, targets and choices. Usage: read_export.py DIR FORMAT"""
import json
import os
import sys

import numpy as np

directory, form = sys.argv[1:]
header = json.load(open(os.path.join(directory, "dataset.json")))


def show(i, kind, rows, query, targets, choices):
    lists = [np.asarray(x, int).ravel().tolist() for x in (rows, query, targets, choices)]
    print(i, kind, *[",".join(map(str, x)) for x in lists], sep="|")


for split in ("train", "validation", "test"):
    path = os.path.join(directory, split + "." + form)
    if form == "jsonl":
        for line in open(path):
            e = json.loads(line)
            show(e["id"], e["kind"], e["rows"], e["query"], e["targets"], e.get("choices", []))
    else:
        a = np.load(path)
        ids = bytes(a["ids"]).decode()
        for i, kind in enumerate(a["kinds"]):
            rows = a["rows"][a["offsets"][i]:a["offsets"][i + 1]]
            show(f"{ids}{i}", header["kinds"][kind], rows, a["queries"][i], a["targets"][i], a["choices"][i])
