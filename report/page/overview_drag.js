// SPDX-License-Identifier: GPL-2.0-only
// The mouse on the overview: drags the window or one of its handles, or makes a
// new window.

// the window for a drag that has come to time t
function overviewDragged(drag, t)
{
	const [t0, t1] = drag.view;

	if (drag.part === "from")
		return [Math.min(t, t1), Math.max(t, t1)];
	if (drag.part === "to")
		return [Math.min(t0, t), Math.max(t0, t)];
	if (drag.part === "window")
		return [t0 + t - drag.time, t1 + t - drag.time];
	return [Math.min(t, drag.time), Math.max(t, drag.time)];
}

function overviewDown(page, event)
{
	const { plot } = page.overview;
	const x = pointerX(event, plot);

	if (event.button !== 0)
		return;
	page.overview.drag = { part: overviewPart(page, x), from: x,
		time: axisTime(overviewAxis(page), x), moved: false,
		view: [page.view.t0, page.view.t1] };
	plot.setPointerCapture(event.pointerId);
}

const OVERVIEW_CURSORS = { from: "ew-resize", to: "ew-resize",
	window: "grab", "": "crosshair" };

function overviewMove(page, event)
{
	const { drag, plot } = page.overview;
	const x = pointerX(event, plot);

	if (!drag) {
		plot.style.cursor = OVERVIEW_CURSORS[overviewPart(page, x)];
		return;
	}
	if (Math.abs(x - drag.from) > POINTER_STILL)
		drag.moved = true;
	if (!drag.moved)
		return;
	page.motion++;
	viewSet(page, ...overviewDragged(drag,
		axisTime(overviewAxis(page), x)));
}

function overviewUp(page, event)
{
	const { drag, plot } = page.overview;
	const { view } = page;
	const t = axisTime(overviewAxis(page), pointerX(event, plot));
	const half = (view.t1 - view.t0) / 2;

	page.overview.drag = null;
	if (drag && !drag.moved && drag.part === "")
		viewGo(page, t - half, t + half);
}

function overviewBind(page)
{
	const { plot } = page.overview;
	const on = (type, act) => plot.addEventListener(type,
		(event) => act(page, event));

	on("pointerdown", overviewDown);
	on("pointermove", overviewMove);
	on("pointerup", overviewUp);
	on("dblclick", () => viewWhole(page));
}
