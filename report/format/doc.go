// Package format writes reports as text for a terminal, Markdown, LaTeX, CSV and
// JSON.
//
// What comes in: a document.Document, whose tables are apart from how they are
// printed. What goes out: one file a format. What always holds: all formats have
// the same numbers, from the same table values, with the same marks; a table that
// is not well formed is an error, and nothing is written.
package format
