// SPDX-License-Identifier: GPL-2.0-only
// Throughput and I/O rate: reads up, writes and others down, on one scale.

// reads up, the other kinds stacked downwards
const RATES_UP = [0];
const RATES_DOWN = [1, 2];

// per second in column c of a grid: [read, write, other]
function ratesColumn(page, sums, grid, c, offset)
{
	const at = (grid.first + c - sums.first) * SUMS_EACH + offset;
	const seconds = gridLength(grid, c, page.model.duration) / 1e9;

	/* behind the end of the trace there are no columns */
	return [0, 1, 2].map((kind) => (sums.data[at + kind] || 0) / seconds);
}

function ratesSum(column, kinds)
{
	return kinds.reduce((sum, kind) => sum + column[kind], 0);
}

// What a direction needs of a scale: its largest column, or the top if that is
// lower, but never so little that it cannot be seen.
function ratesExtent(columns, kinds, top)
{
	const most = Math.max(0, ...columns.map((c) => ratesSum(c, kinds)));

	return most ? Math.max(Math.min(most, top), top * 0.1) : 0;
}

// The place of zero, and px a unit: one scale for both directions.
function ratesScale(page, card, columns, height)
{
	const sums = columns.flatMap((c) => [ratesSum(c, RATES_UP),
		ratesSum(c, RATES_DOWN)]);
	const own = axisTop(sums, barsWish(page, card));
	const { top, up, down } = cardJoint(card, { top: own.top,
		up: ratesExtent(columns, RATES_UP, own.top),
		down: ratesExtent(columns, RATES_DOWN, own.top) });
	const by = (height - 8) / (up + down || 1);
	const cut = own.cut && own.top >= top;

	return { by, zero: Math.round(4 + up * by), up, down, cut };
}

function ratesTicks(page, card, paint, axis, scale)
{
	const { units, suffix } = card.graph;
	const ticks = axisUnitTicks(-scale.down, scale.up, 4, units);

	barsTicks(page, paint, axis, ticks, units, suffix, (v) =>
		Math.max(6, Math.min(card.graph.height - 6,
			scale.zero - v * scale.by)));
}

function ratesDraw(page, card, paint, axis, height)
{
	const { view, theme } = page;
	const source = sourceFor(page.sources, view.t0, view.t1);
	const grid = barsGrid(page, source, axis);
	const sums = sumsFor(source, grid);
	const columns = Array.from({ length: grid.n }, (v, c) =>
		ratesColumn(page, sums, grid, c, card.graph.offset));
	const scale = ratesScale(page, card, columns, height);
	const edges = barsEdges(grid, axis);
	const parts = (column, kinds) => kinds.map((kind) =>
		[column[kind], theme[THEME_KINDS[kind]]]);

	cardScale(page, card, scale.cut);
	card.grid = grid;
	card.columns = columns;
	card.top = Math.max(scale.up, scale.down);
	ratesTicks(page, card, paint, axis, scale);
	columns.forEach((column, c) => {
		barsColumn(page, paint, edges[c], edges[c + 1], scale.zero,
			parts(column, RATES_UP), scale.by, scale.zero - 4);
		barsColumn(page, paint, edges[c], edges[c + 1], scale.zero,
			parts(column, RATES_DOWN), -scale.by,
			height - 4 - scale.zero);
	});
	paintAcross(paint, axis.left, axis.left + axis.px, scale.zero,
		theme.muted);
	ratesEnds(page, card, paint, axis, scale);
	ratesLegend(page, card);
}

// which direction is which, at the right end
function ratesEnds(page, card, paint, axis, scale)
{
	const x = axis.left + axis.px + 5;
	const up = scale.up > 0;
	const down = scale.down > 0;
	const y = Math.max(14, Math.min(card.graph.height - 16, scale.zero));

	if (page.layout.narrow)
		return;
	if (up)
		paintText(paint, "read \u25b2", x, y - 8, page.theme.read);
	if (down)
		paintText(paint, "write \u25bc", x, y + 8, page.theme.write);
}

// kinds that occur under the filter, of these
function ratesKinds(page, all = [0, 1, 2])
{
	const { model, view } = page;
	const kinds = all.filter((kind) => model.occurs.some((yes, o) =>
		yes && view.filter.operations[o] && MODEL_KINDS[o] === kind));

	return kinds.length ? kinds : [0];
}

// the same of a graph: only reads and writes have throughput
function ratesShown(page, card)
{
	return card.graph.offset === SUMS_BYTES ? ratesKinds(page, [0, 1]) :
		ratesKinds(page);
}

const RATES_NAMES = ["Read", "Write", "Other"];

function ratesLegend(page, card)
{
	cardLegend(card, ratesShown(page, card).map((kind) => ({ key: kind,
		name: RATES_NAMES[kind],
		colour: page.theme[THEME_KINDS[kind]] })));
}

function ratesText(card, v)
{
	return card.graph.offset === SUMS_BYTES ? numberBytes(v) + "/s" :
		numberPerSecond(v);
}

function ratesValues(page, card, t)
{
	const c = t === null || !card.grid ? -1 : barsAt(card.grid, t);
	const column = card.columns && card.columns[c];

	for (const kind of [0, 1, 2])
		cardValue(card, kind, column ? ratesText(card, column[kind]) :
			"");
}

function ratesHover(page, card, x, y, t)
{
	const c = card.grid ? barsAt(card.grid, t) : -1;
	const column = card.columns && card.columns[c];

	if (!column)
		return null;
	return { head: ratesText(card, ratesSum(column, [0, 1, 2])),
		lines: [...ratesShown(page, card).map((kind) =>
			[RATES_NAMES[kind], ratesText(card, column[kind])]),
		["completed", barsSpan(card.grid, c)]] };
}

// means and totals of the range, as a small table
function ratesTable(page, card, paint, width)
{
	const { range, view, theme, meta } = page;
	let y = 34;

	paintText(paint, "mean", width - 76, 12, theme.muted, "right");
	paintText(paint, "total", width, 12, theme.muted, "right");
	range.operations.forEach((row, o) => {
		if (!view.filter.operations[o] || !row.n)
			return;
		paint.fillStyle = theme[THEME_OPERATIONS[o]];
		paint.fillRect(0, y - 5, 10, 10);
		paintText(paint, labelOperation(meta, o), 16, y, theme.ink);
		paintText(paint, numberBytes(row.bytesPerSecond) + "/s",
			width - 76, y, theme.ink, "right");
		paintText(paint, numberBytes(row.bytes), width, y, theme.ink,
			"right");
		y += 20;
	});
	cardSideLabel(page, card, "Data in range");
}

// I/Os of the range by size: classes of a doubling
function ratesSizes(page, card, paint, width, height)
{
	const { sizes } = page.range.tally;
	const of = (k) => sizes[k] + sizes[32 + k] + sizes[64 + k];
	const used = Array.from({ length: 32 }, (v, k) => k).filter(of);
	const from = used.length ? used[0] : 0;
	const n = used.length ? used[used.length - 1] - from + 1 : 0;
	const each = Math.min(44, Math.floor(width / Math.max(1, n)));
	const most = Math.max(1, ...used.map(of));
	const by = (height - 24) / most;

	for (let k = from; k < from + n; k++) {
		const x = (k - from) * each;

		barsColumn(page, paint, x, x + each - 2, height - 18,
			[0, 1, 2].map((kind) => [sizes[kind * 32 + k],
				page.theme[THEME_KINDS[kind]]]), by,
			height - 20);
		if (each >= 34 || (k - from) % 2 === 0)
			paintText(paint, ratesSize(k), x + (each - 2) / 2,
				height - 8, page.theme.muted, "center");
	}
	const rough = page.range.source.exact ? "" : " (to 1/512 of the trace)";

	domText(card.sideTitle, "I/Os by size" + rough);
	cardSideLabel(page, card, "I/Os by size");
}

// the least size of a class, shortly: 4K
function ratesSize(k)
{
	return numberParts(512 * 2 ** k, NUMBER_BYTES).join("")
		.replace("iB", "").replace("B", "");
}

const RATES_GRAPHS = [{
	id: "throughput", title: "Throughput",
	what: "read and written, per second",
	height: 112, sideTitle: "Data in range", offset: SUMS_BYTES,
	units: NUMBER_BYTES, suffix: "/s", draw: ratesDraw, side: ratesTable,
	values: ratesValues, hover: ratesHover,
}, {
	id: "rate", title: "I/O rate", what: "completed, per second",
	height: 112, sideTitle: "I/Os by size", offset: SUMS_IOS,
	units: NUMBER_COUNTS, suffix: "/s", draw: ratesDraw, side: ratesSizes,
	values: ratesValues, hover: ratesHover,
}];
