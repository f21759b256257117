// Controls: hide what was not run, filter by task and model, sort by a column. Without
// this script everything is shown.
(function () {
  var root = document.documentElement, all = function (what, from) { return Array.from((from || document).querySelectorAll(what)); };
  root.classList.add("scripted");
  var hide = document.getElementById("hide"), task = document.getElementById("task"), model = document.getElementById("model");
  function apply() {
    all("[data-model]").forEach(function (e) { e.classList.toggle("out", model.value !== "" && e.dataset.model !== "" && e.dataset.model !== model.value); });
    all("tbody[data-task]").forEach(function (body) {
      var other = task.value !== "" && body.dataset.task !== "" && body.dataset.task !== task.value, rows = all("tr:not(.setup)", body), left = 0;
      rows.forEach(function (row) {
        var asked = all("td", row), run = asked.some(function (c) { return !c.classList.contains("out") && c.dataset.state === "run"; });
        var missing = hide.checked && !run && asked.some(function (c) { return c.dataset.state === "missing"; });
        row.classList.toggle("gone", missing);
        left += missing || row.classList.contains("out") ? 0 : 1;
      });
      rows.forEach(function (row) { row.hidden = row.classList.contains("gone"); });
      body.hidden = other || left === 0 && rows.length > 0;
    });
    all("article").forEach(function (a) {
      var bodies = all("tbody", a);
      a.hidden = bodies.length > 0 && bodies.every(function (b) { return b.hidden; }) || hide.checked && a.dataset.filled === "0";
    });
  }
  [hide, task, model].forEach(function (e) { e.addEventListener("change", apply); });
  all("article thead th").forEach(function (th) {
    var button = document.createElement("button"), at = Array.from(th.parentNode.children).indexOf(th);
    button.append.apply(button, Array.from(th.childNodes));
    th.append(button);
    button.addEventListener("click", function () {
      var up = th.getAttribute("aria-sort") !== "ascending";
      all("th", th.parentNode).forEach(function (o) { o.removeAttribute("aria-sort"); });
      th.setAttribute("aria-sort", up ? "ascending" : "descending");
      var key = function (row) { var c = row.children[at], v = parseFloat(c.dataset.value); return isNaN(v) ? (at === 0 ? c.textContent : null) : v; };
      all("tbody", th.closest("table")).forEach(function (body) {
        all("tr:not(.setup)", body).sort(function (a, b) {
          var x = key(a), y = key(b);
          if (x === null || y === null) return (x === null) - (y === null); // empty ones last
          return (x < y ? -1 : x > y ? 1 : 0) * (up ? 1 : -1);
        }).forEach(function (row) { body.append(row); });
      });
    });
  });
  var open = function () { var e = document.getElementById(location.hash.slice(1)), d = e && e.closest("details"); while (d) { d.open = true; d = d.parentElement.closest("details"); } };
  addEventListener("hashchange", open); open();
  addEventListener("beforeprint", function () { all("details:not(.provenance)").forEach(function (d) { d.open = true; }); });
})();
