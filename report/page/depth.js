// SPDX-License-Identifier: GPL-2.0-only
// How many I/Os are in a device: at every moment, by rows, or per bin.  An I/O
// is there from issue to completion; one that was not issued itself, as on a
// stacked device or where its parts were, from its beginning; and one in flight
// at the end up to there.  Flushes are left out, and what did not complete as
// records of it were lost.

// Rows by the time of issue, made when first asked for.  What was issued before
// the page's first moment counts from there on.
function depthByIssue(rows)
{
	if (!rows.issueOrder) {
		const issue = Float64Array.from(rows.start,
			(t, i) => Math.max(0, rowsIssue(rows, i)));

		rows.issueOrder = orderBy(issue, orderAll(rows.n));
		rows.issueTimes = orderTake(issue, rows.issueOrder);
	}
	return rows.issueOrder;
}

// which streams count for a device (-1: all of them)
function depthStreams(source, device)
{
	const { model, on } = source;

	return on.map((passes, s) => passes &&
		model.operation[s] !== MODEL_FLUSH &&
		(device < 0 || model.device[s] === device) ? 1 : 0);
}

// Steps that are being made, of at most n moments
function depthBegin(n)
{
	return { time: new Float64Array(n), value: new Int32Array(n), n: 0,
		depth: 0 };
}

function depthStep(steps, t, by)
{
	steps.depth += by;
	if (!steps.n || steps.time[steps.n - 1] < t)
		steps.time[steps.n++] = t;
	steps.value[steps.n - 1] = steps.depth;
}

// Takes out what left by t, from place `from` on of rows.left: the next place
function depthEnds(steps, left, counts, from, t)
{
	let i = from;

	for (; i < left.n && left.time[i] <= t; i++)
		if (counts(left.row[i]))
			depthStep(steps, left.time[i], -1);
	return i;
}

// Depth as steps: from time[i] on it is value[i].  Completions stand before
// issues at the same ns.
function depthSteps(source, device)
{
	const { rows } = source;
	const issue = depthByIssue(rows);
	const streams = depthStreams(source, device);
	const counts = (row) => streams[rows.stream[row]] &&
		(rows.done[row] >= 0 || openCounts(source, row));
	const steps = depthBegin(issue.length + rows.left.n);
	let ends = 0;

	for (let i = 0; i < issue.length; i++) {
		const t = rows.issueTimes[i];

		if (!counts(issue[i]))
			continue;
		ends = depthEnds(steps, rows.left, counts, ends, t);
		depthStep(steps, t, 1);
	}
	depthEnds(steps, rows.left, counts, ends, Infinity);
	return {
		time: steps.time.subarray(0, steps.n),
		value: steps.value.subarray(0, steps.n),
	};
}

// the same, kept until the filter changes
function depthKept(source, device)
{
	const key = "steps " + device;

	if (!source.cache.has(key))
		source.cache.set(key, depthSteps(source, device));
	return source.cache.get(key);
}

// Goes through the steps in [t0, t1): each(depth, from, to) for each span
// of one depth.
function depthWalk(steps, t0, t1, each)
{
	const { time, value } = steps;
	let i = orderPlace(time, t0);
	let depth = i > 0 ? value[i - 1] : 0;
	let at = t0;

	for (; i < time.length && time[i] < t1; i++) {
		if (time[i] > at)
			each(depth, at, time[i]);
		at = Math.max(at, time[i]);
		depth = value[i];
	}
	if (t1 > at)
		each(depth, at, t1);
}

// { mean, min, max } per column, of rows
function depthOfRows(source, device, width, first, n)
{
	const steps = depthKept(source, device);
	const mean = new Float64Array(n);
	const min = new Float64Array(n);
	const max = new Float64Array(n);

	for (let c = 0; c < n; c++) {
		const t0 = (first + c) * width;
		const t1 = Math.max(t0 + 1,
			Math.min(t0 + width, source.duration));
		let least = Infinity;

		depthWalk(steps, t0, t1, (depth, from, to) => {
			mean[c] += depth * (to - from);
			least = Math.min(least, depth);
			max[c] = Math.max(max[c], depth);
		});
		mean[c] /= t1 - t0;
		min[c] = least;
	}
	return { mean, min, max };
}

// Of bins: the whole device's, as recorded; under a filter only the mean is
// known, from the time that its requests were in the device.
function depthOfBins(source, device)
{
	const { bins, model } = source;

	if (source.usual) {
		const { min, max, mean } = bins.depth[device];

		return { min: Float64Array.from(min),
			max: Float64Array.from(max),
			mean: Float64Array.from(mean, (v) => v / 16) };
	}
	const streams = depthStreams(source, device);
	const mean = new Float64Array(bins.count);
	const { at, s, busy } = bins.scal;

	for (let b = 0; b < bins.count; b++)
		for (let i = at[b]; i < at[b + 1]; i++)
			if (streams[s[i]])
				mean[b] += busy[i] * 1000 / bins.width;
	return { mean, min: null, max: null, device, model };
}

// each two columns as one
function depthPairs(fine)
{
	const n = Math.ceil(fine.mean.length / 2);
	const pair = (of, how) => of && Float64Array.from({ length: n },
		(v, i) => how(of[2 * i], 2 * i + 1 < of.length ?
			of[2 * i + 1] : of[2 * i]));

	return {
		mean: pair(fine.mean, (a, b) => (a + b) / 2),
		min: pair(fine.min, Math.min),
		max: pair(fine.max, Math.max),
	};
}

// The columns of a grid: { mean, min, max (or null), first }.
function depthFor(source, device, grid)
{
	if (source.exact)
		return gridKept(source.cache, "depth " + device, grid,
			source.duration, (first, n) => depthOfRows(source,
				device, grid.width, first, n));
	const key = "depth " + device;
	const levels = source.cache.get(key) || [depthOfBins(source, device)];

	source.cache.set(key, levels);
	while (levels.length <= grid.level)
		levels.push(depthPairs(levels[levels.length - 1]));
	return { ...levels[grid.level], first: 0 };
}

// How long each depth lasted in [t0, t1), of all devices together: ns by
// depth.  Of bins by their means.
function depthTimes(source, t0, t1)
{
	const times = [];
	const add = (depth, ns) => {
		times[depth] = (times[depth] || 0) + ns;
	};

	if (source.exact) {
		depthWalk(depthKept(source, -1), t0,
			Math.min(t1, source.duration),
			(depth, from, to) => add(depth, to - from));
		return times;
	}
	const { width, count } = source.bins;
	const grid = gridAt(0, count * width, width, 0);
	const means = source.meta.devices.map((d, i) => i)
		.filter((i) => depthStreams(source, i).some((v) => v))
		.map((i) => depthFor(source, i, grid).mean);

	for (let b = Math.floor(t0 / width); b < t1 / width && b < count; b++)
		add(Math.round(means.reduce((sum, m) => sum + m[b], 0)),
			width);
	return times;
}
