// SPDX-License-Identifier: GPL-2.0-only
// The cursor: one moment, shown as a line in all graphs, as values in all
// legends, and by a tooltip for the item under the pointer.

// what graphs say of their keys to those who do not see the help
const CURSOR_KEYS = [["graph-keys", "Arrow keys move the cursor and speak " +
	"its values, with Shift they select. Enter zooms to the selection, W " +
	"and S zoom, A and D move, Escape goes back, G goes to the next " +
	"graph."],
["overview-keys", "Arrow keys move the window, with Shift they zoom it."]];

function cursorMake()
{
	const tip = domMake("div", { id: "tip", hidden: true,
		role: "presentation" });
	const live = domMake("div", { className: "aside",
		"aria-live": "polite" });

	document.body.append(tip, live, ...CURSOR_KEYS.map(([id, text]) =>
		domMake("p", { id, className: "aside", hidden: true }, text)));
	return { tip, live };
}

// the pointer is on a card
function cursorAt(page, card, event)
{
	const x = pointerX(event, card.plot);

	if (x < page.layout.left || x > page.layout.left + page.layout.px) {
		cursorLeave(page);
		return;
	}
	page.view.cursor = { card, t: axisTime(layoutAxis(page), x), x,
		y: pointerY(event, card.plot), clientX: event.clientX,
		clientY: event.clientY };
	frameAsk(page, "cursor");
}

function cursorLeave(page)
{
	page.view.cursor = null;
	frameAsk(page, "cursor");
}

// Lines, values and the tooltip for the cursor as it is.
function cursorDraw(page)
{
	const { cursor, t0, t1 } = page.view;
	const shown = cursor && cursor.t >= t0 && cursor.t <= t1;
	const x = shown ? Math.round(axisX(layoutAxis(page), cursor.t)) : 0;

	for (const card of page.cards) {
		card.cross.hidden = !shown;
		card.cross.style.transform = `translateX(${x}px)`;
		card.graph.values(card.page, card, shown ? cursor.t : null);
	}
	cursorTip(page, shown ? cursor : null);
}

function cursorTip(page, cursor)
{
	const { tip } = page.aside;
	const { drag } = page;
	const text = cursor && cursor.clientX !== undefined &&
		!(drag && drag.moved) ? cursor.card.graph.hover(
			cursor.card.page, cursor.card, cursor.x, cursor.y,
			cursor.t) : null;

	tip.hidden = !text;
	if (!text)
		return;
	tip.replaceChildren(domMake("b", {}, text.head),
		domMake("dl", {}, ...text.lines.flatMap(([name, value]) => [
			domMake("dt", {}, name), domMake("dd", {}, value)])));
	cursorPlace(tip, cursor);
}

// beside the pointer, and never beyond the window
function cursorPlace(tip, cursor)
{
	const box = tip.getBoundingClientRect();
	const right = cursor.clientX + 16;
	const x = right + box.width > window.innerWidth - 8 ?
		cursor.clientX - 16 - box.width : right;
	const y = Math.min(cursor.clientY + 12,
		window.innerHeight - box.height - 8);

	tip.style.transform = `translate(${Math.round(Math.max(4, x))}px,` +
		`${Math.round(Math.max(4, y))}px)`;
}

// Moves the cursor by px pixels on the graph that has the focus, and speaks
// what it is on.
function cursorStep(page, card, px)
{
	const { view, layout } = page;
	const by = px / layout.px * (view.t1 - view.t0);
	const from = view.cursor ? view.cursor.t : (view.t0 + view.t1) / 2;
	const t = Math.max(view.t0, Math.min(view.t1 - 1, from + by));

	view.cursor = { card, t, x: axisX(layoutAxis(page), t),
		y: card.graph.height / 2 };
	cursorSpeak(page, card);
	frameAsk(page, "cursor");
	return t;
}

// the values of the card's legend at the cursor, after they were drawn
function cursorSpeak(page, card)
{
	requestAnimationFrame(() => {
		const { t } = page.view.cursor || {};
		const step = (page.view.t1 - page.view.t0) / 1000;
		const values = [...card.legend.children]
			.filter((item) => item.querySelector("b").textContent)
			.map((item) => item.textContent.trim());

		if (t !== undefined)
			domText(page.aside.live, [`${numberMoment(t, step)} s`,
				...values].join(", "));
	});
}

// the selection, over all graphs
function overlayDraw(page)
{
	const { selection, t0, t1 } = page.view;
	const axis = layoutAxis(page);
	const shown = selection && selection[1] > t0 && selection[0] < t1;

	for (const card of page.cards) {
		card.selection.hidden = !shown;
		if (!shown)
			continue;
		const x0 = axisX(axis, Math.max(t0, selection[0]));
		const x1 = axisX(axis, Math.min(t1, selection[1]));

		card.selection.style.transform = `translateX(${x0}px)`;
		card.selection.style.width = `${Math.max(1, x1 - x0)}px`;
	}
}
