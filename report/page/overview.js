// SPDX-License-Identifier: GPL-2.0-only
// The overview: the throughput of all of the trace with the window in view,
// below it a funnel to the time ruler that all graphs share.

const OVERVIEW_HEIGHT = 34;
const OVERVIEW_FUNNEL = 6;
const OVERVIEW_RULER = 18;
const OVERVIEW_ALL = OVERVIEW_HEIGHT + OVERVIEW_FUNNEL + OVERVIEW_RULER;
const OVERVIEW_HANDLE = 4;

function overviewMake()
{
	const overview = {
		canvas: domMake("canvas", { "aria-hidden": "true" }),
		base: document.createElement("canvas"),
	};

	overview.plot = domMake("div", { className: "overview", tabIndex: 0,
		role: "application", "aria-roledescription": "graph",
		"aria-label": "Overview", "aria-describedby": "overview-keys",
	}, overview.canvas);
	overview.plot.style.height = OVERVIEW_ALL + "px";
	return overview;
}

function overviewAxis(page)
{
	return axisMake(0, page.model.duration, page.layout.left,
		page.layout.px);
}

// the picture of the whole trace, made anew when the filter or a size changes
function overviewBase(page)
{
	const { layout } = page;
	const axis = overviewAxis(page);
	const paint = paintBegin(page.overview.base, layout.width,
		OVERVIEW_HEIGHT, layout.ratio);
	const strips = page.sides.map((side) => overviewStrip(page, side));
	const top = Math.max(...strips.map((s) => s.top));
	const height = OVERVIEW_HEIGHT / strips.length;

	page.sides.forEach((side, i) => {
		overviewColumns(side, paint, axis, strips[i], top,
			(i + 1) * height, height);
		overviewMarks(side, paint, axis, i * height);
	});
}

// the throughput of a side over all of the page's time: { grid, columns, top }
function overviewStrip(page, side)
{
	const source = side.sources.bins || side.sources.rows;
	const grid = gridMake(0, page.model.duration, page.layout.px,
		source.base, 3);
	const sums = sumsFor({ ...source, cache: gridCache() }, grid);
	const columns = Array.from({ length: grid.n }, (v, c) =>
		ratesColumn(side, sums, grid, c, SUMS_BYTES));
	const { top } = axisTop(columns.map((c) => ratesSum(c, [0, 1, 2])));

	return { grid, columns, top };
}

function overviewColumns(side, paint, axis, strip, top, bottom, height)
{
	const { theme } = side;
	const edges = barsEdges(strip.grid, axis);

	strip.columns.forEach((column, c) => barsColumn(side, paint, edges[c],
		edges[c + 1], bottom - 1, column.map((v, kind) =>
			[v, theme[THEME_KINDS[kind]]]),
		(height - 5) / top, height - 5));
	paintAcross(paint, axis.left, axis.left + axis.px, bottom - 1,
		theme.hair);
}

// above: where every I/O is a row, where somebody set a mark, where records
// were lost, and since when I/Os are in flight
function overviewMarks(page, paint, axis, y)
{
	const { meta, theme } = page;

	paint.fillStyle = theme.accent;
	if (!meta.exact)
		for (const [t0, t1] of meta.stretches)
			paint.fillRect(axisX(axis, t0), y, Math.max(3,
				axisX(axis, t1) - axisX(axis, t0)), 2);
	paint.fillStyle = theme.ink;
	for (const [t] of meta.marks)
		paint.fillRect(Math.round(axisX(axis, t)), y, 1, 6);
	paint.fillStyle = theme.error;
	for (const [t0, t1] of meta.gaps)
		paint.fillRect(axisX(axis, t0), y, Math.max(3,
			axisX(axis, t1) - axisX(axis, t0)), 4);
	overviewOpen(page, paint, axis, y);
}

function overviewOpen(page, paint, axis, y)
{
	const [oldest] = openRows(page.sources.rows);
	const { start } = page.sources.rows.rows;

	if (oldest === undefined)
		return;
	const x0 = openX(axis, start[oldest]);

	paint.fillStyle = openColour(page, oldest);
	paint.fillRect(x0, y, Math.max(3,
		openX(axis, page.meta.duration) - x0), 4);
}

function overviewDraw(page)
{
	const { layout, overview, theme, view } = page;
	const axis = overviewAxis(page);
	const paint = paintBegin(overview.canvas, layout.width, OVERVIEW_ALL,
		layout.ratio);
	const x0 = Math.round(axisX(axis, view.t0));
	const x1 = Math.max(x0 + 2, Math.round(axisX(axis, view.t1)));

	paint.drawImage(overview.base, 0, 0, layout.width, OVERVIEW_HEIGHT);
	paint.fillStyle = theme.card;
	paint.globalAlpha = 0.65;
	paint.fillRect(axis.left, 0, x0 - axis.left, OVERVIEW_HEIGHT);
	paint.fillRect(x1, 0, axis.left + axis.px - x1, OVERVIEW_HEIGHT);
	paint.globalAlpha = 1;
	overviewWindow(page, paint, x0, x1);
	overviewFunnel(page, paint, axis, x0, x1);
	overviewRuler(page, paint);
	overviewLabel(page);
}

function overviewWindow(page, paint, x0, x1)
{
	const { theme, layout, view } = page;

	paint.strokeStyle = theme.accent;
	paint.lineWidth = 1;
	paint.strokeRect(x0 + 0.5, 0.5, Math.max(1, x1 - x0 - 1),
		OVERVIEW_HEIGHT - 1);
	paint.fillStyle = theme.accent;
	for (const x of [x0, x1])
		paint.fillRect(x - 2, 10, OVERVIEW_HANDLE,
			OVERVIEW_HEIGHT - 20);
	if (view.selection && view.selection[1] > view.selection[0]) {
		const axis = overviewAxis(page);
		const from = axisX(axis, view.selection[0]);

		paint.globalAlpha = 0.25;
		paint.fillRect(from, 1, Math.max(1,
			axisX(axis, view.selection[1]) - from),
		OVERVIEW_HEIGHT - 2);
		paint.globalAlpha = 1;
	}
	if (!layout.narrow)
		paintText(paint, "overview", layout.left - 6,
			OVERVIEW_HEIGHT / 2, theme.muted, "right");
}

// from the window to the width of the graphs
function overviewFunnel(page, paint, axis, x0, x1)
{
	const y = OVERVIEW_HEIGHT;
	const bottom = y + OVERVIEW_FUNNEL;

	paint.fillStyle = page.theme.grid;
	paint.beginPath();
	paint.moveTo(x0, y);
	paint.lineTo(x1, y);
	paint.lineTo(axis.left + axis.px, bottom);
	paint.lineTo(axis.left, bottom);
	paint.fill();
	paintAcross(paint, axis.left, axis.left + axis.px, bottom,
		page.theme.accent);
}

// times below, the unit at the last of them
function overviewRuler(page, paint)
{
	const axis = layoutAxis(page);
	const y = OVERVIEW_HEIGHT + OVERVIEW_FUNNEL;
	const { at, step } = page.ticks;

	at.forEach((t, i) => {
		const x = axisX(axis, t);
		const last = i === at.length - 1;
		const text = numberMoment(t, step) + (last ?
			NUMBER_THIN + "s" : "");
		const half = paint.measureText(text).width / 2;

		paintDown(paint, Math.min(x, axis.left + axis.px - 1), y,
			y + 4, page.theme.muted);
		paintText(paint, text, Math.max(axis.left + half - 4,
			Math.min(page.layout.width - half - 2, x)), y + 12,
		page.theme.muted, "center");
	});
}

function overviewLabel(page)
{
	const { overview, view } = page;

	overview.plot.setAttribute("aria-label", "Overview: in view " +
		labelSpan(view.t0, view.t1));
}

// What is at a pixel of the overview: "from", "to" (handles), "window", ""
function overviewPart(page, x)
{
	const axis = overviewAxis(page);
	const x0 = axisX(axis, page.view.t0);
	const x1 = axisX(axis, page.view.t1);

	if (Math.abs(x - x0) <= 6)
		return "from";
	if (Math.abs(x - x1) <= 6)
		return "to";
	return x > x0 && x < x1 && !viewIsWhole(page) ? "window" : "";
}
