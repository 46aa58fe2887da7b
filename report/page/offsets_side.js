// SPDX-License-Identifier: GPL-2.0-only
// The offsets graph's other half: I/Os of the range by place, its legend, and
// the tooltip.

function offsetsSide(page, card, paint, width, height)
{
	const { range } = page;
	const { source } = range;

	for (const lane of offsetsLanes(page, card.graph.height)) {
		const lines = placeRows(source, lane.device, lane.lo, lane.hi,
			lane.height, 4);
		const sums = placeRange(page, source, lane.device, lines,
			range.t0, range.t1);

		offsetsHistogram(page, paint, lane, lines, sums, width,
			height);
	}
	cardSideLabel(page, card, "I/Os by offset");
}

function offsetsHistogram(page, paint, lane, lines, sums, width)
{
	const classes = sums.length / lines.n;
	const colours = page.view.offsets === "proc" ? page.theme.processes :
		THEME_KINDS.map((name) => page.theme[name]);
	let most = 1;

	for (let l = 0; l < lines.n; l++)
		most = Math.max(most, sums.subarray(l * classes,
			(l + 1) * classes).reduce((a, b) => a + b, 0));
	for (let l = 0; l < lines.n; l++) {
		const top = Math.round(offsetsY(lane,
			lines.lo + (l + 1) * lines.per));
		const bottom = Math.round(offsetsY(lane,
			lines.lo + l * lines.per));
		let x = 0;

		for (let k = 0; k < classes; k++) {
			const count = sums[l * classes + k];

			paint.fillStyle = colours[k];
			if (count)
				paint.fillRect(x, top, Math.max(1,
					count / most * width),
				Math.max(1, bottom - top - 1));
			x += count / most * width;
		}
	}
}

function offsetsLegend(page, card)
{
	const { meta, theme, model } = page;

	const others = [...openLegend(page),
		...modelOthers(model, page.view.filter, OFFSETS_LANES)];

	if (page.view.offsets === "op") {
		cardLegend(card, [...ratesKinds(page).map((kind) => ({
			key: kind, name: RATES_NAMES[kind],
			colour: theme[THEME_KINDS[kind]] })), ...others]);
		return;
	}
	const n = Math.min(meta.processes.length, THEME_PROCESSES);
	const items = meta.processes.slice(0, n).map((p, i) => ({ key: i,
		name: p.name, colour: theme.processes[i] }));

	if (model.meta.processes.length > n)
		items.push({ key: "rest", name: "others",
			colour: theme.other });
	cardLegend(card, [...items, ...others]);
}

// the names of classes that a cell has, with their counts
function offsetsCounts(page, lane, cell)
{
	const lines = [];

	for (let k = 0; k < lane.classes; k++) {
		const count = lane.counts.data[cell.at + k];
		const process = page.meta.processes[k];
		const name = page.view.offsets === "op" ? RATES_NAMES[k] :
			k < THEME_PROCESSES && process ? process.name :
				"others";

		if (count)
			lines.push([name, numberWhole(count)]);
	}
	return lines;
}

// the cell under the pointer: its I/Os by class
function offsetsCellText(page, lane, y, t)
{
	const { grid, lines } = lane;
	const column = Math.floor(t / grid.width) - grid.first;
	const sector = lane.lo + (lane.y + lane.height - y) / lane.height *
		(lane.hi - lane.lo);
	const line = Math.floor((sector - lines.lo) / lines.per);

	if (column < 0 || column >= grid.n || line < 0 || line >= lines.n)
		return null;
	const cell = offsetsCell(lane, column, line);
	const from = Math.round(lines.lo + line * lines.per);
	const to = Math.round(lines.lo + (line + 1) * lines.per) - 1;
	const t0 = (grid.first + column) * grid.width;

	if (!cell.all)
		return null;
	return { head: `${labelIos(cell.all)} on ` +
		page.meta.devices[lane.device].name,
	lines: [...offsetsCounts(page, lane, cell),
		["sectors", `${numberWhole(from)} \u2013 ${numberWhole(to)}`],
		["at", numberBytes(from * 512)],
		["queued", labelSpan(t0, t0 + grid.width)]] };
}

function offsetsHover(page, card, x, y, t)
{
	const bar = spansNear(card, x, y);

	if (bar)
		return labelRow(page, bar.row);
	const lane = (card.lanes || []).find((l) => l.counts && l.y <= y &&
		y < l.y + l.height);

	return lane ? offsetsCellText(page, lane, y, t) : null;
}

const OFFSETS_GRAPH = {
	id: "offsets", title: "Offsets", what: "as queued", height: 250,
	sideTitle: "I/Os by offset", log: true, prepare: offsetsPrepare,
	draw: offsetsDraw, side: offsetsSide, hover: offsetsHover,
	values: () => {},
};
