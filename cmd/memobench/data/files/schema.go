package files

import (
	"fmt"

	"memobench/benchmarks/record"
)

// SchemaMarkdown explains a directory of files and every key in them. It is
// written beside the data, and stands in this package as SCHEMA.md.
func SchemaMarkdown() string {
	return fmt.Sprintf(`# Generated dataset, schema version %d

`+"`memobench data gen`"+` wrote this directory. `+"`memobench data validate`"+` checks it.

| File | Content |
|---|---|
| `+"`dataset.json`"+` | the header: what this is and how it was made, one JSON object |
| `+"`train.jsonl`, `validation.jsonl`, `test.jsonl`"+` | examples, one JSON object a line (forms examples and embeddings) |
| `+"`train.npy`, `validation.npy`, `test.npy`"+` | the items of a split, float32 [items x features] (form embeddings): those that its examples name, in that order, or with --all-items all |
| `+"`train_classes.npy`"+` and so on | the class of each item, int32 [items] (form embeddings) |
| `+"`GENERATED.txt`"+` | says that the items beside it are not embeddings of images (form embeddings) |
| `+"`qaN_*_train.txt`, `qaN_*_test.txt`"+` | bAbI stories in their standard format (form stories) |
| `+"`SIMULATED.txt`"+` | says that the stories beside it are not the official ones (form stories) |

The splits share no item. The same task, settings and seed give the same examples; fewer of them are the first ones of more.
`+"`[]`"+` marks the elements of an array.

## dataset.json

%s
## An example

%s`, Version, record.FieldTable(record.FieldsOf[Header]()), record.FieldTable(record.FieldsOf[Example]()))
}
