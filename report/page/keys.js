// SPDX-License-Identifier: GPL-2.0-only
// Keys, by their place on the keyboard, so that they are where W A S D are on
// any layout.

const KEYS_ZOOM = 0.7;
const KEYS_MOVE = 0.2;
// an arrow moves the cursor so far, px; with Ctrl further
const KEYS_STEP = 4;
const KEYS_LEAP = 40;

// the card with the focus, or the first
function keysCard(page)
{
	return page.cards.find((c) => c.plot === document.activeElement) ||
		page.cards[0];
}

// the graph after the one with the focus, or the first
function keysNext(page)
{
	const at = page.cards.findIndex((card) =>
		card.plot === document.activeElement);

	showGraph(page.cards[(at + 1) % page.cards.length]);
}

function keysMiddle(page)
{
	const { cursor, t0, t1 } = page.view;

	return cursor && cursor.t >= t0 && cursor.t <= t1 ? cursor.t :
		(t0 + t1) / 2;
}

function keysLeave(page)
{
	if (helpClose(page) || menuClose(page))
		return;
	if (page.view.selection)
		viewSelect(page, null, null, true);
	else
		viewWhole(page);
}

const KEYS = {
	KeyW: (page) => viewGo(page, ...viewZoomed(page.view,
		keysMiddle(page), KEYS_ZOOM ** 2)),
	KeyS: (page) => viewGo(page, ...viewZoomed(page.view,
		keysMiddle(page), KEYS_ZOOM ** -2)),
	KeyA: (page) => viewMove(page, -KEYS_MOVE),
	KeyD: (page) => viewMove(page, KEYS_MOVE),
	KeyR: (page) => valuesKey(page, keysCard(page), KEYS_ZOOM),
	KeyF: (page) => valuesKey(page, keysCard(page), 1 / KEYS_ZOOM),
	KeyV: (page) => cardFull(page, keysCard(page)),
	KeyZ: (page) => viewToSelection(page),
	KeyG: keysNext,
	KeyT: (page) => themeTurn(page),
	Digit0: (page) => viewWhole(page),
	Escape: keysLeave,
	Slash: (page) => helpOpen(page),
};

// Arrows on a graph: move the cursor; with Shift they select from where it was.
function keysArrow(page, event, sign)
{
	const card = keysCard(page);
	const { view } = page;
	const from = view.cursor ? view.cursor.t : null;
	const t = cursorStep(page, card, sign * (event.ctrlKey ? KEYS_LEAP :
		KEYS_STEP));

	if (!event.shiftKey) {
		page.anchor = null;
		return;
	}
	if (page.anchor === null || page.anchor === undefined)
		page.anchor = from === null ? t : from;
	viewSelect(page, page.anchor, t, false);
}

// Arrows on the overview move the window, with Shift they zoom it.
function keysOverview(page, event, sign)
{
	if (event.shiftKey)
		viewGo(page, ...viewZoomed(page.view, keysMiddle(page),
			KEYS_ZOOM ** sign));
	else
		viewMove(page, sign * KEYS_MOVE);
}

// whether a key belongs to the element that has the focus
function keysTaken(event)
{
	const { target } = event;

	return target.closest && (target.closest("input, select, textarea") ||
		event.code === "Enter" && target.closest("button, a, tr"));
}

function keysDown(page, event)
{
	const arrow = { ArrowLeft: -1, ArrowRight: 1 }[event.code];
	const graph = event.target.closest && event.target.closest(".plot");

	if (event.altKey || event.metaKey || keysTaken(event) ||
	    event.ctrlKey && arrow === undefined)
		return;
	if (event.code === "Enter" && page.view.selection && graph) {
		viewToSelection(page);
	} else if (event.key === "?") {
		helpOpen(page);
	} else if (arrow !== undefined && graph) {
		keysArrow(page, event, arrow);
	} else if (arrow !== undefined && event.target.closest(".overview")) {
		keysOverview(page, event, arrow);
	} else if (event.code !== "Slash" && KEYS[event.code] &&
		   !event.shiftKey) {
		KEYS[event.code](page);
	} else {
		return;
	}
	event.preventDefault();
}

function keysBind(page)
{
	document.addEventListener("keydown", (event) => keysDown(page, event));
}
