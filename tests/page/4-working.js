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

	// the first finding that can be shown selects its time
	function shows()
	{
		const [button] = all("#findings button:not([hidden])");

		if (!button)
			return meta.findings.some((f) => f.from !== null) ?
				["no button shows a finding"] : [];
		button.click();
		const { selection } = b.view();
		const { from, to } = button.dataset;

		return selection && selection[0] <= Math.max(0, from) &&
			selection[1] >= Math.min(to, model.duration) ? [] :
			[`${from} - ${to}: ${selection}`];
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

	Object.assign(window.page, { halve, part, plot, shows, slowest, depthOf, zoomed,
		whole, state, chips, menus, switches, values, hovers, zooms, drags,
		everything });
})();
