// SPDX-License-Identifier: GPL-2.0-only
// What can be reached, what has a name, and which colours stand on which.
"use strict";
(() => {
	const { all, card, inner } = window.page;

	const seen = new Set();

	const focusable = () => all("a[href], button, input, [tabindex='0']")
		.filter((e) => !e.disabled && e.offsetParent !== null &&
			!e.closest("[hidden], dialog"));
	const missed = () => focusable().filter((e) => !seen.has(e))
		.map((e) => e.outerHTML.slice(0, 80));

	// how many have not had the focus, after the one that has it now
	function left()
	{
		seen.add(document.activeElement);
		return missed().length;
	}

	function first()
	{
		scrollTo(0, 0);
		focusable()[0].focus();
	}

	// buttons that a finger would miss, at the width of a phone
	const small = () => all("button").filter((e) => e.offsetParent &&
		!e.closest(".tile") && e.getBoundingClientRect().height < 34)
		.map((e) => e.outerHTML.slice(0, 80));

	function unnamed()
	{
		const named = (e) => (e.getAttribute("aria-label") ||
			e.textContent).trim();

		return [...all("button").filter((e) => !named(e) &&
			e.offsetParent), ...all("[role=img]").filter((e) =>
			!e.getAttribute("aria-label")),
		...all("table").filter((e) => !e.caption)]
			.map((e) => e.outerHTML.slice(0, 80));
	}

	// graphs are regions with a name, applications that can have the focus
	// and say their keys, and pictures
	function reached()
	{
		return inner.cards.filter(({ element, plot, canvas }) =>
			element.tagName !== "SECTION" ||
			!element.getAttribute("aria-label") ||
			plot.getAttribute("role") !== "application" ||
			plot.tabIndex !== 0 ||
			!document.getElementById(plot.getAttribute(
				"aria-describedby")) ||
			canvas.getAttribute("role") !== "img")
			.map((c) => c.id);
	}

	const active = () => (inner.cards.find((c) =>
		c.plot === document.activeElement) || {}).id;

	// what dragging does can be read, at the width that the window has
	function hinted()
	{
		const hint = all(".hint").filter((e) => e.offsetParent);
		const box = hint.length === 1 ?
			hint[0].getBoundingClientRect() : { left: -1 };

		return box.left >= 0 && box.right <= innerWidth &&
			/^(Drag|Pinch)/.test(hint[0].innerText) ? [] :
			[`${hint.length} hints, at ${box.left}`];
	}

	function luminance(hex)
	{
		const [r, g, blue] = hex.match(/\w\w/g).map((x) =>
			parseInt(x, 16) / 255).map((v) => v <= 0.04045 ?
			v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);

		return 0.2126 * r + 0.7152 * g + 0.0722 * blue;
	}

	function ratio(x, y)
	{
		const [dark, light] = [luminance(x), luminance(y)].sort(
			(p, q) => p - q);

		return (light + 0.05) / (dark + 0.05);
	}

	const TEXTS = ["ink", "muted", "p99", "error", "warning", "accent",
		"read", "write"];
	const MARKS = ["read", "write", "flush", "discard", "other", "error",
		"p50", "phase0", "phase1", "phase2", "phase3",
		...[0, 1, 2, 3, 4, 5, 6, 7].map((i) => "process" + i)];

	// ratios below what they must be; the ramp goes one way in lightness
	function contrastOf(theme)
	{
		document.documentElement.dataset.theme = theme;
		const style = getComputedStyle(document.documentElement);
		const get = (n) => style.getPropertyValue("--" + n).trim();
		const bad = [];
		const check = (n, on, least) => {
			const r = ratio(get(n), get(on));

			if (r < least)
				bad.push(`${theme} ${n} on ${on}: ` +
					r.toFixed(2));
		};

		TEXTS.forEach((n) => check(n, "card", 4.5));
		["ink", "muted"].forEach((n) => check(n, "back", 4.5));
		check("ink", "pressed", 4.5);
		MARKS.forEach((n) => check(n, "card", 3));
		const ramp = [0, 1, 2, 3, 4, 5, 6].map((i) =>
			luminance(get("ramp" + i)));
		const sign = Math.sign(ramp[6] - ramp[0]);

		if (ramp.some((v, i) => i && (v - ramp[i - 1]) * sign <= 0))
			bad.push(`${theme}: the ramp turns`);
		return bad;
	}

	function contrast()
	{
		const before = document.documentElement.dataset.theme;
		const bad = [...contrastOf("light"), ...contrastOf("dark")];

		document.documentElement.dataset.theme = before;
		return bad;
	}

	const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
	const hex = ([r, g, blue]) => "#" + [r, g, blue].map((v) =>
		Math.round(v).toString(16).padStart(2, "0")).join("");

	// the first colour behind an element that covers what is behind it
	function behind(e)
	{
		for (let at = e; at; at = at.parentElement) {
			const style = getComputedStyle(at);
			const c = numbers(style.backgroundColor);

			if (c.length === 3 || c[3] === 1)
				return hex(c);
		}
		return "#ffffff";
	}

	// texts of their own that are seen, and not switched off
	const written = () => all("body *").filter((e) => e.offsetParent &&
		[...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE &&
			n.textContent.trim()) && !e.closest(".off, [hidden], "
			+ "[aria-pressed=false], :disabled, script"));

	function texts()
	{
		const root = document.documentElement;
		const before = root.dataset.theme;
		const bad = new Set();

		for (const theme of ["light", "dark"]) {
			root.dataset.theme = theme;
			for (const e of written()) {
				const ink = numbers(getComputedStyle(e).color);
				const r = ratio(hex(ink), behind(e));

				if (r < 4.5)
					bad.add(`${theme} ${e.tagName}.` +
						`${e.className}: ` +
						r.toFixed(2));
			}
		}
		root.dataset.theme = before;
		return [...bad].slice(0, 10);
	}

	Object.assign(window.page, { missed, reached, active, hinted,
		ids: () => inner.cards.map((c) => c.id), texts, unnamed, small,
		contrast,
		reachable: () => focusable().length,
		left, first,
		focus: (id) => card(id).plot.focus(),
		spoken: () => inner.aside.live.textContent });
})();
