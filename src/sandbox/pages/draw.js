// Draws what stands in the form's text fields, and writes clicks into them. The server computes everything again.
"use strict";

for (const form of document.querySelectorAll("form")) {
  const svg = form.querySelector("svg.roof");
  if (svg) prepare(form, svg);
}

function prepare(form, svg) {
  const fields = { corners: form.elements.corners, spouts: form.elements.spouts, bare: form.elements.bare };
  const outline = svg.querySelector(".outline");
  const gutters = svg.querySelector(".gutters");
  const dots = svg.querySelector(".dots");
  const readout = form.querySelector(".readout");
  const list = form.querySelector(".edges");
  const checks = form.querySelector(".checks");
  let tool = "corners";

  form.querySelector(".tools").hidden = false;
  if (!form.parentElement.querySelector(".faults")) form.querySelector(".typing").open = false;
  for (const button of form.querySelectorAll("[data-tool]")) {
    button.addEventListener("click", () => press(button.dataset.tool));
  }
  for (const field of Object.values(fields)) field.addEventListener("input", draw);
  svg.addEventListener("click", click);
  draw();

  function press(name) {
    if (name === "undo") undo();
    else if (name === "clear") { write("corners", []); write("spouts", []); hang([]); tool = "corners"; }
    else tool = name;
    for (const button of form.querySelectorAll("[aria-pressed]")) {
      button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
    }
    draw();
  }

  function undo() {
    if (tool === "edges") hang(bare().slice(0, -1));
    else write(tool, read(tool).slice(0, -1));
  }

  function click(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const point = { x: within(Math.round(at.x), svg.dataset.width), y: within(Math.round(at.y), svg.dataset.depth) };
    const roof = edges(read("corners"), bare());
    if (tool === "corners") write(tool, [...read(tool), point]);
    else if (tool === "spouts") write(tool, [...read(tool), onGutter(point, roof)]);
    else if (roof.length > 0) toggle(nearest(point, roof).edge.number);
    draw();
  }

  function toggle(number) {
    const numbers = bare();
    hang(numbers.includes(number) ? numbers.filter((one) => one !== number) : [...numbers, number]);
  }

  function read(name) {
    return fields[name].value.split("\n")
      .map((line) => line.split(/[,; ]+/).filter(Boolean).map(Number))
      .filter((pair) => pair.length === 2 && pair.every(Number.isFinite))
      .map(([x, y]) => ({ x, y }));
  }

  function write(name, points) {
    fields[name].value = points.map((point) => `${point.x}, ${point.y}`).join("\n");
    // An edge that is gone carries nothing.
    if (name === "corners") hang(bare().filter((number) => number <= points.length));
  }

  // The numbers of the edges without a gutter.
  function bare() {
    return fields.bare.value.split(/[,; ]+/).filter(Boolean).map(Number);
  }

  function hang(numbers) {
    fields.bare.value = numbers.join(", ");
  }

  function draw() {
    const corners = read("corners");
    const spouts = read("spouts");
    const roof = edges(corners, bare());
    outline.setAttribute("points", corners.map((point) => `${point.x},${point.y}`).join(" "));
    gutters.replaceChildren(...roof.map(line));
    dots.replaceChildren(
      ...corners.map((point) => circle(point, 0.9, "corner")),
      ...spouts.map((point) => circle(point, 1.5, "spout")),
    );
    list.hidden = corners.length < 3;
    if (!list.hidden) offer(roof);
    readout.textContent = list.hidden ? "No roof yet." : sum(roof, spouts);
  }

  // A checkbox an edge, for hands without a mouse. Boxes that are there stay, so that the focus does too.
  function offer(roof) {
    while (checks.children.length > roof.length) checks.lastChild.remove();
    while (checks.children.length < roof.length) checks.append(check(checks.children.length + 1));
    for (const edge of roof) {
      const label = checks.children[edge.number - 1];
      label.firstChild.checked = edge.hung;
      label.lastChild.textContent = ` Edge ${edge.number}, ${edge.length} ft`;
    }
  }

  function check(number) {
    const label = document.createElement("label");
    const box = document.createElement("input");
    box.type = "checkbox";
    box.addEventListener("change", () => { toggle(number); draw(); });
    label.append(box, document.createElement("span"));
    return label;
  }
}

function edges(corners, bare) {
  return corners.map((start, index) => {
    const end = corners[(index + 1) % corners.length];
    const length = Math.round(Math.hypot(start.x - end.x, start.y - end.y) * 10) / 10;
    return { number: index + 1, start, end, length, hung: !bare.includes(index + 1) };
  });
}

function sum(roof, spouts) {
  const hung = roof.filter((edge) => edge.hung);
  const tenths = hung.reduce((sum, edge) => sum + Math.round(edge.length * 10), 0);
  const corners = roof.filter((edge, index) => edge.hung && roof.at(index - 1).hung).length;
  return `${tenths / 10} ft of gutter, ${counted(corners, "corner")}, ${counted(spouts.length, "downspout")}.`;
}

function counted(count, word) {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}

function line(edge) {
  const [from, to] = [edge.start, edge.end];
  return shape("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, class: edge.hung ? "hung" : "bare" });
}

function circle(point, radius, name) {
  return shape("circle", { cx: point.x, cy: point.y, r: radius, class: name });
}

function shape(name, attributes) {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
  return shape;
}

function within(value, limit) {
  return Math.min(Math.max(value, 0), Number(limit));
}

// The point of the gutters that is closest to a click; a corner draws what is near it.
function onGutter(point, roof) {
  const hung = roof.filter((edge) => edge.hung);
  if (hung.length === 0) return point;
  const near = (corner) => Math.hypot(point.x - corner.x, point.y - corner.y) < 2;
  return hung.flatMap((edge) => [edge.start, edge.end]).find(near) ?? nearest(point, hung).point;
}

function nearest(point, roof) {
  return roof.map((edge) => {
    const on = closest(point, edge);
    return { edge, point: on, distance: Math.hypot(point.x - on.x, point.y - on.y) };
  }).reduce((best, one) => (one.distance < best.distance ? one : best));
}

function closest(point, { start, end }) {
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const share = ((point.x - start.x) * dx + (point.y - start.y) * dy) / (dx * dx + dy * dy || 1);
  const way = Math.min(Math.max(share, 0), 1);
  return { x: Math.round((start.x + way * dx) * 10) / 10, y: Math.round((start.y + way * dy) * 10) / 10 };
}
