package babi

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
)

// Questions after a statement with a held-out combination, or with one in their text, are removed
// from training. Test questions are divided by their supporting facts and texts.
func TestHeldOutCombinations(t *testing.T) {
	stories := "1 Mary ran home.\n2 Where is Mary?\thome\t1\n3 Mary got milk.\n4 John ran.\n5 Where is Mary?\thome\t1\n6 Who has milk?\tmary\t3\n" +
		"1 John got milk.\n2 Has Mary milk?\tno\t1\n3 Who has milk?\tjohn\t1\n4 Mary ran.\n5 Who has milk?\tjohn\t1\n"
	dir := writeFiles(t, map[string]string{
		"qa1_train.txt": stories, "qa1_test.txt": stories,
		"qa2_train.txt": "1 John ran.\n2 Who ran?\tjohn\t1\n", "qa2_test.txt": "1 John ran.\n2 Who ran?\tjohn\t1\n",
	})
	const first, second = "1: mary ran home | where is mary | home", "1: john got milk, mary ran | who has milk | john"
	s := with("1,2")
	s.Validation, s.HeldOut = 0, "Mary+milk,john+home"
	src := mustOpen(t, s, datasets.Options{DataPath: dir})
	if got, want := examined(t, src, datasets.Train, 0), []string{first, "1: john got milk | who has milk | john", second, "2: john ran | who ran | john"}; !slices.Equal(got, want) {
		t.Errorf("training:\n%q, want\n%q", got, want)
	}
	all := examined(t, src, datasets.Test, 0)
	if len(all) != 7 {
		t.Errorf("%d test questions, want all 7", len(all))
	}
	caveat := datasets.Caveat{Kind: datasets.ReducedSize, Text: "trained without the stories of Mary+milk, john+home", Brief: "without Mary+milk,john+home"}
	if c := src.Spec().Caveats; !slices.Contains(c, caveat) {
		t.Errorf("caveats %+v", c)
	}
	plain := s
	plain.HeldOut = ""
	if mustOpen(t, plain, datasets.Options{DataPath: dir}).Spec().Hash == src.Spec().Hash {
		t.Error("with and without held-out combinations the data have one hash")
	}

	part := func(s Settings, value string) []string {
		s.Combinations = &value
		return examined(t, mustOpen(t, s, datasets.Options{DataPath: dir, Splits: []datasets.Split{datasets.Test}, Shifted: true}), datasets.Test, 0)
	}
	needed, others := part(s, needHeldOut), part(s, needOthers)
	want := []string{"1: mary ran home, mary got milk, john ran | who has milk | mary", "1: john got milk | has mary milk | no"}
	if !slices.Equal(needed, want) {
		t.Errorf("held-out: %q, want %q", needed, want)
	}
	for _, s := range []Settings{s, plain} { // also of weights that were trained with the combination
		if got := part(s, "Mary+milk"); !slices.Equal(got, want) {
			t.Errorf("held_out = %q: questions that need Mary+milk: %q, want %q", s.HeldOut, got, want)
		}
	}
	if len(others) != 4 || others[0] != first || others[3] != second { // task 2 has no part of the first kind
		t.Errorf("others: %q", others)
	}
}

// A pronoun counts as the names that it stands for, also behind another pronoun and for two
// people, and a name of another story or object does not.
func TestHeldOutCombinationsThroughPronouns(t *testing.T) {
	stories := "1 Mary ran home.\n2 Then she went to the office.\n3 Where is Mary?\toffice\t1 2\n" +
		"1 John and Mary ran home.\n2 After that they ran.\n3 Where is John?\thome\t1 2\n4 Then they went to the office.\n5 Where is Mary?\toffice\t1 4\n" +
		"1 She went to the office.\n2 Where is she?\toffice\t1\n" +
		"1 John saw Mary.\n2 Then he went to the office.\n3 Where is John?\toffice\t1 2\n"
	dir := writeFiles(t, map[string]string{"qa1_train.txt": stories, "qa1_test.txt": stories})
	s := with("1")
	s.Validation, s.HeldOut = 0, "mary+office"
	src := mustOpen(t, s, datasets.Options{DataPath: dir})
	want := []string{"1: john and mary ran home, after that they ran | where is john | home", "1: she went to the office | where is she | office",
		"1: john saw mary, then he went to the office | where is john | office"}
	if got := examined(t, src, datasets.Train, 0); !slices.Equal(got, want) {
		t.Errorf("training:\n%q, want\n%q", got, want)
	}
	s.Combinations = new(needHeldOut)
	part := examined(t, mustOpen(t, s, datasets.Options{DataPath: dir, Splits: []datasets.Split{datasets.Test}, Shifted: true}), datasets.Test, 0)
	want = []string{"1: mary ran home, then she went to the office | where is mary | office",
		"1: john and mary ran home, after that they ran, then they went to the office | where is mary | office"}
	if !slices.Equal(part, want) {
		t.Errorf("test:\n%q, want\n%q", part, want)
	}
}

func TestHeldOutCombinationsThatCannotBe(t *testing.T) {
	heldOut, others := needHeldOut, needOthers
	odd, unknown, two, absent := "odd", "anna+atik", "anna+attic,anna+hall", "anna+book"
	for _, c := range []struct {
		list     string
		asked    *string
		shifted  bool
		key, why string
	}{
		{"anna", nil, false, "held_out", `"anna" is not a combination`},
		{"anna+attic,", nil, false, "held_out", `"" is not a combination`},
		{"anna+atik", nil, false, "held_out", `words of the data, which have no "atik"`},
		{"anna+book", nil, false, "held_out", "combinations that a sentence of the training files has"},
		{"the+to", nil, false, "held_out", "task 1 has 0 and 0 without them"},
		{"anna+book", &heldOut, true, "held_out", "combinations that some test questions need"},
		{"anna+attic", &odd, true, "combinations", "held-out, others, words joined by + such as mary+office, or off"},
		{"", &two, true, "combinations", "held-out, others, words joined by +"},
		{"", &unknown, true, "combinations", `words of the data, which have no "atik"`},
		{"", &absent, true, "combinations", "combinations that some test questions need"},
		{"anna+attic", &others, false, "combinations", "off in training"},
		{"", &others, true, "combinations", "where held_out names no combinations"},
	} {
		s := with("1")
		s.HeldOut, s.Combinations = c.list, c.asked
		opts := datasets.Options{DataPath: smallDir, Shifted: c.shifted}
		if c.shifted {
			opts.Splits = []datasets.Split{datasets.Test}
		}
		_, err := Open(s, opts)
		var bad *datasets.SettingError
		if !errors.As(err, &bad) || bad.Key != c.key || !strings.Contains(bad.Error(), c.why) {
			t.Errorf("held_out = %q: error %v, want %q of %s", c.list, err, c.why, c.key)
		}
	}
}

// In simulated stories, no training sentence has a held-out combination, and the two parts are all
// test questions of the tasks that have both.
func TestHeldOutCombinationsOfSimulatedStories(t *testing.T) {
	s := with("1-3,6,15")
	s.HeldOut = "mary+office,john+milk"
	src := mustOpen(t, s, datasets.Options{DataPath: simulatedSource})
	for _, split := range []datasets.Split{datasets.Train, datasets.Validation} {
		for _, q := range examined(t, src, split, 0) {
			for sentence := range strings.SplitSeq(strings.ReplaceAll(q, " | ", ", "), ", ") {
				words := strings.Fields(sentence)
				has := func(a, b string) bool { return slices.Contains(words, a) && slices.Contains(words, b) }
				if has("mary", "office") || has("john", "milk") {
					t.Fatalf("%v: %s", split, q)
				}
			}
		}
	}
	parts := map[string][]int{}
	for _, value := range []string{needHeldOut, needOthers} {
		s.Combinations = &value
		shifted := mustOpen(t, s, datasets.Options{DataPath: simulatedSource, Splits: []datasets.Split{datasets.Test}, Shifted: true})
		if kinds := shifted.Kinds(); !slices.Equal(kinds, []string{"1", "2", "3", "6"}) {
			t.Errorf("%s: tasks %v", value, kinds)
		}
		parts[value] = must.Get(shifted.Questions(datasets.Test))(t)
	}
	for i, n := range parts[needHeldOut] {
		if want, sum := []int{36, 135, 189, 58}[i], n+parts[needOthers][i]; n != want || sum != 1000 { // as docs/generalization.md says
			t.Errorf("kind %d: %d held out of %d, want %d", i, n, sum, want)
		}
	}
}

// age selects test questions by their newest supporting fact.
func TestAgeSelectsTestQuestions(t *testing.T) {
	age := 7
	s := simulated("1,4")
	s.Age = &age
	src := mustOpen(t, s, datasets.Options{Shifted: true})
	n := must.Get(src.Questions(datasets.Test))(t)
	if len(n) != 1 || n[0] < 50 || n[0] > 200 || src.Kinds()[0] != "1" {
		t.Errorf("%v questions of tasks %v, want about 1 in 100 of task 1", n, src.Kinds())
	}
	s = with("1")
	s.Age = &age
	if _, err := Open(s, datasets.Options{Shifted: true, DataPath: smallDir}); err == nil || !strings.Contains(err.Error(), "age = ") {
		t.Errorf("no question of that age: %v", err)
	}
	if _, err := Open(s, datasets.Options{}); err == nil || !strings.Contains(err.Error(), "memobench generalize") {
		t.Errorf("in training: %v", err)
	}
}

// Settings of the simulator are errors for files, except for weights that were trained on such stories.
func TestFilesHaveTheirOwnPatternsAndAges(t *testing.T) {
	patterns, old := with("1"), with("1")
	patterns.Patterns, old.FactAge = textOf(allPatterns), 9
	for _, s := range []Settings{patterns, old} {
		if _, err := Open(s, datasets.Options{DataPath: smallDir}); err == nil || !strings.Contains(err.Error(), "source=simulated") {
			t.Errorf("%+v: %v", s, err)
		}
	}
	same := with("1")
	same.Patterns = textOf(releasedPatterns)
	if mustOpen(t, same, datasets.Options{DataPath: smallDir}).Spec().Hash != mustOpen(t, with("1"), datasets.Options{DataPath: smallDir}).Spec().Hash {
		t.Error("patterns = released changes the hash")
	}
}
