// SPDX-License-Identifier: GPL-2.0-only
// How pages of any size are drawn and move.
"use strict";
(() => {
	const { b, model } = window.page;

	// around what a page has most of, ever deeper, and back
	function dives(i, n)
	{
		const part = 0.9 ** Math.min(i, n - 1 - i);
		const at = model.duration * 0.6;

		b.zoom(at - at * part, at + (model.duration - at) * part);
	}

	// what has been drawn when, ms of wall time
	const paints = () => Object.fromEntries(
		performance.getEntriesByType("paint").map((e) =>
			[e.name, e.startTime]));

	Object.assign(window.page, { dives, paints });
})();
