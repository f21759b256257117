package page

import (
	"context"
	"encoding/json"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"memobench/datasets/must"
	"memobench/report/reporttest"
)

// chromium finds a browser, or skips the test.
func chromium(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("not rendered: no Chromium here (Debian: chromium)")
	return ""
}

// harness shows the page in frames as wide as screens and as paper, and writes what it
// finds into its own document: text of a cell beyond the cell, elements beyond the edge,
// text of too little contrast, and notes whose link leads to nothing that is seen.
const harness = `<!DOCTYPE html><html><body><script>
window.onerror = function(m) { document.body.setAttribute("data-error", m); };
function part(c) { var m = c.match(/[\d.]+/g).map(Number); return {r: m[0], g: m[1], b: m[2], a: m.length > 3 ? m[3] : 1}; }
function light(c) { return [[c.r, .2126], [c.g, .7152], [c.b, .0722]].reduce(function(s, x) {
  var v = x[0] / 255; return s + x[1] * (v <= .04045 ? v / 12.92 : Math.pow((v + .055) / 1.055, 2.4)); }, 0); }
function contrast(a, b) { var x = light(a), y = light(b); return (Math.max(x, y) + .05) / (Math.min(x, y) + .05); }
function look(frame) {
  var d = frame.contentDocument, view = frame.contentWindow, w = d.documentElement.clientWidth, wide = [], over = [], pale = [], lost = [];
  var name = function(e) { return e.tagName + "." + (e.getAttribute("class") || "") + " " + e.textContent.trim().slice(0, 40); };
  d.querySelectorAll("body *").forEach(function(e) {
    var r = e.getBoundingClientRect();
    if (r.width > 0 && r.height > 0 && r.right > w + 1 && !e.closest("svg") && !e.closest("thead") && !e.closest("nav")) wide.push(name(e));
  });
  var range = d.createRange(), walk = d.createTreeWalker(d.body, NodeFilter.SHOW_TEXT), cells = 0;
  for (var n; n = walk.nextNode();) {
    var e = n.parentElement;
    if (!n.data.trim() || e.closest("script, style, option, title, desc")) continue;
    range.selectNodeContents(n);
    var r = range.getBoundingClientRect(), style = view.getComputedStyle(e);
    if (r.width === 0 || r.height === 0 || style.visibility === "hidden") continue;
    var cell = e.closest("td, th");
    if (cell && view.getComputedStyle(cell.closest("thead") || cell).position !== "absolute") {
      var box = cell.getBoundingClientRect(); cells++;
      if (e.matches(".value") && range.getClientRects().length > 1) over.push("broken: " + name(cell));
      if (r.right > box.right + 1 || r.left < box.left - 1 || r.bottom > box.bottom + 2) over.push(name(cell));
    }
    var back = e, paper = null;
    while (back && !(paper && paper.a > .9)) { var c = part(view.getComputedStyle(back).backgroundColor); if (c.a > .9) paper = c; back = back.parentElement; }
    var ink = part(e.closest("svg") ? style.fill : style.color);
    if (paper && contrast(ink, paper) < 4.5) pale.push(contrast(ink, paper).toFixed(2) + " " + name(e));
  }
  var notes = Array.from(d.querySelectorAll("sup a")).map(function(a) {
    var note = d.getElementById(a.getAttribute("href").slice(1));
    for (var x = note && note.closest("details"); x; x = x.parentElement.closest("details")) x.open = true;
    return [a.getAttribute("href"), note, a.getBoundingClientRect().height > 0]; // links of what is left out lead nowhere
  });
  notes.forEach(function(n) { if (n[2] && (!n[1] || n[1].getBoundingClientRect().height === 0 || !n[1].textContent.trim())) lost.push(n[0]); });
  var probe = function(family) { var s = d.createElement("span"); s.textContent = "mmmWWWiiilll 0123"; s.style.cssText = "position:absolute;white-space:nowrap;font-size:40px;" + family;
    d.body.append(s); var w = s.getBoundingClientRect().width; s.remove(); return w; };
  var svg = d.querySelector(".panels svg").getBoundingClientRect();
  return {width: w, scroll: d.documentElement.scrollWidth, height: d.documentElement.scrollHeight, wide: wide.slice(0, 5), over: over.slice(0, 8),
    pale: pale.slice(0, 5), lost: lost.slice(0, 5), cells: cells, letters: probe(""), without: probe("font-family:'No Such Font'"), paper: view.getComputedStyle(d.body).backgroundColor, drawing: svg.width};
}
var sizes = SIZES, found = [], left = sizes.length;
sizes.forEach(function(size, i) {
  var f = document.createElement("iframe");
  f.width = size; f.height = 900; f.style.border = 0;
  f.onload = function() { setTimeout(function() { found[i] = look(f); if (--left == 0) {
    var out = document.createElement("pre"); out.id = "found"; out.textContent = JSON.stringify(found); document.body.replaceChildren(out); } }, 100); };
  f.srcdoc = document.getElementById("source").value;
  document.body.appendChild(f);
});
</script></body></html>`

// seen is what the harness finds at one width.
type seen struct {
	Width, Scroll, Height, Drawing float64
	Letters, Without               float64 // width of some text in the page's font, and in what stands in for one that is absent
	Wide, Over, Pale, Lost         []string
	Cells                          int
	Paper                          string
}

// pageFonts is the style sheet's list of fonts.
var pageFonts = regexp.MustCompile(`font: 15px/1\.5 ([^;]*);`)

// The page is looked at in the fonts that desktops have: letters of DejaVu Sans are wider.
func TestAChromiumRendersThePage(t *testing.T) {
	browser := chromium(t)
	page := write(t, reporttest.Recorded(t))
	fonts := pageFonts.FindStringSubmatch(page)
	if fonts == nil {
		t.Fatal("no list of fonts")
	}
	widths := map[float64]string{}
	for _, font := range []string{"DejaVu Sans", "Liberation Sans"} {
		t.Run(font, func(t *testing.T) {
			if out, err := exec.Command("fc-list", font, "family").Output(); err != nil || len(out) == 0 {
				t.Skipf("not rendered with %s: fc-list does not know it (%v)", font, err)
			}
			width := renders(t, browser, strings.Replace(page, fonts[1], `"`+font+`"`, 1))
			if other := widths[width]; other != "" {
				t.Errorf("letters are as wide as in %s", other)
			}
			widths[width] = font
		})
	}
}

// renders looks at a page on screens and on paper, and returns the width of some letters.
func renders(t *testing.T, browser, page string) (letters float64) {
	onPaper := strings.NewReplacer("@media print", "@media all", "@media screen", "@media not all", "@media (min-width", "@media not all and (min-width").Replace(page)
	for _, way := range []struct {
		name, sizes, page string
		dark              bool
	}{{"light", "[1400, 1024, 800, 390, 320]", page, false}, {"dark", "[1400, 1024, 800, 390, 320]", page, true}, {"print", "[703]", onPaper, false}} {
		source := `<textarea id="source" hidden>` + html.EscapeString(way.page) + `</textarea>`
		path := filepath.Join(t.TempDir(), "harness.html")
		text := strings.Replace(strings.Replace(harness, "SIZES", way.sizes, 1), "<body>", "<body>"+source, 1)
		must.Do(t, os.WriteFile(path, []byte(text), 0o644))
		dom, said := run(t, browser, way.dark, "--virtual-time-budget=10000", "--dump-dom", "file://"+path)
		if m := regexp.MustCompile(`(?m)^.*CONSOLE.*$`).FindString(said); m != "" {
			t.Errorf("the console says: %s", m)
		}
		m := regexp.MustCompile(`(?s)<pre id="found">(.*?)</pre>`).FindStringSubmatch(dom)
		if m == nil {
			t.Fatalf("nothing was found:\n%.600s\n%s", dom, said)
		}
		var found []seen
		must.Do(t, json.Unmarshal([]byte(html.UnescapeString(m[1])), &found))
		for _, s := range found {
			if s.Scroll > s.Width || len(s.Wide) > 0 {
				t.Errorf("%s, %v pixels: the page is %v wide; beyond the edge: %q", way.name, s.Width, s.Scroll, s.Wide)
			}
			if len(s.Over) > 0 || s.Cells < 300 {
				t.Errorf("%s, %v pixels: of %d texts in cells beyond their cell: %q", way.name, s.Width, s.Cells, s.Over)
			}
			if len(s.Pale) > 0 {
				t.Errorf("%s, %v pixels: too little contrast: %q", way.name, s.Width, s.Pale)
			}
			if len(s.Lost) > 0 {
				t.Errorf("%s, %v pixels: notes that are not seen: %q", way.name, s.Width, s.Lost)
			}
			if s.Letters == s.Without || letters > 0 && s.Letters != letters {
				t.Errorf("%s, %v pixels: the font is not used: %v wide, without it %v", way.name, s.Width, s.Letters, s.Without)
			}
			letters = s.Letters
			if s.Drawing < 80 {
				t.Errorf("%s, %v pixels: a drawing is %v wide", way.name, s.Width, s.Drawing)
			}
			if light := s.Paper == "rgb(252, 252, 250)" || s.Paper == "rgb(255, 255, 255)"; light == way.dark {
				t.Errorf("%s: background %s", way.name, s.Paper)
			}
		}
		if want := strings.Count(way.sizes, ",") + 1; len(found) != want {
			t.Errorf("%s: %d widths were looked at, want %d", way.name, len(found), want)
		}
	}
	return letters
}

// pages counts the pages of a PDF.
var pages = regexp.MustCompile(`/Type\s*/Page\b`)

// Printed, notes are open, and the report has a few pages. Screenshots and the PDF are
// artifacts of the test (go test -artifacts).
func TestThePageIsPrintedAndShown(t *testing.T) {
	browser := chromium(t)
	dir := t.ArtifactDir()
	path := filepath.Join(dir, "report.html")
	must.Do(t, os.WriteFile(path, []byte(write(t, reporttest.Recorded(t))), 0o644))
	pdf := filepath.Join(dir, "report.pdf")
	run(t, browser, false, "--no-pdf-header-footer", "--print-to-pdf="+pdf, "file://"+path)
	data := must.Get(os.ReadFile(pdf))(t)
	if n := len(pages.FindAll(data, -1)); n < 3 || n > 25 {
		t.Errorf("%d pages", n)
	} else {
		t.Logf("%d pages", n)
	}
	for _, size := range []string{"1400,1000", "1024,1000", "800,1000", "390,844"} {
		for _, dark := range []bool{false, true} {
			name := strings.ReplaceAll(size, ",", "x") + map[bool]string{true: "-dark"}[dark] + ".png"
			run(t, browser, dark, "--hide-scrollbars", "--window-size="+size, "--screenshot="+filepath.Join(dir, name), "file://"+path)
			if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() < 10_000 {
				t.Errorf("%s: no screenshot (%v)", name, err)
			}
		}
	}
}

// run starts a headless browser, and returns what it prints and what it says. A browser
// that dies by a signal (a crash of its own, no matter of the page) is started twice more.
func run(t *testing.T, browser string, dark bool, more ...string) (dom, said string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 180*time.Second)
	defer cancel()
	for left := 2; ; left-- {
		args := []string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
			"--disable-component-update", "--disable-sync", "--disable-extensions", "--user-data-dir=" + t.TempDir(), "--enable-logging=stderr", "--v=0"}
		if dark {
			args = append(args, "--force-dark-mode")
		}
		cmd := exec.CommandContext(ctx, browser, append(args, more...)...)
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		err := cmd.Run()
		if err == nil {
			return out.String(), errs.String()
		}
		if crashed := cmd.ProcessState != nil && !cmd.ProcessState.Exited(); left == 0 || !crashed || ctx.Err() != nil {
			t.Fatalf("%v\n%s", err, errs.String())
		}
		t.Logf("the browser crashed (%v) and is started again", err)
	}
}

// controls works the controls of the page and writes what is then seen.
const controls = `<script>
addEventListener("load", function () {
  var shown = function (what) { return Array.from(document.querySelectorAll(what)).filter(function (e) { return e.getClientRects().length > 0; }); };
  var set = function (id, value) { var e = document.getElementById(id); if (e.type === "checkbox") e.checked = value; else e.value = value; e.dispatchEvent(new Event("change")); };
  var out = {Before: shown(".missing").length};
  var body = document.querySelector("#table-4 tbody"), head = document.querySelectorAll("#table-4 thead button"), labels = function () { return Array.from(body.querySelectorAll("tr:not(.setup) th")).map(function (e) { return e.textContent; }); };
  head[head.length - 1].click(); out.Up = labels();
  head[head.length - 1].click(); out.Down = labels();
  set("hide", true); out.Hidden = shown("tr:not(.setup)").filter(function (r) { return r.querySelector(".missing") && !r.querySelector("[data-state=run]"); }).length;
  out.Rows = shown("tr:not(.setup)").length;
  set("model", "MEMO"); out.Others = shown("article td[data-model=EMN], article th[data-model=EMN], tr[data-model=EMN]").length; out.MEMO = shown("article td[data-model=MEMO]").length;
  set("model", ""); set("task", "pai3"); out.Tasks = shown("tbody[data-task]").map(function (b) { return b.dataset.task; }).filter(function (t, i, all) { return all.indexOf(t) === i; });
  var pre = document.createElement("pre"); pre.id = "found"; pre.textContent = JSON.stringify(out); document.body.append(pre);
});
</script>`

func TestControlsHideFilterAndSort(t *testing.T) {
	browser := chromium(t)
	path := filepath.Join(t.TempDir(), "report.html")
	page := strings.Replace(write(t, reporttest.Document(t)), "</body>", controls+"</body>", 1)
	must.Do(t, os.WriteFile(path, []byte(page), 0o644))
	dom, said := run(t, browser, false, "--virtual-time-budget=5000", "--dump-dom", "file://"+path)
	m := regexp.MustCompile(`(?s)<pre id="found">(.*?)</pre>`).FindStringSubmatch(dom)
	if m == nil {
		t.Fatalf("nothing was found: %s", said)
	}
	var found struct {
		Before, Hidden, Rows, Others, MEMO int
		Up, Down, Tasks                    []string
	}
	must.Do(t, json.Unmarshal([]byte(html.UnescapeString(m[1])), &found))
	slices.Reverse(found.Down)
	if found.Before < 20 || found.Hidden != 0 || found.Rows < 20 || found.Others != 0 || found.MEMO < 10 ||
		len(found.Up) != 3 || !slices.Equal(found.Up, found.Down) || !slices.Equal(found.Tasks, []string{"", "pai3"}) && !slices.Equal(found.Tasks, []string{"pai3", ""}) {
		t.Errorf("%+v", found)
	}
}
