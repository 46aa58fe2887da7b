// SPDX-License-Identifier: GPL-2.0-only
// How many I/Os took how long in each column of time: the heat map's counts,
// and the percentile lines over them.  A column has a number per cell; cells
// are equal steps of log2 ns, `sub` of them a doubling.

// cells of one doubling on the finest level of times without rows
const RASTER_SUB = 8;
const RASTER_FINEST = 128;

// The range of cells: all buckets that occur in the trace, at sub a doubling
function rasterCells(meta, sub)
{
	const by = sub / RASTER_SUB;

	return { low: meta.bins.first * by, n: (meta.bins.buckets + 1) * by };
}

// counts of rows that pass, and apart of those that read no data
function rasterOfRows(source, latency, sub, width, first, n)
{
	const { ended } = source.rows;
	const { low, n: cells } = rasterCells(source.meta, sub);
	const log = ended.log[latency];
	const all = new Uint32Array(n * cells);
	const writes = new Uint32Array(n * cells);
	const [a, b] = rowsEnded(source.rows, first * width,
		(first + n) * width);

	for (let i = a; i < b; i++) {
		const stream = ended.stream[i];

		if (!source.on[stream] || log[i] < 0)
			continue;
		const column = Math.floor(ended.time[i] / width) - first;
		const cell = Math.floor(log[i] * sub) - low;
		const at = column * cells +
			Math.max(0, Math.min(cells - 1, cell));

		all[at]++;
		if (source.kinds[stream])
			writes[at]++;
	}
	return { all, writes };
}

// the finest level of bins: cells as in the file, and one more above
function rasterOfBins(source, latency, writes)
{
	const { buckets } = source.meta.bins;
	const { n: cells } = rasterCells(source.meta, RASTER_SUB);
	const other = writes ? Uint8Array.from(source.kinds, (k) => k ? 1 : 0) :
		null;
	const fold = binsFold(source.bins.latency[latency], buckets, source.on,
		other, 1);
	const out = new Uint32Array(source.bins.count * cells);

	for (let b = 0; b < source.bins.count; b++)
		out.set(fold.subarray(b * buckets, (b + 1) * buckets),
			b * cells);
	return out;
}

// The counts for a grid: { all, writes, first, cells, low, sub }; column c's
// cells stand from (c - first) * cells on.  keep: the name under which what was
// counted of rows is kept, if others are to keep theirs.
function rasterFor(source, latency, grid, sub, keep = "")
{
	if (source.exact) {
		const key = `${keep}${latency} ${sub}`;
		const made = gridKept(source.cache, key, grid,
			source.duration, (first, n) => rasterOfRows(source,
				latency, sub, grid.width, first, n));
		const { low, n: cells } = rasterCells(source.meta, sub);

		return { ...made, cells, low, sub };
	}
	const { low, n: cells } = rasterCells(source.meta, RASTER_SUB);
	const level = (writes) => sumsLevel(source.cache,
		latency + writes, grid.level, cells,
		() => rasterOfBins(source, latency, writes));

	return { all: level(false), writes: level(true), first: 0, cells, low,
		sub: RASTER_SUB };
}

// The value of rank p in a histogram of n, cells from low on: the rank's place
// inside its cell, on the log scale.
function rasterRank(histogram, low, sub, n, p)
{
	const rank = Math.max(1, Math.ceil(p * n - 1e-9));
	let before = 0;

	for (let cell = 0; cell < histogram.length; cell++) {
		const here = histogram[cell];

		if (before + here >= rank)
			return 2 ** ((low + cell +
				(rank - before - 0.5) / here) / sub);
		before += here;
	}
	return NaN;
}

// adds the cells of columns [from, to) of a raster to histogram: how many
function rasterAdd(raster, from, to, histogram)
{
	const { all, cells, first } = raster;
	let n = 0;

	histogram.fill(0);
	for (let c = Math.max(0, from - first); c < to - first; c++) {
		const at = c * cells;

		for (let k = 0; k < cells; k++) {
			const count = all[at + k] || 0;

			histogram[k] += count;
			n += count;
		}
	}
	return n;
}

// Percentiles over time: for each group of columns, as many as `together`,
// { from, to: columns of the trace, n, values: one for each of ps }.
function rasterLines(raster, grid, together, ps)
{
	const histogram = new Uint32Array(raster.cells);
	const begin = Math.floor(grid.first / together) * together;
	const lines = [];

	for (let c = begin; c < grid.first + grid.n; c += together) {
		const n = rasterAdd(raster, c, c + together, histogram);
		const values = ps.map((p) => n ? rasterRank(histogram,
			raster.low, raster.sub, n, p) : NaN);

		lines.push({ from: c, to: c + together, n, values });
	}
	return lines;
}
