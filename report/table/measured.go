package table

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/results"
)

// selectedRuns returns the runs of a selection, by seed.
func (f *builder) selectedRuns(s *Selection) []results.Run {
	list := slices.DeleteFunc(slices.Clone(f.runs), func(r results.Run) bool { return !s.matches(r.Record) })
	slices.SortStableFunc(list, func(a, b results.Run) int {
		return cmp.Compare(a.Record.Identity.Seed, b.Record.Identity.Seed)
	})
	return list
}

func (s *Selection) matches(r *record.Record) bool {
	id := r.Identity
	if s.Task != "" && s.Task != id.Task || s.Network != "" && s.Network != id.Model || s.Seeds != nil && !slices.Contains(s.Seeds, id.Seed) {
		return false
	}
	if (s.Shift == "") != (r.Shift == nil) {
		return false
	}
	if r.Shift != nil {
		hops := ""
		if r.Shift.Hops != nil {
			hops = strconv.Itoa(r.Shift.Hops.Evaluated)
		}
		if r.Shift.Setting != s.Shift || r.Shift.Evaluated != s.Value || hops != s.Hops {
			return false
		}
	}
	return slices.ContainsFunc(s.Runs.all, func(pattern string) bool {
		match, _ := path.Match(pattern, id.Study+"/"+id.Name)
		return match
	})
}

// measuredCell returns the cell of runs: a setting or the aggregate of the metric over seeds.
// Several runs with one seed, such as those of two builds, count with their mean.
func (f *builder) measuredCell(s *Selection, runs []results.Run) (Cell, error) {
	if s.Setting != "" {
		return settingCell(s.Setting, runs), nil
	}
	m, err := s.metric()
	if err != nil {
		return Cell{}, err
	}
	if s.Metric == lowestKinds {
		return lowestKindsCell(runs), nil
	}
	bySeed := map[string][]float64{}
	var seeds []string
	var sources []Source
	questions := 0
	var used []results.Run
	for _, r := range runs {
		v, ok := m.value(r, s)
		if !ok || math.IsNaN(v) {
			continue
		}
		id := r.Record.Identity
		seed := fmt.Sprint(id.Seed)
		if s.Aggregate != "" && s.Aggregate != "mean" {
			seed = fmt.Sprint(id.Study, id.Task, id.Name, id.Seed)
		}
		if bySeed[seed] == nil {
			seeds = append(seeds, seed)
		}
		bySeed[seed] = append(bySeed[seed], v)
		sources = append(sources, Source{id.Study, id.Task, id.Name, id.Seed, v, r.Source})
		used = append(used, r)
		if n := s.questions(r.Record); questions == 0 || n < questions {
			questions = n
		}
	}
	var values []float64
	for _, seed := range seeds {
		values = append(values, meanOverSeeds(bySeed[seed], 0).Mean)
	}
	decimals := m.decimals
	if s.Decimals != nil {
		decimals = *s.Decimals
	}
	c, err := aggregate(s.Aggregate, values, used, decimals)
	if err != nil || c.Empty() {
		return c, err
	}
	c.Sources = sources
	c.isError = m.isError
	if m.percent {
		c.questions = questions
	}
	if s.Aggregate == "" || s.Aggregate == "mean" {
		f.addNotes(&c, used)
	}
	return c, nil
}

// lowestKindsCell names the three kinds with the lowest accuracy, averaged over runs.
func lowestKindsCell(runs []results.Run) Cell {
	sum := map[string]float64{}
	for _, r := range runs {
		for _, k := range r.Record.Evaluation.Kinds {
			sum[k.Name] += k.PerCent() / float64(len(runs))
		}
	}
	kinds := slices.SortedFunc(maps.Keys(sum), func(a, b string) int { return cmp.Or(cmp.Compare(sum[a], sum[b]), cmp.Compare(a, b)) })
	var texts []string
	for _, kind := range kinds[:min(3, len(kinds))] {
		texts = append(texts, fmt.Sprintf("%s: %.1f", kind, sum[kind]))
	}
	return Words(strings.Join(texts, ", "))
}

// questions returns the number of test questions behind the selected number: that of the
// kind with the fewest, or the sum over all kinds.
func (s *Selection) questions(r *record.Record) int {
	sum, fewest := 0, math.MaxInt
	for _, k := range r.Evaluation.Kinds {
		if len(s.Kind) == 0 || slices.Contains(s.Kind, k.Name) {
			sum, fewest = sum+k.Total, min(fewest, k.Total)
		}
	}
	if len(s.Kind) == 0 || sum == 0 {
		return sum
	}
	return fewest
}

// aggregate combines one value per seed.
func aggregate(how string, values []float64, runs []results.Run, decimals int) (Cell, error) {
	if len(values) == 0 {
		return Cell{}, nil
	}
	format := func(x float64) string { return number(x, decimals).MeanText() }
	switch how {
	case "", "mean":
		return meanOverSeeds(values, decimals), nil
	case "plain": // the mean without deviation and number of seeds
		return number(meanOverSeeds(values, decimals).Mean, decimals), nil
	case "min":
		return number(slices.Min(values), decimals), nil
	case "max":
		return number(slices.Max(values), decimals), nil
	case "sum":
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		return number(sum, decimals), nil
	case "count":
		return number(float64(len(values)), 0), nil
	case "names":
		names := map[string]bool{}
		for _, r := range runs {
			names[r.Record.Identity.Name] = true
		}
		return number(float64(len(names)), 0), nil
	case "range":
		if slices.Min(values) == slices.Max(values) {
			return Words(format(values[0])), nil
		}
		return Words(format(slices.Min(values)) + "-" + format(slices.Max(values))), nil
	case "list":
		var list []string
		for _, v := range values {
			list = append(list, format(v))
		}
		return Words(strings.Join(slices.Compact(list), ", ")), nil
	}
	return Cell{}, fmt.Errorf("aggregate %q: want mean, plain, min, max, sum, count, names, range or list", how)
}

// lowestLoss returns the runs with the lowest loss, as many as the paper keeps. Runs without
// a loss, such as those that diverged, come last. Accuracy is not used.
func (s *Selection) lowestLoss(runs []results.Run) []results.Run {
	loss := func(r results.Run) float64 {
		of := (*record.Record).ValidationLoss
		if s.By == "training-loss" && r.Record.Protocol.Values["selection"] != "best-validation" {
			of = (*record.Record).TrainingLoss
		}
		return record.OrInfinite(of(r.Record))
	}
	list := slices.Clone(runs)
	slices.SortStableFunc(list, func(a, b results.Run) int { return cmp.Compare(loss(a), loss(b)) })
	return list[:min(max(1, s.Best), len(list))]
}

// settingCell returns the values that a setting has in runs, as text.
func settingCell(key string, runs []results.Run) Cell {
	part, name, _ := strings.Cut(key, ".")
	var texts []string
	for _, r := range runs {
		values := map[string]any{}
		switch part {
		case "model":
			values = r.Record.Model.Config
		case "training":
			values = r.Record.Model.Training
		case "protocol":
			values = r.Record.Protocol.Values
		case "task":
			values, _ = r.Record.Protocol.Values["settings"].(map[string]any)
		case "identity":
			values = map[string]any{"name": r.Record.Identity.Name, "title": r.Record.Identity.Title}
		}
		value, ok := values[name]
		if !ok {
			continue
		}
		if text := plainValue(value); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return Words(strings.Join(texts, " or "))
}

// plainValue prints a setting's value as --set takes it.
func plainValue(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return number(v, 0).MeanText()
		}
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if v < 0.01 {
			text = strings.Replace(strconv.FormatFloat(v, 'e', -1, 64), "e-0", "e-", 1)
		}
		return text
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}
