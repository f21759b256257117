"""Right answers of a language model count as right in lm-evaluation-harness, with the task files of
"memobench data export --as text". The rules are copied from the harness, commit 4e7e0d47f."""
import json
import os
import re
import string
import subprocess
import tempfile
import unittest

import numpy as np

PROGRAM = os.environ.get("MEMOBENCH")


def first_match(pattern, response):
    """lm_eval/filters/extraction.py, RegexFilter, for a pattern with one group."""
    found = re.compile(pattern).findall(response)
    return found[0].strip() if found else "[invalid]"


def exact_match(prediction, reference, regexes_to_ignore=None, ignore_case=False, ignore_punctuation=False):
    """lm_eval/api/metrics.py, exact_match_hf_evaluate."""
    for s in regexes_to_ignore or []:
        prediction, reference = re.sub(s, "", prediction), re.sub(s, "", reference)
    prediction, reference = np.asarray([prediction]), np.asarray([reference])
    if ignore_case:
        prediction, reference = np.char.lower(prediction), np.char.lower(reference)
    if ignore_punctuation:
        table = str.maketrans("", "", string.punctuation)
        prediction, reference = np.char.translate(prediction, table=table), np.char.translate(reference, table=table)
    return np.mean(prediction == reference)


@unittest.skipUnless(PROGRAM, "left out: MEMOBENCH does not name the program")
class HarnessTest(unittest.TestCase):
    def export(self, task, *settings):
        """Exports a task; returns the arguments of its protocol, the test examples and the rules of the task file."""
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        protocol = ["--study", "quick", *(word for s in ("test_per_kind=20", "validation_per_kind=2", *settings) for word in ("--set", s))]
        out = os.path.join(directory.name, "out")
        subprocess.run([PROGRAM, "data", "export", task, *protocol, "--as", "text", "--out", out, "--quiet"], check=True, stdout=subprocess.DEVNULL)

        def lines(name):
            with open(os.path.join(out, name), encoding="utf-8") as file:
                return file.read().splitlines()

        common = "\n".join(lines("memobench_common"))
        pattern = re.search(r"regex_pattern: '(.*)'", common).group(1)
        ignored = re.findall(r"'(.*?)'", re.search(r"regexes_to_ignore: \[(.*)\]", common).group(1))
        self.assertIn("ignore_case: true", common)
        examples = [json.loads(line) for line in lines("test.text.jsonl")]
        self.check_subtasks(task, out, lines, {e["kind"] for e in examples})

        def right(response, answer):
            return exact_match(first_match(pattern, response), answer, ignored, ignore_case=True) == 1

        return protocol, examples, lambda response: first_match(pattern, response), right

    def check_subtasks(self, task, out, lines, kinds):
        """The group names a task for each kind, whose function selects the kind."""
        group = lines(f"memobench_{task}.yaml")
        functions = {}
        with open(os.path.join(out, "memobench_kinds.py"), encoding="utf-8") as file:
            exec(file.read(), functions)
        for kind in kinds:
            name = f"memobench_{task}_{kind}"
            self.assertIn(f"  - {name}", group)
            text = "\n".join(lines(f"{name}.yaml"))
            select = functions[re.search(r"!function memobench_kinds\.(\w+)", text).group(1)]
            self.assertEqual(select(Selection([{"kind": kind}, {"kind": "other"}])), [{"kind": kind}])

    FORMS = ["{}", " {}", " {}.", "{}\n", " The answer is {}.", "Answer: {}", "the {}", " **{}**"]

    def test_right_answers_count_as_right(self):
        for task, settings in (("babi", ["tasks=1,5,8,15,19"]), ("pai3", []), ("sp10-2-2", [])):
            protocol, examples, filtered, right = self.export(task, *settings)
            answers = {e["answer"] for e in examples}
            samples = []
            for i, e in enumerate(examples):
                for form in self.FORMS:
                    for text in (e["answer"], e["answer"].capitalize(), e["answer"].replace(",", ", ")):
                        self.assertTrue(right(form.format(text), e["answer"]), (form, text, e["answer"]))
                for other in answers - {e["answer"]}:
                    self.assertFalse(right(" " + other, e["answer"]), (other, e["answer"]))
                response = self.FORMS[i % len(self.FORMS)].format(e["answer"].replace(",", ", "))
                samples.append({"doc_id": i, "doc": e, "target": e["answer"], "resps": [[response]], "filtered_resps": [filtered(response)],
                                "filter": "answer", "metrics": ["exact_match"], "exact_match": 1.0})
            with tempfile.TemporaryDirectory() as directory:
                out = os.path.join(directory, "run")
                subprocess.run([PROGRAM, "score", "--task", task, *protocol, "--name", "language model", "--out", out, "-"], check=True, text=True,
                               input="".join(json.dumps(s) + "\n" for s in samples), stdout=subprocess.DEVNULL)
                with open(os.path.join(out, "record.json"), encoding="utf-8") as file:
                    for kind in json.load(file)["evaluation"]["kinds"]:
                        self.assertEqual(kind["correct"], kind["total"], (task, kind))

    def test_several_answers(self):
        _, _, _, right = self.export("sp10-2-2")
        for response in ("6 3", "6, 3.", "The answer is 6, 3"):
            self.assertTrue(right(response, "6 3"), response)
        for response in ("63", "3 6", "6"):
            self.assertFalse(right(response, "6 3"), response)

    def test_names_have_capitals(self):
        _, examples, _, _ = self.export("babi", "tasks=1,5,15")
        answers = {e["answer"] for e in examples}
        self.assertTrue(answers & {"Mary", "Bill", "Fred", "Jeff"}, answers)
        for e in examples:
            self.assertIsNone(re.search(r"\b(mary|bill|fred|jeff)\b", e["text"] + e["question"] + e["answer"]), e)


class Selection(list):
    """Has the filter of a datasets.Dataset."""

    def filter(self, keep):
        return [e for e in self if keep(e)]


if __name__ == "__main__":
    unittest.main()
