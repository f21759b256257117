package export

import (
	"cmp"
	"embed"
	"io"
	"text/template"
)

//go:embed harness
var harnessTexts embed.FS

// harness has the files that lm-evaluation-harness reads.
//
// The harness compares the whole generated text, which begins with a blank after "Answer:", with the answer
// (lm_eval/api/metrics.py, exact_match_hf_evaluate). Its filters come first (lm_eval/filters/extraction.py,
// RegexFilter). Here they drop "The answer is", an article, and blanks and punctuation around the answer. Between
// several answers, commas and blanks may be written either way.
var harness = template.Must(template.New("").Delims("<<", ">>").ParseFS(harnessTexts, "harness/*"))

// harness writes a group of tasks for lm-evaluation-harness, one for each kind of question. Few-shot
// examples are of the same kind, from the validation split.
func (w *writer) harness() (err error) {
	group := "memobench_" + w.header.Task
	write := func(name, text string, kind int) {
		err = cmp.Or(err, w.file(&File{Name: name, Content: Text}, func(out io.Writer) error {
			return harness.ExecuteTemplate(out, text, struct {
				Header
				Group string
				Kind  int
			}{w.header, group, kind})
		}))
	}
	for i, kind := range w.header.Kinds {
		write(group+"_"+kind+".yaml", "kind.yaml.tmpl", i)
	}
	write(group+".yaml", "group.yaml.tmpl", 0)
	write("memobench_common", "common.yaml.tmpl", 0)
	write("memobench_kinds.py", "kinds.py.tmpl", 0)
	return err
}
