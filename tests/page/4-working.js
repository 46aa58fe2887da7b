// SPDX-License-Identifier: GPL-2.0-only
// Working with a page: what clicks, wheels and the address change.
"use strict";
(() => {
	const { b, all, card, inner, meta, model } = window.page;

	function plot(id)
	{
		card(id).plot.scrollIntoView({ block: "center" });
		const box = card(id).plot.getBoundingClientRect();

		return [box.left + inner.layout.left, box.top,
			inner.layout.px];
	}

	const close = (x, y) => Math.abs(x - y) < 2;
	const zoomed = () => b.view().selection === null &&
		close(b.view().t0, window.page.last[0]) &&
		close(b.view().t1, window.page.last[1]);
	const everything = () => b.view().t0 <= 0 &&
		b.view().t1 >= model.duration;
	const whole = () => everything() && !b.view().selection;

	function state()
	{
		const { t0, t1, selection, filter, latency, heat, offsets,
			phases: ph, tops } = b.view();

		return JSON.stringify([[t0, t1].map(Math.round), selection,
			filter, latency, heat, offsets, ph, tops]);
	}

	// clicks what should change something, and back
	function toggled(name, button, read)
	{
		const before = JSON.stringify(read());
		const bad = [];

		button.click();
		b.draw();
		if (JSON.stringify(read()) === before)
			bad.push(`${name} changes nothing`);
		button.click();
		b.draw();
		if (JSON.stringify(read()) !== before)
			bad.push(`${name} does not change back`);
		return bad;
	}

	const chips = () => all(".chip").flatMap((chip) => toggled(
		chip.textContent, chip, () => [b.view().filter.operations,
			chip.getAttribute("aria-pressed")]));

	function menus()
	{
		return all(".menu").flatMap((menu) => {
			const [button] = all("button", menu);
			const list = menu.querySelector(".list");
			const bad = [];

			button.click();
			if (list.hidden)
				return ["a menu does not open"];
			const [box] = all("input", list);

			bad.push(...toggled(button.textContent, box,
				() => b.view().filter));
			all(".box button", list).pop().click();
			b.draw();
			if (all("input:checked", list).length !== 1)
				bad.push("only does not leave one");
			list.querySelector("button").click();
			b.draw();
			if (all("input:not(:checked)", list).length)
				bad.push("All leaves some out");
			button.click();
			if (!list.hidden)
				bad.push("a menu does not close");
			return bad;
		});
	}

	function switches()
	{
		return all(".switch").flatMap((group) => {
			const [first, second] = all("button", group);

			if (!second)
				return [];
			const before = inner.address;

			second.click();
			b.draw();
			const changed = inner.address !== before;
			const pressed = second.getAttribute("aria-pressed");

			first.click();
			b.draw();
			return changed && pressed === "true" ? [] :
				[`${group.getAttribute("aria-label")}: ` +
					`${changed} ${pressed}`];
		});
	}

	function wheel(element, x, y, deltaY)
	{
		const box = element.getBoundingClientRect();

		element.dispatchEvent(new WheelEvent("wheel", { deltaY,
			ctrlKey: true, clientX: box.left + x,
			clientY: box.top + y, cancelable: true }));
	}

	function values()
	{
		return ["latency", "phases", "rate", "offsets"].flatMap(
			(id) => {
				const c = card(id);
				const tops = () => JSON.stringify(
					b.view().tops);
				const bad = [];

				wheel(c.plot, 10, 40, -300);
				b.draw();
				if (tops() === "{}")
					bad.push(`${id} does not zoom`);
				c.full.click();
				b.draw();
				if (tops() !== "{}")
					bad.push(`${id}: ${tops()} is left`);
				return bad;
			});
	}

	// does any place of a graph say something
	function says(c)
	{
		const { left, px } = inner.layout;

		for (let i = 0; i < 3000; i++) {
			const x = left + (i * 37) % px;
			const y = (i * 13) % c.graph.height;
			const { t0, t1 } = b.view();
			const text = c.graph.hover(inner, c, x, y,
				t0 + (x - left) / px * (t1 - t0));

			if (text && text.head && text.lines.length)
				return true;
		}
		return false;
	}

	const hovers = () => inner.cards.filter((c) => !says(c))
		.map((c) => c.id);

	function zooms(i, n)
	{
		const part = 0.96 ** Math.min(i, n - 1 - i);
		const half = model.duration / 2;

		b.zoom(half - half * part, half + half * part);
	}

	function drags(i, n)
	{
		b.select(model.duration * 0.05,
			model.duration * (0.06 + 0.93 * i / n));
	}

	// what a button has copied, when it says so
	async function copied(button)
	{
		const texts = [];
		const clipboard = { writeText: async (text) => {
			texts.push(text);
		} };

		Object.defineProperty(navigator, "clipboard",
			{ value: clipboard, configurable: true });
		button.click();
		while (button.textContent !== "Copied")
			await new Promise((done) => setTimeout(done, 10));
		return texts[0];
	}

	const file = location.pathname.split("/").pop();

	// a link has the name of the file only, and leads to what is shown
	async function links()
	{
		b.select(model.duration / 4, model.duration / 2);
		const text = await copied(all("#head button")[0]);

		b.select(null, null);
		return text.startsWith(file + "#") && /sel=[\d.]+-[\d.]+/
			.test(text) ? [] : [text];
	}

	// a finding is copied with its numbers, a command, and a link to it
	async function copies(element)
	{
		const [copy] = all("button", element).slice(-1);
		const show = element.querySelector("[data-from]");
		const text = await copied(copy);
		const of = (name) => element.querySelector(name).textContent
			.replace(/[^\w%]/g, "");
		const bad = [];
		const [head] = text.split("\n");

		if (head.replace(/[^\w%]/g, "") !== of(".head"))
			bad.push(`head: ${text}`);
		if (!/^btstat .*\S$/m.test(text) || !text.includes(" " +
			meta.about.input))
			bad.push(`command: ${text}`);
		if (show && !text.includes(`\n${file}#t=`))
			bad.push(`link: ${text}`);
		if (/\u202f|file:/.test(text))
			bad.push(`blanks or path: ${text}`);
		return bad;
	}

	async function copiesAll()
	{
		const bad = [];

		for (const element of all("#findings li"))
			bad.push(...await copies(element));
		return bad;
	}

	// whether a graph can be seen, below the bar
	function inSight(id)
	{
		const bar = document.getElementById("bar")
			.getBoundingClientRect();
		const box = card(id).plot.getBoundingClientRect();

		return box.top >= bar.bottom - 1 && box.top < innerHeight &&
			document.activeElement === card(id).plot ? [] :
			[`${id}: ${box.top}, below ${bar.bottom}, ` +
				document.activeElement.className];
	}

	// A clicked row leads to the graph; the list stays, and marks it.
	async function leads()
	{
		const table = document.querySelector("#t-slowest table");
		const texts = () => [...table.tBodies[0].rows].map((row) =>
			row.textContent).join("\n");
		const before = texts();
		const [first] = table.tBodies[0].rows;

		first.scrollIntoView();
		first.click();
		const bad = inSight("latency");

		while (!b.settled())
			await new Promise((done) => setTimeout(done, 20));
		await new Promise((done) => setTimeout(done, 300));
		b.draw();
		if (texts() !== before)
			bad.push("the list has changed");
		if (!table.tBodies[0].rows[0].ariaCurrent)
			bad.push("the row is not marked");
		const process = table.tBodies[0].rows[0].cells[5].textContent;

		if (card("latency").marks && !redrawn("latency", "canvas")
			.some((text) => text.endsWith(`, ${process}`)))
			bad.push("the I/O has no name");
		b.select(null, null);
		b.zoom(0, model.duration);
		return bad;
	}

	// what a canvas is given to write, when it is drawn anew
	function writes(canvas, draw)
	{
		const paint = canvas.getContext("2d");
		const { fillText } = CanvasRenderingContext2D.prototype;
		const texts = [];

		paint.fillText = (text, ...rest) => {
			texts.push(text);
			fillText.call(paint, text, ...rest);
		};
		draw();
		delete paint.fillText;
		return texts;
	}

	function redrawn(id, name)
	{
		const c = card(id);

		return writes(c[name], () => {
			c.old = true;
			c.sideOld = true;
			b.draw();
		});
	}

	// percentile lines beside the histogram, and marks, say what they are
	function names()
	{
		const side = redrawn("latency", "sideCanvas");
		const dist = inner.range.all[b.view().latency];
		const bad = dist ? ["p50", "p99", "p99.9"].filter((name) =>
			!side.some((text) => text.startsWith(name + " "))) : [];
		const shown = redrawn("latency", "canvas").join("\n");
		const marks = meta.marks.length <= 3 ? meta.marks : [];

		return [...bad, ...marks.map(([, text]) => text)
			.filter((text) => !shown.includes(text))];
	}

	// the first finding that can be shown selects its time
	function shows()
	{
		const [button] = all("#findings button[data-from]");

		if (!button)
			return meta.findings.some((f) => f.from !== null) ?
				["no button shows a finding"] : [];
		button.click();
		const { selection } = b.view();
		const { from, to } = button.dataset;

		return selection && selection[0] <= Math.max(0, from) &&
			selection[1] >= Math.min(to, model.duration) ?
			inSight("latency") : [`${from} - ${to}: ${selection}`];
	}

	// the slowest requests can be sorted, all be seen, and be shown
	function slowest()
	{
		const table = document.querySelector("#t-slowest table");
		const bad = [];

		for (const head of all("th[data-sort]", table)) {
			head.querySelector("button").click();
			if (head.getAttribute("aria-sort") !== "descending")
				bad.push(`${head.textContent} does not sort`);
		}
		const more = document.querySelector("#t-slowest .more");
		const few = table.tBodies[0].rows.length;

		if (!more.hidden) {
			more.click();
			if (table.tBodies[0].rows.length <= few)
				bad.push("not all are shown");
			more.click();
		}
		b.select(null, null);
		table.tBodies[0].rows[0].click();
		if (!b.view().selection)
			bad.push("a click on one does not show it");
		return bad;
	}

	// Each of the slowest says why: its steps fill its time.
	function why()
	{
		const bad = [];

		for (const button of all("#t-slowest button.why")) {
			button.click();
			const dialog = document.getElementById("why");
			const [steps] = dialog.querySelectorAll("table");
			const filled = all(".track i", steps).reduce((sum, bar) =>
				sum + parseFloat(bar.style.width), 0);
			const took = button.closest("tr").cells[8].textContent;
			const said = dialog.querySelector(".sentence")
				.textContent;

			if (Math.abs(filled - 100) > 0.1)
				bad.push(`${said}: ${filled}% of its time`);
			if (!dialog.open || !said.startsWith(took + ":"))
				bad.push(`${took}: ${said}`);
			dialog.close();
		}
		return bad;
	}

	// the mean queue depth of one process, by the graph; NaN without a menu
	function depthOf(process)
	{
		const only = all(".box button").find((e) =>
			e.getAttribute("aria-label") === `only ${process}`);

		if (!only)
			return NaN;
		only.click();
		b.draw();
		const { columns } = card("depth").series[0];

		return columns.reduce((sum, c) => sum + c.mean, 0) /
			columns.length;
	}

	// the middle half of the trace, and what of it is in view, as parts of it
	function halve()
	{
		b.select(null, null);
		b.zoom(model.duration / 4, model.duration * 3 / 4);
	}

	const part = () => [b.view().t0, b.view().t1].map((t) =>
		(t - model.duration / 4) / (model.duration / 2));

	Object.assign(window.page, { halve, part, plot, shows, slowest, why,
		depthOf, zoomed, links, copiesAll, leads, names, whole, state,
		chips, menus, switches, values, hovers, zooms, drags,
		everything });
})();
