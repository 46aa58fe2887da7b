// SPDX-License-Identifier: GPL-2.0-only
// A card: a graph over time, and beside it the distribution of the same
// quantity in the range.  What is drawn comes from a graph: { id, title, what,
// height, draw, side, hover, ... } (latency.js and the others).

// Builds the elements of a graph's card, which shows a side of the page.
function cardMake(page, side, graph)
{
	/* axis: the name of the value axis, which graphs may share */
	const card = { graph, page: side, id: graph.id,
		axis: graph.axis || graph.id, old: true, sideOld: true,
		visible: true, values: new Map(), legendKey: "" };

	card.canvas = domMake("canvas", { role: "img",
		"aria-label": graph.title });
	card.selection = domMake("div", { className: "selection",
		hidden: true });
	card.cross = domMake("div", { className: "cross", hidden: true });
	/* arrows are the graph's, whatever reads the page aloud */
	card.plot = domMake("div", { className: "plot", tabIndex: 0,
		role: "application", "aria-roledescription": "graph",
		"aria-label": graph.title, "aria-describedby": "graph-keys" },
	card.canvas, card.selection, card.cross);
	card.plot.style.height = graph.height + "px";
	card.full = domButton("", "cut", () => cardFull(page, card));
	card.full.hidden = true;
	card.legend = domMake("div", { className: "legend" });
	card.switches = domMake("div", { className: "switches" });
	card.sideTitle = domMake("h3", {}, graph.sideTitle);
	card.sideCanvas = domMake("canvas", { role: "img",
		"aria-label": graph.sideTitle });
	card.element = domMake("section", { className: "card",
		id: "g-" + graph.id, "aria-label": graph.title +
			sideOf(side) },
	domMake("div", { className: "top" }, domMake("h2", {}, graph.title),
		domMake("span", { className: "what" }, graph.what || ""),
		card.legend, card.switches),
	domMake("div", { className: "body" }, card.plot, card.full),
	domMake("div", { className: "side" }, card.sideTitle,
		card.sideCanvas));
	if (graph.prepare)
		graph.prepare(page, card);
	return card;
}

// From a cut scale to the full one, and back to what fits.
function cardFull(page, card)
{
	const { tops } = page.view;

	if (tops[card.axis] === undefined && !card.graph.log) {
		viewTop(page, card.axis, "full");
		return;
	}
	for (const name of Object.keys(tops))
		if (name.replace(/\d+$/, "") === card.axis)
			viewTop(page, name, undefined);
}

// says at the card that its scale does not show all, or is not the usual
function cardScale(page, card, cut)
{
	const wish = page.view.tops[card.axis];

	card.full.hidden = !cut && wish === undefined;
	domText(card.full, wish === undefined ? "Cut" : "Fit");
	card.full.title = wish === undefined ?
		"columns above the scale are cut and marked red; " +
		"press for the full scale (V)" :
		"the scale that fits what is usual (V)";
}

// Whether it is on the screen, or the card that has the same scale.
function cardIsVisible(card)
{
	return card.visible || Boolean(card.peer && card.peer.visible);
}

// What fits both this card and the one of the other run, of numbers by name:
// the larger of each.  The other is drawn anew if it has been drawn otherwise.
function cardJoint(card, fits)
{
	const { peer } = card;

	if (!peer)
		return fits;
	card.fits = fits;
	const theirs = peer.fits || fits;
	const joint = Object.fromEntries(Object.entries(fits).map(
		([name, v]) => [name, Math.max(v, theirs[name] || 0)]));

	card.drawn = JSON.stringify(joint);
	peer.old = peer.old || peer.drawn !== card.drawn;
	return joint;
}

// the top of a linear scale for values: axisTop(), for both runs
function cardTop(page, card, values)
{
	const own = axisTop(values, barsWish(page, card));
	const most = values.reduce((a, v) => Math.max(a, v || 0), 0);
	/* what has nothing to show needs no room */
	const fits = { top: most > 0 || !card.peer ? own.top : 0 };
	const { top } = cardJoint(card, fits);

	return { top: top || own.top, cut: most > (top || own.top) };
}

function cardDraw(page, card)
{
	const { layout } = page;
	const { height } = card.graph;
	const axis = layoutAxis(page);
	const paint = paintBegin(card.canvas, layout.width, height,
		layout.ratio);

	card.old = false;
	paintTimes(page, paint, axis, height);
	bandsPaint(page, paint, axis, height);
	card.graph.draw(page, card, paint, axis, height);
	bandsNames(page, paint, axis);
	paintGaps(page, paint, axis, height);
	paintCut(page, paint, axis, height);
	paintEnd(page, paint, axis, height);
	cardLabel(page, card);
}

function cardSide(page, card)
{
	const { graph } = card;
	const height = graph.height - 8;
	const paint = paintBegin(card.sideCanvas, card.sideWidth, height,
		page.layout.ratio);

	card.sideOld = false;
	card.sideCanvas.style.width = card.sideWidth + "px";
	graph.side(page, card, paint, card.sideWidth, height);
}

// names the graph and the range for people who cannot see it
function cardLabel(page, card)
{
	const { t0, t1 } = page.view;
	const step = (t1 - t0) / 1000;
	const span = `${numberMoment(t0, step)} to ${numberMoment(t1, step)} s`;
	const text = `${card.graph.title}${sideOf(page)}, ${span}`;

	if (card.plot.getAttribute("aria-label") === text)
		return;
	card.plot.setAttribute("aria-label", text);
	card.canvas.setAttribute("aria-label", text);
}

// The legend: items of { key, name, colour, shape } with a place for the value
// under the cursor.  Made anew only when items change.
function cardLegend(card, items)
{
	const key = JSON.stringify(items);

	if (key === card.legendKey)
		return;
	card.legendKey = key;
	card.values.clear();
	card.legend.replaceChildren(...items.map((item) => {
		const value = domMake("b", {});
		const swatch = domMake("i",
			{ className: item.shape || "fill" });

		swatch.style.setProperty("--of", item.colour || "");
		card.values.set(item.key, value);
		return domMake("span", { className: "item" }, swatch,
			item.name, " ", value);
	}));
}

// the value of a legend's item, if any
function cardValue(card, key, text)
{
	const value = card.values.get(key);

	if (value)
		domText(value, text || "");
}

// a line where a graph has nothing to draw
function cardNothing(page, paint, axis, height, text)
{
	paintText(paint, text, axis.left + axis.px / 2, height / 2,
		page.theme.muted, "center");
}

// names the distribution and its range for people who cannot see it
function cardSideLabel(page, card, name)
{
	const { t0, t1 } = page.range;
	const text = `${name}${sideOf(page)}, ${labelSpan(t0, t1)}`;

	if (card.sideCanvas.getAttribute("aria-label") !== text)
		card.sideCanvas.setAttribute("aria-label", text);
}
