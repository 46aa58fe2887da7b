// SPDX-License-Identifier: GPL-2.0-only
// The latency graph's other half: the histogram of the range on the same
// scale, and the tooltip.

// counts of the range by bucket and kind: Float64Array[3 * buckets]
function latencyHistogram(page)
{
	const { range, model, view } = page;
	const { buckets } = model.meta.bins;
	const from = range.tally.histogram[view.latency];
	const out = new Float64Array(3 * buckets);

	for (let s = 0; from && s < model.streams; s++) {
		if (!range.source.on[s])
			continue;
		const kind = range.source.kinds[s];

		for (let b = 0; b < buckets; b++)
			out[kind * buckets + b] += from[s * buckets + b];
	}
	return out;
}

// buckets drawn as one bar, so that a bar and its gap are not below 3 px
function latencyTogether(scale)
{
	let together = 1;

	while (scale.by / RASTER_SUB * together < 3)
		together *= 2;
	return together;
}

function latencyBars(page, paint, scale, width)
{
	const { first, buckets } = page.meta.bins;
	const histogram = latencyHistogram(page);
	const together = latencyTogether(scale);
	const bars = Math.ceil(buckets / together) + 1;
	const sums = new Float64Array(3 * bars);
	const bar = (b) => Math.floor((first + b) / together) -
		Math.floor(first / together);
	let most = 1;

	for (let kind = 0; kind < 3; kind++)
		for (let b = 0; b < buckets; b++)
			sums[bar(b) * 3 + kind] +=
				histogram[kind * buckets + b];
	for (let i = 0; i < bars; i++)
		most = Math.max(most, sums[3 * i] + sums[3 * i + 1] +
			sums[3 * i + 2]);
	for (let i = 0; i < bars; i++) {
		const cell = Math.floor(first / together) + i;
		const low = 2 ** (cell * together / RASTER_SUB);
		const high = 2 ** ((cell + 1) * together / RASTER_SUB);
		const top = Math.round(scale.place(high));
		const bottom = Math.round(scale.place(low));

		latencyBar(page, paint, sums.subarray(3 * i, 3 * i + 3),
			width / most, top, Math.max(1, bottom - top - 1));
	}
}

function latencyBar(page, paint, counts, by, y, height)
{
	let x = 0;

	counts.forEach((count, kind) => {
		const px = count * by;

		paint.fillStyle = page.theme[THEME_KINDS[kind]];
		if (count)
			paint.fillRect(x, y, Math.max(px, 1), height);
		x += px;
	});
}

// the percentiles of the range, as lines with their names and values
function latencyMarked(page, paint, scale, bars, width)
{
	const dist = page.range.all[page.view.latency];

	if (!dist)
		return;
	/* of equal ones the highest stands on top */
	const values = [dist.p[3], dist.p[2], dist.p[0]];
	const places = values.map(scale.place);
	const apart = linesApart(places.map((y) =>
		Math.max(7, Math.min(scale.height - 7, y))), 14);

	values.forEach((v, i) => {
		const k = LATENCY_PS.length - 1 - i;
		const colour = k ? page.theme.p99 : page.theme.p50;

		paintAcross(paint, 0, bars + 4, places[i], colour);
		paintHalo(paint, `${LATENCY_NAMES[k]} ${numberTime(v)}`,
			bars + 8, apart[i], k ? colour : page.theme.ink,
			page.theme.card);
	});
}

function latencySide(page, card, paint, width)
{
	const scale = latencyScale(page, card.graph.height);
	const bars = width - 96;

	latencyBars(page, paint, scale, bars);
	latencyMarked(page, paint, scale, bars, width);
	domText(card.sideTitle, "I/Os by latency");
	cardSideLabel(page, card, "I/Os by latency");
}

// the cell under the pointer, in words
function latencyCellText(page, card, x, y, t)
{
	const { cells, scale } = card;
	const { grid } = cells;
	const column = Math.floor(t / grid.width) - grid.first;
	const log = scale.lo + (scale.height - y) / scale.by;
	const line = cells.top - Math.floor((Math.floor(log * cells.sub) -
		cells.low) / cells.together);
	const at = line * grid.n + column;
	const count = cells.all[at];

	if (!count || line < 0 || column < 0 || column >= grid.n)
		return null;
	const low = 2 ** (((cells.top - line) * cells.together + cells.low) /
		cells.sub);
	const high = 2 ** (((cells.top - line + 1) * cells.together +
		cells.low) / cells.sub);
	const from = (grid.first + column) * grid.width;

	return { head: `${labelIos(count)} took ${numberTime(low)}` +
		` to ${numberTime(high)}`,
	lines: [["reads", numberWhole(count - cells.writes[at])],
		["writes and others", numberWhole(cells.writes[at])],
		["completed", labelSpan(from, from + grid.width)]] };
}

function latencyHover(page, card, x, y, t)
{
	const mark = marksNear(card, x, y);

	if (mark)
		return labelRow(page, mark.row);
	const bar = spansNear(card, x, y);

	if (bar)
		return labelRow(page, bar.row);
	return card.cells ? latencyCellText(page, card, x, y, t) : null;
}

// values of the lines at the cursor
function latencyValues(page, card, t)
{
	const line = t === null ? undefined : linesAt(card, t);

	LATENCY_NAMES.forEach((name, k) => cardValue(card, name,
		line ? numberTime(line.values[k]) : ""));
}

const LATENCY_GRAPH = {
	id: "latency", title: "Latency", what: "at completion", height: 262,
	sideTitle: "I/Os by latency", log: true,
	prepare: latencyPrepare, draw: latencyDraw, side: latencySide,
	hover: latencyHover, values: latencyValues,
};
