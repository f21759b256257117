package data

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/babi/format"
)

// StoryStats describes the stories of a bAbI file.
type StoryStats struct {
	Task          int     `json:"task"`
	Title         string  `json:"title"`
	File          string  `json:"file"`
	Split         string  `json:"split"`
	Simulated     bool    `json:"simulated"`
	Stories       int     `json:"stories"`
	Questions     int     `json:"questions"`
	MemoryMean    float64 `json:"memory_mean"` // statements before a question
	MemoryLongest int     `json:"memory_longest"`
	Words         int     `json:"words"` // distinct ones of statements and questions
	Answers       int     `json:"answers"`
	MostFrequent  float64 `json:"most_frequent"` // share of the most frequent answer, 0 to 1
	SupportMean   float64 `json:"support_mean"`  // supporting facts of a question
}

// BabiStats describes the bAbI files that package babi finds for a path, or
// without one; where there are none, simulated stories. An empty split is train,
// or test where there are no training files.
func BabiStats(ctx context.Context, path, split string, tick Tick) (*Stats, error) {
	list, simulated, err := babi.Files(path)
	if err != nil {
		return nil, err
	}
	out, of, err := storyStats(ctx, list, simulated, split, tick)
	if err != nil {
		return nil, err
	}
	if note := babi.NoteMissing(list, of); note != "" && len(list) > 1 { // not for a single file
		out.Notes = append(out.Notes, note)
	}
	return out, nil
}

func storyStats(ctx context.Context, list []babi.File, simulated bool, split string, tick Tick) (_ *Stats, of datasets.Split, err error) {
	of = datasets.Test
	for _, f := range list {
		if f.Split == datasets.Train {
			of = datasets.Train
		}
	}
	if split != "" {
		if of, err = datasets.ParseSplit(split); err != nil {
			return nil, of, err
		}
	}
	out := &Stats{}
	for i, f := range list {
		tick.show(f.Name, i, len(list))
		if err := ctx.Err(); err != nil {
			return nil, of, err
		}
		if f.Split != of {
			continue
		}
		stories, err := f.Stories()
		if err != nil {
			return nil, of, err
		}
		s := describeStories(stories)
		s.Task, s.Title, s.File, s.Split, s.Simulated = f.Task, babi.TaskTitle(f.Task), f.Name, of.String(), simulated
		out.Stories = append(out.Stories, s)
	}
	if out.Stories == nil {
		return nil, of, noStories(of)
	}
	return out, of, nil
}

// noStories is the error for a split without files.
func noStories(split datasets.Split) error {
	return fmt.Errorf("no stories of the %v split; there are train and test files, and validation is a part of train", split)
}

func describeStories(stories []format.Story) StoryStats {
	s := StoryStats{Stories: len(stories)}
	words, answers := map[string]int{}, map[string]int{}
	memory, support := 0, 0
	for _, story := range stories {
		statements := 0
		for i := range story {
			l := &story[i]
			for _, w := range format.Words(l.Text) {
				words[w]++
			}
			if !l.IsQuestion() {
				statements++
				continue
			}
			s.Questions++
			answers[strings.ToLower(l.Answer)]++
			memory, support = memory+statements, support+len(l.Support)
			s.MemoryLongest = max(s.MemoryLongest, statements)
		}
	}
	n := float64(max(s.Questions, 1))
	s.MemoryMean, s.SupportMean, s.Words = float64(memory)/n, float64(support)/n, len(words)
	s.Answers, s.MostFrequent = distinct(answers)
	return s
}

// writeStoryStats writes a table, one file per line.
func writeStoryStats(w io.Writer, list []StoryStats) {
	what := "files"
	if list[0].Simulated {
		what = "simulated stories, not the official files"
	}
	fmt.Fprintf(w, "bAbI, %s split: %s\n\n", list[0].Split, what)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "task\tstories\tquestions\tmemory\tlongest\twords\tanswers\tmost frequent\tfacts")
	for _, s := range list {
		name := fmt.Sprintf("%d %s", s.Task, s.Title)
		if s.Task == 0 {
			name = s.File
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%.2f\t%d\t%d\t%d\t%s\t%.2f\n", name, s.Stories, s.Questions,
			s.MemoryMean, s.MemoryLongest, s.Words, s.Answers, percent(s.MostFrequent), s.SupportMean)
	}
	t.Flush() // to a builder, which takes everything
	fmt.Fprint(w, `
memory: statements before a question, mean and longest. words: distinct ones of statements and questions.
most frequent: share of the most frequent answer. facts: supporting facts of a question, mean.
`)
}
