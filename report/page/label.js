// SPDX-License-Identifier: GPL-2.0-only
// Names of operations, processes, devices; and an I/O in words.

function labelOperation(meta, operation)
{
	const { name } = meta.operations[operation];

	return name[0].toUpperCase() + name.slice(1);
}

// one I/O's operation, size and place
function labelIo(meta, device, operation, bytes, sector)
{
	return [labelOperation(meta, operation), numberBytes(bytes),
		meta.devices[device].name, "@", numberWhole(sector)].join(" ");
}

function labelFlags(flags)
{
	return ROWS_FLAGS.filter(([bit]) => flags & bit)
		.map(([, name]) => name).join(", ");
}

// Everything that is known of a row: { head, lines: [name, value] }.
function labelRow(page, row)
{
	const { rows, model } = page.sources.rows;
	const { meta } = page;
	const s = rows.stream[row];
	const pid = rows.pid[row];
	const lines = [
		["process", `${meta.pidnames[pid]} ${meta.pids[pid]}`],
		[rows.flags[row] & ROWS_Q ? "queued at" : "issued at",
			labelMoment(rows.start[row])],
		...labelPhases(rows, row, meta),
		["total (Q2C)", rows.q2c[row] < 0 ? "" :
			numberTime(rows.q2c[row])],
		["flags", labelFlags(rows.flags[row])],
		["error", rows.error[row] ? String(rows.error[row]) : ""],
		["time of day", numberClock(meta, rows.start[row], 1000)],
	];

	return {
		head: labelIo(meta, model.device[s], model.operation[s],
			rows.blocks[row] * 512, rows.sector[row]),
		lines: lines.filter(([, value]) => value),
	};
}

// phases that took any time
function labelPhases(rows, row, meta)
{
	if (rows.open[row])
		return openWords(rows, row, meta);
	if (rows.done[row] < 0)
		return [["completed", "unknown: its records were lost"]];
	const phases = rowsPhases(rows, row, [0, 0, 0, 0]);

	return meta.phases.map((name, k) => [name.toLowerCase(),
		phases[k] > 0 ? numberTime(phases[k]) : ""]);
}

// a count with its noun: 1 I/O, 2 I/Os
function labelIos(n)
{
	return `${numberWhole(n)} I/O${n === 1 ? "" : "s"}`;
}

// how many more: 3 more I/Os, 1 fewer I/O
function labelMore(n)
{
	return n ? labelIos(Math.abs(n)).replace(" ", n > 0 ? " more " :
		" fewer ") : "as many I/Os";
}

// a moment to the microsecond
function labelMoment(t)
{
	return numberMoment(t, 1000) + NUMBER_THIN + "s";
}

// a span of time, as exact as its length needs
function labelSpan(t0, t1)
{
	const step = Math.max(1, (t1 - t0) / 100);

	return `${numberMoment(t0, step)} \u2013 ${numberMoment(t1, step)}` +
		NUMBER_THIN + "s";
}
