// Draws what stands in the two text areas, and writes clicks into them. The server computes everything again.
"use strict";

for (const form of document.querySelectorAll("form")) {
  const svg = form.querySelector("svg.roof");
  if (svg) prepare(form, svg);
}

function prepare(form, svg) {
  const areas = { corners: form.elements.corners, spouts: form.elements.spouts };
  const outline = svg.querySelector(".outline");
  const dots = svg.querySelector(".dots");
  const readout = form.querySelector(".readout");
  let tool = "corners";

  form.querySelector(".tools").hidden = false;
  if (!form.parentElement.querySelector(".faults")) form.querySelector(".typing").open = false;
  for (const button of form.querySelectorAll("[data-tool]")) {
    button.addEventListener("click", () => press(button.dataset.tool));
  }
  for (const area of Object.values(areas)) area.addEventListener("input", draw);
  svg.addEventListener("click", click);
  draw();

  function press(name) {
    if (name === "undo") write(tool, read(tool).slice(0, -1));
    else if (name === "clear") { write("corners", []); write("spouts", []); tool = "corners"; }
    else tool = name;
    for (const button of form.querySelectorAll("[aria-pressed]")) {
      button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
    }
    draw();
  }

  function click(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    let point = { x: within(Math.round(at.x), svg.dataset.width), y: within(Math.round(at.y), svg.dataset.depth) };
    if (tool === "spouts") point = nearest(point, read("corners"));
    write(tool, [...read(tool), point]);
    draw();
  }

  function read(name) {
    return areas[name].value.split("\n")
      .map((line) => line.split(/[,; ]+/).filter(Boolean).map(Number))
      .filter((pair) => pair.length === 2 && pair.every(Number.isFinite))
      .map(([x, y]) => ({ x, y }));
  }

  function write(name, points) {
    areas[name].value = points.map((point) => `${point.x}, ${point.y}`).join("\n");
  }

  function draw() {
    const corners = read("corners");
    const spouts = read("spouts");
    outline.setAttribute("points", corners.map((point) => `${point.x},${point.y}`).join(" "));
    dots.replaceChildren(
      ...corners.map((point) => circle(point, 0.9, "corner")),
      ...spouts.map((point) => circle(point, 1.5, "spout")),
    );
    const length = edges(corners).reduce((sum, [a, b]) => sum + Math.round(Math.hypot(a.x - b.x, a.y - b.y) * 10), 0) / 10;
    readout.textContent = corners.length < 3
      ? "No roof yet."
      : `${length} ft of gutter, ${corners.length} corners, ${spouts.length} downspouts.`;
  }
}

function edges(corners) {
  return corners.map((corner, index) => [corner, corners[(index + 1) % corners.length]]);
}

function circle(point, radius, name) {
  const circle = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  circle.setAttribute("cx", point.x);
  circle.setAttribute("cy", point.y);
  circle.setAttribute("r", radius);
  circle.setAttribute("class", name);
  return circle;
}

function within(value, limit) {
  return Math.min(Math.max(value, 0), Number(limit));
}

// The point of the outline that is closest to a click; a corner draws what is near it.
function nearest(point, corners) {
  const corner = corners.find((corner) => Math.hypot(point.x - corner.x, point.y - corner.y) < 2);
  if (corner) return corner;
  let best = point;
  let least = Infinity;
  for (const [a, b] of edges(corners)) {
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const share = ((point.x - a.x) * dx + (point.y - a.y) * dy) / (dx * dx + dy * dy || 1);
    const way = Math.min(Math.max(share, 0), 1);
    const on = { x: Math.round((a.x + way * dx) * 10) / 10, y: Math.round((a.y + way * dy) * 10) / 10 };
    const distance = Math.hypot(point.x - on.x, point.y - on.y);
    if (distance < least) [best, least] = [on, distance];
  }
  return best;
}
