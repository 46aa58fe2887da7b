// SPDX-License-Identifier: GPL-2.0-only
// The difference's other half: values at the cursor, the tooltip, and the range
// by latency.

// p50 and p99 of both at the cursor
function differenceValues(page, card, t)
{
	["a", "b"].forEach((key, side) => {
		const column = card.map && t !== null ?
			t / card.map.grid.width : NaN;
		const line = (card.lines || [[], []])[side].find((l) =>
			l.from <= column && column < l.to && l.n);

		cardValue(card, key, line ? line.values.map((v, k) =>
			`${DIFFERENCE_NAMES[k]} ${numberTime(v)}`)
			.join(", ") : "");
	});
}

// the cell under the pointer, in words
function differenceHover(page, card, x, y, t)
{
	const { map, scale } = card;
	const { grid } = map;
	const column = barsAt(grid, t);
	const log = scale.lo + (scale.height - y) / scale.by;
	const cell = Math.floor(log * RASTER_SUB / map.together);
	const at = (map.top - cell) * grid.n + column;
	const [a, b] = map.counts.map((counts) => counts[at]);

	if (column < 0 || !a && !b)
		return null;
	const [low, high] = [cell, cell + 1].map((k) =>
		2 ** (k * map.together / RASTER_SUB));

	return { head: `B has ${labelMore(b - a)} that took ` +
		`${numberTime(low)} to ${numberTime(high)}`,
	lines: [["A", numberWhole(a)], ["B", numberWhole(b)],
		["completed", barsSpan(grid, column)]] };
}

// I/Os of the range by latency: those that B has more to the right
function differenceSide(page, card, paint, width)
{
	const scale = latencyScale(page, card.graph.height);
	const bars = width - 96;
	const sums = differenceSums(page, latencyTogether(scale));
	const most = differenceMost(sums.counts);
	const [a, b] = sums.counts;

	a.forEach((n, i) => {
		const by = b[i] - n;
		const [high, low] = [1, 0].map((k) => Math.round(scale.place(
			2 ** ((sums.first + i + k) * sums.together /
				RASTER_SUB))));
		const px = by / most * bars / 2;

		paint.fillStyle = page.theme[by > 0 ? "side-b" : "side-a"];
		if (by)
			paint.fillRect(bars / 2 + Math.min(0, px), high,
				Math.max(1, Math.abs(px)),
				Math.max(1, low - high - 1));
	});
	paintDown(paint, bars / 2, 0, scale.height, page.theme.muted);
	differenceMarked(page, paint, scale, bars);
	cardSideLabel(page, card, "I/Os by latency, B minus A");
}

// Counts of both by bars of `together` buckets; the first is number `first`
function differenceSums(page, together)
{
	const spans = page.sides.map(({ meta }) => [meta.bins.first,
		meta.bins.first + meta.bins.buckets]);
	const first = Math.floor(Math.min(...spans.map(([a]) => a)) / together);
	const n = Math.floor(Math.max(...spans.map(([, b]) => b)) / together) -
		first + 1;
	const counts = [0, 1].map(() => Array(n).fill(0));

	page.sides.forEach((side, i) => {
		const { buckets } = side.meta.bins;

		latencyHistogram(side).forEach((count, k) => {
			counts[i][Math.floor((side.meta.bins.first +
				k % buckets) / together) - first] += count;
		});
	});
	return { counts, first, together };
}

// percentiles of both in the range, with their names
function differenceMarked(page, paint, scale, bars)
{
	const marks = page.sides.flatMap(({ range, view, letter }, side) => {
		const dist = range.all[view.latency];

		return dist ? [[dist.p[0], "p50"], [dist.p[2], "p99"]].map(
			([v, name]) => ({ v, side, text: `${letter} ${name} ` +
				numberTime(v), colour: name === "p50" ?
				page.theme.ink : page.theme.p99 })) : [];
	});
	const places = marks.map(({ v }) => scale.place(v));
	const apart = linesApart(places.map((y) => Math.max(7,
		Math.min(scale.height - 20, y))), 14);

	marks.forEach(({ text, colour }, i) => {
		paintAcross(paint, bars / 2, bars, places[i], colour);
		paintHalo(paint, text, bars + 4, apart[i], colour,
			page.theme.card);
	});
}
