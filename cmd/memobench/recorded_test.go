package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write README.md's table anew")

// TestREADMETableIsRecorded holds the README's table against the recorded runs
// that it comes from.
func TestREADMETableIsRecorded(t *testing.T) {
	var stdout, stderr bytes.Buffer
	t.Setenv("LC_ALL", "C.UTF-8")
	if status := run([]string{"table", filepath.Join(root, "benchmarks", "recorded", "quick")}, &stdout, &stderr); status != 0 {
		t.Fatalf("exit status %d: %s", status, stderr.String())
	}
	const begin, end = "<!-- table:quick -->\n", "<!-- /table:quick -->"
	path := filepath.Join(root, "README.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	have, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("README.md lacks %q or %q", begin, end)
	}
	want := "```text\n" + strings.TrimSpace(stdout.String()) + "\n```\n"
	if have == want {
		return
	}
	if !*update {
		t.Fatalf("README.md's table is not that of benchmarks/recorded/quick; run this test with -update\nwant:\n%s", want)
	}
	if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o666); err != nil {
		t.Fatal(err)
	}
}
