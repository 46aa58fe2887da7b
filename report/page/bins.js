// SPDX-License-Identifier: GPL-2.0-only
// Histograms in bins of time, of a trace too long for rows.  They are sparse:
// a list of entries for each bin, (key, count), the key being stream * buckets
// + bucket.  Before anything is drawn, those that pass the filter are folded
// into dense columns.

// starts of the entries of each bin, from their numbers
function binsStarts(counts)
{
	const at = new Uint32Array(counts.length + 1);

	for (let b = 0; b < counts.length; b++)
		at[b + 1] = at[b] + counts[b];
	return at;
}

// within each bin keys were written as differences
function binsKeys(keys, at)
{
	for (let b = 0; b + 1 < at.length; b++)
		for (let i = at[b] + 1; i < at[b + 1]; i++)
			keys[i] += keys[i - 1];
	return keys;
}

// a sparse histogram: columns NAME.n, NAME.k, NAME.c
function binsSparse(columns, name)
{
	const at = binsStarts(columnsRead(columns, name + ".n", Uint32Array));
	const key = columnsRead(columns, name + ".k", Uint32Array);

	return {
		at,
		key: binsKeys(key, at),
		count: columnsRead(columns, name + ".c", Uint32Array),
	};
}

const BINS_SCALARS = ["ios", "blocks", "p0", "p1", "p2", "p3", "q2c", "d2c",
	"busy"];

// sums and largest times of each bin and stream
function binsScalars(columns)
{
	const at = binsStarts(columnsRead(columns, "scal.n", Uint32Array));
	const scal = { at };

	scal.s = binsKeys(columnsRead(columns, "scal.s", Uint32Array), at);
	for (const name of BINS_SCALARS)
		scal[name] = columnsRead(columns, "scal." + name, Float64Array);
	return scal;
}

function binsDepth(columns, device)
{
	const read = (what) => columnsRead(columns, `depth${device}.${what}`,
		Uint32Array);

	return { min: read("min"), max: read("max"), mean: read("mean") };
}

// All of them; null for a page of rows only.
function binsMake(meta, columns)
{
	if (meta.exact)
		return null;
	const bins = { ...meta.bins, latency: {} };

	for (const name of Object.keys(MODEL_LATENCIES))
		bins.latency[name] = binsSparse(columns, name);
	bins.scal = binsScalars(columns);
	bins.size = binsSparse(columns, "size");
	bins.offsets = meta.devices.map((d, i) =>
		binsSparse(columns, "offs" + i));
	bins.depth = meta.devices.map((d, i) => binsDepth(columns, i));
	bins.sums = {};
	return bins;
}

// Entries of streams whose number in `kind` is wanted (any, if null), as dense
// columns of `each` numbers: key % each is the place in one.
function binsFold(sparse, each, on, kind, wanted)
{
	const n = sparse.at.length - 1;
	const out = new Uint32Array(n * each);

	for (let b = 0; b < n; b++)
		for (let i = sparse.at[b]; i < sparse.at[b + 1]; i++) {
			const key = sparse.key[i];
			const stream = Math.floor(key / each);

			if (on[stream] &&
			    (!kind || kind[stream] === wanted))
				out[b * each + key - stream * each] +=
					sparse.count[i];
		}
	return out;
}

// bins between kept sums of all before
const BINS_STEP = 32;

// Sums of all bins before each BINS_STEP-th, a row of streams * each numbers
// each: so that a range costs two rows and what sticks out of them.
function binsSums(bins, name, size)
{
	const sparse = bins.latency[name];
	const n = sparse.at.length - 1;

	if (bins.sums[name])
		return bins.sums[name];
	const rows = [new Uint32Array(size)];

	for (let b = 0; b < n; b++) {
		if (b % BINS_STEP === 0 && b > 0)
			rows.push(rows[rows.length - 1].slice());
		const row = rows[rows.length - 1];

		for (let i = sparse.at[b]; i < sparse.at[b + 1]; i++)
			row[sparse.key[i]] += sparse.count[i];
	}
	/* row k now holds bins up to (k + 1) * BINS_STEP */
	bins.sums[name] = rows;
	return rows;
}

// adds bins [from, to) of a sparse histogram to out, by key
function binsAdd(sparse, from, to, out)
{
	for (let i = sparse.at[from]; i < sparse.at[to]; i++)
		out[sparse.key[i]] += sparse.count[i];
}

// The histogram of all streams over bins [from, to): size numbers, by key.
function binsRange(bins, name, from, to, size)
{
	const rows = binsSums(bins, name, size);
	const sparse = bins.latency[name];
	const a = Math.ceil(from / BINS_STEP);
	const b = Math.floor(to / BINS_STEP);
	const out = new Uint32Array(size);

	if (b <= a) {
		binsAdd(sparse, from, to, out);
		return out;
	}
	for (let k = 0; k < size; k++)
		out[k] = rows[b - 1][k] - (a > 0 ? rows[a - 1][k] : 0);
	binsAdd(sparse, from, a * BINS_STEP, out);
	binsAdd(sparse, b * BINS_STEP, to, out);
	return out;
}
