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
	const edges = paintColumns(raster, map.grid, axis);
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

const DIFFERENCE_GRAPH = {
	id: "difference", axis: "latency", title: "Difference in latency",
	what: "B minus A, at completion", height: 262, log: true,
	sideTitle: "I/Os by latency, B minus A",
	prepare: differencePrepare, draw: differenceDraw, side: differenceSide,
	hover: differenceHover, values: differenceValues,
};
