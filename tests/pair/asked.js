// SPDX-License-Identifier: GPL-2.0-only
// What tests/pair.t asks of a page of two runs: window.pair.  Functions return
// what they have to complain of, one text each.
"use strict";
window.pair = (() => {
	const b = window.btreport;
	const { page } = b;
	const { sides } = page;
	const all = (css) => [...document.querySelectorAll(css)];

	// pixels that are not clear, of a copy: reading makes a canvas slow
	function colours(canvas)
	{
		const copy = document.createElement("canvas");
		const paint = copy.getContext("2d",
			{ willReadFrequently: true });
		const of = new Set();

		[copy.width, copy.height] = [canvas.width, canvas.height];
		paint.drawImage(canvas, 0, 0);
		new Uint32Array(paint.getImageData(0, 0, copy.width,
			copy.height).data.buffer).forEach((v) => of.add(v));
		return of.size;
	}

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
		blank, axes, selected, tables, chips, alone,
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
