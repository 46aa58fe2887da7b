// SPDX-License-Identifier: GPL-2.0-only
// Orders of many numbers, and places in ordered ones.

// One pass of a radix sort by the 16 bits of values above shift (a power of
// two): from and to are orders, arrays of indices.
function orderPass(values, shift, from, to)
{
	const counts = new Uint32Array(65537);
	const n = from.length;
	const digits = new Uint16Array(n);

	for (let i = 0; i < n; i++) {
		const digit = Math.floor(values[from[i]] / shift) % 65536;

		digits[i] = digit;
		counts[digit + 1]++;
	}
	for (let i = 1; i < 65537; i++)
		counts[i] += counts[i - 1];
	for (let i = 0; i < n; i++)
		to[counts[digits[i]]++] = from[i];
}

// The given indices by values, ascending; equal ones keep their order.  The
// values are whole numbers from 0 to 2^53.  A radix sort: a comparison by a
// function takes ten times as long.
function orderBy(values, indices)
{
	let from = indices;
	let to = new Uint32Array(indices.length);
	let max = 0;

	for (let i = 0; i < indices.length; i++)
		max = Math.max(max, values[indices[i]]);
	for (let shift = 1; shift <= max; shift *= 65536) {
		orderPass(values, shift, from, to);
		[from, to] = [to, from === indices ?
			new Uint32Array(indices.length) : from];
	}
	return from;
}

// 0 .. n-1
function orderAll(n)
{
	const all = new Uint32Array(n);

	for (let i = 0; i < n; i++)
		all[i] = i;
	return all;
}

// the first place in an ascending array that is not below v
function orderPlace(ascending, v)
{
	let lo = 0;
	let hi = ascending.length;

	while (lo < hi) {
		const middle = (lo + hi) >>> 1;

		if (ascending[middle] < v)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

// values in an order
function orderTake(values, order)
{
	const taken = new values.constructor(order.length);

	for (let i = 0; i < order.length; i++)
		taken[i] = values[order[i]];
	return taken;
}
