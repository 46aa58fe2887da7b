// SPDX-License-Identifier: GPL-2.0-only
// Percentile lines over the heat map of latencies, labelled at their right end.

// columns that a step of the lines takes
function linesTogether(grid, px, view, n)
{
	const width = grid.width / (view.t1 - view.t0) * px;
	let together = 1;

	while (together * width < LATENCY_STEP ||
	       n / grid.n * together < LATENCY_STEP_IOS &&
	       together < grid.n / 4)
		together *= 2;
	return together;
}

// The lines of a grid, also of groups that start left of it.
function linesFor(page, source, grid, together)
{
	const first = Math.floor(grid.first / together) * together;
	const end = Math.ceil((grid.first + grid.n) / together) * together;
	const wide = { ...grid, first, n: end - first };
	const raster = rasterFor(source, page.view.latency, wide, RASTER_SUB);

	return rasterLines(raster, wide, together, LATENCY_PS);
}

// points of the line for percentile k: [x, y], null for gaps
function linesPoints(lines, grid, axis, scale, k)
{
	return lines.map((line) => {
		const t = (line.from + line.to) / 2 * grid.width;

		return line.n ? [axisX(axis, t), scale.place(line.values[k])] :
			null;
	});
}

// one line as a path, with its gaps
function linesPath(points)
{
	const path = new Path2D();
	let on = false;

	points.forEach((point, i) => {
		if (point && on)
			path.lineTo(...point);
		else if (point && !points[i + 1]) {
			path.moveTo(point[0] - 2, point[1]);
			path.lineTo(point[0] + 2, point[1]);
		} else if (point)
			path.moveTo(...point);
		on = Boolean(point);
	});
	return path;
}

// a line that can be seen on anything
function linesHalo(page, paint, path, colour, dashes)
{
	paint.lineJoin = "round";
	paint.strokeStyle = page.theme.card;
	paint.lineWidth = 3.5;
	paint.stroke(path);
	paint.lineWidth = 1.5;
	linesDashed(paint, path, colour, dashes);
}

function linesDashed(paint, path, colour, dashes)
{
	paint.strokeStyle = colour;
	paint.setLineDash(dashes);
	paint.stroke(path);
	paint.setLineDash([]);
}

function linesStroke(page, paint, path, k)
{
	const { p50, p99 } = page.theme;

	paint.lineWidth = 1;
	if (k < 2)
		linesHalo(page, paint, path, k ? p99 : p50, []);
	else
		linesDashed(paint, path, p99, [4, 3]);
}

// where labels go that would stand on each other: from the top down
function linesApart(places, least)
{
	const order = places.map((y, i) => i).sort((a, b) =>
		places[a] - places[b]);
	const apart = [...places];

	for (let i = 1; i < order.length; i++)
		apart[order[i]] = Math.max(apart[order[i]],
			apart[order[i - 1]] + least);
	return apart;
}

// names at the last place of each line that is in view
function linesLabels(page, paint, axis, ends)
{
	const shown = ends.filter((e) => e).reverse();
	const places = linesApart(shown.map((e) => e.y), 13);

	if (page.layout.narrow)
		return;
	shown.forEach((e, i) => paintText(paint, e.name,
		axis.left + axis.px + 5, places[i], e.colour));
}

function linesDraw(page, card, paint, axis, { source, grid, n })
{
	const { theme, view } = page;
	const together = linesTogether(grid, axis.px, view, n);
	const lines = linesFor(page, source, grid, together);
	const right = axis.left + axis.px;

	card.lines = { lines, grid };
	paint.save();
	paint.beginPath();
	paint.rect(axis.left, 0, axis.px, card.scale.height);
	paint.clip();
	const ends = LATENCY_PS.map((p, k) => {
		const points = linesPoints(lines, grid, axis, card.scale, k);
		const last = points.filter((q) => q && q[0] <= right).pop();

		return last && { y: Math.max(6, Math.min(card.scale.height - 6,
			last[1])), name: LATENCY_NAMES[k],
		colour: k ? theme.p99 : theme.ink,
		path: linesPath(points) };
	});
	[2, 1, 0].forEach((k) => ends[k] &&
		linesStroke(page, paint, ends[k].path, k));
	paint.restore();
	linesLabels(page, paint, axis, ends);
}

// the step of the lines at a time, or undefined
function linesAt(card, t)
{
	if (!card.lines)
		return undefined;
	const column = t / card.lines.grid.width;

	return card.lines.lines.find((line) =>
		line.from <= column && column < line.to && line.n);
}
