// Package compare sets two sets of results side by side.
//
// What comes in: two results.Set. What goes out: for every cell that both have,
// the difference with its interval, also paired by seed where seeds are known, and
// McNemar's test of the answers of each seed where they were kept; as a table and
// as JSON. What always holds: only cells of the same protocol and data are
// compared; a difference without an interval says why; what one side alone has is
// listed. It judges nothing: package gate does.
package compare
