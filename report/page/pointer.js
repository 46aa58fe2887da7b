// SPDX-License-Identifier: GPL-2.0-only
// Mouse, pen and fingers on graphs and the overview.

// a movement below this is a click, px
const POINTER_STILL = 4;
const POINTER_WHEEL = 0.0025;

function pointerX(event, element)
{
	return event.clientX - element.getBoundingClientRect().left;
}

function pointerY(event, element)
{
	return event.clientY - element.getBoundingClientRect().top;
}

function pointerTime(page, event, element)
{
	const t = axisTime(layoutAxis(page), pointerX(event, element));

	return Math.max(page.view.t0, Math.min(page.view.t1, t));
}

// what dragging does, by how it begins
function pointerKind(page, card, event)
{
	if (pointerX(event, card.plot) < page.layout.left)
		return "values";
	if (event.pointerType === "touch" || event.shiftKey ||
	    event.button === 1)
		return "move";
	return event.button === 0 ? "select" : "";
}

function pointerDown(page, card, event)
{
	const kind = pointerKind(page, card, event);

	if (!kind)
		return;
	page.pointers.set(event.pointerId, event.clientX);
	if (page.pointers.size === 2)
		pinchBegin(page);
	page.drag = { card, kind, id: event.pointerId, from: event.clientX,
		fromY: event.clientY, time: pointerTime(page, event, card.plot),
		view: [page.view.t0, page.view.t1], moved: false,
		values: valuesOf(page, card, pointerY(event, card.plot)) };
	card.plot.setPointerCapture(event.pointerId);
	if (event.button === 1)
		event.preventDefault();
}

const POINTER_DRAGS = {
	select: (page, drag, event) => viewSelect(page, drag.time,
		pointerTime(page, event, drag.card.plot), false),
	move: (page, drag, event) => {
		const [t0, t1] = drag.view;
		const by = (event.clientX - drag.from) / page.layout.px *
			(t1 - t0);

		page.motion++;
		viewSet(page, t0 - by, t1 - by);
	},
	values: (page, drag, event) => valuesMove(page, drag,
		event.clientY - drag.fromY),
};

function pointerMove(page, card, event)
{
	const { drag } = page;

	if (page.pointers.has(event.pointerId))
		page.pointers.set(event.pointerId, event.clientX);
	if (page.pointers.size === 2) {
		pinchMove(page, card);
		return;
	}
	if (drag && drag.id === event.pointerId) {
		if (Math.abs(event.clientX - drag.from) > POINTER_STILL ||
		    Math.abs(event.clientY - drag.fromY) > POINTER_STILL)
			drag.moved = true;
		if (drag.moved)
			POINTER_DRAGS[drag.kind](page, drag, event);
	}
	cursorAt(page, card, event);
}

function pointerUp(page, card, event)
{
	const { drag } = page;

	page.pointers.delete(event.pointerId);
	if (!drag || drag.id !== event.pointerId)
		return;
	page.drag = null;
	if (drag.kind === "select" && drag.moved)
		viewSelect(page, drag.time,
			pointerTime(page, event, card.plot), true);
	else if (drag.kind === "select")
		pointerClick(page, card, event, drag.time);
}

// A click on an I/O opens what it waited for; one beside the selection takes
// that away.
function pointerClick(page, card, event, t)
{
	const mark = marksNear(card, pointerX(event, card.plot),
		pointerY(event, card.plot));
	const [t0, t1] = page.view.selection || [t, t];

	if (mark)
		whyOpen(card.page, mark.row);
	else if (t < t0 || t > t1)
		viewSelect(page, null, null, true);
}

function pointerDouble(page, card, event)
{
	const { view } = page;
	const t = pointerTime(page, event, card.plot);

	if (pointerX(event, card.plot) < page.layout.left)
		valuesFit(page, card, pointerY(event, card.plot));
	else if (view.selection && t >= view.selection[0] &&
		 t <= view.selection[1])
		viewToSelection(page);
	else
		viewGo(page, ...viewZoomed(view, t, 0.25));
}

// Ctrl and the wheel zoom at the pointer; sideways it moves; over the labels of
// the value axis it zooms that; else the page scrolls.
function pointerWheel(page, card, event)
{
	const unit = event.deltaMode === 1 ? 16 : 1;
	const down = event.deltaY * unit;
	const aside = (event.deltaX + (event.shiftKey ? event.deltaY : 0)) *
		unit;

	if (event.ctrlKey && pointerX(event, card.plot) < page.layout.left)
		valuesZoom(page, card, pointerY(event, card.plot),
			Math.exp(down * POINTER_WHEEL));
	else if (event.ctrlKey || event.metaKey)
		viewZoom(page, pointerTime(page, event, card.plot),
			Math.exp(down * POINTER_WHEEL));
	else if (Math.abs(aside) > Math.abs(event.deltaY) / 2)
		viewMove(page, aside / page.layout.px);
	else
		return;
	event.preventDefault();
}

// two fingers: their places, and the range between them
function pinchBegin(page)
{
	const [a, b] = [...page.pointers.values()];

	page.drag = null;
	page.pinch = { apart: Math.max(20, Math.abs(a - b)),
		middle: (a + b) / 2, view: [page.view.t0, page.view.t1] };
}

function pinchMove(page, card)
{
	const [a, b] = [...page.pointers.values()];
	const { pinch, layout } = page;

	if (!pinch)
		return;
	const [t0, t1] = pinch.view;
	const left = card.plot.getBoundingClientRect().left + layout.left;
	const share = (x) => (x - left) / layout.px;
	const length = (t1 - t0) * pinch.apart / Math.max(20, Math.abs(a - b));
	const fixed = t0 + share(pinch.middle) * (t1 - t0);
	const from = fixed - share((a + b) / 2) * length;

	page.motion++;
	viewSet(page, from, from + length);
}

function pointerBind(page, card)
{
	const on = (type, act, options) => card.plot.addEventListener(type,
		(event) => act(page, card, event), options);

	on("pointerdown", pointerDown);
	on("pointermove", pointerMove);
	on("pointerup", pointerUp);
	on("pointercancel", pointerUp);
	on("pointerleave", () => cursorLeave(page));
	on("dblclick", pointerDouble);
	on("wheel", pointerWheel, { passive: false });
}
