// SPDX-License-Identifier: GPL-2.0-only
// The bar above the graphs, which stays in sight: chips for operations, menus
// for devices and processes, buttons of the selection, and the range in words.

// What dragging does, where nothing has been selected yet: of a mouse, and of
// fingers.  It stands in two places, of which the style shows one.
function barHint()
{
	return domMake("span", { className: "hint" },
		domMake("span", { className: "mouse" },
			"Drag over a graph to select a range"),
		domMake("span", { className: "fingers" },
			"Drag a graph to move, pinch to zoom"));
}

function barMake(page)
{
	const bar = { chips: [], menus: [], hints: [barHint(), barHint()] };
	const { model } = page;

	bar.filters = domMake("div", { className: "filters" });
	model.occurs.forEach((yes, o) => {
		if (yes)
			bar.chips.push(barChip(page, o));
	});
	if (page.meta.devices.length > 1)
		bar.menus.push(menuMake(page, "Devices", "devices",
			page.meta.devices.map((d) => d.name)));
	if (page.meta.processes.length > 1)
		bar.menus.push(menuMake(page, "Processes", "processes",
			page.meta.processes.map((p) => p.name)));
	bar.zoom = domButton("Zoom to selection", "", () =>
		viewToSelection(page));
	bar.clear = domButton("Clear", "", () =>
		viewSelect(page, null, null, true));
	bar.whole = domButton("Whole trace", "", () => viewWhole(page));
	bar.range = domMake("div", { className: "range", role: "status" });
	bar.filters.append(...bar.chips.map((c) => c.button),
		...bar.menus.map((m) => m.element),
		domMake("span", { className: "space" }), bar.hints[0],
		bar.zoom, bar.clear, bar.whole);
	document.getElementById("bar").append(bar.filters,
		domMake("div", { className: "card" }, page.overview.plot,
			domMake("div", { className: "side" }, bar.range,
				bar.hints[1])));
	return bar;
}

// one operation, which is shown or not
function barChip(page, operation)
{
	const { meta, model } = page;
	const swatch = domMake("i", { className: "fill" });
	const button = domMake("button", { type: "button",
		className: "chip", onclick: () => {
			const { operations } = page.view.filter;

			operations[operation] = !operations[operation];
			viewFiltered(page);
		} }, swatch, labelOperation(meta, operation), " ",
	domMake("small", {}, numberCount(model.counts[operation])));

	swatch.style.setProperty("--of",
		`var(--${THEME_OPERATIONS[operation]})`);
	return { button, operation };
}

function barUpdate(page)
{
	const { bar, view } = page;
	const whole = viewIsWhole(page);

	for (const { button, operation } of bar.chips)
		domPressed(button, view.filter.operations[operation]);
	for (const menu of bar.menus)
		menuUpdate(page, menu);
	bar.zoom.hidden = !view.selection;
	bar.clear.hidden = !view.selection;
	for (const hint of bar.hints)
		hint.hidden = Boolean(view.selection);
	bar.whole.disabled = whole;
	noteUpdate(page);
}

// the range in words: what it is, from when to when, and its figures
function barRange(page)
{
	const { bar, view } = page;
	const [{ range }] = page.sides;
	const name = view.selection ? "Selected" :
		viewIsWhole(page) ? "Whole trace" : "In view";

	bar.range.replaceChildren(
		domMake("div", {}, name, " ", domMake("b", {}, labelSpan(
			...page.sides.length > 1 ? viewRange(view) :
				[range.t0, range.t1]))),
		...page.sides.flatMap(barFigures));
}

// lines with the figures of a side's range
function barFigures({ range, view, letter })
{
	const dist = range.all[view.latency];
	const about = range.exact || range.quick && range.source.exact ? "" :
		" \u00b14%";
	const bold = (text) => domMake("b", {}, text);
	const figures = dist ? ["p50 ", bold(numberTime(dist.p[0])),
		", p99 ", bold(numberTime(dist.p[2])), about] : [];
	const n = range.all.n;

	if (!n)
		return [domMake("div", {}, sideBadge(letter),
			"nothing completed in this range")];
	/* of two runs each has one line */
	return letter ? [domMake("div", {}, sideBadge(letter),
		domMake("span", { className: "count" }, bold(numberCount(n)),
			dist ? ", " : ""), ...figures)] :
		[domMake("div", {}, bold(labelIos(n))),
			domMake("div", {}, ...figures)];
}

// Where a page of bins is at its finest: how to make a finer one.
function noteUpdate(page)
{
	const { view, meta } = page;

	if (!page.note)
		page.note = noteMake();
	page.note.element.hidden = !page.finest;
	if (!page.finest)
		return;
	/* -w counts from the trace's first event, the page from t=0 */
	const span = [view.t0, view.t1].map((t) =>
		numberMoment(t + meta.start, 1e6)).join(":");

	/* of several the last counts; iowatcher's word for it is another */
	page.note.command = `${meta.about.command} ` +
		(meta.program.startsWith("iowatcher") ? "-x " : "-w ") + span;
	domText(page.note.text, `Bins of ${numberTime(meta.bins.width)} are ` +
		`the finest here; a finer page: ${page.note.command}`);
}

function noteMake()
{
	const note = { text: domMake("span", {}), command: "" };
	const copy = domButton("Copy", "", () =>
		copyText(copy, note.command));

	note.element = domMake("p", { className: "finest", hidden: true,
		role: "status" }, note.text, " ", copy);
	document.body.append(note.element);
	return note;
}
