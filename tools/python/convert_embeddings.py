#!/usr/bin/env python3
"""Makes data of paired associative inference from embeddings of your own, in the format of "memobench data
export". Plain Python, without NumPy.

    python3 tools/python/convert_embeddings.py --data embeddings --out data/pai3-images --length 3
    memobench train --study images --task file --model memo --data data/pai3-images --out runs/images

--data is a directory with the arrays train.npy [items x features] (float16, float32 or float64) and
train_classes.npy [items] (integers), the same for validation and test; or embeddings.npy and classes.npy,
which are divided 80 : 10 : 10 by a hash of each item. Items that are equal to an earlier one are left out,
so that splits share none.

A memory has chains of items of distinct classes. A query names a cue, the match from its chain and a lure
from the same position of another chain, as in the paper; the answer is the class of the match.
"""
import argparse
import array
import ast
import hashlib
import os
import random
import struct
import sys

import export_format


def read_npy(path):
    """Shape and values of an array in C order."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:6] != b"\x93NUMPY":
        sys.exit("%s: not a NumPy array" % path)
    size, at = struct.unpack("<H", data[8:10])[0], 10
    if data[6] > 1:
        size, at = struct.unpack("<I", data[8:12])[0], 12
    header = ast.literal_eval(data[at:at + size].decode("latin1"))
    code = {"<f2": "e", "<f4": "f", "<f8": "d", "<i1": "b", "|i1": "b", "|u1": "B", "<i2": "h", "<u2": "H", "<i4": "i", "<u4": "I", "<i8": "q", "<u8": "Q"}.get(header["descr"])
    if code is None or header["fortran_order"] and len(header["shape"]) > 1:
        sys.exit("%s: elements of type %s: want numbers in C order (numpy.ascontiguousarray)" % (path, header["descr"]))
    n = 1
    for axis in header["shape"]:
        n *= axis
    body = data[at + size:]
    if len(body) != n * struct.calcsize("<" + code):
        sys.exit("%s: %d bytes of data, shape %s of %s" % (path, len(body), header["shape"], header["descr"]))
    return header["shape"], struct.unpack("<%d%s" % (n, code), body)


def read_pair(items_path, classes_path):
    """The items with their classes: a list of (vector, class)."""
    shape, values = read_npy(items_path)
    (n,), classes = read_npy(classes_path)
    if len(shape) != 2 or shape[0] != n:
        sys.exit("%s: shape %s, want [items x features] with the %d classes of %s" % (items_path, shape, n, classes_path))
    vectors = (array.array("f", values[i * shape[1]:(i + 1) * shape[1]]) for i in range(n))
    pairs = list(zip(vectors, classes))
    for i, (vector, label) in enumerate(pairs):
        if label < 0 or label != int(label) or any(x != x or x in (float("inf"), float("-inf")) for x in vector):
            sys.exit("%s: item %d of class %s: want finite numbers, and classes of 0 or more" % (items_path, i, label))
    return pairs


def pools(directory):
    """The items of each split by class: split -> class -> list of vectors."""
    path = lambda name: os.path.join(directory, name + ".npy")
    found, seen = {}, set()
    whole = read_pair(path("embeddings"), path("classes")) if os.path.exists(path("embeddings")) else None
    for split in reversed(export_format.SPLITS):  # of equal items the one of the test split stays
        if whole is None:
            pairs = read_pair(path(split), path(split + "_classes"))
        else:
            share = {"validation": [0], "test": [1], "train": range(2, 10)}[split]
            pairs = [(v, c) for v, c in whole if hashlib.sha256(v.tobytes()).digest()[0] % 10 in share]
        found[split] = {}
        for vector, label in pairs:
            if vector.tobytes() not in seen:
                seen.add(vector.tobytes())
                found[split].setdefault(label, []).append(vector)
    return found


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", required=True, help="directory of .npy files")
    p.add_argument("--out", required=True, help="new directory")
    p.add_argument("--length", type=int, default=3, help="items of a chain (default 3)")
    p.add_argument("--sequences", type=int, default=16, help="chains of a memory (default 16)")
    p.add_argument("--train", type=int, default=100_000, help="training examples (default 100000), half direct and half indirect")
    p.add_argument("--per-kind", type=int, default=600, help="examples per kind for validation and test (default 600)")
    p.add_argument("--scale", choices=["unit", "raw"], default="unit", help="unit: every embedding is scaled to length 1 (default)")
    p.add_argument("--rows", choices=["shuffled", "generation"], default="shuffled", help="order of the rows of a memory")
    p.add_argument("--items", choices=["sequence", "random"], default="sequence", help="order of the two items of a row")
    p.add_argument("--seed", type=int, default=0)
    o = p.parse_args()
    found, kinds = pools(o.data), export_format.kinds_of(o.length)
    for split, classes in found.items():
        if len(classes) < o.length * o.sequences:
            sys.exit("%s: %s items of %d classes: too few for %d chains of %d" % (o.data, split, len(classes), o.sequences, o.length))
    features = len(next(iter(found["test"].values()))[0])
    os.makedirs(o.out)
    files = []
    for name in export_format.SPLITS:
        rng = random.Random("%d %s" % (o.seed, name))
        split = export_format.Split(o.out, name, features)
        if name == "train":
            halves = kinds[:o.length - 1], kinds[o.length - 1:]
            asked = (rng.choice(halves[i % 2]) for i in range(o.train))
        else:
            asked = (k for k in kinds for _ in range(o.per_kind))
        for kind in asked:
            add_example(split, found[name], kind, o, rng)
        files += split.close()
    answers = 1 + max(max(classes) for classes in found.values())
    labels = ["own embeddings (%s)" % "; ".join("%s: %d items of %d classes" % (n, sum(map(len, found[n].values())), len(found[n])) for n in export_format.SPLITS)]
    if o.sequences < 16:
        labels.append("reduced: %d sequences" % o.sequences)
    rows = o.sequences * (o.length - 1)
    export_format.write_header(o.out, "pai%d-npy" % o.length, [export_format.kind_name(k) for k in kinds], labels, answers, rows, features, files)


def add_example(split, classes, kind, o, rng):
    """Draws a memory and a query of the kind."""
    labels = rng.sample(sorted(classes), o.sequences * o.length)
    words = []
    for label in labels:
        i = rng.randrange(len(classes[label]))
        words.append(split.item((label, i), lambda: export_format.scaled(classes[label][i], o.scale)))
    target, other = rng.sample(range(o.sequences), 2)
    cue, match, lure = target * o.length + kind[0], target * o.length + kind[1], other * o.length + kind[1]
    shown = rng.sample([match, lure], 2)
    rows = [[words[s * o.length + i], words[s * o.length + i + 1]] for s in range(o.sequences) for i in range(o.length - 1)]
    if o.rows == "shuffled":
        rng.shuffle(rows)
    if o.items == "random":
        rows = [rng.sample(row, 2) for row in rows]
    split.add(export_format.kind_name(kind), rows, [words[cue]] + [words[i] for i in shown], [labels[match]], [labels[i] for i in shown])


if __name__ == "__main__":
    main()
