package survey

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/babi/stats"
)

// Stories are the numbers of bAbI stories, task by task, of files and of
// simulated ones beside them where there are both.
type Stories struct {
	Split string  `json:"split"`
	Tasks []Tasks `json:"tasks"`
}

// Tasks are the numbers of one task.
type Tasks struct {
	Task      int     `json:"task"`
	Title     string  `json:"title"`
	Files     *Counts `json:"files,omitempty"`
	Simulated *Counts `json:"simulated,omitempty"`

	real, told *stats.Stats
}

// Counts are the numbers of stories of one kind.
type Counts struct {
	Stories       int     `json:"stories"`
	Questions     int     `json:"questions"`
	MemoryMean    float64 `json:"memory_mean"` // statements before a question
	MemoryLongest int     `json:"memory_longest"`
	Words         int     `json:"words"` // distinct ones of statements and questions
	Answers       int     `json:"answers"`
	MostFrequent  float64 `json:"most_frequent"`  // share of the most frequent answer, 0 to 1
	SupportMean   float64 `json:"support_mean"`   // supporting facts of a question
	StatementLong int     `json:"statement_long"` // words of the longest statement
	QuestionLong  int     `json:"question_long"`
}

// stories describes files; beside those that are not simulated stand simulated
// ones.
func stories(ctx context.Context, list []babi.File, simulated bool, o Options) (*Stories, error) {
	split := o.Split
	if split == "" {
		split = datasets.Test.String()
		for _, f := range list {
			if f.Split == datasets.Train {
				split = datasets.Train.String()
			}
		}
	}
	s := &Stories{Split: split}
	for _, f := range list {
		if f.Split.String() == split {
			s.Tasks = append(s.Tasks, Tasks{Task: f.Task, Title: babi.TaskTitle(f.Task)})
		}
	}
	if len(s.Tasks) == 0 {
		return nil, fmt.Errorf("no stories of the %s split; there are train and test files, and validation is a part of train", split)
	}
	total := len(s.Tasks)
	var told []babi.File
	if !simulated {
		var err error
		if told, _, err = babi.Files(babi.Simulated); err != nil {
			return nil, err
		}
		total *= 2
	}
	done := 0
	for _, part := range []struct {
		files []babi.File
		told  bool
	}{{list, simulated}, {told, true}} {
		for _, f := range part.files {
			t := s.task(f, split)
			if t == nil {
				continue
			}
			o.tick(f.Name, done, total, "files")
			if err := t.read(f, part.told); err != nil {
				return nil, err
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			done++
		}
	}
	return s, nil
}

// task returns the task of a file of the split, nil where it is not described.
func (s *Stories) task(f babi.File, split string) *Tasks {
	if f.Split.String() != split {
		return nil
	}
	for i := range s.Tasks {
		if s.Tasks[i].Task == f.Task {
			return &s.Tasks[i]
		}
	}
	return nil
}

// read counts a file.
func (t *Tasks) read(f babi.File, told bool) error {
	list, err := f.Stories()
	if err != nil {
		return err
	}
	n := stats.Of(list)
	most, all := 0, 0
	for _, count := range n.Answers {
		most, all = max(most, count), all+count
	}
	c := &Counts{
		Stories: n.Stories, Questions: n.Questions, MemoryMean: n.Memory.Mean(), MemoryLongest: n.Memory.Max(), Words: len(n.Words),
		Answers: len(n.Answers), MostFrequent: ratio(most, all), SupportMean: n.Support.Mean(),
		StatementLong: n.StatementWidth, QuestionLong: n.QuestionWidth,
	}
	if told {
		t.Simulated, t.told = c, n
	} else {
		t.Files, t.real = c, n
	}
	return nil
}

func (t *Tasks) name() string {
	if t.Task == 0 {
		return "(no known task)"
	}
	return fmt.Sprintf("%d %s", t.Task, t.Title)
}

// WriteText writes the tables for a reader.
func (s *Stories) WriteText(w io.Writer) error {
	var out bytes.Buffer
	var real, told []stats.Row
	var pairs []stats.Pair
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if t.real != nil {
			real = append(real, stats.Row{Task: t.name(), Stats: t.real})
		}
		if t.told != nil {
			told = append(told, stats.Row{Task: t.name(), Stats: t.told})
		}
		if t.real != nil && t.told != nil {
			pairs = append(pairs, stats.Pair{Task: t.name(), A: t.real, B: t.told})
		}
	}
	for _, part := range []struct {
		what string
		rows []stats.Row
	}{{"files", real}, {"simulated, not the official files", told}} {
		if len(part.rows) == 0 {
			continue
		}
		if out.Len() > 0 {
			fmt.Fprintln(&out)
		}
		fmt.Fprintf(&out, "bAbI, %s split: %s\n\n", s.Split, part.what)
		if err := stats.Table(&out, part.rows); err != nil {
			return err
		}
	}
	if len(pairs) > 0 {
		fmt.Fprintf(&out, "\nbAbI, %s split: files beside simulated stories\n\n", s.Split)
		if err := stats.Comparison(&out, "files", "simulated", pairs); err != nil {
			return err
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}
