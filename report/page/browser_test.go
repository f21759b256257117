package page

import (
	"context"
	"encoding/json"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"memobench/report/reporttest"
)

// chromium finds a browser, or skips the test.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("not rendered: no Chromium here (Debian: chromium)")
	return ""
}

// harness shows the page in frames as wide as a desk's and a phone's screen, and
// writes what it finds into its own document.
const harness = `<!DOCTYPE html><html><body><script>
window.onerror = function(m) { document.body.setAttribute("data-error", m); };
function look(frame) {
  var d = frame.contentDocument, w = d.documentElement.clientWidth, wide = [];
  d.querySelectorAll("body *").forEach(function(e) {
    var r = e.getBoundingClientRect();
    if (r.width > 0 && r.right > w + 1 && !e.closest(".scroll") && !e.closest("svg") && !e.closest("thead")) wide.push(e.tagName + "." + e.className);
  });
  var first = d.querySelector("tbody td"), svg = d.querySelector("svg").getBoundingClientRect();
  return {width: w, scroll: d.documentElement.scrollWidth, height: d.documentElement.scrollHeight, wide: wide.slice(0, 5),
    display: frame.contentWindow.getComputedStyle(first).display, paper: frame.contentWindow.getComputedStyle(d.body).backgroundColor,
    drawing: svg.width};
}
var sizes = [1280, 800, 360, 320], found = [], left = sizes.length;
sizes.forEach(function(size, i) {
  var f = document.createElement("iframe");
  f.width = size; f.height = 900; f.style.border = 0;
  f.onload = function() { found[i] = look(f); if (--left == 0) {
    var out = document.createElement("pre"); out.id = "found"; out.textContent = JSON.stringify(found); document.body.replaceChildren(out); } };
  f.srcdoc = document.getElementById("source").value;
  document.body.appendChild(f);
});
</script></body></html>`

// seen is what the harness finds at one width.
type seen struct {
	Width, Scroll, Height, Drawing float64
	Wide                           []string
	Display, Paper                 string
}

func TestAChromiumRendersThePage(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	browser := chromium(t)
	page := write(t, reporttest.Document(t))
	source := `<textarea id="source" hidden>` + html.EscapeString(page) + `</textarea>`
	path := filepath.Join(t.TempDir(), "harness.html")
	text := strings.Replace(harness, "<body>", "<body>"+source, 1)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, dark := range []bool{false, true} {
		dom, said := run(t, browser, path, dark)
		if m := regexp.MustCompile(`(?m)^.*CONSOLE.*$`).FindString(said); m != "" {
			t.Errorf("the console says: %s", m)
		}
		m := regexp.MustCompile(`(?s)<pre id="found">(.*?)</pre>`).FindStringSubmatch(dom)
		if m == nil {
			t.Fatalf("nothing was found:\n%.600s\n%s", dom, said)
		}
		var found []seen
		if err := json.Unmarshal([]byte(html.UnescapeString(m[1])), &found); err != nil {
			t.Fatal(err)
		}
		for _, s := range found {
			if s.Scroll > s.Width || len(s.Wide) > 0 {
				t.Errorf("at %v pixels the page is %v wide; beyond the edge: %v", s.Width, s.Scroll, s.Wide)
			}
			if s.Height < 3000 || s.Drawing < 100 {
				t.Errorf("at %v pixels the page is %v high, a drawing %v wide", s.Width, s.Height, s.Drawing)
			}
			if cards := s.Width < 760; cards != (s.Display == "grid") {
				t.Errorf("at %v pixels cells are displayed as %s", s.Width, s.Display)
			}
			if light := s.Paper == "rgb(252, 252, 250)"; light == dark {
				t.Errorf("dark %v: background %s", dark, s.Paper)
			}
		}
		if len(found) != 4 {
			t.Errorf("%d widths were looked at", len(found))
		}
	}
}

// run loads a file in a headless browser, and returns the document after its
// scripts and what the browser said.
func run(t *testing.T, browser, path string, dark bool) (dom, said string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	args := []string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-extensions", "--user-data-dir=" + t.TempDir(), "--enable-logging=stderr", "--v=0",
		"--virtual-time-budget=10000", "--window-size=1400,1000"}
	if dark {
		args = append(args, "--force-dark-mode")
	}
	cmd := exec.CommandContext(ctx, browser, append(args, "--dump-dom", "file://"+path)...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	return out.String(), errs.String()
}
