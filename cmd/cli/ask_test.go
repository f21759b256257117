package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
}

// The weights were trained on classes, and these items are names that they have never
// seen: the answer can only be inferred from the pairs.
func TestAskInfersFromTypedPairs(t *testing.T) {
	got := command("ask", "--json", "--checkpoint", pretrained, askFile(t, "tea cup\ncup shelf\nnail hammer\nhammer wall\ntea ? shelf wall\nnail ? shelf wall\n")).want(t, exitGood)
	lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
	for i, want := range []string{"shelf", "wall"} {
		var r struct {
			Answers []struct {
				Best []struct {
					Answer      string
					Probability float64
				}
				Hops [][]float64
			}
		}
		must.Do(t, json.Unmarshal([]byte(lines[i]), &r))
		if a := r.Answers[0]; a.Best[0].Answer != want || a.Best[0].Probability < 0.9 || len(a.Hops) != 3 || len(a.Hops[0]) != 4 {
			t.Errorf("question %d: %+v, want %s", i, a, want)
		}
	}
}
