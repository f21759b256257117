package export

import (
	"fmt"
	"strings"
)

// harnessFile is a file that lm-evaluation-harness reads.
type harnessFile struct{ name, body string }

// harnessFiles returns a group of tasks for lm-evaluation-harness, one for each kind of question. Few-shot
// examples are of the same kind, from the validation split.
//
// The harness compares the whole generated text, which begins with a blank after "Answer:", with the answer
// (lm_eval/api/metrics.py, exact_match_hf_evaluate). Its filters come first (lm_eval/filters/extraction.py,
// RegexFilter). Here they drop "The answer is", an article, and blanks and punctuation around the answer. Between
// several answers, commas and blanks may be written either way.
func harnessFiles(h *Header) []harnessFile {
	group := "memobench_" + h.Task
	var tasks, functions strings.Builder
	files := []harnessFile{}
	for i, kind := range h.Kinds {
		task := group + "_" + kind
		fmt.Fprintf(&tasks, "  - %s\n", task)
		fmt.Fprintf(&functions, "kind_%d = of_kind(%q)\n", i, kind)
		files = append(files, harnessFile{task + ".yaml", fmt.Sprintf(harnessKind, task, i)})
	}
	return append(files,
		harnessFile{group + ".yaml", fmt.Sprintf(harnessGroup, h.Task, h.Protocol.Hash, h.Fingerprint, group, group, tasks.String(), h.Protocol.Hash)},
		harnessFile{"memobench_common", fmt.Sprintf(harnessCommon, h.Protocol.Hash)},
		harnessFile{"memobench_kinds.py", harnessKinds + functions.String()})
}

const (
	harnessGroup = `# %s, protocol %s, data %s. From this directory:
#   lm_eval --include_path . --tasks %s --num_fewshot 2 --model hf --model_args pretrained=NAME --log_samples --output_path out
#   cat out/*/samples_*.jsonl | memobench score - --task ... --name NAME
group: %s
task:
%saggregate_metric_list:
  - metric: exact_match
    filter_list: answer
    weight_by_size: true
metadata:
  version: "%s"
`
	harnessKind = `include: memobench_common
task: %s
process_docs: !function memobench_kinds.kind_%d
`
	harnessKinds = `"""The examples of each kind of question, for lm-evaluation-harness."""


def of_kind(kind):
    return lambda examples: examples.filter(lambda e: e["kind"] == kind)


`
	harnessCommon = `dataset_path: json
dataset_kwargs:
  data_files:
    validation: validation.text.jsonl
    test: test.text.jsonl
validation_split: validation
fewshot_split: validation
test_split: test
output_type: generate_until
doc_to_text: "{{text}}\n{{question}}\nAnswer:"
doc_to_target: "{{answer}}"
generation_kwargs:
  until: ["\n"]
  do_sample: false
filter_list:
  - name: answer
    filter:
      - function: regex
        regex_pattern: '(?is)^\W*(?:(?:the\s+)?answer(?:\s+is)?\b\W*)?(?:(?:the|an?)\s+)?(.*?)\W*$'
      - function: take_first
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
    ignore_case: true
    regexes_to_ignore: ['(?<=\d),(?=\s)', '(?<=[^\W\d],)\s+']
metadata:
  version: "%s"
`
)
