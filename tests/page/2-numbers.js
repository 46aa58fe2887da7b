// SPDX-License-Identifier: GPL-2.0-only
// Whether a page shows the numbers that it stores, and those that it should.
"use strict";
(() => {
	const { b, all, card, rows, inner, meta, model, digits } = window.page;

	const same = (a, c, loose) => a === c || loose && a && c &&
		Math.abs(Math.log2(a / c)) <= 0.15;

	function dist(name, mine, theirs, loose)
	{
		const bad = [];

		if (!mine !== !theirs)
			return [`${name}: ${!mine} ${!theirs}`];
		if (!mine)
			return bad;
		if (mine.n !== theirs.n || mine.max !== theirs.max)
			bad.push(`${name}: n, max ${mine.n} ${mine.max}, ` +
				`not ${theirs.n} ${theirs.max}`);
		mine.p.forEach((v, k) => {
			if (!same(v, theirs.p[k], loose))
				bad.push(`${name} p${k}: ${v}, not ` +
					theirs.p[k]);
		});
		return bad;
	}

	function row(name, mine, theirs, loose)
	{
		const bad = [];

		for (const key of ["n", "bytes"])
			if (mine[key] !== theirs[key])
				bad.push(`${name} ${key}: ${mine[key]}, ` +
					`not ${theirs[key]}`);
		if (mine.n)
			for (const key of ["q2c", "d2c"])
				bad.push(...dist(`${name} ${key}`, mine[key],
					theirs[key], loose));
		return bad;
	}

	function tables()
	{
		const range = b.range(0, model.duration, false);
		const loose = !meta.exact;
		const bad = row("all", range.all, meta.tables.all, loose);

		for (const [kind, key] of [["operations", "operation"],
			["processes", "process"], ["devices", "device"]])
			for (const r of meta.tables[kind])
				bad.push(...row(`${kind} ${r[key]}`,
					range[kind][r[key]], r, loose));
		return bad;
	}

	function phases()
	{
		const bad = [];

		for (let i = 0; i < rows.n && bad.length < 5; i++) {
			const total = rows.done[i] - rows.start[i];
			const issue = rows.issued[i] ? rows.issued[i] - 1 :
				rows.q2i[i];

			if (rows.done[i] >= 0 && !(rows.q2g[i] <=
			    rows.q2i[i] && rows.q2i[i] <= issue &&
			    issue <= total))
				bad.push(`row ${i}: ${rows.q2g[i]} ` +
					`${rows.q2i[i]} ${issue} ${total}`);
		}
		for (const r of meta.tables.operations) {
			const sum = r.phases.reduce((a, v) => a + v, 0);

			if (r.q2c && r.q2c.n === r.n &&
			    Math.abs(sum - r.q2c.mean) > 1e-6 * sum + 1)
				bad.push(`operation ${r.operation}: ${sum}, ` +
					`not ${r.q2c.mean}`);
		}
		return bad;
	}

	function shown()
	{
		const bad = [];
		const of = { op: (v) => meta.tables.operations.find((r) =>
			meta.operations[r.operation].key === v),
		process: (v) => meta.tables.processes.find((r) =>
			r.process === Number(v)),
		device: (v) => meta.tables.devices.find((r) =>
			r.device === Number(v)) };

		for (const [name, find] of Object.entries(of))
			for (const tr of all(`tr[data-${name}]`)) {
				const wanted = find(tr.dataset[name]).n;
				const cell = tr.cells[name === "process" ?
					2 : 1];

				if (Number(digits(cell.textContent)) !== wanted)
					bad.push(`${name} ` +
						`${cell.textContent}, not ` +
						wanted);
			}
		return bad;
	}

	// sum of the columns of a graph of rates, in its unit
	function area(id)
	{
		const { grid, columns } = card(id);

		return columns.reduce((sum, column, c) => {
			const from = (grid.first + c) * grid.width;
			const to = Math.min(model.duration, from + grid.width);

			return sum + (column[0] + column[1] + column[2]) *
				Math.max(to - from, grid.width / 2) / 1e9;
		}, 0);
	}

	// what graphs are drawn from adds up to the whole trace
	function graphs()
	{
		const { all: whole } = meta.tables;
		const latency = whole[b.view().latency];
		const { cells, marks } = card("latency");
		const sum = (list) => list.reduce((a, v) => a + v, 0);

		b.draw();
		return [["rate", area("rate"), whole.n],
			["throughput", area("throughput"), whole.bytes],
			["phases", sum(card("phases").columns.map((c) => c.n)),
				whole.n],
			["latency", cells ? sum(cells.all) : marks.length,
				latency.n]]
			.filter(([, got, wanted]) =>
				Math.abs(got - wanted) > 1e-6 * wanted)
			.map((bad) => bad.join(" "));
	}

	// the mean depth that the graph has is the one of meta
	function depth()
	{
		b.draw();
		return card("depth").series.flatMap(({ device, columns }) => {
			const { mean } = meta.depth.find((d) =>
				d.device === device);
			const got = columns.reduce((sum, c) =>
				sum + c.mean, 0) / columns.length;

			return Math.abs(got - mean) <= 0.04 * mean + 0.02 ? [] :
				[`device ${device}: ${got}, not ${mean}`];
		});
	}

	// what completed in [t0, t1) and passes the filter, by the rows
	function own(t0, t1, key)
	{
		const f = b.view().filter;
		const values = [];

		for (let i = 0; i < rows.n; i++) {
			const s = rows.stream[i];

			if (rows.done[i] >= t0 && rows.done[i] < t1 &&
			    f.operations[model.operation[s]] &&
			    f.devices[model.device[s]] &&
			    f.processes[model.process[s]])
				values.push(rows[key][i]);
		}
		return values;
	}

	function selected()
	{
		const { selection, latency } = b.view();
		const values = own(...selection, latency).sort((x, y) =>
			x - y);
		const text = document.querySelector(".range").textContent;
		const bad = [];

		window.page.last = selection;
		if (!/^Selected/.test(text))
			bad.push(text);
		if (!meta.exact)
			return bad;
		const n = /s([\d\u202f]+) I\/Os?/.exec(text);

		if (values.length && (!n || Number(digits(n[1])) !==
		    values.length))
			bad.push(`${text}: not ${values.length}`);
		if (values.length && values[0] >= 0)
			[0.5, 0.9, 0.99, 0.999].forEach((p, k) => {
				const v = values[Math.max(1, Math.ceil(p *
					values.length - 1e-9)) - 1];
				const got = inner.range.all[latency].p[k];

				if (v !== got)
					bad.push(`p ${p}: ${got}, not ${v}`);
			});
		return bad;
	}

	function ranges(count)
	{
		const { width, count: bins } = meta.bins;
		const last = Math.ceil(model.duration / width);

		return Array.from({ length: count }, (v, i) => {
			const from = (i * 7919) % (last - 1);
			const length = 1 + (i * 104729) % (last - from);

			return [from * width, Math.min(bins, from + length) *
				width];
		});
	}

	const figures = (list) => list.map(([t0, t1]) => {
		const source = inner.sources.bins || inner.sources.rows;
		const { all: r } = b.rangeOf(source, t0, t1);

		return { n: r.n, bytes: r.bytes, q2c: r.q2c &&
			{ n: r.q2c.n, max: r.q2c.max, p: r.q2c.p },
		d2c: r.d2c && { n: r.d2c.n, max: r.d2c.max, p: r.d2c.p } };
	});
	const compare = (list, rough) => figures(list).flatMap((exact, i) =>
		row(`range ${list[i]}`, rough[i], exact, true)).slice(0, 10);

	Object.assign(window.page, { tables, phases, shown, depth,
		graphs,
		selected, ranges, figures, compare });
})();
