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

	// Lanes with more events than can be told apart are no solid bars:
	// their columns have several heights.
	function solid()
	{
		b.draw();
		const { left, px } = inner.layout;
		const lanes = inner.lanes.map((lane, i) => [lane, i])
			.filter(([lane]) => lane.kind.length === 1 &&
				lane.t.length > px);

		return lanes.filter(([, i]) => {
			const { data, width } = pixelsOf(card("events").canvas);
			const heights = new Set();

			for (let x = left + 1; x < left + px; x += 4) {
				let n = 0;

				for (let y = 22 * i + 2; y < 22 * i + 22; y++)
					n += data[(y * width + x) * 4 + 3] &&
						new Set(data.slice((y * width +
						x) * 4, (y * width + x) * 4 + 3)
							.map((v) => v >> 4))
							.size > 1;
				heights.add(n);
			}
			return heights.size < 3;
		}).map(([lane]) => lane.name);
	}

	// The columns of a canvas that are not as before.
	function changed(before, after)
	{
		const columns = new Set();

		for (let i = 0; i < before.data.length; i += 4)
			if ([0, 1, 2, 3].some((k) => before.data[i + k] !==
				after.data[i + k]))
				columns.add(i / 4 % before.width);
		return [...columns];
	}

	// all graphs anew, with these findings
	function redraw(findings)
	{
		meta.findings = findings;
		for (const c of inner.cards)
			c.old = true;
		b.draw();
	}

	// graphs without a band where a finding has its time, or with one elsewhere
	function bands()
	{
		const { findings, duration } = meta;
		const { left, px } = inner.layout;
		const x0 = left + px / 4;

		redraw([]);
		const before = inner.cards.map((c) => pixelsOf(c.canvas));

		redraw([{ level: "problem", rule: "burst",
			spans: [[duration / 4, duration / 2]] }]);
		const wrong = inner.cards.filter((c, i) => {
			const columns = changed(before[i], pixelsOf(c.canvas));

			return columns.length < px / 4 - 4 ||
				Math.min(...columns) < x0 - 2 ||
				Math.max(...columns) > left + px / 2 + 2;
		}).map((c) => c.graph.title);

		redraw(findings);
		return wrong;
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
		const { findings } = meta;

		/* what is between I/Os has the bands of findings */
		redraw([]);
		const pixels = pixelsOf(c.canvas);

		redraw(findings);
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

	// whether anything within 2 px is red
	function red({ data, width }, x, y)
	{
		for (let dy = -2; dy <= 2; dy++) {
			const at = ((Math.round(y) + dy) * width +
				Math.round(x)) * 4;

			if (data[at + 3] > 100 && data[at] > data[at + 1] + 60)
				return true;
		}
		return false;
	}

	// What is in flight at the end is drawn up to there: of each row, dashed
	// lines are red at half of the places that are looked at, at least.
	function follows(name, id, row, from, y)
	{
		const { left, px } = inner.layout;
		const { t0, t1 } = b.view();
		const pixels = pixelsOf(card(id).canvas);
		let seen = 0;

		for (let i = 1; i <= 40; i++) {
			const t = from + (meta.duration - from) * i / 41;

			seen += red(pixels, left + (t - t0) / (t1 - t0) * px,
				y(t));
		}
		return seen >= 20 ? [] : [`${name} of row ${row}: ${seen}`];
	}

	function open()
	{
		const { lo, hi } = card("latency").scale;
		const { height } = card("latency").graph;
		const lanes = card("offsets").lanes;
		const age = (since) => (t) => height * (hi - Math.log2(
			Math.max(1, t - since))) / (hi - lo);

		return [...rows.opened].flatMap((row) => {
			const since = rows.start[row];
			const lane = lanes[0];
			const at = lane.y + lane.height - (rows.sector[row] -
				lane.lo) / (lane.hi - lane.lo) * lane.height;

			return [...follows("latency", "latency", row, since,
				age(since)),
			...follows("offsets", "offsets", row, since,
				() => Math.max(2, at))];
		});
	}

	// the depth graph's value in the last column that is whole
	const lastDepth = () => {
		const { columns } = card("depth").series[0];

		return columns[columns.length - 2].mean;
	};

	// [the first row's text, rows] of the table of what is in flight
	function listed()
	{
		const found = [...document.querySelectorAll(
			"#t-open tbody tr")];

		return [found.length ? found[0].textContent : "",
			found.length];
	}

	Object.assign(window.page, { bands, blank, cells, solid, open, lastDepth,
		listed });
})();
