package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/benchmarks/evaluate"
	"memobench/datasets/must"
)

func askFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "questions.txt")
	must.Do(t, os.WriteFile(name, []byte(text), 0o644))
	return name
}

func TestAskAnswersATypedStory(t *testing.T) {
	weights := filepath.Join(recorded, "pretrained", "babi-memo")
	story := askFile(t, "1 Mary went to the hallway.\n2 John moved to the kitchen.\nMary took the apple there.\nMary journeyed to the garden.\nWhere is Mary?\nWhere is the apple?\n\n"+
		"The hallway is east of the bathroom.\nThe bedroom is west of the bathroom.\nWhat is the bathroom east of?\n")
	got := command("ask", story, "--checkpoint", weights).want(t, exitGood)
	var answers []string
	for line := range strings.Lines(got.stdout) {
		if !strings.HasPrefix(line, "  hop ") {
			answer, _, _ := strings.Cut(line, " ")
			answers = append(answers, answer)
		}
	}
	if strings.Join(answers, " ") != "garden garden bedroom" {
		t.Errorf("answers %q in\n%s", answers, got.stdout)
	}
	command("ask", askFile(t, "Mary went to the hallway.\nWhere is Marry?\n"), "--checkpoint", weights).
		want(t, exitUsage, `questions.txt:2: `, `the word "marry" is not among`, "known: mary")
	command("ask", askFile(t, "Mary went to the hallway.\nWhere is zebra?\n"), "--checkpoint", weights).want(t, exitUsage, "(known: ")
	command("ask", askFile(t, "Mary went to the zoo.\nJohn is here.\nWhere is Mary?\n"), "--checkpoint", weights).
		want(t, exitUsage, `questions.txt:1: `, `statement 1, "Mary went to the zoo.": the word "zoo"`)
	command("ask", askFile(t, "Mary went to the hallway.\n"), "--checkpoint", weights).want(t, exitUsage, "no question")
	command("ask", filepath.Join(t.TempDir(), "none.txt"), "--checkpoint", weights).want(t, exitUsage, "none.txt")
}

// A path is found in edges of a person's own, with weights that README's command trains.
func TestAskFindsThePathBetweenTypedNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("trains for some seconds")
	}
	dir := filepath.Join(t.TempDir(), "memo-paths")
	command("train", "--preset", "quick", "--model", "memo", "--task", "sp10-2-2", "--out", dir, "--quiet").want(t, exitGood)
	got := command("ask", "--checkpoint", dir, askFile(t, "0 1\n0 2\n1 3\n1 5\n2 4\n2 6\n0 ? 4\n0 ? 5\n0 ? 3\n")).want(t, exitGood)
	var nodes []string
	for line := range strings.Lines(got.stdout) {
		if node, _, found := strings.Cut(line, " ("); found {
			nodes = append(nodes, node)
		}
	}
	if strings.Join(nodes, " ") != "2 1 1" {
		t.Errorf("nodes %q in\n%s", nodes, got.stdout)
	}
}

// In a terminal a statement is checked when it is typed, and left out if it is wrong.
func TestAskChecksStatementsAsTheyAreTyped(t *testing.T) {
	a := must.Get(evaluate.OpenAsker(pretrained, "", false))(t)
	var out strings.Builder
	c := &conversation{asker: a, interactive: true, out: &out, name: "standard input"}
	must.Do(t, c.run(strings.NewReader("tea cup\ncup\ncup shelf\nnail wall\ntea ? shelf moon\ntea ? shelf wall\n")))
	replies := strings.Split(out.String(), "> ")
	for i, want := range map[int]string{1: "", 2: `pair 2, "cup": 1 items, want 2, as in "A B"; this line is left out`, 3: "", 5: "no pair has moon; known: tea, cup, shelf, nail, wall", 6: "shelf ("} {
		if i >= len(replies) || !strings.Contains(replies[i], want) || want == "" && replies[i] != "" {
			t.Errorf("reply %d is not %q in\n%s", i, want, out.String())
		}
	}
}

// The weights were trained on classes, and these items are names that they have never
// seen: the answer can only be inferred from the pairs.
func TestAskInfersFromTypedPairs(t *testing.T) {
	got := command("ask", "--json", "--checkpoint", pretrained, askFile(t, "tea cup\ncup shelf\nnail hammer\nhammer wall\ntea ? shelf wall\nnail ? shelf wall\n")).want(t, exitGood)
	lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
	for i, want := range []string{"shelf", "wall"} {
		var r evaluate.Reply
		must.Do(t, json.Unmarshal([]byte(lines[i]), &r))
		if a := r.Answers[0]; a.Best[0].Answer != want || a.Best[0].Probability < 0.9 || len(a.Hops) != 3 || len(a.Hops[0]) != 4 {
			t.Errorf("question %d: %+v, want %s", i, a, want)
		}
	}
}

func TestOneQuestionPerLine(t *testing.T) {
	for line, several := range map[string]bool{
		"Where is Mary?": false, "Where is Mary??": false, "Where is Mary ? ?": false, "tea ? shelf wall": false, "0 ? 4": false,
		"Where is Mary? Where is John?": true, "0 ? 4 0 ? 5": true,
	} {
		if severalQuestions(line) != several {
			t.Errorf("%q: several questions: %v", line, !several)
		}
	}
}
