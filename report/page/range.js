// SPDX-License-Identifier: GPL-2.0-only
// The statistics of a range of time, as the page shows them: of the selection,
// or of the view.

// [t0, t1) as the source can count it: bins count as a whole
function rangeSnap(source, t0, t1)
{
	if (source.exact)
		return [t0, t1];
	const { width, count } = source.bins;
	const from = Math.max(0, Math.min(count, Math.round(t0 / width)));
	/* the last bin is a whole one, however little of it is the trace's */
	const to = t1 >= source.duration ? count :
		Math.max(from + 1, Math.round(t1 / width));

	/* behind the end, of the shorter of two runs, there is nothing */
	return [Math.min(from, count - (t0 < source.duration ? 1 : 0)) * width,
		Math.min(to, count) * width];
}

// The statistics of [t0, t1) under a filter:
// { t0, t1, exact, all, operations, processes, devices (rows), tally }.
// With quick, percentiles come from buckets, where rows could give them.
function rangeOf(source, filter, t0, t1, quick)
{
	const [from, to] = rangeSnap(source, t0, t1);
	const { model } = source;
	const groups = groupsOf(model, filter);
	const tally = tallyOf(source, from, to);
	const inside = Math.min(to, model.duration) - Math.max(from, 0);
	const seconds = Math.max(inside, 1) / 1e9;
	const rows = groupsRows(source, groups, tally, seconds);
	const exact = source.exact && !quick;

	if (exact)
		for (const name of model.latencies)
			groupsExact(source, groups, rows, tally.places, name);
	return {
		t0: from, t1: to, exact, tally, seconds, source,
		all: rows[0],
		operations: rows.slice(1, groups.processes),
		processes: rows.slice(groups.processes, groups.devices),
		devices: rows.slice(groups.devices),
	};
}

// rows of meta's tables by the number in `key`
function rangePlaced(rows, key, n, empty)
{
	const placed = [];

	for (let i = 0; i < n; i++)
		placed.push(rows.find((r) => r[key] === i) || empty());
	return placed;
}

// Of the whole trace, unfiltered: the exact numbers of meta take the place of
// numbers made from buckets; histograms stay.
function rangeWhole(range, model)
{
	const { meta } = model;
	const { tables } = meta;
	const empty = () => groupsEmpty(model);
	const merge = (mine, theirs) => ({ ...theirs,
		histogram: mine.histogram });

	range.exact = true;
	range.all = merge(range.all, tables.all);
	range.operations = rangePlaced(tables.operations, "operation",
		meta.operations.length, empty)
		.map((row, i) => merge(range.operations[i], row));
	range.processes = rangePlaced(tables.processes, "process",
		meta.processes.length, empty);
	range.devices = rangePlaced(tables.devices, "device",
		meta.devices.length, empty);
	return range;
}
