// SPDX-License-Identifier: GPL-2.0-only
// When findings were true: bands over all graphs, with the name of their rule.
// Only of what makes I/O slow or wrong; advice is no matter of time.

const BANDS_LEVELS = { problem: "error", warning: "warning" };
// a band can be seen, and is no wall over what it is about, px and share
const BANDS_LEAST = 3;
const BANDS_TOP = 2;
const BANDS_ALPHA = 0.13;
// a longer part of the trace is no place in it
const BANDS_MOST = 0.5;

// { x0, x1, rule, colour } from left to right, as far as they are in view
function bandsPlaces(page, axis)
{
	const bands = [];

	for (const { level, rule, spans } of page.meta.findings) {
		const colour = page.theme[BANDS_LEVELS[level]];

		for (const [t0, t1] of colour ? spans : []) {
			if (t1 - t0 > page.meta.duration * BANDS_MOST)
				continue;
			const x0 = Math.max(axis.left, axisX(axis, t0));
			const x1 = Math.min(axis.left + axis.px,
				Math.max(axisX(axis, t1), x0 + BANDS_LEAST));

			if (x1 > x0)
				bands.push({ x0, x1, rule, colour });
		}
	}
	return bands.sort((a, b) => a.x0 - b.x0);
}

// before the graph is drawn, which stays as clear as without
function bandsPaint(page, paint, axis, height)
{
	for (const { x0, x1, colour } of bandsPlaces(page, axis)) {
		paint.fillStyle = colour;
		paint.globalAlpha = BANDS_ALPHA;
		paint.fillRect(x0, 0, x1 - x0, height);
		paint.globalAlpha = 1;
	}
}

// after it: their tops, as a dense graph leaves nothing else of them in sight,
// and names where they do not run into each other
function bandsNames(page, paint, axis)
{
	let end = -Infinity;

	for (const { x0, x1, rule, colour } of bandsPlaces(page, axis)) {
		paint.fillStyle = colour;
		paint.fillRect(x0, 0, x1 - x0, BANDS_TOP);
		const width = paint.measureText(rule).width;
		const x = Math.min(x0 + 3, axis.left + axis.px - width - 2);

		if (x < end)
			continue;
		paintHalo(paint, rule, x, 8, colour, page.theme.card);
		end = x + width + 6;
	}
}
