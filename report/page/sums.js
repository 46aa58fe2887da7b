// SPDX-License-Identifier: GPL-2.0-only
// Sums per column of time: what throughput, rates, and the phases are drawn
// from.  A column has SUMS_EACH numbers: I/Os and bytes of reads, writes,
// others, and the time of the four phases.  Others, as discards, move no data:
// their bytes are 0.

const SUMS_IOS = 0;
const SUMS_BYTES = 3;
const SUMS_PHASES = 6;
const SUMS_EACH = 10;
const SUMS_OTHER = 2;

// the kind (read, write, other) of each stream
function sumsKinds(model)
{
	return Uint8Array.from(model.operation, (o) => MODEL_KINDS[o]);
}

// of n columns of width ns from number first on, of rows that pass
function sumsOfRows(source, width, first, n)
{
	const { ended } = source.rows;
	const out = new Float64Array(n * SUMS_EACH);
	const [a, b] = rowsEnded(source.rows, first * width,
		(first + n) * width);
	const [p0, p1, p2, p3] = ended.phases;

	for (let i = a; i < b; i++) {
		const stream = ended.stream[i];

		if (!source.on[stream])
			continue;
		const kind = source.kinds[stream];
		const at = (Math.floor(ended.time[i] / width) - first) *
			SUMS_EACH;

		out[at + SUMS_IOS + kind]++;
		if (kind < SUMS_OTHER)
			out[at + SUMS_BYTES + kind] += ended.blocks[i] * 512;
		out[at + SUMS_PHASES] += p0[i];
		out[at + SUMS_PHASES + 1] += p1[i];
		out[at + SUMS_PHASES + 2] += p2[i];
		out[at + SUMS_PHASES + 3] += p3[i];
	}
	return { data: out };
}

// the finest level of bins, all of them
function sumsOfBins(source)
{
	const { scal, count } = source.bins;
	const out = new Float64Array(count * SUMS_EACH);

	for (let b = 0; b < count; b++)
		for (let i = scal.at[b]; i < scal.at[b + 1]; i++) {
			const stream = scal.s[i];

			if (!source.on[stream])
				continue;
			const kind = source.kinds[stream];
			const at = b * SUMS_EACH;

			out[at + SUMS_IOS + kind] += scal.ios[i];
			if (kind < SUMS_OTHER)
				out[at + SUMS_BYTES + kind] +=
					scal.blocks[i] * 512;
			for (let k = 0; k < 4; k++)
				out[at + SUMS_PHASES + k] +=
					scal["p" + k][i] * 1000;
		}
	return out;
}

// each pair of columns, of `each` numbers, as one
function sumsPairs(fine, each)
{
	const n = Math.ceil(fine.length / each / 2);
	const out = new fine.constructor(n * each);

	for (let i = 0; i < fine.length; i++) {
		const column = Math.floor(i / each);

		out[(column >> 1) * each + i - column * each] += fine[i];
	}
	return out;
}

// Levels of columns over the whole trace, each of pairs of the one below; kept
// in the cache.  finest() makes the lowest.
function sumsLevel(cache, key, level, each, finest)
{
	const levels = cache.get(key) || [];

	cache.set(key, levels);
	if (!levels.length)
		levels.push(finest());
	while (levels.length <= level)
		levels.push(sumsPairs(levels[levels.length - 1], each));
	return levels[level];
}

// The sums for a grid, of what the source has: { data, first }.  Column c of
// the trace stands at (c - first) * SUMS_EACH.
function sumsFor(source, grid)
{
	if (source.exact)
		return gridKept(source.cache, "sums", grid, source.duration,
			(first, n) => sumsOfRows(source, grid.width, first, n));
	const data = sumsLevel(source.cache, "sums", grid.level, SUMS_EACH,
		() => sumsOfBins(source));

	return { data, first: 0, n: data.length / SUMS_EACH };
}
