"""Writes data in the format of "memobench data export", which the task file reads. Plain Python.

datasets/export/SCHEMA.md explains every key. Used by convert_released.py and convert_embeddings.py.
"""
import array
import hashlib
import json
import os
import struct
import sys

SPLITS = ("train", "validation", "test")


def floats(data):
    """The float32 values of little-endian bytes."""
    values = array.array("f", data)
    if sys.byteorder == "big":
        values.byteswap()
    return values


def scaled(vector, scale):
    """The vector, for scale "unit" divided by its length, as float32."""
    length = sum(x * x for x in vector) ** 0.5 if scale == "unit" else 0
    return array.array("f", [x / length for x in vector]) if length else array.array("f", vector)


class Split:
    """Writes the examples of a split as JSON lines, and collects their items."""

    def __init__(self, directory, name, features):
        self.name, self.features, self.count, self.lines = name, features, 0, {}
        self.table = array.array("f")
        self.path = os.path.join(directory, name + ".jsonl")
        self.file = open(self.path, "w", encoding="utf-8")

    def item(self, key, make):
        """The line of the item with this key; make() returns the vector of a new one."""
        if key not in self.lines:
            self.lines[key] = len(self.lines)
            self.table.extend(make())
        return self.lines[key]

    def add(self, kind, rows, query, targets, choices=None):
        example = {"kind": kind, "rows": rows, "query": query, "targets": targets}
        if choices:
            example["choices"] = choices
        self.file.write(json.dumps(example) + "\n")
        self.count += 1

    def close(self):
        """Writes the items; returns the entries of the header's list of files."""
        self.file.close()
        shape = (len(self.lines), self.features)
        text = "{'descr': '<f4', 'fortran_order': False, 'shape': %r, }" % (shape,)
        text += " " * (63 - (10 + len(text)) % 64) + "\n"
        if sys.byteorder == "big":
            self.table.byteswap()
        items = self.path.replace(".jsonl", "_items.npy")
        with open(items, "wb") as out:
            out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + self.table.tobytes())
        return [entry(self.path, "examples", self.name, self.count), entry(items, "items", self.name, shape[0])]


def entry(path, content, split, count):
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest() if hasattr(hashlib, "file_digest") else hashlib.sha256(file.read()).hexdigest()
    return {"name": os.path.basename(path), "content": content, "split": split, "count": count, "bytes": os.path.getsize(path), "sha256": digest}


def write_header(directory, task, kinds, labels, answers, rows, features, files):
    """dataset.json of pairs: rows of two words, queries of three, one answer."""
    shape = {"vocabulary": answers, "max_rows": rows, "row_width": 2, "query_width": 3, "answers": 1, "item_dim": features}
    header = {"schema": 2, "task": task, "labels": labels, "kinds": kinds, "shape": shape, "code": "tools/python", "files": files}
    with open(os.path.join(directory, "dataset.json"), "w", encoding="utf-8") as out:
        json.dump(header, out, indent=2)
        out.write("\n")


def kinds_of(length):
    """The query types of chains, by distance and position: A-B, B-C, ... A-C."""
    return [(cue, cue + d) for d in range(1, length) for cue in range(length - d)]


def kind_name(kind):
    return "%c-%c" % (ord("A") + kind[0], ord("A") + kind[1])
