package data

import (
	"io"
	"iter"

	"github.com/parquet-go/parquet-go"

	"memobench/datasets"
)

// parquetRow is an example in Parquet: the keys of Example, with the rows of the memory
// in one list, row_width words each.
type parquetRow struct {
	ID      string  `parquet:"id"`
	Kind    string  `parquet:"kind,dict"`
	Rows    []int32 `parquet:"rows,list"`
	Query   []int32 `parquet:"query,list"`
	Targets []int32 `parquet:"targets,list"`
	Choices []int32 `parquet:"choices,list"`
}

// writeParquet writes the examples as rows of a table.
func writeParquet(out io.Writer, src datasets.Source, ids string, list iter.Seq2[*datasets.Batch, error]) error {
	kinds := src.Kinds()
	table := parquet.NewGenericWriter[parquetRow](out, parquet.CreatedBy("memobench", "", ""))
	err := each(ids, list, func(b *datasets.Batch, i int, id string) error {
		part := func(values []int32, width int) []int32 { return values[i*width : (i+1)*width] }
		_, err := table.Write([]parquetRow{{id, kinds[b.Kinds[i]], b.Rows[b.Offsets[i]*b.RowWidth : b.Offsets[i+1]*b.RowWidth],
			part(b.Queries, b.QueryWidth), part(b.Targets, b.Answers), part(b.Choices, b.NumChoices)}})
		return err
	})
	if err != nil {
		return err
	}
	return table.Close()
}
