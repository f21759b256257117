package table

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
)

// answered returns the runs with a value for the question, by seed.
func answered(q *paper.Question, runs []results.Run) []results.Run {
	var list []results.Run
	for _, r := range runs {
		if !q.System.Is(r.Record) {
			continue
		}
		if _, ok := q.Value(r.Record); ok {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, bySeed)
	return list
}

// over returns the cell of the question over the given runs. A seed counts once: several
// runs with one configuration but different results, for example of other builds, count
// with their mean.
func over(q *paper.Question, runs []results.Run) Cell {
	var values []float64
	for _, same := range results.GroupBy(runs, results.Run.Configuration) {
		mean := 0.0
		for i, r := range same {
			v, _ := q.Value(r.Record)
			mean += (v - mean) / float64(i+1)
		}
		values = append(values, mean)
	}
	c := Mean(values, q.Decimals)
	c.Full = q.Full
	for _, r := range runs {
		v, _ := q.Value(r.Record)
		c.Sources = append(c.Sources, source(r, v))
	}
	if q.Full == 100 || q.AllKinds { // an accuracy or an error
		for _, r := range runs {
			if n := questions(r.Record, q.AllKinds); c.Questions == 0 || n < c.Questions {
				c.Questions = n
			}
		}
	}
	return c
}

// questions returns the number of test questions of a run: of all kinds, or of the kind with
// the fewest.
func questions(r *record.Record, all bool) int {
	sum, fewest := 0, math.MaxInt
	for _, k := range r.Evaluation.Kinds {
		sum, fewest = sum+k.Total, min(fewest, k.Total)
	}
	if all || sum == 0 {
		return sum
	}
	return fewest
}

// settingOf returns the cell of a question about a setting: its values in the runs, or a
// known number.
func settingOf(q *paper.Question, runs []results.Run) Cell {
	if q.Known != nil {
		return Cell{State: Number, Mean: *q.Known, Decimals: q.Decimals}
	}
	var words []string
	for _, r := range runs {
		if w := q.Words(r.Record); w != "" && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	if words == nil {
		return Cell{State: Unknown}
	}
	return Words(strings.Join(words, " or "))
}

// source returns the Source of a run.
func source(run results.Run, value float64) Source {
	r := run.Record
	s := Source{Path: run.Path, Seed: r.Identity.Seed, Value: value, Steps: r.Training.Steps, Status: string(r.Status),
		Code: r.Environment.Code, BLAS: r.Environment.BLAS, Overrides: r.Identity.Overrides}
	if loss, ok := r.ValidationLoss(); ok {
		s.Loss = &loss
	}
	return s
}

// lowestLoss returns the k runs with the lowest loss by the task's rule. Runs without a
// loss, such as those that diverged, are last. Accuracy is not used.
func lowestLoss(task string, runs []results.Run, k int) []results.Run {
	list := slices.Clone(runs)
	slices.SortStableFunc(list, func(a, b results.Run) int { return cmp.Compare(ruleLoss(task, a), ruleLoss(task, b)) })
	return list[:min(k, len(list))]
}

// ruleLoss returns the loss by which the paper chose runs of a task, for the evaluated
// weights; infinite for a run without it. The training loss is that of the last weights:
// if the protocol selects weights by validation loss, that is used.
func ruleLoss(task string, r results.Run) float64 {
	loss := (*record.Record).ValidationLoss
	if paper.Rule(task) == paper.ByTraining && r.Record.Protocol.Values["selection"] != "best-validation" {
		loss = (*record.Record).TrainingLoss
	}
	return record.OrInfinite(loss(r.Record))
}

// meanLoss returns the mean of ruleLoss over the seeds of one or more runs.
func meanLoss(task string, runs []results.Run) float64 {
	sum, same := 0.0, perSeed(runs)
	for _, repeats := range same {
		for _, r := range repeats {
			sum += ruleLoss(task, r) / float64(len(repeats))
		}
	}
	return sum / float64(len(same))
}

// preferredVariant returns the runs of one variant of a system: the one with the system's
// own label, else the one with the lowest mean loss by the task's rule. left are the other
// labels.
func preferredVariant(q *paper.Question, task string, runs []results.Run) (kept []results.Run, left []string) {
	list := columns(runs, nil)
	if len(list) < 2 {
		return runs, nil
	}
	slices.SortStableFunc(list, func(a, b column) int { return cmp.Compare(meanLoss(task, a.runs), meanLoss(task, b.runs)) })
	if i := slices.IndexFunc(list, func(c column) bool { return c.Label == q.System.Label }); i > 0 {
		list = slices.Insert(slices.Delete(slices.Clone(list), i, i+1), 0, list[i])
	}
	for _, c := range list[1:] {
		left = append(left, c.Label)
	}
	return list[0].runs, left
}

// printed returns the cell with the paper's number.
func printed(q *paper.Question) Cell {
	if !q.Published {
		return Cell{State: Unknown}
	}
	v := q.Paper
	return Cell{State: Number, Mean: v.Mean, SD: v.SD, HasSD: v.HasSD, Fraction: v.Fraction, Decimals: v.Digits, Unlike: q.Unlike}
}

// difference returns the cell of a measured number minus the paper's.
func difference(q *paper.Question, c Cell) Cell {
	if c.State != Number || !q.Published || q.Unlike {
		return Cell{}
	}
	return Cell{State: Number, Mean: c.Mean - q.Paper.Mean, Decimals: c.Decimals, Signed: true}
}

// Mean returns the cell of one value per seed: mean and sample standard deviation (n-1 in
// the denominator). Without seeds it is Missing.
func Mean(values []float64, decimals int) Cell {
	n := len(values)
	if n == 0 {
		return Cell{State: Missing}
	}
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	mean := sum / float64(n)
	c := Cell{State: Number, Mean: mean, N: n, Decimals: decimals}
	if n > 1 {
		squares := 0.0
		for _, x := range values {
			squares += (x - mean) * (x - mean)
		}
		c.SD, c.HasSD = math.Sqrt(squares/float64(n-1)), true
	}
	return c
}
