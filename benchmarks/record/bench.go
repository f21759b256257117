package record

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"
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
// one sample. benchstat splits its tables by every key that differs. The keys are
// therefore protocol, data, and the caveats of the data and the configuration, since
// numbers that differ in them must not be compared. Seed, code version, and caveats of
// single runs, such as how a run ended, are left out. To compare versions, give benchstat
// one file of each.
func (r *Record) Bench() ([]byte, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := benchfmt.NewWriter(&out)
	for _, m := range Metrics {
		for _, kv := range [][2]string{{"better", string(m.Better)}, {"assume", string(m.Assume)}} {
			_, unit := benchunit.Tidy(1, m.Name)
			err := w.Write(&benchfmt.UnitMetadata{
				UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: unit, Key: kv[0]}, OrigUnit: m.Name, Value: kv[1],
			})
			if err != nil {
				return nil, err
			}
		}
	}
	config, absent := r.benchConfig()
	for _, key := range absent {
		fmt.Fprintf(&out, "%s:\n", key)
	}
	for kind := AllKinds; kind < len(r.Evaluation.Kinds); kind++ {
		name := "all"
		if kind != AllKinds {
			name = r.Evaluation.Kinds[kind].Name
		}
		name = "Eval/task=" + benchName(r.Identity.Task) + "/model=" + benchName(r.Identity.Label) + "/kind=" + benchName(name)
		answers := r.Evaluation.AnswerNames()
		whole := name
		if answers != nil {
			whole += "/answer=all"
		}
		err := writeBench(w, config, whole, func(m Metric) (float64, bool) { return m.Value(r, kind) })
		for a, answer := range answers {
			if err == nil {
				err = writeBench(w, config, name+"/answer="+benchName(answer), func(m Metric) (float64, bool) { return m.OfAnswer(r, kind, a) })
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// writeBench writes a line with the metrics for which value returns true. If there are
// none, as for a kind without questions, it writes no line.
func writeBench(w *benchfmt.Writer, config []benchfmt.Config, name string, value func(Metric) (float64, bool)) error {
	line := &benchfmt.Result{Config: config, Iters: 1, Name: benchfmt.Name(withoutProcs(name))}
	for _, m := range Metrics {
		if v, ok := value(m); ok {
			line.Values = append(line.Values, benchfmt.Value{Value: v, Unit: m.Name})
		}
	}
	if len(line.Values) == 0 {
		return nil
	}
	return w.Write(line)
}

// benchConfig returns the file configuration: keys that must be equal for two numbers to
// be compared, and keys without a value. The latter are written, too: they end the value
// from an earlier file when files are concatenated.
func (r *Record) benchConfig() (config []benchfmt.Config, absent []string) {
	for _, kv := range [][2]string{
		{"goos", r.Environment.OS}, {"goarch", r.Environment.Arch}, {"pkg", "memobench/eval"},
		{"protocol", r.Protocol.Hash}, {"dataset", r.Dataset.Hash}, {"data-labels", strings.Join(r.Dataset.Caveats.Texts(), "; ")},
		{"labels", strings.Join(r.configCaveats().Texts(), "; ")},
	} {
		if value := strings.Join(strings.Fields(kv[1]), " "); value != "" {
			config = append(config, benchfmt.Config{Key: kv[0], Value: []byte(value), File: true})
		} else {
			absent = append(absent, kv[0])
		}
	}
	return config, absent
}

// benchName replaces characters that cannot be in a part of a benchmark's name: blanks,
// control characters and separators.
func benchName(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || !unicode.IsPrint(r) || r == '/' || r == '=' {
			return '_'
		}
		return r
	}, s)
}

// withoutProcs replaces the hyphen of a "-8" at the end of a name, which would be
// read as the number of processors.
func withoutProcs(name string) string {
	if stem := strings.TrimRight(name, "0123456789"); stem != name && strings.HasSuffix(stem, "-") {
		return stem[:len(stem)-1] + "_" + name[len(stem):]
	}
	return name
}

// IsBenchPart reports whether part, a component of a benchmark's name, is the name of a
// kind or an answer.
func IsBenchPart(part, name string) bool {
	name = benchName(name)
	return part == name || part == withoutProcs(name)
}
