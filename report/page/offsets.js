// SPDX-License-Identifier: GPL-2.0-only
// The offsets graph: when and where I/Os were queued, a lane for each device;
// where few are in view, a bar for each from its beginning to its end.

const OFFSETS_CELL = 3;
const OFFSETS_MARKS = 1500;
const OFFSETS_GAP = 6;
const OFFSETS_LANES = 8;

// Lanes of devices that pass: { device, y, height, lo, hi }
function offsetsLanes(page, height)
{
	const { meta, model, view } = page;
	const shown = modelDevices(model, view.filter, OFFSETS_LANES)
		.filter((i) => meta.devices[i].hi > meta.devices[i].lo);
	const each = (height - OFFSETS_GAP * (shown.length - 1)) /
		Math.max(1, shown.length);

	return shown.map((device, i) => {
		const [lo, hi] = sideSectors(page, device);
		const wish = view.tops[sideOffsets(page, device)];
		const [from, to] = Array.isArray(wish) ? wish : [lo, hi];

		return { device, y: Math.round(i * (each + OFFSETS_GAP)),
			height: Math.floor(each), lo: from, hi: to };
	});
}

function offsetsPrepare(page, card)
{
	card.by = domSwitch("Colour", [["op", "Read / write"],
		["proc", "Process"]], page.view.offsets,
	(value) => viewSwitch(page, "offsets", value));
	card.switches.append(card.by);
}

// pixels of sectors, from the bottom of the lane up
function offsetsY(lane, sector)
{
	return lane.y + lane.height - (sector - lane.lo) /
		(lane.hi - lane.lo) * lane.height;
}

function offsetsTicks(page, paint, axis, lane)
{
	const lo = lane.lo * 512;
	const hi = lane.hi * 512;
	const ticks = axisUnitTicks(lo, hi, Math.max(1, lane.height / 50),
		NUMBER_BYTES);

	paintValues(page, paint, axis, ticks.at,
		axisLabels(ticks, NUMBER_BYTES), (v) =>
			Math.max(lane.y + 6, Math.min(lane.y + lane.height - 6,
				offsetsY(lane, v / 512))));
}

// the name of the lane's device at its right end
function offsetsName(page, paint, axis, lane)
{
	const text = page.meta.devices[lane.device].name;

	if (!page.layout.narrow)
		paintText(paint, text.slice(0, 8), axis.left + axis.px + 5,
			lane.y + lane.height / 2, page.theme.muted);
	if (lane.y > 0)
		paintAcross(paint, axis.left, axis.left + axis.px,
			lane.y - OFFSETS_GAP / 2, page.theme.hair);
}

// rows in view that pass and have a place
function offsetsRows(page, source)
{
	const { rows } = source;
	const { view } = page;
	const [, b] = rowsStarted(rows, view.t0, view.t1);
	const a = orderPlace(rows.start, view.t0 - rows.longest);
	const shown = [];

	for (let i = a; i < b && shown.length <= OFFSETS_MARKS; i++)
		if (source.on[rows.stream[i]] && rows.blocks[i] &&
		    (rows.done[i] < 0 || rows.done[i] >= view.t0))
			shown.push(i);
	return shown;
}

function offsetsDraw(page, card, paint, axis, height)
{
	const { view } = page;
	const source = sourceFor(page.sources, view.t0, view.t1);
	const rows = source.exact ? offsetsRows(page, source) : null;

	domSwitchTo(card.by, view.offsets);
	card.lanes = offsetsLanes(page, height);
	card.bars = null;
	cardScale(page, card, false);
	card.full.hidden = !card.lanes.some((l) =>
		view.tops[sideOffsets(page, l.device)]);
	domText(card.full, "Fit");
	for (const lane of card.lanes) {
		offsetsTicks(page, paint, axis, lane);
		offsetsName(page, paint, axis, lane);
	}
	if (rows && rows.length <= OFFSETS_MARKS)
		spansDraw(page, card, paint, axis, source, rows);
	else
		offsetsMaps(page, card, paint, axis, source);
	offsetsLegend(page, card, source);
}

// all lanes as heat maps, with I/Os in flight over them
function offsetsMaps(page, card, paint, axis, source)
{
	for (const lane of card.lanes)
		offsetsMap(page, card, paint, axis, source, lane);
	openOffsets(page, card, paint, axis);
}

// one lane as a heat map
function offsetsMap(page, card, paint, axis, source, lane)
{
	const { t0, t1 } = page.view;
	const grid = gridMake(t0, t1, axis.px, placeBase(source),
		OFFSETS_CELL);
	const lines = placeRows(source, lane.device, lane.lo, lane.hi,
		lane.height, OFFSETS_CELL);

	lane.grid = grid;
	lane.lines = lines;
	lane.counts = placeFor(page, source, lane.device, lines, grid);
	lane.classes = placeClasses(page, source).n;
	offsetsPaint(page, paint, axis, lane);
}

// sum of the classes of a cell, and the largest class
function offsetsCell(lane, column, line)
{
	const { counts, lines, classes, grid } = lane;
	const at = ((grid.first + column - counts.first) * lines.n + line) *
		classes;
	let all = 0;
	let most = 0;

	for (let k = 0; k < classes; k++) {
		const count = counts.data[at + k] || 0;

		all += count;
		if (count > (counts.data[at + most] || 0))
			most = k;
	}
	return { all, most, first: counts.data[at] || 0, at };
}

// the largest count of a cell in view
function offsetsMost(lane)
{
	const { counts, lines, classes, grid } = lane;
	const each = lines.n * classes;
	const from = (grid.first - counts.first) * each;
	let most = 1;

	for (let i = from; i < from + grid.n * each; i += classes) {
		let all = 0;

		for (let k = 0; k < classes; k++)
			all += counts.data[i + k] || 0;
		most = Math.max(most, all);
	}
	return most;
}

function offsetsPixel(page, lane, cell, most)
{
	const shade = latencyShade(cell.all, most);
	const { mixes, tints } = page.theme;

	if (page.view.offsets === "proc")
		return tints[cell.most][shade];
	return mixes[Math.round((1 - cell.first / cell.all) *
		(THEME_MIXES - 1))][shade];
}

function offsetsPaint(page, paint, axis, lane)
{
	const raster = paintRaster(paint, axis.left, lane.y, axis.px,
		lane.height, page.layout.ratio);
	const edges = paintColumns(raster, lane.grid, axis);
	const most = offsetsMost(lane);
	const edge = (line) => Math.max(0, Math.min(raster.h, Math.round(
		(offsetsY(lane, lane.lines.lo + line * lane.lines.per) -
		lane.y) * raster.ratio)));

	for (let line = 0; line < lane.lines.n; line++) {
		const from = edge(line + 1);
		const to = edge(line);

		for (let c = 0; c < lane.grid.n && to > from; c++) {
			const cell = offsetsCell(lane, c, line);

			if (cell.all)
				raster.pixels.fill(
					offsetsPixel(page, lane, cell, most),
					from * raster.w + edges[c],
					from * raster.w + edges[c + 1]);
		}
		paintRepeat(raster, from, to);
	}
	paintRasterEnd(page, paint, raster);
}
