// SPDX-License-Identifier: GPL-2.0-only
// The latency graph of two runs: in each cell how many more I/Os B has than A,
// on one scale of colours from A's to B's, with percentile lines of both.

const DIFFERENCE_PS = [0.5, 0.99];
const DIFFERENCE_NAMES = ["p50", "p99"];
// Differences up to the root of all that were counted are mostly chance, and
// pale; the scale is at least as long as this many of them.
const DIFFERENCE_CHANCES = 5;
// rare and slow I/Os can be seen, too
const DIFFERENCE_POWER = 0.6;
// least width and height of a cell, px: larger than those of one run, as the
// difference of two small counts is mostly chance
const DIFFERENCE_COLUMN = 6;
const DIFFERENCE_CELL = 5;

// the sources of a view, A's and B's
function differenceSources({ sides, view })
{
	return sides.map((side) => sourceFor(side.sources, view.t0, view.t1));
}

// A grid that both can be counted on: widths are powers of two.
function differenceGrid(sources, { t0, t1 }, px)
{
	const base = Math.max(...sources.map((source) => source.base));

	return gridMake(t0, t1, px, base, DIFFERENCE_COLUMN);
}

// the raster of a source for columns as wide as those of a grid of another base
function differenceRaster(source, latency, grid)
{
	const level = Math.round(Math.log2(grid.width / source.base));

	return rasterFor(source, latency, { ...grid, level }, RASTER_SUB,
		"difference ");
}

// how many cells of the raster are drawn as one
function differenceTogether(scale)
{
	let together = 1;

	while (scale.by / RASTER_SUB * together < DIFFERENCE_CELL)
		together *= 2;
	return together;
}

// An empty map: its lines from the top are cells of log2 ns.
function differenceEmpty(grid, scale)
{
	const together = differenceTogether(scale);
	const bottom = Math.floor(scale.lo * RASTER_SUB / together);
	const top = Math.floor(scale.hi * RASTER_SUB / together);
	const n = top - bottom + 1;

	return { grid, together, bottom, top, n, low: 0, sub: RASTER_SUB,
		counts: [0, 1].map(() => new Uint32Array(n * grid.n)) };
}

// adds a side's raster to its counts
function differenceAdd(map, raster, counts)
{
	const { grid, together, bottom, top } = map;
	const { cells, low, first } = raster;

	for (let k = 0; k < cells; k++) {
		const line = Math.floor((low + k) / together);

		if (line < bottom || line > top)
			continue;
		const at = (top - line) * grid.n;

		for (let c = 0; c < grid.n; c++)
			counts[at + c] += raster.all[(grid.first + c - first) *
				cells + k] || 0;
	}
}

// the end of a scale for the differences of counts
function differenceMost([a, b])
{
	let most = 1;
	let all = 1;

	for (let i = 0; i < a.length; i++) {
		most = Math.max(most, Math.abs(b[i] - a[i]));
		all = Math.max(all, a[i] + b[i]);
	}
	return Math.max(most, DIFFERENCE_CHANCES * Math.sqrt(all));
}

// The counts of both sides, and the end of the scale.
function differenceGather(rasters, grid, scale)
{
	const map = differenceEmpty(grid, scale);

	rasters.forEach((raster, i) => raster &&
		differenceAdd(map, raster, map.counts[i]));
	map.most = differenceMost(map.counts);
	return map;
}

// which of the shades a cell has, from all in A to all in B
function differenceShade(a, b, most)
{
	const beyond = Math.max(0, Math.abs(b - a) - Math.sqrt(a + b));
	const part = Math.sign(b - a) * (beyond / most) ** DIFFERENCE_POWER;

	return Math.round((part + 1) / 2 * (THEME_SHADES - 1));
}

function differencePaint(page, paint, axis, scale, map)
{
	const raster = paintRaster(paint, axis.left, 0, axis.px, scale.height,
		page.layout.ratio);
	const edges = latencyColumns(raster, map.grid, axis);
	const edge = (line) => Math.max(0, Math.min(raster.h,
		latencyEdge(map, scale, line, raster.ratio)));
	const [a, b] = map.counts;

	for (let line = 0; line < map.n; line++) {
		const from = edge(line);
		const to = edge(line + 1);

		for (let c = 0; c < map.grid.n && to > from; c++) {
			const at = line * map.grid.n + c;

			if (a[at] || b[at])
				raster.pixels.fill(page.theme.differences[
					differenceShade(a[at], b[at],
						map.most)],
				from * raster.w + edges[c],
				from * raster.w + edges[c + 1]);
		}
		if (to > from)
			paintRepeat(raster, from, to);
	}
	paintRasterEnd(page, paint, raster);
}

// percentile lines of a side: A's solid, B's dashed
function differenceLines(page, paint, axis, scale, lines, grid, side)
{
	const ends = DIFFERENCE_PS.map((p, k) => {
		const points = linesPoints(lines, grid, axis, scale, k);
		const last = points.filter((q) => q &&
			q[0] <= axis.left + axis.px).pop();

		linesHalo(page, paint, linesPath(points),
			k ? page.theme.p99 : page.theme.p50,
			SPREAD_DASHES[side]);
		return last && { y: Math.max(6, Math.min(scale.height - 6,
			last[1])), name: `${PAIR_LETTERS[side]} ` +
			DIFFERENCE_NAMES[k],
		colour: k ? page.theme.p99 : page.theme.ink };
	});

	return ends.filter((end) => end);
}

// After the end of the shorter run there is nothing to compare.
function differenceEnd(page, paint, axis, height)
{
	const ends = page.sides.map((side) => side.model.duration);
	const first = Math.min(...ends);
	const x = Math.max(axis.left, axisX(axis, first));
	const px = axis.left + axis.px - x;

	if (px < 1)
		return;
	paint.fillStyle = page.theme.back;
	paint.fillRect(x, 0, px, height);
	paintDown(paint, x, 0, height, page.theme.hair);
	if (px > 90)
		paintText(paint, `${PAIR_LETTERS[ends.indexOf(first)]} ends ` +
			"here", x + 8, height / 2, page.theme.muted);
}

function differencePrepare(page, card)
{
	card.which = latencySwitch(page);
	card.switches.append(card.which);
}

function differenceDraw(page, card, paint, axis, height)
{
	const { view } = page;
	const scale = latencyScale(page, height);
	const sources = differenceSources(page);
	const grid = differenceGrid(sources, view, axis.px);
	const rasters = page.sides.map((side, i) =>
		side.model.latencies.includes(view.latency) ?
			differenceRaster(sources[i], view.latency, grid) :
			null);

	domSwitchTo(card.which, view.latency);
	cardScale(page, card, false);
	latencyTicks(page, paint, axis, scale);
	card.scale = scale;
	card.map = differenceGather(rasters, grid, scale);
	differencePaint(page, paint, axis, scale, card.map);
	differenceBoth(page, card, paint, axis, rasters);
	differenceLegend(page, card);
	if (!card.map.counts.some((counts) => counts.some((n) => n)))
		cardNothing(page, paint, axis, height,
			"nothing completed in this range");
}

// the lines of both, with their names
function differenceBoth(page, card, paint, axis, rasters)
{
	const { scale, map } = card;
	const together = linesTogether(map.grid, axis.px, page.view,
		Math.max(...map.counts.map((counts) =>
			counts.reduce((sum, n) => sum + n, 0))));

	card.lines = rasters.map((raster) => raster ? rasterLines(raster,
		map.grid, together, DIFFERENCE_PS) : []);
	paint.save();
	paint.beginPath();
	paint.rect(axis.left, 0, axis.px, scale.height);
	paint.clip();
	const ends = card.lines.flatMap((lines, side) => differenceLines(page,
		paint, axis, scale, lines, map.grid, side));
	paint.restore();
	differenceEnd(page, paint, axis, scale.height);
	linesLabels(page, paint, axis, ends);
}

function differenceLegend(page, card)
{
	const { theme } = page;
	const most = numberCount(card.map.most);

	cardLegend(card, [{ key: "ramp", shape: "ramp",
		colour: `linear-gradient(90deg, ${theme.difference.join(",")})`,
		name: "I/Os per cell: more in A to more in B," },
	{ key: "a", name: "A", shape: "line", colour: theme.ink },
	{ key: "b", name: "B", shape: "dash", colour: theme.ink }]);
	cardValue(card, "ramp", `\u00b1${most}`);
}

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

const DIFFERENCE_GRAPH = {
	id: "difference", axis: "latency", title: "Difference in latency",
	what: "B minus A, at completion", height: 262, log: true,
	sideTitle: "I/Os by latency, B minus A",
	prepare: differencePrepare, draw: differenceDraw, side: differenceSide,
	hover: differenceHover, values: differenceValues,
};
