// SPDX-License-Identifier: GPL-2.0-only
// Where the time goes: the mean time of an I/O in each phase, stacked; or the
// share of each.

// from the device, which is at the bottom, to the request
const PHASES_ORDER = [3, 2, 1, 0];
const PHASES_CODES = ["Q2G", "G2I", "I2D", "D2C"];

// means per column: { n, phases: [4] } of column c of the grid
function phasesColumn(sums, grid, c)
{
	const at = (grid.first + c - sums.first) * SUMS_EACH;
	const n = sums.data[at] + sums.data[at + 1] + sums.data[at + 2];

	return { n, phases: [0, 1, 2, 3].map((k) =>
		n ? sums.data[at + SUMS_PHASES + k] / n : 0) };
}

function phasesTotal(column)
{
	return column.phases.reduce((sum, v) => sum + v, 0);
}

function phasesPrepare(page, card)
{
	card.share = domSwitch("Shown as", [["time", "Time"],
		["share", "Share"]], page.view.phases,
	(value) => viewSwitch(page, "phases", value));
	card.switches.append(card.share);
}

// phases as they are drawn: times, or shares of 1
function phasesShown(view, column)
{
	const total = phasesTotal(column);

	return view.phases === "time" ? column.phases :
		column.phases.map((v) => total ? v / total : 0);
}

function phasesDraw(page, card, paint, axis, height)
{
	const { view } = page;
	const source = sourceFor(page.sources, view.t0, view.t1);
	const grid = barsGrid(page, source, axis);
	const sums = sumsFor(source, grid);
	const columns = Array.from({ length: grid.n }, (v, c) =>
		phasesColumn(sums, grid, c));
	const share = view.phases === "share";
	const scale = share ? { top: 1, cut: false } :
		cardTop(page, card, columns.map(phasesTotal));
	const room = height - 6;

	domSwitchTo(card.share, view.phases);
	cardScale(page, card, scale.cut);
	card.grid = grid;
	card.columns = columns;
	card.top = scale.top;
	phasesTicks(page, paint, axis, scale, height, share);
	phasesColumns(page, card, paint, axis, height, room / scale.top);
	phasesLegend(page, card);
}

function phasesTicks(page, paint, axis, scale, height, share)
{
	const ticks = axisUnitTicks(0, scale.top, 4, NUMBER_TIMES);
	const place = (v) => height - v * (height - 6) / scale.top;

	if (share)
		paintValues(page, paint, axis, [0, 0.5, 1],
			["0", "50%", "100%"], (v) =>
				Math.max(7, Math.min(height - 7, place(v))));
	else
		barsTicks(page, paint, axis, ticks, NUMBER_TIMES, "", (v) =>
			Math.min(height - 7, place(v)));
}

function phasesColumns(page, card, paint, axis, height, by)
{
	const edges = barsEdges(card.grid, axis);
	const { theme, view } = page;

	card.columns.forEach((column, c) => {
		const shown = phasesShown(view, column);

		if (column.n)
			barsColumn(page, paint, edges[c], edges[c + 1], height,
				PHASES_ORDER.map((k) => [shown[k],
					theme["phase" + k]]), by, height - 6);
	});
	paintAcross(paint, axis.left, axis.left + axis.px, height - 1,
		theme.hair);
}

function phasesLegend(page, card)
{
	cardLegend(card, PHASES_ORDER.map((k) => ({ key: k,
		name: `${page.meta.phases[k]} ${PHASES_CODES[k]}`,
		colour: page.theme["phase" + k] })));
}

function phasesValues(page, card, t)
{
	const c = t === null || !card.grid ? -1 : barsAt(card.grid, t);
	const column = card.columns && card.columns[c];

	for (const k of PHASES_ORDER)
		cardValue(card, k, column && column.n ?
			numberTime(column.phases[k]) : "");
}

function phasesHover(page, card, x, y, t)
{
	const c = card.grid ? barsAt(card.grid, t) : -1;
	const column = card.columns && card.columns[c];

	if (!column || !column.n)
		return null;
	return { head: `${numberTime(phasesTotal(column))} mean of ` +
		labelIos(column.n),
	lines: [...PHASES_ORDER.map((k) => [page.meta.phases[k],
		`${numberTime(column.phases[k])}  ` +
		numberPercent(column.phases[k], phasesTotal(column))]),
	["completed", barsSpan(card.grid, c)]] };
}

// rows of the range: all, then operations that have any
function phasesRows(page)
{
	const { range, meta, view } = page;
	const rows = [["All", range.all]];

	range.operations.forEach((row, o) => {
		if (view.filter.operations[o] && row.n)
			rows.push([labelOperation(meta, o), row]);
	});
	return rows.filter(([, row]) => row.n);
}

function phasesSide(page, card, paint, width)
{
	const rows = phasesRows(page);
	const most = Math.max(1, ...rows.map(([, row]) => phasesTotal(row)));
	const left = 52;
	const by = (width - left - 66) / most;

	rows.forEach(([name, row], i) => {
		const y = 16 + i * 26;
		let x = left;

		paintText(paint, name, left - 7, y, page.theme.muted, "right");
		for (const k of PHASES_ORDER) {
			paint.fillStyle = page.theme["phase" + k];
			paint.fillRect(x, y - 7, row.phases[k] * by, 14);
			x += row.phases[k] * by;
		}
		paintText(paint, numberTime(phasesTotal(row)), x + 6, y,
			page.theme.ink);
	});
	cardSideLabel(page, card, "Mean in range");
}

const PHASES_GRAPH = {
	id: "phases", title: "Where the time goes", what: "mean",
	height: 112, sideTitle: "Mean in range", prepare: phasesPrepare,
	draw: phasesDraw, side: phasesSide, values: phasesValues,
	hover: phasesHover,
};
