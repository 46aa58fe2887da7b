// SPDX-License-Identifier: GPL-2.0-only
// Every I/O as a row.  Columns stand in the order of starts; what is asked for
// by completion stands a second time in the order of ends (done), so that a
// range of time is a range of places there.  -1: none.

// the letters of flags, by bit
const ROWS_Q = 1;
const ROWS_D = 2;
const ROWS_FLAGS = [[4, "merged"], [8, "FUA"], [16, "sync"], [32, "meta"],
	[64, "read-ahead"], [128, "flush"]];

// the columns as they stand in the file
function rowsColumns(columns)
{
	const wide = (name) => columnsRead(columns, name, Float64Array);
	const small = (name) => columnsRead(columns, name, Uint32Array);

	return {
		start: wide("t"), q2g: wide("q2g"), q2i: wide("q2i"),
		issued: wide("q2d"), end: wide("end"), sector: wide("sector"),
		stream: columnsRead(columns, "s", Uint16Array),
		pid: small("pid"), blocks: small("blocks"),
		flags: columnsRead(columns, "flags", Uint8Array),
		error: small("error"),
	};
}

// For how long each row in flight at the end is sure to be, plus 1; else 0
function rowsOpen(columns, n)
{
	const open = new Float64Array(n);
	const sure = columnsRead(columns, "sure", Float64Array);

	columnsRead(columns, "open", Uint32Array).forEach((row, i) => {
		open[row] = sure[i] + 1;
	});
	return open;
}

// up to when row i was surely in flight
function rowsUntil(rows, i)
{
	return rows.start[i] + rows.open[i] - 1;
}

// Rows by the time at which they left: those that ended, and those in flight
// up to a time after which that is unknown.
function rowsLeft(rows, duration)
{
	const time = rows.done.map((t, i) => t >= 0 ? t :
		rows.open[i] && rowsUntil(rows, i) < duration ?
			rowsUntil(rows, i) : -1);
	const row = orderBy(time, orderAll(rows.n).filter((i) =>
		time[i] >= 0));

	return { n: row.length, row, time: orderTake(time, row) };
}

// Rows of several excerpts may start out of order: puts them in order.
function rowsSort(rows)
{
	const n = rows.start.length;
	let sorted = true;

	for (let i = 1; i < n && sorted; i++)
		sorted = rows.start[i - 1] <= rows.start[i];
	if (sorted)
		return;
	/* what began before the page's first moment has a time below 0 */
	const least = rows.start.reduce((a, t) => Math.min(a, t), 0);
	const order = orderBy(rows.start.map((t) => t - least), orderAll(n));

	for (const name of Object.keys(rows))
		rows[name] = orderTake(rows[name], order);
}

// times from the first event to issue, from there, and in all
function rowsTimes(rows)
{
	const n = rows.n;

	for (const name of ["q2c", "d2c", "q2d", "done"])
		rows[name] = new Float64Array(n).fill(-1);
	for (let i = 0; i < n; i++) {
		const has = rows.flags[i];
		const q2d = rows.issued[i] - 1;
		const end = rows.end[i] - 1;

		if (q2d >= 0 && has & ROWS_Q)
			rows.q2d[i] = q2d;
		if (end < 0)
			continue;
		rows.done[i] = rows.start[i] + Math.max(0, q2d) + end;
		if (q2d >= 0)
			rows.d2c[i] = end;
		if (has & ROWS_Q)
			rows.q2c[i] = Math.max(0, q2d) + end;
	}
}

// when a row was issued; one that never was, as on a stacked device, when it
// was queued
function rowsIssue(rows, i)
{
	return rows.start[i] + Math.max(0, rows.issued[i] - 1);
}

// The time of row i in each phase: into out.  What was never issued has all
// behind the scheduler in the last.
function rowsPhases(rows, i, out)
{
	const total = rows.done[i] - rows.start[i];
	const issue = rows.issued[i] > 0 ? rows.issued[i] - 1 : rows.q2i[i];

	out[0] = rows.q2g[i];
	out[1] = rows.q2i[i] - rows.q2g[i];
	out[2] = issue - rows.q2i[i];
	out[3] = total - issue;
	return out;
}

function rowsPhaseColumns(rows, order)
{
	const columns = [0, 1, 2, 3].map(() => new Float64Array(order.length));
	const one = [0, 0, 0, 0];

	for (let i = 0; i < order.length; i++) {
		rowsPhases(rows, order[i], one);
		for (let k = 0; k < 4; k++)
			columns[k][i] = one[k];
	}
	return columns;
}

// log2 of a time, for heat maps; 0 ns counts as 1
function rowsLogs(values)
{
	const logs = new Float32Array(values.length);

	for (let i = 0; i < values.length; i++)
		logs[i] = values[i] < 0 ? -1 :
			Math.log2(Math.max(1, values[i]));
	return logs;
}

// questions in the order of completion
function rowsDone(rows)
{
	const ended = orderAll(rows.n).filter((i) => rows.done[i] >= 0);
	const row = orderBy(rows.done, ended);
	const done = { n: row.length, row };

	done.time = orderTake(rows.done, row);
	done.stream = orderTake(rows.stream, row);
	done.blocks = orderTake(rows.blocks, row);
	done.phases = rowsPhaseColumns(rows, row);
	done.log = {};
	for (const name of ["q2c", "d2c", "q2d"]) {
		done[name] = orderTake(rows[name], row);
		done.log[name] = rowsLogs(done[name]);
	}
	return done;
}

// The table, of the file's columns.  excerpts: times where it is whole.
function rowsMake(meta, columns)
{
	const rows = rowsColumns(columns);

	rows.open = rowsOpen(columns, rows.start.length);
	rowsSort(rows);
	rows.n = rows.start.length;
	rows.opened = orderAll(rows.n).filter((i) => rows.open[i]);
	rows.excerpts = meta.stretches.map(([t0, t1]) => ({ t0, t1 }));
	rowsTimes(rows);
	rows.ended = rowsDone(rows);
	rows.left = rowsLeft(rows, meta.duration);
	rows.ranks = {};
	rows.longest = rows.done.reduce((most, t, i) =>
		Math.max(most, t - rows.start[i]), 0);
	return rows;
}

// Whether every I/O between t0 and t1 is a row
function rowsCover(rows, t0, t1)
{
	return rows.excerpts.some((s) => s.t0 <= t0 && t1 <= s.t1);
}

// places of rows.ended whose completion is in [t0, t1)
function rowsEnded(rows, t0, t1)
{
	const { time } = rows.ended;

	return [orderPlace(time, t0), orderPlace(time, t1)];
}

// rows that were queued in [t0, t1)
function rowsStarted(rows, t0, t1)
{
	return [orderPlace(rows.start, t0), orderPlace(rows.start, t1)];
}

// Places of rows.ended by a latency, ascending: made when first asked for.
function rowsRanked(rows, latency)
{
	const values = rows.ended[latency];

	if (!rows.ranks[latency])
		rows.ranks[latency] = orderBy(values,
			orderAll(values.length).filter((i) => values[i] >= 0));
	return rows.ranks[latency];
}
