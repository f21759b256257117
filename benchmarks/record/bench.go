package record

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/perf/benchunit"

	"memobench/datasets"
)

// Bench returns the record in the Go benchmark format, which benchstat reads. There is
// one line per kind of question and one for all kinds together (kind=all), such as
//
//	BenchmarkEval/task=pai3/model=memo/kind=A-C 1 98.1 accuracy
//
// Where a question asks for several answers, each answer has its own line, next to that
// of the whole question (answer=all):
//
//	BenchmarkEval/task=sp20-3-3/model=memo/kind=path/answer=node_2 1 98.4 accuracy 99.1 given-accuracy
//
// Accuracies are in per cent. Files of several seeds may be concatenated: each line is
// one sample. benchstat splits its tables by every key that differs: protocol, data, and the
// caveats of the data and the configuration. Seed, code version, and caveats of single runs
// are left out.
func (r *Record) Bench() ([]byte, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for _, m := range Metrics {
		_, unit := benchunit.Tidy(1, m.Name)
		assume := "nothing"
		if m.Exact {
			assume = "exact"
		}
		fmt.Fprintf(&out, "Unit %s better=%s\nUnit %s assume=%s\n", unit, m.Better, unit, assume)
	}
	shared := slices.DeleteFunc(slices.Clone(r.Caveats), func(c datasets.Caveat) bool { // by all seeds of the configuration
		ofOne := (datasets.Caveats{c}).Has(datasets.EarlyStop, datasets.TimeLimit, datasets.Diverged, datasets.OtherBLAS, datasets.StatedCounts)
		return ofOne || slices.Contains(r.Dataset.Caveats, c)
	})
	for _, kv := range [][2]string{
		{"goos", r.Environment.OS}, {"goarch", r.Environment.Arch}, {"pkg", "memobench/eval"},
		{"protocol", r.Protocol.Hash}, {"dataset", r.Dataset.Hash}, {"data-labels", strings.Join(r.Dataset.Caveats.Texts(), "; ")},
		{"labels", strings.Join(shared.Texts(), "; ")},
	} { // a key without a value ends that of the file before, when files are concatenated
		line := kv[0] + ": " + strings.Join(strings.Fields(kv[1]), " ")
		fmt.Fprintln(&out, strings.TrimSuffix(line, " "))
	}
	for kind := AllKinds; kind < len(r.Evaluation.Kinds); kind++ {
		name := "all"
		if kind != AllKinds {
			name = r.Evaluation.Kinds[kind].Name
		}
		name = "BenchmarkEval/task=" + benchName(r.Identity.Task) + "/model=" + benchName(r.Identity.Name) + "/kind=" + benchName(name)
		answers := r.Evaluation.AnswerNames()
		whole := name
		if answers != nil {
			whole += "/answer=all"
		}
		writeBench(&out, whole, func(m Metric) (float64, bool) { return m.Value(r, kind) })
		for a, answer := range answers {
			writeBench(&out, name+"/answer="+benchName(answer), func(m Metric) (float64, bool) { return m.OfAnswer(r, kind, a) })
		}
	}
	return out.Bytes(), nil
}

// writeBench writes a line with the metrics for which value returns true, if there are any.
func writeBench(out *bytes.Buffer, name string, value func(Metric) (float64, bool)) {
	var values string
	for _, m := range Metrics {
		if v, ok := value(m); ok {
			values += fmt.Sprintf(" %v %s", v, m.Name)
		}
	}
	if values != "" {
		fmt.Fprintf(out, "%s 1%s\n", procs.ReplaceAllString(name, "_$1"), values)
	}
}

// benchName replaces blanks, control characters and separators in a part of a benchmark's name.
func benchName(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || !unicode.IsPrint(r) || r == '/' || r == '=' {
			return '_'
		}
		return r
	}, s)
}

// procs is an end of a name that would be read as the number of processors.
var procs = regexp.MustCompile(`-(\d+)$`)
