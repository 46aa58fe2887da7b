// SPDX-License-Identifier: GPL-2.0-only
// The events graph: a lane for each rare kind (I/Os in flight at the end,
// flushes, forced unit access, discards, errors, requeues, lost records,
// marks), as long as it took.

const EVENTS_LANE = 22;
// marks in view that have their texts beside them, at most
const EVENTS_TEXTS = 200;
const EVENTS_LETTERS = 3;
// px between a mark's name and lines
const EVENTS_APART = 8;
// lanes that show how many where there are more than can be told apart, in
// columns so wide, px; the others are of times, which last
const EVENTS_DENSE = ["F", "FUA", "D", "E", "requeue"];
const EVENTS_COLUMN = 4;
const EVENTS_COLOURS = { F: "flush", FUA: "write", D: "discard", E: "error",
	requeue: "other", lost: "error", open: "error", mark: "ink" };

// the lanes of the file, and those of I/Os in flight and of marks, if any
function eventsLanes(meta, columns, rows)
{
	const lanes = meta.lanes.map((lane, i) => ({ ...lane,
		t: columnsRead(columns, `lane${i}.t`, Float64Array),
		d: columnsRead(columns, `lane${i}.d`, Float64Array) }));

	if (rows.opened.length)
		lanes.unshift(openLane(meta, rows));
	if (meta.marks.length)
		lanes.push({ name: "marks", kind: "mark",
			n: meta.marks.length, kept: meta.marks.length,
			longest: 0,
			t: Float64Array.from(meta.marks, ([t]) => t),
			d: new Float64Array(meta.marks.length) });
	return lanes;
}

// the pixels that a lane's events cover, joined where they touch
function eventsPaint(paint, axis, lane, y)
{
	const right = axis.left + axis.px;
	const from = orderPlace(lane.t, axis.t0 - lane.longest);
	let end = -1;

	for (let i = from; i < lane.t.length && lane.t[i] < axis.t1; i++) {
		const x0 = Math.max(axis.left,
			Math.round(axisX(axis, lane.t[i])));
		const x1 = Math.min(right, Math.max(x0 + 2, Math.round(
			axisX(axis, lane.t[i] + lane.d[i]))));

		if (lane.t[i] + lane.d[i] < axis.t0 || x1 <= end)
			continue;
		paint.fillRect(Math.max(x0, end), y,
			x1 - Math.max(x0, end), EVENTS_LANE - 8);
		end = x1;
	}
}

// a text cut to a width, or "" where little of it would be left
function eventsCut(paint, text, px)
{
	let cut = text;

	if (paint.measureText(text).width <= px)
		return text;
	while (cut && paint.measureText(cut + "\u2026").width > px)
		cut = cut.slice(0, -1);
	return cut.length >= EVENTS_LETTERS ? cut + "\u2026" : "";
}

// names of marks right of their lines, or left where only there is room for all
function eventsNames(page, paint, axis, y)
{
	const marks = page.meta.marks.filter(([t]) =>
		t >= axis.t0 && t < axis.t1);
	let free = axis.left;

	if (marks.length > EVENTS_TEXTS)
		return;
	marks.forEach(([t, name], i) => {
		const x = axisX(axis, t);
		const end = i + 1 < marks.length ?
			axisX(axis, marks[i + 1][0]) : axis.left + axis.px;
		const px = paint.measureText(name).width + EVENTS_APART;
		const left = px > end - x && px <= x - free;
		const text = left ? name :
			eventsCut(paint, name, end - x - EVENTS_APART);

		paintHalo(paint, text, left ? x - px + 3 : x + 5, y,
			page.theme.ink, page.theme.card);
		free = left ? x : Math.min(end, x + px);
	});
}

// How many of a lane begin in each column of the view; null where single ones
// can be told apart.
function eventsColumns(lane, axis)
{
	const n = Math.ceil(axis.px / EVENTS_COLUMN);
	const from = orderPlace(lane.t, axis.t0);
	const to = orderPlace(lane.t, axis.t1);
	const counts = new Uint32Array(n);

	if (!EVENTS_DENSE.includes(lane.kind) || to - from < n / 2)
		return null;
	for (let i = from; i < to; i++)
		counts[Math.floor((axisX(axis, lane.t[i]) - axis.left) /
			EVENTS_COLUMN)]++;
	return counts;
}

// a dense lane: the taller a column, the more of its events begin there
function eventsBars(paint, axis, counts, bottom)
{
	const most = counts.reduce((a, n) => Math.max(a, n), 1);

	counts.forEach((n, i) => {
		const height = Math.max(2, Math.round(n / most *
			(EVENTS_LANE - 4)));

		if (n)
			paint.fillRect(axis.left + i * EVENTS_COLUMN,
				bottom - height, EVENTS_COLUMN, height);
	});
}

function eventsDraw(page, card, paint, axis)
{
	const { layout, theme } = page;

	cardScale(page, card, false);
	page.lanes.forEach((lane, i) => {
		const y = i * EVENTS_LANE + 4;
		const middle = y + EVENTS_LANE / 2 - 4;

		paintAcross(paint, axis.left, axis.left + axis.px, middle,
			theme.grid);
		paint.fillStyle = theme[EVENTS_COLOURS[lane.kind]];
		const counts = eventsColumns(lane, axis);

		if (counts)
			eventsBars(paint, axis, counts,
				y + EVENTS_LANE - 6);
		else
			eventsPaint(paint, axis, lane, y);
		if (lane.kind === "mark")
			eventsNames(page, paint, axis, middle);
		paintText(paint, lane.kind, axis.left - 6, middle, theme.muted,
			"right");
	});
	if (layout.narrow)
		return;
	page.lanes.forEach((lane, i) => paintText(paint,
		numberCount(lane.n), axis.left + axis.px + 5,
		i * EVENTS_LANE + EVENTS_LANE / 2, theme.muted));
}

// how many of a lane began in the range, estimated where not all are kept
function eventsCount(lane, t0, t1)
{
	const kept = orderPlace(lane.t, t1) - orderPlace(lane.t, t0);

	return lane.kept === lane.n ? kept :
		Math.round(kept * lane.n / lane.kept);
}

function eventsSide(page, card, paint, width)
{
	const { range, theme } = page;

	page.lanes.forEach((lane, i) => {
		const y = i * EVENTS_LANE + EVENTS_LANE / 2;
		const n = eventsCount(lane, range.t0, range.t1);

		paint.fillStyle = theme[EVENTS_COLOURS[lane.kind]];
		paint.fillRect(0, y - 5, 10, 10);
		paintText(paint, lane.name, 16, y, theme.ink);
		paintText(paint, (lane.kept < lane.n ? "~" : "") +
			numberWhole(n), width, y, theme.ink, "right");
	});
	cardSideLabel(page, card, "Events in range");
}

// the event of a lane that is nearest to a time
function eventsNear(page, lane, t)
{
	const within = (page.view.t1 - page.view.t0) / page.layout.px * 6;
	let best = -1;
	let least = within;

	for (let i = orderPlace(lane.t, t - lane.longest - within);
	     i < lane.t.length && lane.t[i] <= t + within; i++) {
		const far = Math.max(lane.t[i] - t, 0,
			t - lane.t[i] - lane.d[i]);

		if (far <= least) {
			least = far;
			best = i;
		}
	}
	return best;
}

function eventsHover(page, card, x, y, t)
{
	const lane = page.lanes[Math.floor(y / EVENTS_LANE)];
	const i = lane ? eventsNear(page, lane, t) : -1;

	if (i < 0)
		return null;
	if (lane.kind === "mark") {
		const [, text, process, device] = page.meta.marks[i];

		return { head: text, lines: [["by", process], ["of", device],
			["at", labelMoment(lane.t[i])]]
			.filter(([, value]) => value) };
	}
	return { head: `${lane.name}, 1 of ${numberWhole(lane.n)}`,
		lines: [["at", labelMoment(lane.t[i])],
			[lane.kind === "open" ? "age" : "took",
				lane.d[i] ? numberTime(lane.d[i]) : ""],
			["longest", numberTime(lane.longest)]]
			.filter(([, value]) => value) };
}

// the graph, for all lanes
function eventsGraph(lanes)
{
	return { id: "events", title: "Events", what: "",
		height: lanes.length * EVENTS_LANE + 2,
		sideTitle: "Events in range", log: true, draw: eventsDraw,
		side: eventsSide, hover: eventsHover, values: () => {} };
}
