// SPDX-License-Identifier: GPL-2.0-only
// The graph of I/Os in flight: per device the mean as a line, over a band from
// the least to the most.

// more lines than these look alike
const DEPTH_LINES = 8;

// colours of processes that are not those of reads and writes
const DEPTH_COLOURS = [2, 3, 5, 4, 6, 7];

function depthColour(page, index, n)
{
	return n === 1 ? page.theme.phase3 :
		page.theme.processes[DEPTH_COLOURS[index %
			DEPTH_COLOURS.length]];
}

// { mean, min, max } of column c of the grid
function depthColumn(depths, grid, c)
{
	const at = grid.first + c - depths.first;

	return {
		mean: depths.mean[at] || 0,
		min: depths.min ? depths.min[at] : null,
		max: depths.max ? depths.max[at] : null,
	};
}

function depthDraw(page, card, paint, axis, height)
{
	const { view } = page;
	const source = sourceFor(page.sources, view.t0, view.t1);
	const grid = barsGrid(page, source, axis);
	const devices = modelDevices(page.model, view.filter, DEPTH_LINES);

	card.grid = grid;
	card.series = devices.map((device, i) => {
		const depths = depthFor(source, device, grid);

		return { device, colour: depthColour(page, i, devices.length),
			columns: Array.from({ length: grid.n }, (v, c) =>
				depthColumn(depths, grid, c)) };
	});
	const tops = card.series.flatMap((s) => s.columns.map((c) =>
		c.max === null ? c.mean : c.max));
	const scale = cardTop(page, card, tops);
	const place = (v) => Math.max(2, height - 4 - v * (height - 10) /
		scale.top);

	cardScale(page, card, scale.cut);
	card.top = scale.top;
	depthTicks(page, paint, axis, scale, place);
	for (const series of card.series) {
		openDepth(page, paint, axis, series.device, place);
		depthSeries(page, card, paint, axis, series, place, scale);
	}
	depthLegend(page, card, source);
}

function depthTicks(page, paint, axis, scale, place)
{
	const ticks = axisTicks(0, scale.top, 4);

	if (ticks.step < 1 && scale.top >= 2)
		ticks.at = ticks.at.filter(Number.isInteger);
	paintValues(page, paint, axis, ticks.at,
		ticks.at.map((v) => numberShort(v)), (v) =>
			Math.max(7, Math.min(place(0) - 1, place(v))));
}

function depthSeries(page, card, paint, axis, series, place, scale)
{
	const edges = barsEdges(card.grid, axis);

	paint.fillStyle = series.colour;
	paint.globalAlpha = 0.28;
	series.columns.forEach((column, c) => {
		if (column.max > column.min)
			paint.fillRect(edges[c], place(column.max),
				edges[c + 1] - edges[c],
				place(column.min) - place(column.max));
	});
	paint.globalAlpha = 1;
	paint.strokeStyle = series.colour;
	paint.lineWidth = 1.5;
	paint.beginPath();
	series.columns.forEach((column, c) => {
		paint.lineTo(edges[c], place(column.mean));
		paint.lineTo(edges[c + 1], place(column.mean));
	});
	paint.stroke();
	depthCut(page, paint, series, edges, scale);
}

// red ends of columns above the scale
function depthCut(page, paint, series, edges, scale)
{
	paint.fillStyle = page.theme.error;
	series.columns.forEach((column, c) => {
		if ((column.max === null ? column.mean : column.max) >
		    scale.top)
			paint.fillRect(edges[c], 0, edges[c + 1] - edges[c],
				BARS_CAP);
	});
}

// what the lines are, in words
function depthAbout(source)
{
	if (source.exact)
		return "mean, and from least to most";
	return source.usual ? "mean, and from least to most: all operations" :
		"mean of what passes the filter";
}

function depthLegend(page, card, source)
{
	const items = card.series.map((s) => ({ key: s.device, shape: "line",
		name: page.meta.devices[s.device].name, colour: s.colour }));

	items.push(...openLegend(page)
		.filter(({ colour }) => colour === page.theme.error)
		.map((item) => ({ ...item, shape: "fill" })),
	{ key: "band", shape: "none", name: depthAbout(source) },
	...modelOthers(page.model, page.view.filter, DEPTH_LINES));
	cardLegend(card, items);
}

function depthAt(card, t)
{
	return t === null || !card.grid ? -1 : barsAt(card.grid, t);
}

function depthText(column)
{
	const band = column.max === null ? "" :
		`  ${numberShort(column.min)} to ${numberShort(column.max)}`;

	return numberShort(column.mean) + band;
}

function depthValues(page, card, t)
{
	const c = depthAt(card, t);

	for (const series of card.series || [])
		cardValue(card, series.device, c < 0 ? "" :
			numberShort(series.columns[c].mean));
}

function depthHover(page, card, x, y, t)
{
	const c = depthAt(card, t);

	if (c < 0)
		return null;
	return { head: "I/Os in flight, mean and range",
		lines: [...card.series.map((s) =>
			[page.meta.devices[s.device].name,
				depthText(s.columns[c])]),
		["during", barsSpan(card.grid, c)]] };
}

// Depths as a few bars: [label, ns], idle first.  Where every depth
// cannot have one, each holds twice, four times ... what the one before does.
function depthBars(times, most)
{
	const deepest = times.length - 1;
	const growth = deepest < most ? 1 :
		2 ** Math.ceil(Math.log2(deepest + 1) / (most - 1));
	const bars = [["idle", times[0] || 0]];

	for (let low = 1, high; low <= deepest; low = high + 1) {
		high = growth === 1 ? low :
			Math.min(deepest, low * growth - 1);
		const ns = times.slice(low, high + 1)
			.reduce((sum, v) => sum + (v || 0), 0);

		bars.push([low === high ? String(low) : `${low}\u2013${high}`,
			ns]);
	}
	return bars;
}

function depthSide(page, card, paint, width, height)
{
	const { range, theme } = page;
	const times = depthTimes(range.source, range.t0, range.t1);
	const total = times.reduce((sum, ns) => sum + (ns || 0), 0);
	const bars = depthBars(times, 8);
	const left = 58;
	const each = Math.min(20, (height - 6) / bars.length);
	const most = Math.max(1, ...bars.map(([, ns]) => ns));

	bars.forEach(([name, ns], i) => {
		const y = 4 + (i + 0.5) * each;

		paintText(paint, name, left - 7, y, theme.muted, "right");
		paint.fillStyle = i ? theme.phase3 : theme.other;
		paint.fillRect(left, y - each / 2 + 1,
			Math.max(ns ? 1 : 0, ns / most * (width - left - 62)),
			each - 3);
		paintText(paint, numberPercent(ns, total),
			left + 5 + ns / most * (width - left - 62), y,
			theme.ink);
	});
	domText(card.sideTitle, range.source.exact ? "Time at each depth" :
		"Time at each depth (mean of bins)");
	cardSideLabel(page, card, "Time at each depth");
}

const DEPTH_GRAPH = {
	id: "depth", title: "I/Os in flight", what: "issued and not completed",
	height: 120, sideTitle: "Time at each depth", draw: depthDraw,
	side: depthSide, values: depthValues, hover: depthHover,
};
