// SPDX-License-Identifier: GPL-2.0-only
// What a page shows of ranges of time: its numbers, and the cells of its tables
// as they are to be read.
"use strict";
(() => {
	const { b, all, inner, meta } = window.page;

	const dist = (d) => d && { n: d.n, max: d.max, p: d.p };
	const figures = (row) => ({ n: row.n, bytes: row.bytes,
		phases: row.phases, q2c: dist(row.q2c), d2c: dist(row.d2c) });
	const cells = (tr) => [...tr.cells].slice(1).map((c) => c.textContent);

	// by the keys of operations and the numbers of devices
	const texts = (name) => Object.fromEntries(all(`tr[data-${name}]`)
		.map((tr) => [tr.dataset[name], cells(tr)]));

	const frame = () => new Promise((done) => requestAnimationFrame(done));

	// until the statistics are the exact ones, and are in the tables
	async function rest()
	{
		while (!b.settled())
			await new Promise((done) => setTimeout(done, 10));
		await frame();
		await frame();
	}

	// of what is selected
	function now()
	{
		const { range } = inner;

		return { from: range.t0, to: range.t1,
			exact: range.source.exact,
			all: figures(range.all),
			operations: Object.fromEntries(meta.operations
				.map((o, i) => [o.key,
					figures(range.operations[i])])),
			devices: range.devices.map(figures),
			processes: range.processes.map((r) => r.n),
			op: texts("op"), device: texts("device"),
			line: document.querySelector(".range").textContent };
	}

	// of each of these ranges, one after the other
	async function seen(ranges)
	{
		const found = [];

		for (const [t0, t1] of ranges) {
			b.select(t0, t1);
			await rest();
			found.push(now());
		}
		return found;
	}

	// of what has been selected by hand
	const rested = () => rest().then(now);

	Object.assign(window.page, { seen, rested });
})();
