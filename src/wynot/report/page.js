"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const count = (value) => value.toLocaleString("en");
  const SVG = "http://www.w3.org/2000/svg";
  const PAGE_OF_STEPS = 200;

  const drawn = (name, attributes, parent, text) => {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    parent.append(node);
    return node;
  };
  const made = (name, text, kind) => {
    const node = document.createElement(name);
    if (text !== undefined) node.textContent = text;
    if (kind) node.className = kind;
    return node;
  };

  // Size over tests, or over time.
  const view = { over: "tests", log: true };
  let chosen = 1;
  let mark; // moves the mark of the step, in the curve as it is drawn now
  const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [300, 76, 24, 28, 46];
  const nice = (most, room) => {
    const power = 10 ** Math.floor(Math.log10(most || 1));
    return [1, 2, 5, 10].map((n) => n * power).find((step) => most / step <= room) || power;
  };
  const ticks = (most, room = 6) => {
    const step = nice(most, room);
    return Array.from({ length: Math.floor(most / step) + 1 }, (_, n) => n * step);
  };
  const powers = (most) => {
    const all = [];
    for (let value = 1; value <= most; value *= 10) all.push(value);
    return all;
  };
  const curve = () => {
    const chart = byId("chart");
    const WIDTH = Math.max(300, chart.parentElement.clientWidth);
    chart.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    chart.replaceChildren();
    const at = view.over === "tests" ? 0 : 1;
    const points = [[0, data.before], ...data.steps.map((step) => [step[at], step[2]])];
    const end = Math.max(points[points.length - 1][0], view.over === "tests" ? data.tests : data.seconds, 1e-9);
    points.push([end, points[points.length - 1][1]]);
    const top = data.steps.reduce((most, step) => Math.max(most, step[2]), Math.max(data.before, 1));
    const across = (value) => LEFT + (value / end) * (WIDTH - LEFT - RIGHT);
    const share = (value) => (view.log ? Math.log10(Math.max(value, 1)) / Math.max(Math.log10(top), 1e-9) : value / top);
    const up = (value) => HEIGHT - BOTTOM - share(value) * (HEIGHT - TOP - BOTTOM);
    for (const value of view.log ? powers(top) : ticks(top)) {
      drawn("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: up(value), y2: up(value) }, chart);
      drawn("text", { x: LEFT - 8, y: up(value) + 4, "text-anchor": "end" }, chart, count(value));
    }
    for (const value of ticks(end, WIDTH > 600 ? 10 : 4)) {
      const label = view.over === "tests" ? count(value) : `${+value.toPrecision(6)}`;
      drawn("text", { x: across(value), y: HEIGHT - 28, "text-anchor": "middle" }, chart, label);
    }
    drawn("text", { x: LEFT - 8, y: 16, "text-anchor": "end" }, chart, "bytes");
    drawn("text", { x: WIDTH - RIGHT, y: HEIGHT - 8, "text-anchor": "end" }, chart,
      view.over === "tests" ? "tests" : "seconds since the start");
    let path = "";
    points.forEach(([x, y], number) => {
      path += number ? `H${across(x).toFixed(1)}V${up(y).toFixed(1)}` : `M${across(x)},${up(y)}`;
    });
    drawn("path", { class: "area", d: `${path}V${HEIGHT - BOTTOM}H${LEFT}Z` }, chart);
    drawn("path", { class: "curve", d: path }, chart);
    drawn("line", { class: "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM }, chart);
    const spot = drawn("circle", { class: "mark", r: data.steps.length ? 5 : 0 }, chart);
    mark = () => {
      const step = data.steps[chosen - 1];
      spot.setAttribute("cx", across(step[at]));
      spot.setAttribute("cy", up(step[2]));
    };
    if (data.steps.length) mark();
    chart.onclick = (event) => {
      const box = chart.getBoundingClientRect();
      const value = (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT) * end;
      const later = data.steps.findIndex((step) => step[at] >= value);
      choose(later < 0 ? data.steps.length : later + 1);
    };
  };
  const pressed = (name, button) => {
    for (const each of document.querySelectorAll(`[data-${name}]`)) each.setAttribute("aria-pressed", each === button);
  };
  for (const button of document.querySelectorAll("[data-over]"))
    button.addEventListener("click", () => { view.over = button.dataset.over; pressed("over", button); curve(); });
  for (const button of document.querySelectorAll("[data-log]"))
    button.addEventListener("click", () => { view.log = button.dataset.log === "1"; pressed("log", button); curve(); });
  addEventListener("resize", curve);

  // The map: by when a part went, or by which pass.
  for (const button of document.querySelectorAll("[data-by]"))
    button.addEventListener("click", () => {
      byId("maps").classList.toggle("by-pass", button.dataset.by === "pass");
      pressed("by", button);
    });
  byId("maps").addEventListener("mouseover", (event) => {
    const part = event.target.closest("[data-step]");
    if (!part || part.title) return;
    const step = data.steps[part.dataset.step - 1];
    part.title = `step ${count(+part.dataset.step)}: ${step[3]}, ${count(step[2])} bytes left`;
  });

  // The steps: one is chosen, and those around it are listed.
  const SIGNS = { "-": "d", "+": "a", "@": "w", " ": "" };
  const list = () => {
    const from = Math.max(0, Math.min(chosen - 1 - PAGE_OF_STEPS / 2, data.steps.length - PAGE_OF_STEPS));
    const rows = data.steps.slice(from, from + PAGE_OF_STEPS).map((step, index) => {
      const item = made("li");
      const button = made("button", `${from + index + 1}. ${count(step[2])} bytes · ${step[3]}`);
      button.type = "button";
      button.dataset.step = from + index + 1;
      if (from + index + 1 === chosen) button.setAttribute("aria-current", "true");
      item.append(button);
      return item;
    });
    byId("list").replaceChildren(...rows);
    const current = byId("list").querySelector("[aria-current]");
    if (current) byId("list").scrollTop = current.offsetTop - byId("list").offsetTop - 120;
  };
  const show = () => {
    const [tests, seconds, size, pass, what, files] = data.steps[chosen - 1];
    const before = chosen > 1 ? data.steps[chosen - 2][2] : data.before;
    const panel = [];
    panel.push(made("p", `Step ${count(chosen)} of ${count(data.steps.length)}: ${count(before)} → ${count(size)} bytes, ` +
      `after ${count(tests)} tests and ${seconds.toFixed(1)} s, by ${pass}${what ? ` (${what})` : ""}.`));
    for (const [path, lines] of files) {
      if (data.names > 1) panel.push(made("h3", path));
      const block = made("pre", undefined, "diff");
      block.tabIndex = 0;
      for (const [sign, text] of lines) block.append(made("span", `${sign === "@" ? "  " : sign + " "}${text}\n`, SIGNS[sign]));
      if (!lines.length) block.append(made("span", "too much is shown already; wynot history shows this one", "w"));
      panel.push(block);
    }
    const restore = made("p", "To get this case back: ", "note");
    restore.append(made("code", `wynot history ${data.file} --restore ${chosen}`));
    panel.push(restore);
    const parts = document.querySelectorAll(`.map [data-step="${chosen}"]`);
    if (parts.length) {
      const button = made("button", "show it in the cut map");
      button.type = "button";
      button.id = "in-map";
      button.addEventListener("click", () => {
        const map = parts[0].closest(".map");
        parts[0].scrollIntoView({ block: "center" });
        map.focus({ preventScroll: true });
      });
      panel.push(button);
    }
    byId("step").replaceChildren(...panel);
    byId("slider").value = byId("number").value = chosen;
    for (const each of document.querySelectorAll(".map .now")) each.classList.remove("now");
    for (const each of parts) each.classList.add("now");
  };
  const choose = (number) => {
    if (!data.steps.length) return;
    chosen = Math.max(1, Math.min(data.steps.length, Math.round(number) || 1));
    list();
    show();
    mark();
  };
  if (data.steps.length) {
    byId("list").addEventListener("click", (event) => {
      if (event.target.dataset.step) choose(+event.target.dataset.step);
    });
    byId("slider").max = byId("number").max = data.steps.length;
    byId("slider").addEventListener("input", (event) => choose(+event.target.value));
    byId("number").addEventListener("change", (event) => choose(+event.target.value));
    byId("earlier").addEventListener("click", () => choose(chosen - 1));
    byId("later").addEventListener("click", () => choose(chosen + 1));
    document.addEventListener("keydown", (event) => {
      if (event.target.closest("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "j" || event.key === "k") choose(chosen + (event.key === "j" ? 1 : -1));
    });
    for (const map of document.querySelectorAll(".map"))
      map.addEventListener("click", (event) => {
        const step = event.target.closest("[data-step]");
        if (step) { choose(+step.dataset.step); byId("steps").scrollIntoView(); }
      });
  }
  const start = /^#step-(\d+)$/.exec(location.hash);
  curve();
  choose(start ? +start[1] : 1);
})();
