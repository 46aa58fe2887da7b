// SPDX-License-Identifier: GPL-2.0-only
// The columns of a graph over time.  They are as wide as a base times a power
// of two and start at a multiple of that, so that counts of columns do not
// change while the view moves.  Computed columns are kept on the left and right
// as far as the view is wide, until a filter or the width changes.

// columns narrower than this are not drawn
const GRID_LEAST = 3;
const GRID_MOST = 10;

// The grid for a view [t0, t1) on px pixels: columns of at least `least` px, of
// base * 2^level ns; first is the number of the leftmost, n their number.
function gridMake(t0, t1, px, base, least)
{
	const wanted = (t1 - t0) / Math.max(1, px) * least;
	const level = Math.max(0, Math.ceil(Math.log2(wanted / base) - 1e-9));

	return gridAt(t0, t1, base, level);
}

function gridAt(t0, t1, base, level)
{
	const width = base * 2 ** level;
	const first = Math.floor(t0 / width);
	const n = Math.max(1, Math.ceil(t1 / width) - first);

	return { width, level, first, n };
}

// how many columns the whole trace has
function gridTotal(grid, duration)
{
	return Math.ceil(duration / grid.width);
}

// Where in [first, first + n) column i is inside the trace: its length in ns,
// at least half of it, so that a sliver at the end is no spike.
function gridLength(grid, i, duration)
{
	const from = (grid.first + i) * grid.width;
	const inside = Math.min(from + grid.width, duration) - from;

	return Math.max(inside, grid.width / 2);
}

function gridCache()
{
	return new Map();
}

// What make(first, n) computed for columns that include the grid's: of the view
// and as much on either side, kept in the cache under key and level.
function gridKept(cache, key, grid, duration, make)
{
	const kept = cache.get(key);
	const last = Math.min(grid.first + grid.n, gridTotal(grid, duration));

	if (kept && kept.level === grid.level && kept.first <= grid.first &&
	    kept.first + kept.n >= last)
		return kept;
	const first = Math.max(0, grid.first - grid.n);
	const end = Math.min(grid.first + 2 * grid.n,
		gridTotal(grid, duration));
	const made = make(first, Math.max(1, end - first));

	made.level = grid.level;
	made.first = first;
	made.n = Math.max(1, end - first);
	cache.set(key, made);
	return made;
}

// Pixel where column i of the grid begins, of a plot over [t0, t1).
function gridX(grid, i, axis)
{
	return Math.round(axisX(axis, (grid.first + i) * grid.width));
}
