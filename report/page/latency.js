// SPDX-License-Identifier: GPL-2.0-only
// The latency graph: a heat map of when I/Os completed and how long they took,
// with percentile lines; where few are in view, a mark for each.

const LATENCY_PS = [0.5, 0.99, 0.999];
const LATENCY_NAMES = ["p50", "p99", "p99.9"];
const LATENCY_MARKS = 1500;
// columns become wider where they would hold fewer
const LATENCY_FEW = 45;
// the least step of lines: px, and I/Os on average
const LATENCY_STEP = 8;
const LATENCY_STEP_IOS = 300;
// where names of marks stand, below those of bands, px
const LATENCY_NAME = 23;
// least height of a cell, px
const LATENCY_CELL = 2.5;

// the shown distributions over the whole trace
function latencyShown({ meta, view })
{
	const { tables } = meta;
	const { filter } = view;

	return [tables.all, ...tables.operations.filter((r) =>
		filter.operations[r.operation]),
	...tables.devices.filter((r) => filter.devices[r.device])]
		.map((r) => r[view.latency]).filter((d) => d);
}

// the value axis of all of the trace: [lo, hi] in log2 ns
function latencyWhole(page)
{
	const shown = page.sides.flatMap(latencyShown);
	const ages = page.sides.map((side) =>
		openLongest(side, page.view.latency)).filter((ns) => ns > 0);
	const least = Math.min(...shown.map((d) => d.min), ...ages);
	const most = Math.max(...shown.map((d) => d.max), ...ages);

	if (!shown.length && !ages.length)
		return [10, 20];
	const lo = Math.log2(Math.max(1, least));
	const hi = Math.log2(Math.max(2, most));
	const spare = Math.max(0.3, (hi - lo) * 0.05);

	return [Math.max(0, lo - spare), hi + spare];
}

// { lo, hi, height, place(ns) } of the value axis as it is shown
function latencyScale(page, height)
{
	const wish = page.view.tops.latency;
	const [lo, hi] = Array.isArray(wish) ? wish : latencyWhole(page);
	const by = height / (hi - lo);

	return { lo, hi, by, height,
		place: (ns) => height - (Math.log2(Math.max(1, ns)) - lo) *
			by };
}

function latencyTicks(page, paint, axis, scale)
{
	const at = axisLogTicks(2 ** scale.lo, 2 ** scale.hi);

	paintValues(page, paint, axis, at, at.map(numberTime), scale.place);
}

// how many I/Os that pass completed in [t0, t1)
function latencyCount(source, t0, t1)
{
	if (!source.exact) {
		const grid = gridAt(t0, t1, source.base, 0);
		const sums = sumsFor(source, grid);
		let n = 0;

		for (let c = grid.first; c < grid.first + grid.n; c++)
			for (let kind = 0; kind < 3; kind++)
				n += sums.data[c * SUMS_EACH + kind] || 0;
		return n;
	}
	const { stream } = source.rows.ended;
	const [a, b] = rowsEnded(source.rows, t0, t1);
	let n = 0;

	for (let i = a; i < b; i++)
		n += source.on[stream[i]];
	return n;
}

// columns for a view with n I/Os in it
function latencyGrid(source, view, px, n)
{
	const { t0, t1 } = view;
	let grid = gridMake(t0, t1, px, source.base, GRID_LEAST);
	const width = () => grid.width / (t1 - t0) * px;

	while (n / grid.n < LATENCY_FEW && width() * 2 <= GRID_MOST)
		grid = gridAt(t0, t1, source.base, grid.level + 1);
	return grid;
}

// Cells of a doubling in the raster, and how many of them are drawn as one, so
// that a cell is neither too low to be seen nor coarser than need be.
function latencyCells(source, scale)
{
	let sub = RASTER_SUB;
	let together = 1;

	while (source.exact && scale.by / sub > 2 * LATENCY_CELL &&
	       sub < RASTER_FINEST)
		sub *= 2;
	while (scale.by / sub * together < LATENCY_CELL)
		together *= 2;
	return { sub, together };
}

// What is in each cell that is drawn, line after line from the top:
// { all, writes, lines: [first cell of the raster], columns, most }.
function latencyGather(raster, grid, scale, together)
{
	const { cells, low, sub, first } = raster;
	const bottom = Math.floor((scale.lo * sub - low) / together);
	const top = Math.floor((scale.hi * sub - low) / together);
	const n = top - bottom + 1;
	const all = new Uint32Array(n * grid.n);
	const writes = new Uint32Array(n * grid.n);
	let most = 0;

	for (let c = 0; c < grid.n; c++) {
		const from = (grid.first + c - first) * cells;

		for (let k = Math.max(0, bottom * together);
		     k < Math.min(cells, (top + 1) * together); k++) {
			const count = raster.all[from + k];

			if (!count)
				continue;
			const line = top - Math.floor(k / together);
			const at = line * grid.n + c;

			all[at] += count;
			writes[at] += raster.writes[from + k];
			most = Math.max(most, all[at]);
		}
	}
	return { all, writes, n, top, most, together, low, sub, grid };
}

// which shade a count has among those up to `most`
function latencyShade(count, most)
{
	return Math.min(THEME_SHADES - 1, Math.floor(Math.log(count) /
		Math.log(Math.max(2, most)) * (THEME_SHADES - 1)));
}

// pixels of a cell, by its counts
function latencyPixel(page, cells, at)
{
	const { theme, view } = page;
	const shade = latencyShade(cells.all[at], cells.most);

	if (view.heat === "density")
		return theme.shades[shade];
	const share = cells.writes[at] / cells.all[at];

	return theme.mixes[Math.round(share * (THEME_MIXES - 1))][shade];
}

// the value at the upper edge of a line of cells, as a pixel of the raster
function latencyEdge(cells, scale, line, ratio)
{
	const log = ((cells.top - line + 1) * cells.together + cells.low) /
		cells.sub;

	return Math.round((scale.height - (log - scale.lo) * scale.by) * ratio);
}

function latencyHeat(page, paint, axis, scale, cells)
{
	const raster = paintRaster(paint, axis.left, 0, axis.px, scale.height,
		page.layout.ratio);
	const edges = paintColumns(raster, cells.grid, axis);
	const edge = (line) => Math.max(0, Math.min(raster.h,
		latencyEdge(cells, scale, line, raster.ratio)));

	for (let line = 0; line < cells.n; line++) {
		const from = edge(line);
		const to = edge(line + 1);

		if (to <= from)
			continue;
		for (let c = 0; c < cells.grid.n; c++) {
			const at = line * cells.grid.n + c;

			if (cells.all[at])
				raster.pixels.fill(
					latencyPixel(page, cells, at),
					from * raster.w + edges[c],
					from * raster.w + edges[c + 1]);
		}
		paintRepeat(raster, from, to);
	}
	paintRasterEnd(page, paint, raster);
}

// which latency is shown
function latencySwitch(page)
{
	const { latencies } = page.model;
	const which = latencies.map((l) => [l,
		`${MODEL_LATENCIES[l].name} ${MODEL_LATENCIES[l].code}`]);

	return domSwitch("Latency", which, page.view.latency, (value) => {
		viewTop(page, "latency", undefined);
		viewSwitch(page, "latency", value);
	});
}

// the switches of the card
function latencyPrepare(page, card)
{
	card.which = latencySwitch(page);
	card.heat = domSwitch("Colour", [["density", "Density"],
		["op", "Read / write"]], page.view.heat,
	(value) => viewSwitch(page, "heat", value));
	card.switches.append(card.which, card.heat);
}

function latencyDraw(page, card, paint, axis, height)
{
	const { view } = page;
	const source = sourceFor(page.sources, view.t0, view.t1);
	const n = latencyCount(source, view.t0, view.t1);
	const scale = latencyScale(page, height);

	domSwitchTo(card.which, view.latency);
	domSwitchTo(card.heat, view.heat);
	cardScale(page, card, false);
	latencyTicks(page, paint, axis, scale);
	card.scale = scale;
	card.marks = null;
	card.cells = null;
	card.lines = null;
	card.bars = null;
	if (!page.model.latencies.includes(view.latency))
		cardNothing(page, paint, axis, height, "this trace has no " +
			MODEL_LATENCIES[view.latency].code);
	else if (source.exact && n <= LATENCY_MARKS)
		marksDraw(page, card, paint, axis, source);
	else
		latencyMap(page, card, paint, axis, source, n);
	if (!card.cells)
		cardJoint(card, { most: 0 });
	if (!n && page.model.latencies.includes(view.latency))
		cardNothing(page, paint, axis, height,
			"nothing completed in this range");
	openLatency(page, card, paint, axis);
	eventsNames(page, paint, axis, LATENCY_NAME);
}

// the heat map with its lines and legend
function latencyMap(page, card, paint, axis, source, n)
{
	const { view } = page;
	const { scale } = card;
	const grid = latencyGrid(source, view, axis.px, n);
	const { sub, together } = latencyCells(source, scale);
	const raster = rasterFor(source, view.latency, grid, sub);

	card.cells = latencyGather(raster, grid, scale, together);
	/* of two runs equal colours are equal counts */
	card.cells.most = cardJoint(card, { most: card.cells.most }).most;
	latencyHeat(page, paint, axis, scale, card.cells);
	linesDraw(page, card, paint, axis, { source, grid, n });
	latencyLegend(page, card, source);
}

function latencyLegend(page, card, source)
{
	const { theme, view } = page;
	const items = LATENCY_NAMES.map((name, i) => ({ key: name,
		name, shape: i === 2 ? "dash" : "line",
		colour: i ? theme.p99 : theme.p50 }));
	const ramp = view.heat === "density" ? theme.ramp :
		[theme.read, theme.write];

	items.push({ key: "ramp", shape: "ramp",
		colour: `linear-gradient(90deg, ${ramp.join(",")})`,
		name: view.heat === "density" ?
			"I/Os per cell, 1 to" : "reads to writes" });
	if (!source.exact)
		items.push({ key: "about", name: "±4%", shape: "none" });
	cardLegend(card, [...items, ...openLegend(page)]);
	cardValue(card, "ramp", view.heat === "density" ?
		numberCount(card.cells.most) : "");
}
