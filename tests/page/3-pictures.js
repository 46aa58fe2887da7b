// SPDX-License-Identifier: GPL-2.0-only
// Whether graphs show I/Os where they are, and nothing elsewhere.
"use strict";
(() => {
	const { b, card, rows, inner, meta } = window.page;

	// pixels of a canvas, of a copy: reading makes a canvas slow
	function pixelsOf(canvas)
	{
		const copy = document.createElement("canvas");
		const paint = copy.getContext("2d",
			{ willReadFrequently: true });

		[copy.width, copy.height] = [canvas.width, canvas.height];
		paint.drawImage(canvas, 0, 0);
		return paint.getImageData(0, 0, copy.width, copy.height);
	}

	function colours(canvas)
	{
		const { data } = pixelsOf(canvas);
		const of = new Set();

		new Uint32Array(data.buffer).forEach((v) => of.add(v));
		return of.size;
	}

	function blank()
	{
		b.draw();
		return [...document.querySelectorAll("canvas")]
			.filter((canvas) => colours(canvas) < 4)
			.map((canvas) => canvas.closest("[id], [class]")
				.outerHTML.slice(0, 120));
	}

	// pixels of the latency graph: is anything at (x, y) +- 1
	function painted(pixels, x, y)
	{
		const { data, width, height } = pixels;

		for (let dy = -1; dy <= 1; dy++)
			for (let dx = -1; dx <= 1; dx++) {
				const px = Math.round(x) + dx;
				const py = Math.round(y) + dy;

				if (px >= 0 && py >= 0 && px < width &&
				    py < height &&
				    data[(py * width + px) * 4 + 3])
					return true;
			}
		return false;
	}

	// places of the latency graph where I/Os are, by the rows
	function places()
	{
		const { t0, t1, latency } = b.view();
		const { left, px } = inner.layout;
		const { lo, hi } = card("latency").scale;
		const height = card("latency").graph.height;
		const found = [];

		for (let i = 0; i < rows.n; i++) {
			const v = rows[latency][i];

			if (inner.sources.rows.on[rows.stream[i]] && v >= 0 &&
			    rows.done[i] >= t0 && rows.done[i] < t1)
				found.push([left + (rows.done[i] - t0) /
					(t1 - t0) * px, height *
					(hi - Math.log2(Math.max(1, v))) /
					(hi - lo)]);
		}
		return found;
	}

	function cells()
	{
		const c = card("latency");
		const { left, px } = inner.layout;
		const pixels = pixelsOf(c.canvas);
		const at = places();
		const bad = at.filter((p, i) => i % 97 === 0 &&
			!painted(pixels, ...p)).map((p) => `empty at ${p}`);
		const near = (x, y) => at.some((p) =>
			Math.abs(p[0] - x) < 14 && Math.abs(p[1] - y) < 14);
		let free = 0;
		let clear = 0;

		for (let i = 0; i < 300 && meta.exact; i++) {
			const x = left + 5 + (i * 37) % (px - 10);
			const y = 5 + (i * 61) % (c.graph.height - 10);

			if (near(x, y))
				continue;
			free++;
			clear += painted(pixels, x, y) ? 0 : 1;
		}
		if (free > 10 && clear < free / 2)
			bad.push(`${clear} of ${free} free places are clear`);
		if (meta.exact && Boolean(c.marks) !== at.length <= 1500)
			bad.push(`${at.length} I/Os, marks: ${c.marks}`);
		return bad;
	}

	Object.assign(window.page, { blank, cells });
})();
