"""What the files of the bAbI tasks leave out: abstract patterns and ages of facts, by task. Plain Python.

    python3 tools/python/babi_patterns.py data/babi/en-10k [OTHER]

Names of people, places, things and their properties are replaced in the order of their first appearance,
and words of the same meaning by one of them. A pattern is such a story up to a question, with the question
and its answer; a pattern of facts has only the supporting facts of the story. The age of a question is the
number of statements after its newest supporting fact. OTHER is a directory to compare with, such as that of
"memobench data export babi --as babi --set patterns=all --set fact_age=1000 --out OTHER".
"""
import collections
import glob
import re
import sys

NAMES = set("""john mary sandra daniel fred bill jeff julie bathroom bedroom garden hallway kitchen office cinema park school
    apple football milk gertrude winona jessica emily cat mouse sheep wolf bernhard brian greg julius lily frog lion rhino
    swan gray green white yellow antoine jason sumit yann pajamas bored hungry thirsty tired blue_square pink_rectangle
    red_sphere red_square triangle yellow_square chocolate box_of_chocolates box chest container suitcase""".split())

SAME = [(re.compile(pattern), text) for pattern, text in (
    (r"[.?]", ""),
    (r"\b(went back|went|moved|journeyed|travelled) to\b", "moves to"),
    (r"\b(got|took|picked up|grabbed) the (\w+)( there)?", r"gets the \2"),
    (r"\b(dropped|left|discarded|put down) the (\w+)( there)?", r"drops the \2"),
    (r"\b(gave|handed|passed) the\b", "gives the"),
    (r"^(after that|following that|afterwards)\b", "then"),
    (r"\bno longer in\b", "not in"),
    (r"\bcats\b", "cat"), (r"\bmice\b", "mouse"), (r"\bwolves\b", "wolf"),
    (r"\b(blue|red|yellow) square\b", r"\1_square"),
    (r"\bpink rectangle\b", "pink_rectangle"), (r"\bred sphere\b", "red_sphere"),
    (r"\bbox of chocolates\b", "box_of_chocolates"),
)]

known = {}  # sentence to its words


def words(sentence):
    if sentence not in known:
        text = sentence.lower()
        for pattern, replacement in SAME:
            text = pattern.sub(replacement, text)
        known[sentence] = text.replace(",", " ").split()
    return known[sentence]


def pattern(sentences):
    """The sentences with names replaced by x1, x2, ... in the order of their first appearance."""
    names = {}
    return " | ".join(
        " ".join(names.setdefault(w, "x%d" % (len(names) + 1)) if w in NAMES else w for w in words(s)) for s in sentences)


class File:
    """Counts the patterns and ages of a file's questions."""

    def __init__(self, path):
        self.stories, self.facts, self.ages = (collections.Counter() for _ in range(3))
        for line in open(path, encoding="utf-8"):
            number, text = line.rstrip("\n").split(" ", 1)
            if number == "1":
                statements = {}
            if "\t" not in text:
                statements[number] = text
                continue
            question, answer, support = text.split("\t")
            at = sorted(list(statements).index(n) for n in support.split())
            told = list(statements.values())
            self.stories[pattern(told + [question, answer])] += 1
            self.facts[pattern([told[i] for i in at] + [question, answer])] += 1
            self.ages[len(told) - 1 - at[-1]] += 1


def files(directory, task):
    """The training file and the test file of a task, None for a missing one."""
    found = (glob.glob("%s/qa%d_*%s.txt" % (directory, task, part)) for part in ("train", "test"))
    return [File(path[0]) if path else None for path in found]


def number(f, counter):
    return "{:,}".format(len(getattr(f, counter))) if f else "–"


def share(ages, low, high):
    return "%.1f" % (100 * sum(n for age, n in ages.items() if low <= age <= high) / sum(ages.values()))


def main(released, other=None):
    head = ["Task", "Patterns of stories: training", "test", "Test questions with one of training, %", "Patterns of facts: training", "test"]
    head += ["simulated", "Simulated questions with one of the files, %"] if other else []
    head += ["Age of facts: mean", "largest"] + (["simulated"] if other else [])
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    for task in range(1, 21):
        train, test = files(released, task)
        row = [task, number(train, "stories"), number(test, "stories")]
        both = sum(n for p, n in test.stories.items() if train and p in train.stories)
        row += ["%.1f" % (100 * both / sum(test.stories.values())) if train else "–", number(train, "facts"), number(test, "facts")]
        facts, ages = (sum((getattr(f, key) for f in (train, test) if f), collections.Counter()) for key in ("facts", "ages"))
        more = [f for f in files(other, task) if f] if other else []
        if more:
            possible = set(facts).union(*(f.facts for f in more))
            asked = sum(n for f in more for p, n in f.facts.items() if p in facts)
            row += ["{:,}".format(len(possible)), "%.1f" % (100 * asked / sum(sum(f.facts.values()) for f in more))]
        row += ["%.1f" % (sum(a * n for a, n in ages.items()) / sum(ages.values())), max(ages)]
        if more:
            row.append(max(max(f.ages) for f in more))
        print("| " + " | ".join(map(str, row)) + " |")


if __name__ == "__main__":
    main(*sys.argv[1:])
