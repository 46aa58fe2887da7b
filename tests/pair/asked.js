// SPDX-License-Identifier: GPL-2.0-only
// What tests/pair.t asks of a page of two runs: window.pair.  Functions return
// what they have to complain of, one text each.
"use strict";
window.pair = (() => {
	const b = window.btreport;
	const { page } = b;
	const { sides } = page;
	const all = (css) => [...document.querySelectorAll(css)];

	// the pixels of a copy: reading makes a canvas slow
	function pixelsOf(canvas)
	{
		const copy = document.createElement("canvas");
		const paint = copy.getContext("2d",
			{ willReadFrequently: true });

		[copy.width, copy.height] = [canvas.width, canvas.height];
		paint.drawImage(canvas, 0, 0);
		return paint.getImageData(0, 0, copy.width, copy.height).data;
	}

	const colours = (canvas) => new Set(new Uint32Array(
		pixelsOf(canvas).buffer)).size;

	function blank()
	{
		b.draw();
		return [...page.cards.map((c) => [c.canvas,
			c.element.id]), [page.spread.canvas, "spread"]]
			.filter(([canvas]) => colours(canvas) < 4)
			.map(([, id]) => id);
	}

	// all graphs of one kind have the same axes
	function axes()
	{
		b.draw();
		return page.cards.filter((c) => c.peer).flatMap((c) => {
			const { peer } = c;
			const wrong = [];

			if (c.canvas.width !== peer.canvas.width)
				wrong.push(`${c.id}: widths`);
			if (c.drawn !== peer.drawn)
				wrong.push(`${c.id}: ${c.drawn} ${peer.drawn}`);
			if (c.scale && (c.scale.lo !== peer.scale.lo ||
			    c.scale.hi !== peer.scale.hi))
				wrong.push(`${c.id}: scales`);
			return wrong;
		});
	}

	// an own count of rows that ended in the range and pass the filter
	function counted(side, t0, t1)
	{
		const { rows } = side.sources.rows;
		let n = 0;

		for (let i = 0; i < rows.n; i++) {
			const [device, operation, process] =
				side.meta.streams[rows.stream[i]];
			const { filter } = side.view;

			n += rows.done[i] >= t0 && rows.done[i] < t1 &&
				filter.devices[device] &&
				filter.operations[operation] &&
				filter.processes[process] ? 1 : 0;
		}
		return n;
	}

	function selected()
	{
		const [t0, t1] = b.view().selection;

		return sides.filter((s) => s.meta.exact).flatMap((s) => {
			const n = counted(s, t0, t1);

			return n === s.range.all.n ? [] :
				[`${s.letter}: ${s.range.all.n}, not ${n}`];
		});
	}

	// the sentence and the difference are on the first screen, tables below
	function first()
	{
		scrollTo(0, 0);
		const box = (css) => document.querySelector(css)
			.getBoundingClientRect();
		const map = box("#g-difference .plot");
		const sentence = document.querySelector("#outcome .sentence")
			.textContent;

		return [
			/^(B is |No verdict: |No difference shown: )/
				.test(sentence) ? "" : sentence,
			box("#outcome").bottom <= map.top ? "" : "outcome",
			map.bottom <= 900 ? "" : `the map: ${map.bottom}`,
			box("#g-difference").bottom <= box("#tiles").top &&
			box("#tiles").bottom <= box("#verdicts").top ? "" :
				"the order",
		].filter((text) => text);
	}

	// no cell of the verdicts is empty, and no column is missing
	const empty = () => all("#verdicts td, #verdicts th").filter((cell) =>
		!cell.textContent.trim()).map((cell) =>
		cell.parentNode.textContent);

	// what is not decided says what would decide it
	const undecided = () => all("#verdicts tbody tr").filter((tr) =>
		/no verdict|not significant/.test(tr.textContent) &&
		tr.cells.length > 1 && !/runs|below 1%/.test(
			tr.querySelector(".decided").textContent))
		.map((tr) => tr.textContent);

	// I/Os of a side in columns of a grid that have the latency, by rows
	function ended(side, grid)
	{
		const { rows, on } = side.sources.rows;
		const values = rows.ended[b.view().latency];
		let n = 0;

		rows.ended.time.forEach((t, i) => {
			const column = Math.floor(t / grid.width) - grid.first;

			n += column >= 0 && column < grid.n && values[i] >= 0 &&
				on[rows.ended.stream[i]];
		});
		return n;
	}

	// the map counts each I/O of each side once
	function counts()
	{
		b.draw();
		const { map } = page.cards[0];

		return sides.filter((s) => s.meta.exact).flatMap((s) => {
			const mine = map.counts[sides.indexOf(s)];
			const n = mine.reduce((sum, v) => sum + v, 0);
			const all = ended(s, map.grid);

			return n === all ? [] : [`${s.letter}: ${n}, not ` +
				all];
		});
	}

	// The cell with most in B more, or in A, before one of them ends, has
	// that side's colour.
	function coloured()
	{
		b.draw();
		const { map, canvas, scale } = page.cards[0];
		const [ofA, ofB] = map.counts;
		const pixels = pixelsOf(canvas);
		const whole = Math.floor(Math.min(...sides.map((s) =>
			s.model.duration)) / map.grid.width) - map.grid.first;
		const bad = [];

		for (const sign of [1, -1]) {
			let at = 0;

			ofA.forEach((n, i) => {
				if ((ofB[i] - n) * sign > (ofB[at] - ofA[at]) *
				    sign && i % map.grid.n < whole)
					at = i;
			});
			if (Math.abs(ofB[at] - ofA[at]) < 5)
				continue;
			const column = at % map.grid.n + map.grid.first;
			const log = (map.top - Math.floor(at / map.grid.n) +
				0.2) * map.together / map.sub;
			const { left, px } = page.layout;
			const { t0, t1 } = b.view();
			const x = left + ((column + 0.15) * map.grid.width -
				t0) / (t1 - t0) * px;
			const y = Math.round(scale.height - (log - scale.lo) *
				scale.by);
			const pixel = 4 * (y * canvas.width + Math.round(x));

			if ((pixels[pixel] - pixels[pixel + 2]) * sign <= 0)
				bad.push(`${sign}: at ${x} ${y}`);
		}
		return bad;
	}

	// what is left of a colour for eyes that lack a kind of cones (Machado,
	// 2009)
	const SIGHTS = {
		all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
		protan: [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0993],
			[-0.0039, -0.0481, 1.0520]],
		deutan: [[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474],
			[-0.0118, 0.0429, 0.9689]],
		tritan: [[1.2555, -0.0767, -0.1788],
			[-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]],
	};

	// "#rrggbb" as it is seen: lightness, and two axes of colour (CIE Lab)
	function seen(colour, sight)
	{
		const linear = [1, 3, 5].map((i) => parseInt(colour.slice(i,
			i + 2), 16) / 255).map((v) => v <= 0.04045 ?
			v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		const mix = (row, of) => Math.max(0, row.reduce((sum, v, i) =>
			sum + v * of[i], 0));
		const rgb = SIGHTS[sight].map((row) => mix(row, linear));
		const [x, y, z] = [[0.4339, 0.3762, 0.1899],
			[0.2126, 0.7152, 0.0722], [0.0177, 0.1095, 0.8730]]
			.map((row) => Math.cbrt(mix(row, rgb)));

		return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
	}

	// the colours of the difference, in a theme
	function palette(theme)
	{
		document.documentElement.dataset.theme = theme;
		const style = getComputedStyle(document.documentElement);

		return [0, 1, 2, 3, 4, 5, 6].map((i) => style.getPropertyValue(
			`--difference${i}`).trim());
	}

	// Colours of A and of B differ for any eyes, and get stronger to the
	// ends.
	function scaleOf(theme)
	{
		const colours = palette(theme);
		const bad = [];

		for (const sight of Object.keys(SIGHTS)) {
			const of = colours.map((c) => seen(c, sight));

			for (let i = 0; i < 3; i++) {
				const far = Math.hypot(...of[i].map((v, k) =>
					v - of[6 - i][k]));

				if (far < 20)
					bad.push(`${theme} ${sight} ${i}: ` +
						far.toFixed(0));
			}
			for (const ends of [[0, 1, 2, 3], [6, 5, 4, 3]])
				if (ends.some((k, i) => i && Math.abs(of[k][0] -
				    of[3][0]) >= Math.abs(of[ends[i - 1]][0] -
				    of[3][0])))
					bad.push(`${theme} ${sight}: ${ends}`);
		}
		return bad;
	}

	function scale()
	{
		const before = document.documentElement.dataset.theme;
		const bad = [...scaleOf("light"), ...scaleOf("dark")];

		document.documentElement.dataset.theme = before;
		return bad;
	}

	// for tests/page/5-looks.js
	window.page = { all, inner: page,
		card: (id) => page.cards.find((c) => c.id === id) };

	const digits = (text) => text.replace(/\D/g, "");

	// the tables show what the ranges of both sides have
	function tables()
	{
		return all("#t-operations tr[data-side]").flatMap((tr) => {
			const o = page.meta.operations.findIndex((of) =>
				of.key === tr.dataset.op);
			const ns = sides.map((s) => s.range.operations[o].n);
			const shown = tr.querySelector("td").textContent;
			const wanted = { a: String(ns[0]), b: String(ns[1]),
				change: ns[0] ? ((ns[1] / ns[0] - 1) * 100)
					.toFixed(1) : "" }[tr.dataset.side];
			const same = tr.dataset.side === "change" ?
				wanted === "" && shown === "" ||
				Math.abs(parseFloat(shown.replace(">", "")) -
					parseFloat(wanted)) < 0.11 ||
				shown.startsWith(">") : digits(shown) ===
				wanted || shown === "\u2013";

			return same ? [] : [`${tr.dataset.op} ` +
				`${tr.dataset.side}: ${shown} not ${wanted}`];
		});
	}

	// a chip switches its operation off and on, on both sides
	function chips()
	{
		const chip = document.querySelector(".chip[aria-pressed=true]");
		const before = sides.map((s) => s.sources.rows.on.join(""));

		if (!chip)
			return [];
		chip.click();
		const after = sides.map((s) => s.sources.rows.on.join(""));

		chip.click();
		const wrong = [];

		if (before.every((on, i) => on === after[i]))
			wrong.push("nothing changes");
		if (sides.some((s, i) => s.sources.rows.on.join("") !==
		    before[i]))
			wrong.push("it does not come back");
		return wrong;
	}

	// a device alone: the side that has it not shows nothing
	function alone()
	{
		const list = page.pair.devices;
		const i = list.findIndex(([a, c]) => a === null || c === null);

		if (i < 0)
			return [];
		const without = sides[list[i][0] === null ? 0 : 1];
		const { devices } = page.view.filter;
		const usual = [...devices];

		devices.forEach((on, k) => {
			devices[k] = k === i;
		});
		page.bar.chips[0].button.click();
		page.bar.chips[0].button.click();
		const any = without.sources.rows.on.some((on) => on);

		usual.forEach((on, k) => {
			devices[k] = on;
		});
		page.bar.chips[0].button.click();
		page.bar.chips[0].button.click();
		return any ? ["the other side still counts"] : [];
	}

	return {
		blank, axes, selected, tables, chips, alone, first, empty,
		undecided, counts, coloured, scale,
		widths: () => [document.documentElement.scrollWidth,
			document.documentElement.clientWidth],
		ns: () => sides.map((s) => s.range.all.n),
		whole: () => sides.map((s) => s.meta.tables.all.n),
		shown: () => all("#bar .range b").map((e) => e.textContent),
		crossed: () => page.cards.filter((c) => !c.cross.hidden).length,
		cards: () => page.cards.length,
		plot: (id) => {
			const card = page.cards.find((c) =>
				c.element.id === id);

			card.plot.scrollIntoView({ block: "center" });
			const box = card.plot.getBoundingClientRect();

			return [box.left + page.layout.left, box.top,
				page.layout.px];
		},
		state: () => JSON.stringify([Math.round(b.view().t0),
			Math.round(b.view().t1), b.view().filter]),
	};
})();
