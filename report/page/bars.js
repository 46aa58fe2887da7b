// SPDX-License-Identifier: GPL-2.0-only
// What graphs of columns share: the columns of the line graphs, a linear scale
// that cuts bursts, and stacked columns.

// columns of line graphs are at least so wide, px
const BARS_LEAST = 4;
// px of a cut column's red end
const BARS_CAP = 3;

// One grid for all graphs of columns of a view.
function barsGrid(page, source, axis)
{
	return gridMake(page.view.t0, page.view.t1, axis.px, source.base,
		BARS_LEAST);
}

// starts of columns of a grid, and the end of the last: px, inside the plot
function barsEdges(grid, axis)
{
	return Int32Array.from({ length: grid.n + 1 }, (v, c) =>
		Math.max(axis.left, Math.min(axis.left + axis.px,
			Math.round(axisX(axis,
				(grid.first + c) * grid.width)))));
}

// the wish of a graph as axisTop() takes it
function barsWish(page, card)
{
	return page.view.tops[card.id];
}

// Labels and lines of a linear scale; place(v) gives pixels, values may be
// mirrored: labels show their size.
function barsTicks(page, paint, axis, ticks, units, suffix, place)
{
	const labels = axisLabels(ticks, units).map((l) =>
		l === "0" || page.layout.narrow ? l : l + suffix);

	paintValues(page, paint, axis, ticks.at, labels, place);
}

// One column of stacked parts from y0 upwards (by px a unit) or downwards
// (negative).  Columns above `room` px are cut, its end red.
function barsColumn(page, paint, x0, x1, y0, parts, by, room)
{
	const up = by > 0 ? -1 : 1;
	let from = 0;
	let sum = 0;

	for (const [value, colour] of parts) {
		sum += value;
		const to = Math.min(room, Math.round(sum * Math.abs(by)));

		if (value > 0 && to >= from) {
			const px = Math.max(to - from, from ? 0 : 1);

			paint.fillStyle = colour;
			paint.fillRect(x0, up < 0 ? y0 - from - px : y0 + from,
				x1 - x0, px);
		}
		from = Math.max(from, to);
	}
	if (sum * Math.abs(by) > room + 1) {
		paint.fillStyle = page.theme.error;
		paint.fillRect(x0, up < 0 ? y0 - room : y0 + room - BARS_CAP,
			x1 - x0, BARS_CAP);
	}
}

// the number of the column at a time, or -1 where the grid has none
function barsAt(grid, t)
{
	const column = Math.floor(t / grid.width) - grid.first;

	return column >= 0 && column < grid.n ? column : -1;
}

// what a tooltip says of a column that is cut
function barsSpan(grid, column)
{
	const from = (grid.first + column) * grid.width;

	return labelSpan(from, from + grid.width);
}
