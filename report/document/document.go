// Package document gathers what a report holds, apart from how it is written.
//
// What comes in: result records, and what the caller knows of presets. What goes
// out: a Document of tables and figures, in the paper's order. What always holds:
// every record that was read stands in one of its tables, and what is empty says
// which command would fill it.
package document

import (
	"memobench/report"
	"memobench/report/paper"
)

// Document is a report.
type Document struct {
	Title       string             `json:"title"`
	About       []string           `json:"about"` // paragraphs at the beginning
	Tables      []*report.Table    `json:"tables"`
	Differences []paper.Difference `json:"differences"` // of the protocols here from the paper's
}
