package babi

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"memobench/datasets"
	"memobench/datasets/babi/simulate"
)

// version is part of the hash; increase it when the same files and settings give other
// batches.
const version = "babi reader 1"

// Open reads the data and returns the task.
//
// A missing file of a split of opts.Splits is an error; other splits fail when they are used. With
// opts.Trained, these are errors with file and line: a word outside the model's vocabulary, a sentence
// longer than its sizes and, in a split of opts.Splits, a memory longer than its sizes.
func Open(s Settings, opts datasets.Options) (*Source, error) {
	src := &Source{limit: s.MaxRows}
	src.Finite = datasets.Finite{Name: "babi", Sizes: src.count, Reset: src.reset, Put: src.put}
	if err := src.open(s, opts); err != nil {
		return nil, fmt.Errorf("babi: %w", err)
	}
	return src, nil
}

func (src *Source) open(s Settings, opts datasets.Options) error {
	numbers, err := s.validate(opts.Shifted)
	if err != nil {
		return err
	}
	if t := opts.Trained; t != nil && (len(t.Vocabulary) != t.Shape.Vocabulary || len(t.Vocabulary) == 0 || t.Shape.Answers != 1 || !t.Shape.Temporal) {
		return fmt.Errorf("the model was not trained on bAbI: it has %d words and the shape %+v", len(t.Vocabulary), t.Shape)
	}
	lib, err := find(s, opts)
	if err == nil && opts.Trained == nil && !lib.generated {
		err = s.checkFiles()
	}
	if err != nil {
		return err
	}
	if train := &lib.files[datasets.Train][3]; *train == nil && s.SubstituteTask3 {
		*train = lib.substitute
	}
	if opts.Partial {
		if there := lib.complete(numbers, datasets.Test, opts); len(there) > 0 {
			numbers = there
		}
	}
	for split := range datasets.Test + 1 {
		absent := lib.missing(numbers, split, opts)
		if absent != nil && opts.Needs(split) && !(split == datasets.Validation && s.Validation == 0) {
			return absent
		}
		src.absent[split] = absent
	}
	c, err := load(lib, numbers, opts.Trained)
	if err != nil {
		return err
	}
	src.words, src.sentences = c.lex.words, c.lex.sentences
	src.distract = newDistractors(s.Distractors, s.Before, c.lex)
	if err := src.size(c, lib, len(numbers) == numTasks, s.Distractors+s.Before, opts); err != nil {
		return err
	}
	src.Data = describe(s, numbers, lib, c, src.Dimensions)
	if lib.generated && s.Source == nil && opts.DataPath == "" {
		src.Data.Unasked = simulatedText
	}
	held, err := newHeldOut("held_out", s.HeldOut, c.lex)
	if err == nil {
		err = held.removeTrained(c, opts)
	}
	if err == nil && s.Combinations != nil {
		err = s.selectTest(c, held)
	}
	if err == nil && s.Age != nil {
		err = c.selectAge(*s.Age)
	}
	if err != nil {
		return err
	}
	return src.fill(c, s, held, opts)
}

// size sets the shape; all says that all tasks are selected.
func (src *Source) size(c *corpus, lib *library, all bool, distractors int, opts datasets.Options) error {
	longest, needed := 0, 0 // of all splits, and of those that will be used
	for split := range datasets.Test + 1 {
		rows, where := c.longest(split, src.limit)
		longest = max(longest, rows)
		if opts.Needs(split) {
			needed = max(needed, rows)
		}
		if t := opts.Trained; t != nil && rows > t.Shape.MaxRows && !opts.Shifted {
			err := fmt.Errorf("%s: a question about %d statements: the model takes %d; --set max_rows=%d drops older ones",
				where, rows, t.Shape.MaxRows, t.Shape.MaxRows)
			if opts.Needs(split) {
				return err
			}
			src.absent[split] = err
		}
	}
	if opts.Trained != nil {
		src.Dimensions = opts.Trained.Shape
	} else {
		rows, widest := longest, 0
		if lib.generated { // the sizes of the official files of all tasks
			widest = simulate.Widest
			for _, k := range c.kinds {
				rows = max(rows, simulate.Longest[k.task])
			}
		}
		if src.limit > 0 && (all || rows > src.limit) {
			rows = src.limit
		}
		src.Dimensions = datasets.Shape{
			Vocabulary: len(c.lex.words), MaxRows: rows, Answers: 1, Temporal: true,
			RowWidth: max(c.lex.rowWidth, widest), QueryWidth: max(c.lex.queryWidth, widest),
		}
	}
	if opts.Shifted {
		src.Dimensions.MaxRows = max(src.Dimensions.MaxRows, needed+distractors)
	}
	return nil
}

// fill assigns the stories to the splits.
func (src *Source) fill(c *corpus, s Settings, held *heldOut, opts datasets.Options) error {
	for _, k := range c.kinds {
		src.KindNames = append(src.KindNames, strconv.Itoa(k.task))
		if train := k.files[datasets.Train]; train != nil && k.files[datasets.Validation] == nil {
			chosen := validationStories(k.task, train.count, s.Validation)
			for split := range datasets.Test {
				k.files[split] = train.filter(func(q question) bool { return chosen[q.story] == (split == datasets.Validation) })
			}
		}
		if err := held.check(&k, s.Validation, opts); err != nil {
			return err
		}
		for split, f := range k.files {
			src.pools[split] = append(src.pools[split], cmp.Or(f, new(content)))
		}
	}
	for split, pools := range src.pools {
		n := 0
		for _, p := range pools {
			n += len(p.questions)
		}
		if n == 0 && src.absent[split] == nil {
			src.absent[split] = fmt.Errorf("no %v questions with validation = %v", datasets.Split(split), s.Validation)
		}
	}
	return nil
}

func describe(s Settings, numbers []int, lib *library, c *corpus, shape datasets.Shape) datasets.Spec {
	settings := datasets.SettingStrings(s)
	settings["tasks"], settings["vocabulary"] = formatTasks(numbers), strconv.Itoa(shape.Vocabulary)
	if len(numbers) == numTasks {
		settings["tasks"] = "all"
	}
	for key, applies := range map[string]bool{"substitute_task3": false, "source": false, "patterns": lib.generated && s.rules().AllPatterns, "fact_age": lib.generated} {
		if !applies {
			delete(settings, key)
		}
	}
	spec := datasets.Spec{Task: "babi", Settings: settings}
	add := func(kind datasets.CaveatKind, brief, text string) {
		spec.Caveats = append(spec.Caveats, datasets.Caveat{Kind: kind, Text: text, Brief: brief})
	}
	if lib.simulated {
		settings["source"] = simulatedSource
		add(datasets.SimulatedData, "simulated", simulatedText)
	}
	if text := unofficial(c, lib.simulated); text != "" && !lib.generated {
		add(datasets.SubstituteData, "", text)
	}
	if len(numbers) < numTasks {
		add(datasets.TaskSubset, "tasks "+settings["tasks"], fmt.Sprintf("tasks %s of %d", settings["tasks"], numTasks))
	}
	for _, k := range c.kinds {
		train := k.files[datasets.Train]
		if k.task != 3 || train == nil {
			continue
		}
		settings["task3_training"] = "official"
		if lib.simulated {
			settings["task3_training"] = simulatedSource
		} else if lib.files[datasets.Train][3] == lib.substitute {
			settings["task3_training"] = "substitute"
			add(datasets.SubstituteData, "substitute data", substituteText(train))
		}
	}
	if s.MaxRows > 0 && s.MaxRows < paperMaxRows {
		add(datasets.OtherProtocol, "", fmt.Sprintf("memory limited to the last %d statements (paper: %d)", s.MaxRows, paperMaxRows))
	}
	for split := range datasets.Test + 1 {
		if all, where := c.longest(split, 0); s.MaxRows >= paperMaxRows && all > s.MaxRows {
			add(datasets.OtherProtocol, "", fmt.Sprintf("%s: a question about %d statements, of which the last %d are read (max_rows)", filepath.Base(where), all, s.MaxRows))
			break
		}
	}
	if len(lib.unread) > 0 {
		add(datasets.Remark, "", "files of the data that are not read: "+strings.Join(lib.unread, ", "))
	}
	if s.HeldOut != "" {
		add(datasets.ReducedSize, "without "+s.HeldOut, "trained without the stories of "+strings.ReplaceAll(s.HeldOut, ",", ", "))
	}
	sizes := fmt.Sprintf("sizes %d %d %d", shape.MaxRows, shape.RowWidth, shape.QueryWidth)
	spec.Hash = datasets.Fingerprint(version, settings, append(c.digests, sizes)...)
	slices.SortFunc(spec.Caveats, func(a, b datasets.Caveat) int { return strings.Compare(a.Text, b.Text) })
	return spec
}
