// SPDX-License-Identifier: GPL-2.0-only
// Rows of tables, of a tally: all that passes the filter, and each operation,
// process and device.  A row of one of these ignores the filter of its own
// kind, so that hidden ones can be compared with shown ones.  Bytes
// are data, which is read or written; those of an operation all that it covers.

// their place among the four
const GROUPS_OPERATIONS = 1;
const GROUPS_PS = [0.5, 0.9, 0.99, 0.999];

// Which groups each stream counts in: four arrays of group numbers, -1 for
// none; all is group 0, then operations, processes, devices.
function groupsOf(model, filter)
{
	const { operation, process, device, streams, meta } = model;
	const processes = 1 + meta.operations.length;
	const devices = processes + meta.processes.length;
	const members = Array.from({ length: 4 }, () =>
		new Int32Array(streams).fill(-1));

	for (let s = 0; s < streams; s++) {
		const o = filter.operations[operation[s]];
		const p = filter.processes[process[s]];
		const d = filter.devices[device[s]];

		if (o && p && d)
			members[0][s] = 0;
		if (p && d)
			members[1][s] = 1 + operation[s];
		if (o && d)
			members[2][s] = processes + process[s];
		if (o && p)
			members[3][s] = devices + device[s];
	}
	return { members, processes, devices,
		n: devices + meta.devices.length };
}

function groupsEmpty(model)
{
	const row = { n: 0, bytes: 0, moved: 0, phases: [0, 0, 0, 0],
		histogram: {} };

	for (const name of Object.keys(MODEL_LATENCIES)) {
		row[name] = null;
		if (model.meta.has[name])
			row.histogram[name] =
				new Uint32Array(model.meta.bins.buckets);
	}
	return row;
}

// Adds stream s of a tally to a row; moves: its bytes are some of the row's.
function groupsAddStream(row, tally, s, moves)
{
	row.n += tally.ios[s];
	if (moves) {
		row.bytes += tally.bytes[s];
		row.moved += tally.ios[s];
	}
	for (let k = 0; k < 4; k++)
		row.phases[k] += tally.phases[s * 4 + k];
	for (const name of Object.keys(row.histogram)) {
		const from = tally.histogram[name];
		const to = row.histogram[name];
		const at = s * tally.buckets;

		for (let b = 0; b < to.length; b++)
			to[b] += from[at + b];
		row[name] = row[name] || { max: -1 };
		row[name].max = Math.max(row[name].max, tally.max[name][s]);
	}
}

// percentiles of the histograms: within a bucket, never above the largest
function groupsRanks(model, row)
{
	const { first } = model.meta.bins;

	for (const name of Object.keys(row.histogram)) {
		const histogram = row.histogram[name];
		const n = histogram.reduce((sum, count) => sum + count, 0);

		if (!n) {
			row[name] = null;
			continue;
		}
		const p = GROUPS_PS.map((at) => rasterRank(histogram, first,
			RASTER_SUB, n, at));
		const max = row[name].max >= 0 ? row[name].max :
			rasterRank(histogram, first, RASTER_SUB, n, 1);

		row[name] = { n, max, p: p.map((v) => Math.min(v, max)) };
	}
}

// The ranks that are looked for in each group, then how far it has come
function groupsTargets(rows, name)
{
	const targets = new Float64Array(rows.length * 4).fill(-1);

	rows.forEach((row, g) => {
		if (row[name])
			GROUPS_PS.forEach((p, k) => {
				targets[g * 4 + k] = Math.max(1,
					Math.ceil(p * row[name].n - 1e-9));
			});
	});
	return targets;
}

// One more in group g, or in none (-1): if that is the rank looked for next,
// v is that percentile, and those of the same rank.
function groupsReach(walk, g, v)
{
	if (g < 0 || ++walk.counts[g] !== walk.next[g])
		return;
	const rank = walk.counts[g];
	let at = g * 4;

	walk.next[g] = 0;
	for (let k = 0; k < 4; k++, at++) {
		if (walk.targets[at] === rank)
			walk.rows[g][walk.name].p[k] = v;
		else if (walk.targets[at] > rank && !walk.next[g])
			walk.next[g] = walk.targets[at];
	}
}

// Exact percentiles of rows at places [a, b): all rows of the page pass by in
// the order of their latency, and each group counts those that are its own.
// That is one pass for all groups, and nothing is sorted for a range.
function groupsExact(source, groups, rows, [a, b], name)
{
	const ranked = rowsRanked(source.rows, name);
	const { stream, [name]: values } = source.rows.ended;
	const targets = groupsTargets(rows, name);
	const walk = { rows, name, targets,
		counts: new Uint32Array(rows.length),
		next: Float64Array.from(rows, (row, g) => targets[g * 4]) };
	const [g0, g1, g2, g3] = groups.members;

	for (let i = 0; i < ranked.length; i++) {
		const at = ranked[i];

		if (at < a || at >= b)
			continue;
		const s = stream[at];
		const v = values[at];

		groupsReach(walk, g0[s], v);
		groupsReach(walk, g1[s], v);
		groupsReach(walk, g2[s], v);
		groupsReach(walk, g3[s], v);
	}
}

// the mean of each phase, and rates, from sums
function groupsFinish(row, seconds)
{
	row.phases = row.phases.map((sum) => row.n ? sum / row.n : 0);
	row.perSecond = row.n / seconds;
	row.bytesPerSecond = row.bytes / seconds;
}

// All rows of a tally over [t0, t1), by group number.
function groupsRows(source, groups, tally, seconds)
{
	const rows = [];

	for (let g = 0; g < groups.n; g++)
		rows.push(groupsEmpty(source.model));
	groups.members.forEach((members, kind) =>
		members.forEach((g, s) => {
			if (g >= 0 && tally.ios[s])
				groupsAddStream(rows[g], tally, s,
					kind === GROUPS_OPERATIONS ||
					modelMovesData(source.model, s));
		}));
	for (const row of rows) {
		groupsRanks(source.model, row);
		groupsFinish(row, seconds);
	}
	return rows;
}
