#!/usr/bin/env python3
"""Converts the released shards of paired associative inference (google-deepmind/deepmind-research, memo)
to the format of "memobench data export". Plain Python, without TensorFlow.

    python3 tools/python/convert_released.py --data memo/length3 --out data/pai3-released --records 100
    memobench train --study images --task file --model memo --data data/pai3-released --out runs/released

--data is a directory with the folders train, valid and test of TFRecord files trials-00000-of-00500. Each
trial of a record is an example. The files name no classes: the answer is 0 (left) or 1 (right).
"""
import argparse
import os
import random
import re
import struct
import sys

import export_format

FOLDERS = {"train": "train", "validation": "valid", "test": "test"}
TYPES = {3: ["A-B", "B-C", "A-C"], 4: ["A-B", "B-C", "A-C", "C-D", "B-D", "A-D"]}  # by trial_type, from 1

CRC_TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    CRC_TABLE.append(byte)


def masked_crc(data):
    """The masked CRC-32C (Castagnoli) of the TFRecord format."""
    crc = 0xFFFFFFFF
    for b in data:
        crc = crc >> 8 ^ CRC_TABLE[(crc ^ b) & 0xFF]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(path, check):
    """Yields offset and data of each record of a TFRecord file."""
    with open(path, "rb") as file:
        while True:
            offset = file.tell()
            head = file.read(12)
            if not head:
                return
            if len(head) < 12 or masked_crc(head[:8]) != struct.unpack("<I", head[8:])[0]:
                sys.exit("%s: offset %d: not the length of a record with its checksum" % (path, offset))
            length = struct.unpack("<Q", head[:8])[0]
            if length > os.path.getsize(path) - offset - 16:
                sys.exit("%s: offset %d: a record of %d bytes, and the file ends before" % (path, offset, length))
            data, crc = file.read(length), struct.unpack("<I", file.read(4))[0]
            if check and masked_crc(data) != crc:
                sys.exit("%s: offset %d: the record's checksum is another" % (path, offset))
            yield offset, data


def varint(data, at):
    value = shift = 0
    while True:
        b = data[at]
        value |= (b & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if b < 0x80:
            return value, at


def fields(data):
    """Yields number, wire type and value of each field of a protocol buffer."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = varint(data, at)
        else:
            size = {1: 8, 5: 4}.get(kind)
            if kind == 2:
                size, at = varint(data, at)
            if size is None or at + size > len(data):
                raise ValueError("wire type %d" % kind)
            value, at = data[at:at + size], at + size
        yield tag >> 3, kind, value


def example(data):
    """The features of a tf.train.Example: bytes of little-endian float32, or a list of int64."""
    found = {}
    for _, _, features in fields(data):
        for _, _, item in fields(features):
            name, value = "", None
            for number, _, part in fields(item):
                if number == 1:
                    name = part.decode()
                else:
                    value = part
            for number, _, values in fields(value or b""):
                if number == 2:  # packed, or one by one
                    found[name] = b"".join(v for _, _, v in fields(values))
                elif number == 3:
                    found[name] = ints(values)
    return found


def ints(data):
    values = []
    for _, kind, part in fields(data):
        at = 0
        while kind == 2 and at < len(part):
            value, at = varint(part, at)
            values.append(value)
        if kind == 0:
            values.append(part)
    return [v - (1 << 64) if v >> 63 else v for v in values]


class Record:
    """A memory [rows x 2] and its trials [trials x 3] (cue, left, right), vectors as bytes."""

    def __init__(self, data):
        f = example(data)
        self.types, self.answers = f["trial_type"], f["correct_answer"]
        self.length = 3 if max(self.types) <= 3 else 4
        kinds = len(TYPES[self.length])
        rows = len(self.types) // kinds * (self.length - 1)
        size = len(f["memory"]) // (2 * rows)  # bytes of a vector
        self.features = size // 4
        if min(self.types) < 1 or max(self.types) > kinds or len(self.answers) != len(self.types) or \
                len(f["memory"]) != 2 * rows * size or len(f["trials"]) != 3 * len(self.types) * size or size % 4 or not size:
            raise ValueError("trial_type, correct_answer, memory and trials do not fit together")
        cut = lambda b: [b[i:i + size] for i in range(0, len(b), size)]
        self.memory, self.trials = cut(f["memory"]), cut(f["trials"])

    def side(self, trial):
        """0 or 1 if the memory links the cue with the left or the right item alone, else None."""
        cue, left, right = self.trials[3 * trial:3 * trial + 3]
        chain, grown = {cue}, True
        while grown:
            grown = False
            for i in range(0, len(self.memory), 2):
                pair = set(self.memory[i:i + 2])
                if chain & pair and not pair <= chain:
                    chain |= pair
                    grown = True
        return None if (left in chain) == (right in chain) else int(right in chain)


def coding(record):
    """The values of correct_answer for left and right, which the release does not state: as the chains of
    the first record say."""
    values = ({}, {})
    for trial, answer in enumerate(record.answers):
        if record.side(trial) is not None:
            values[record.side(trial)][answer] = True
    if len(values[0]) != 1 or len(values[1]) != 1 or values[0] == values[1]:
        sys.exit("correct_answer has the values %s for left and %s for right: name them with --answers LEFT,RIGHT" % tuple(list(v) for v in values))
    return list(values[0]) + list(values[1])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", required=True, help="directory with the folders train, valid and test")
    p.add_argument("--out", required=True, help="new directory")
    p.add_argument("--records", type=int, default=0, help="records of each split to convert (default: all)")
    p.add_argument("--scale", choices=["unit", "raw"], default="unit", help="unit: every embedding is scaled to length 1 (default)")
    p.add_argument("--rows", choices=["shuffled", "stored"], default="shuffled", help="order of the rows of a memory (default: shuffled)")
    p.add_argument("--answers", help="values of correct_answer for left and right, such as 0,1 (default: as the chains of the first record say)")
    p.add_argument("--no-checksums", action="store_true", help="do not compare the checksums of the data, which takes most of the time")
    o = p.parse_args()
    os.makedirs(o.out)
    rng, sides, first, files = random.Random(0), None, None, []
    if o.answers:
        sides = [int(v) for v in o.answers.split(",")]
    for name, folder in FOLDERS.items():
        folder = os.path.join(o.data, folder)
        shards = sorted(f for f in os.listdir(folder) if re.fullmatch(r"trials-\d{5}-of-\d{5}", f)) if os.path.isdir(folder) else []
        split, read = None, 0
        for path in (os.path.join(folder, f) for f in shards):
            for offset, data in records(path, not o.no_checksums):
                if o.records and read == o.records:
                    break
                read += 1
                try:
                    record = Record(data)
                except (ValueError, IndexError, KeyError) as e:
                    sys.exit("%s: offset %d: not a record of trials: %s" % (path, offset, e))
                first, sides = first or record, sides or coding(record)
                split = split or export_format.Split(o.out, name, first.features)
                if (record.length, record.features, len(record.memory)) != (first.length, first.features, len(first.memory)):
                    sys.exit("%s: offset %d: the record has other sizes than the first one" % (path, offset))
                convert(split, record, sides, o, rng, "%s: offset %d" % (path, offset))
        if split:
            files += split.close()
    if not first:
        sys.exit("%s: no files train/trials-NNNNN-of-NNNNN, nor in valid and test" % o.data)
    export_format.write_header(o.out, "pai%d-released" % first.length, [export_format.kind_name(k) for k in export_format.kinds_of(first.length)],
                               ["released data: the answer is one of the two items shown, chance 50 %"], 2, len(first.memory) // 2, first.features, files)


def convert(split, record, sides, o, rng, where):
    """Writes the trials of a record as examples."""
    item = lambda v: split.item(v, lambda: export_format.scaled(export_format.floats(v), o.scale))
    memory = [[item(v) for v in record.memory[i:i + 2]] for i in range(0, len(record.memory), 2)]
    for trial, answer in enumerate(record.answers):
        if answer not in sides:
            sys.exit("%s: correct_answer of trial %d is %d, want one of %s" % (where, trial, answer, sides))
        rows = list(memory)
        if o.rows == "shuffled":
            rng.shuffle(rows)
        split.add(TYPES[record.length][record.types[trial] - 1], rows, [item(v) for v in record.trials[3 * trial:3 * trial + 3]], [sides.index(answer)])


if __name__ == "__main__":
    main()
