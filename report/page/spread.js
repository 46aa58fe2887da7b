// SPDX-License-Identifier: GPL-2.0-only
// The latencies of two runs in the range, over each other: the share of I/Os
// by how long they took, A solid, B dashed, and their percentiles beside it.

const SPREAD_HEIGHT = 190;
const SPREAD_TOP = 30;
const SPREAD_BOTTOM = 22;
const SPREAD_DASHES = [[], [6, 4]];
const SPREAD_ROWS = [["p50", (d) => d.p[0]], ["p90", (d) => d.p[1]],
	["p99", (d) => d.p[2]], ["p99.9", (d) => d.p[3]],
	["max", (d) => d.max]];

// the card's element, of a page of two runs
function spreadMake(page)
{
	const spread = { canvas: domMake("canvas", { role: "img" }),
		body: domMake("tbody", {}) };
	const head = (text) => domMake("th", { scope: "col",
		className: "num" }, text);

	page.spread = spread;
	spread.title = domMake("h2", {}, "Latencies");
	spread.plot = domMake("div", { className: "spread" }, spread.canvas);
	spread.plot.style.height = SPREAD_HEIGHT + "px";
	return domMake("section", { className: "card", id: "g-spread",
		"aria-label": "Latencies of A and B" },
		domMake("div", { className: "top" }, spread.title,
			domMake("div", { className: "legend" },
				...page.sides.map(spreadKey))),
		domMake("div", { className: "body" }, spread.plot),
		domMake("div", { className: "side" }, domMake("table", {},
			domMake("caption", { className: "aside" },
				"Latencies of A and B in the range"),
			domMake("thead", {}, domMake("tr", {},
				domMake("td", {}), head("A"), head("B"),
				head("change"))), spread.body)));
}

// an item of the legend
function spreadKey({ letter, name, suffix })
{
	const swatch = domMake("i", { className: suffix === "-a" ? "line" :
		"dash" });

	swatch.style.setProperty("--of", `var(--side${suffix})`);
	return domMake("span", { className: "item" }, swatch, `${letter} `,
		name);
}

// the share of I/Os in each bucket of a side's range
function spreadShares(side)
{
	const { buckets } = side.meta.bins;
	const counts = side.model.latencies.includes(side.view.latency) ?
		latencyHistogram(side) : new Float64Array(3 * buckets);
	const n = counts.reduce((sum, v) => sum + v, 0);

	return Array.from({ length: buckets }, (v, b) => n ? (counts[b] +
		counts[buckets + b] + counts[2 * buckets + b]) / n : 0);
}

// the value axis of the latency graphs, from left to right
function spreadScale(page, width)
{
	const [lo, hi] = latencyWhole(page);
	const left = page.layout.left;
	/* a label may stand behind the last */
	const px = width - left - 34;

	return { lo, hi, left, px, place: (log) => left + (log - lo) /
		(hi - lo) * px };
}

// Draws it if the range, a size or the theme have changed.
function spreadUpdate(page)
{
	const { spread, layout } = page;

	if (!page.spreadOld || !page.sides[0].range)
		return;
	page.spreadOld = false;
	const width = layout.width;
	const paint = paintBegin(spread.canvas, width, SPREAD_HEIGHT,
		layout.ratio);
	const scale = spreadScale(page, width);
	const shares = page.sides.map(spreadShares);
	const most = Math.max(0.001, ...shares.flat());

	domText(spread.title, `${MODEL_LATENCIES[page.view.latency].name} ` +
		`latency ${MODEL_LATENCIES[page.view.latency].code}, A and B`);
	spreadAxes(page, paint, scale, most);
	page.sides.forEach((side, i) => spreadLine(page, side, paint, scale,
		shares[i], most, SPREAD_DASHES[i]));
	page.sides.forEach((side, i) => spreadMarks(page, side, paint, scale,
		i * 13 + 8, SPREAD_DASHES[i]));
	spreadTable(page);
	spread.canvas.setAttribute("aria-label", "I/Os by latency, A and B, " +
		labelSpan(...viewRange(page.view)));
}

function spreadAxes(page, paint, scale, most)
{
	const { theme } = page;
	const bottom = SPREAD_HEIGHT - SPREAD_BOTTOM;
	const axis = { left: scale.left, px: scale.px };
	const ticks = axisTicks(0, most, 4);

	for (const v of axisLogTicks(2 ** scale.lo, 2 ** scale.hi)) {
		const x = scale.place(Math.log2(v));

		paintDown(paint, x, SPREAD_TOP, bottom, theme.grid);
		paintText(paint, numberTime(v), x, bottom + 12, theme.muted,
			"center");
	}
	paintValues(page, paint, axis, ticks.at, ticks.at.map((v) =>
		numberPercent(v, 1)), (v) => spreadY(v, most));
}

function spreadY(v, most)
{
	const bottom = SPREAD_HEIGHT - SPREAD_BOTTOM;

	return bottom - v / most * (bottom - SPREAD_TOP - 4);
}

function spreadStroke(page, side, paint, dashes)
{
	paint.strokeStyle = page.theme["side" + side.suffix];
	paint.lineWidth = 2;
	paint.lineJoin = "round";
	paint.setLineDash(dashes);
	paint.stroke();
	paint.setLineDash([]);
}

// steps as wide as buckets
function spreadLine(page, side, paint, scale, shares, most, dashes)
{
	const { first, sub } = side.meta.bins;
	const place = (b) => Math.max(scale.left, Math.min(scale.left +
		scale.px, scale.place((first + b) / sub)));

	if (!shares.some((v) => v))
		return;
	paint.beginPath();
	paint.moveTo(place(0), spreadY(0, most));
	shares.forEach((v, b) => {
		paint.lineTo(place(b), spreadY(v, most));
		paint.lineTo(place(b + 1), spreadY(v, most));
	});
	paint.lineTo(place(shares.length), spreadY(0, most));
	spreadStroke(page, side, paint, dashes);
}

// where half of a side's I/Os are, and 99 %, above the lines
function spreadMarks(page, side, paint, scale, y, dashes)
{
	const dist = side.range.all[page.view.latency];

	if (!dist)
		return;
	const [from, to] = [dist.p[0], dist.p[2]].map((ns) =>
		scale.place(Math.log2(Math.max(1, ns))));
	const colour = page.theme["side" + side.suffix];

	paint.beginPath();
	paint.moveTo(from, y);
	paint.lineTo(to, y);
	spreadStroke(page, side, paint, dashes);
	for (const x of [from, to])
		paintDown(paint, x, y - 4, y + 5, colour);
	paintText(paint, `${side.letter} p50`, from - 5, y, colour, "right");
	paintText(paint, "p99", to + 5, y, colour);
}

// "+21.9%", as the tables of the file have it
function spreadChange(a, b)
{
	const change = b / a - 1;

	if (!(a > 0) || !Number.isFinite(b))
		return "";
	if (change >= 100)
		return ">9999%";
	const part = Math.abs(change) < 0.0005 ? 0 : change;

	return (part < 0 ? "" : "+") + (part * 100).toFixed(1) + "%";
}

// the figures of the range
function spreadTable(page)
{
	const dists = page.sides.map((side) =>
		side.range.all[page.view.latency]);
	const row = (name, texts) => domMake("tr", {}, domMake("th",
		{ scope: "row" }, name), ...texts.map((text) =>
		domMake("td", { className: "num" }, text)));
	const ns = page.sides.map((side) => side.range.all.n);

	page.spread.body.replaceChildren(row("I/Os", [...ns.map(numberWhole),
		spreadChange(...ns)]),
	...SPREAD_ROWS.map(([name, of]) => {
		const values = dists.map((d) => d ? of(d) : NaN);

		return row(name, [...values.map(numberTime),
			spreadChange(...values)]);
	}));
}
