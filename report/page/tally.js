// SPDX-License-Identifier: GPL-2.0-only
// What is summed up of a range of time, per stream: I/Os, bytes, phases, the
// largest latencies, and a histogram of each latency.  All streams, also those
// that do not pass the filter, as tables show these, too.

function tallyMake(model)
{
	const streams = model.streams;
	const { buckets } = model.meta.bins;
	const tally = {
		buckets,
		ios: new Float64Array(streams),
		bytes: new Float64Array(streams),
		phases: new Float64Array(streams * 4),
		sizes: new Uint32Array(3 * 32),
		max: {}, histogram: {},
	};

	for (const name of model.latencies) {
		tally.max[name] = new Float64Array(streams).fill(-1);
		tally.histogram[name] = new Uint32Array(streams * buckets);
	}
	return tally;
}

// one latency of places [a, b) of what has ended
function tallyLatency(tally, ended, first, name, a, b)
{
	const histogram = tally.histogram[name];
	const max = tally.max[name];
	const values = ended[name];
	const logs = ended.log[name];
	const { stream } = ended;
	const { buckets } = tally;

	for (let i = a; i < b; i++) {
		const v = values[i];

		if (v < 0)
			continue;
		const s = stream[i];
		const bucket = Math.floor(logs[i] * 8) - first;

		histogram[s * buckets +
			Math.max(0, Math.min(buckets - 1, bucket))]++;
		if (v > max[s])
			max[s] = v;
	}
}

// of rows that completed in [t0, t1)
function tallyOfRows(source, t0, t1)
{
	const tally = tallyMake(source.model);
	const { ended } = source.rows;
	const [a, b] = rowsEnded(source.rows, t0, t1);
	const [p0, p1, p2, p3] = ended.phases;

	for (let i = a; i < b; i++) {
		const s = ended.stream[i];
		const blocks = ended.blocks[i];

		tally.ios[s]++;
		tally.bytes[s] += blocks * 512;
		tally.phases[s * 4] += p0[i];
		tally.phases[s * 4 + 1] += p1[i];
		tally.phases[s * 4 + 2] += p2[i];
		tally.phases[s * 4 + 3] += p3[i];
		if (source.on[s] && blocks)
			tally.sizes[source.kinds[s] * 32 + 31 -
				Math.clz32(blocks)]++;
	}
	for (const name of source.model.latencies)
		tallyLatency(tally, ended, source.meta.bins.first, name, a, b);
	tally.places = [a, b];
	return tally;
}

// the scalars of bins [from, to)
function tallyScalars(tally, scal, from, to)
{
	for (let i = scal.at[from]; i < scal.at[to]; i++) {
		const s = scal.s[i];

		tally.ios[s] += scal.ios[i];
		tally.bytes[s] += scal.blocks[i] * 512;
		for (let k = 0; k < 4; k++)
			tally.phases[s * 4 + k] += scal["p" + k][i] * 1000;
		for (const name of ["q2c", "d2c"])
			if (tally.max[name] && scal.ios[i])
				tally.max[name][s] = Math.max(
					tally.max[name][s], scal[name][i]);
	}
}

// sizes of what passes; cells of time are their own, and coarser
function tallySizes(source, tally, t0, t1)
{
	const { cells, width, classes } = source.meta.sizes;
	const { size } = source.bins;
	const from = Math.max(0, Math.round(t0 / width));
	const to = Math.min(cells, Math.max(from + 1, Math.round(t1 / width)));

	for (let i = size.at[from]; i < size.at[to]; i++) {
		const s = Math.floor(size.key[i] / classes);

		if (source.on[s])
			tally.sizes[source.kinds[s] * 32 + size.key[i] %
				classes] += size.count[i];
	}
}

// Of bins: [t0, t1) must start and end at bins.
function tallyOfBins(source, t0, t1)
{
	const tally = tallyMake(source.model);
	const { width, count, latency } = source.bins;
	const from = Math.max(0, Math.round(t0 / width));
	const to = Math.min(count, Math.round(t1 / width));

	tallyScalars(tally, source.bins.scal, from, to);
	for (const name of source.model.latencies)
		if (latency[name].key.length)
			tally.histogram[name] = binsRange(source.bins, name,
				from, to, tally.histogram[name].length);
	tallySizes(source, tally, t0, t1);
	return tally;
}

function tallyOf(source, t0, t1)
{
	return source.exact ? tallyOfRows(source, t0, t1) :
		tallyOfBins(source, t0, t1);
}
