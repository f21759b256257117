package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"memobench/datasets/must"
)

func sha256Of(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// serveFile serves data and counts the requests.
func serveFile(t *testing.T, data []byte) (url string, requests *atomic.Int32) {
	t.Helper()
	requests = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		w.Header().Set("ETag", `"one"`)
		http.ServeContent(w, r, "x.tar.gz", time.Time{}, bytes.NewReader(data))
	}))
	t.Cleanup(s.Close)
	return s.URL + "/x.tar.gz", requests
}

func TestFetchedStoriesAreFound(t *testing.T) {
	cache := t.TempDir()
	cacheAt(t, cache)
	t.Chdir(t.TempDir())
	data := storyArchive(t)
	url, requests := serveFile(t, data)
	printed := command("data", "show", "babi", "-n", "1").want(t, exitGood)
	if !strings.Contains(printed.stdout, "simulated") {
		t.Fatalf("there are stories already:\n%s", printed.stdout)
	}
	command("data", "fetch", "babi", "--url", url, "--sha256", strings.ToUpper(sha256Of(data))).want(t, exitGood).prints(t, cache, "downloaded, 2 files", sha256Of(data)+", as expected", "It is found there without --data.")
	read := command("data", "show", "babi", "-n", "1").want(t, exitGood)
	if strings.Contains(read.stdout, "simulated") || !strings.Contains(read.stdout, "task 1: ") {
		t.Errorf("shown:\n%s", read.stdout)
	}
	again := command("data", "fetch", "babi", "--url", url).want(t, exitGood)
	if !strings.Contains(again.stdout, "there already") || !strings.Contains(again.stdout, "not that of the official archive") || requests.Load() != 1 {
		t.Errorf("after %d requests:\n%s", requests.Load(), again.stdout)
	}
	command("data", "fetch", "babi", "--url", url, "--sha256", sha256Of(nil)).want(t, exitFailed, "remove it to download it again")
}

func TestFetchIntoADirectory(t *testing.T) {
	cacheAt(t, t.TempDir())
	data := storyArchive(t)
	url, _ := serveFile(t, data)
	dir := filepath.Join(t.TempDir(), "a", "b")
	got := command("data", "fetch", "babi", "--url", url, "--dir", dir, "--json").want(t, exitGood)
	var r fetchJSON
	must.Do(t, json.Unmarshal([]byte(got.stdout), &r))
	path := filepath.Join(dir, "tasks_1-20_v1-2.tar.gz")
	if want := (fetchJSON{Path: path, URL: url, Bytes: int64(len(data)), SHA256: sha256Of(data), Files: 2}); r != want {
		t.Errorf("%+v, want %+v", r, want)
	}
	command("data", "show", "babi", "--data", path, "--split", "test").want(t, exitGood)
	command("data", "fetch", "babi", "--url", url, "--dir", dir).prints(t, "To use it: --data "+path)
}

// What cannot be had is explained, and leaves no file.
func TestFailedFetchesSayWhatElseCanBeDone(t *testing.T) {
	cacheAt(t, t.TempDir())
	page, _ := serveFile(t, []byte("<html>not here any more</html>"))
	other := storyArchive(t)
	archive, _ := serveFile(t, other)
	for want, args := range map[string][]string{
		"neither a directory of bAbI files nor their archive": {"--url", page},
		"the file has SHA-256 " + sha256Of(other):             {"--url", archive, "--sha256", sha256Of(nil)},
		"no-such-host.invalid":                                {"--url", "http://no-such-host.invalid/x"},
	} {
		dir := t.TempDir()
		command(append([]string{"data", "fetch", "babi", "--dir", dir}, args...)...).want(t, exitFailed, want,
			"By hand: get the archive tasks_1-20_v1-2.tar.gz", "--data simulated")
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left: %v (%v)", left, err)
		}
	}
}
