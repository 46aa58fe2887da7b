// SPDX-License-Identifier: GPL-2.0-only
// Where on a device I/Os go: counts per column of time, row of sectors, and
// class.  A class is a kind (read, write, other), or one of the first processes
// and the rest.

// classes of streams: { of: class of each stream, n }
function placeClasses(page, source)
{
	const { model } = source;

	if (page.view.offsets === "op")
		return { of: source.kinds, n: 3 };
	return { of: Uint8Array.from(model.process, (p) =>
		Math.min(p, THEME_PROCESSES)), n: THEME_PROCESSES + 1 };
}

// The rows of a lane `height` px high over sectors [lo, hi): { lo, per: sectors
// of a row, n }.  Bins have rows of their own, of which some are one here.
function placeRows(source, device, lo, hi, height, least)
{
	const most = Math.max(1, Math.floor(height / least));

	if (source.exact)
		return { lo, per: Math.max(1, (hi - lo) / most), n: Math.max(1,
			Math.min(most, Math.ceil(hi - lo))) };
	const { row, base } = source.meta.offsets.devices[device];
	let per = row;

	while ((hi - lo) / per > most)
		per *= 2;
	const from = base + Math.floor((lo - base) / per) * per;

	return { lo: from, per, n: Math.max(1, Math.ceil((hi - from) / per)) };
}

// counts of rows queued in columns of a width
function placeOfRows(source, device, lane, classes, width, first, n)
{
	const { rows, model } = source;
	const out = new Uint32Array(n * lane.n * classes.n);
	const [a, b] = rowsStarted(rows, first * width, (first + n) * width);

	for (let i = a; i < b; i++) {
		const s = rows.stream[i];

		if (!source.on[s] || model.device[s] !== device ||
		    !rows.blocks[i])
			continue;
		const line = Math.floor((rows.sector[i] - lane.lo) / lane.per);

		if (line < 0 || line >= lane.n)
			continue;
		const column = Math.max(0, Math.min(n - 1,
			Math.floor(rows.start[i] / width - first)));

		out[(column * lane.n + line) * classes.n + classes.of[s]]++;
	}
	return { data: out };
}

// the cells of the file as columns of the lane's rows
function placeOfBins(source, device, lane, classes)
{
	const sparse = source.bins.offsets[device];
	const { cells, rows, devices } = source.meta.offsets;
	const { row, base } = devices[device];
	const out = new Uint32Array(cells * lane.n * classes.n);

	for (let c = 0; c < cells; c++)
		for (let i = sparse.at[c]; i < sparse.at[c + 1]; i++) {
			const s = Math.floor(sparse.key[i] / rows);
			const sector = base + sparse.key[i] % rows * row;
			const line = Math.floor((sector - lane.lo) / lane.per);

			if (source.on[s] && line >= 0 && line < lane.n)
				out[(c * lane.n + line) * classes.n +
					classes.of[s]] += sparse.count[i];
		}
	return out;
}

// how long a column of the finest level is
function placeBase(source)
{
	return source.exact ? 1 : source.meta.offsets.width;
}

// The counts for a grid: column c, line l, class k stand at
// ((c - first) * lane.n + l) * classes.n + k.
function placeFor(page, source, device, lane, grid)
{
	const classes = placeClasses(page, source);
	const key = ["offsets", device, lane.lo, lane.per, lane.n, classes.n]
		.join(" ");

	if (source.exact)
		return gridKept(source.cache, key, grid, source.duration,
			(first, n) => placeOfRows(source, device, lane,
				classes, grid.width, first, n));
	const data = sumsLevel(source.cache, key, grid.level,
		lane.n * classes.n,
		() => placeOfBins(source, device, lane, classes));

	return { data, first: 0 };
}

// sums per line and class over [t0, t1)
function placeRange(page, source, device, lane, t0, t1)
{
	const classes = placeClasses(page, source);
	const out = new Uint32Array(lane.n * classes.n);

	if (source.exact)
		return placeOfRows(source, device, lane, classes,
			Math.max(1, t1 - t0), t0 / Math.max(1, t1 - t0), 1)
			.data;
	const width = placeBase(source);
	const all = placeFor(page, source, device, lane,
		gridAt(t0, t1, width, 0)).data;
	const each = out.length;

	for (let c = Math.round(t0 / width); c < t1 / width; c++)
		for (let k = 0; k < each; k++)
			out[k] += all[c * each + k] || 0;
	return out;
}
