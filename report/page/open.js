// SPDX-License-Identifier: GPL-2.0-only
// I/Os in flight at the end of the trace: which these are, how old, and the
// table of them.  Of a trace too long for rows the oldest have rows all the
// same.

// rows in flight at the end that pass the filter, the oldest first
function openRows(source)
{
	const { rows, on } = source;

	return Array.from(rows.opened).filter((row) => on[rows.stream[row]]);
}

// Since when a row takes a latency that has not ended, or null
function openSince(rows, row, latency)
{
	const issued = rows.issued[row] > 0;

	if (latency === "q2d")
		return issued ? null : rows.start[row];
	if (latency === "d2c")
		return issued ? rowsIssue(rows, row) : null;
	return rows.start[row];
}

// the age of each by a latency: [row, since, ns]
function openAges(page, latency)
{
	const source = page.sources.rows;
	const end = page.meta.duration;

	return openRows(source).map((row) =>
		[row, openSince(source.rows, row, latency)])
		.filter(([, since]) => since !== null)
		.map(([row, since]) => [row, since, end - since]);
}

// the longest, for scales; 0: none
function openLongest(page, latency)
{
	return openAges(page, latency).reduce((most, [,, ns]) =>
		Math.max(most, ns), 0);
}

// How many pass the filter: of the usual one all, and not only those that have
// rows.
function openCount(page, ages)
{
	const { meta, view, model } = page;
	const all = meta.queueDepth.reduce((sum, d) => sum +
		(view.filter.devices[d.device] ? d.inFlight : 0), 0);

	return modelIsDefault(model, view.filter) && view.latency === "q2c" ?
		Math.max(all, ages.length) : ages.length;
}

// whether a row is surely in flight up to the end
function openSure(rows, row, meta)
{
	return rowsUntil(rows, row) >= meta.duration;
}

// whether a row in flight is in depths: one that is not issued may be waiting
function openCounts({ rows, model, meta }, row)
{
	const device = meta.devices[model.device[rows.stream[row]]];

	return rows.open[row] &&
		rowsUntil(rows, row) > rowsIssue(rows, row) &&
		(rows.issued[row] > 0 || !device.issues);
}

// "4 in flight, oldest 4.2 s"
function openText(n, ns, sure)
{
	return `${numberWhole(n)} in flight, oldest ${numberTime(ns)}` +
		(sure ? "" : "; some may have completed");
}

function openAllSure(page)
{
	const { rows } = page.sources.rows;

	return rows.opened.every((row) => openSure(rows, row, page.meta));
}

// the tooltip of one: [name, value] each
function openWords(rows, row, meta)
{
	const end = meta.duration;
	const issued = rows.issued[row] > 0;
	const age = numberTime(end - rows.start[row]);

	return [["in flight", openSure(rows, row, meta) ?
		`${age} at the end of the trace` :
		`${age} at most: its completion may be missing`],
	["at the device", issued ?
		numberTime(end - rowsIssue(rows, row)) : "not issued"]];
}

// a lane of events: all that have rows, of n
function openLane(meta, rows)
{
	const n = meta.queueDepth.reduce((sum, d) => sum + d.inFlight, 0);
	const t = Float64Array.from(rows.opened, (row) => rows.start[row]);

	return { name: "in flight at the end", kind: "open", n, kept: t.length,
		longest: t.length ? meta.duration - t[0] : 0, t,
		d: t.map((start) => meta.duration - start) };
}

// a row in the shape of meta.slowest: Q2C is its age, Q2D its waiting so far
function openOf(rows, row, end)
{
	const s = slowestOf(rows, row);
	const issued = rows.issued[row] > 0;

	s[SLOWEST.q2c] = end - rows.start[row];
	s[SLOWEST.q2d] = issued ? rows.issued[row] - 1 : s[SLOWEST.q2c];
	s[SLOWEST.d2c] = issued ? end - rowsIssue(rows, row) : -1;
	s[SLOWEST.most] = rowsUntil(rows, row) < end;
	return s;
}

// the table of what passes the filter, the oldest first
function openUpdate(page)
{
	const { opened, meta, sources } = page;

	if (!opened)
		return;
	opened.shown = openRows(sources.rows).map((row) =>
		openOf(sources.rows.rows, row, meta.duration));
	slowestFill(page, opened);
}
