// SPDX-License-Identifier: GPL-2.0-only
// What is looked at: the window of time, the selection, the filter, and how
// graphs are switched.  All changes are made here, so that the address,
// the graphs and the statistics follow.

// the narrowest window: ns with rows, bins without
const VIEW_LEAST = 200;
const VIEW_LEAST_BINS = 8;
const VIEW_ANIMATED = 220;

function viewMake(model)
{
	return {
		t0: 0, t1: model.duration,
		selection: null,
		cursor: null,
		filter: modelFilter(model),
		latency: model.latencies[0] || "q2c",
		heat: "density",
		offsets: "op",
		phases: "time",
		theme: "",
		tops: {},
	};
}

// Whether [t0, t1) is as narrow as it gets
function viewLeast(page, t0, t1)
{
	return Math.max(...page.sides.map(({ sources }) =>
		sourceFor(sources, t0, t1).exact ? VIEW_LEAST :
			VIEW_LEAST_BINS * sources.bins.base));
}

// puts a window inside the trace and above the narrowest
function viewClamp(page, t0, t1)
{
	const whole = page.model.duration;
	const least = Math.min(whole, viewLeast(page, t0, t1));
	let length = Math.min(whole, t1 - t0);
	let from = t0;

	if (length < least) {
		from = (t0 + t1 - least) / 2;
		length = least;
	}
	from = Math.max(0, Math.min(whole - length, from));
	return [from, from + length];
}

function viewSet(page, t0, t1)
{
	const { view } = page;

	[view.t0, view.t1] = viewClamp(page, t0, t1);
	page.finest = t1 - t0 < viewLeast(page, t0, t1) * 1.001 &&
		!page.sides.every((side) =>
			sourceFor(side.sources, view.t0, view.t1).exact);
	frameAsk(page, "view");
	rangeLater(page);
}

function viewIsWhole(page)
{
	return page.view.t0 <= 0 && page.view.t1 >= page.model.duration;
}

// Goes to a window in VIEW_ANIMATED ms, or at once for people who want no
// motion.
function viewGo(page, t0, t1)
{
	const { view } = page;
	const from = [view.t0, view.t1];
	const to = viewClamp(page, t0, t1);
	const began = performance.now();
	const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
	const number = ++page.motion;
	const move = (now) => {
		const part = Math.min(1, Math.max(0, now - began) /
			VIEW_ANIMATED);
		const eased = 1 - (1 - part) ** 3;

		if (page.motion !== number)
			return;
		if (part >= 1) {
			viewSet(page, t0, t1);
			return;
		}
		viewSet(page, ...from.map((v, i) => v + (to[i] - v) * eased));
		requestAnimationFrame(move);
	};

	if (still)
		viewSet(page, t0, t1);
	else
		requestAnimationFrame(move);
}

// a window around the place `at`, factor times as long
function viewZoomed(view, at, factor)
{
	return [at - (at - view.t0) * factor, at + (view.t1 - at) * factor];
}

function viewZoom(page, at, factor)
{
	page.motion++;
	viewSet(page, ...viewZoomed(page.view, at, factor));
}

// moves by a share of the window
function viewMove(page, share)
{
	const { view } = page;
	const by = (view.t1 - view.t0) * share;

	page.motion++;
	viewSet(page, view.t0 + by, view.t1 + by);
}

function viewWhole(page)
{
	viewGo(page, 0, page.model.duration);
}

// Selects [t0, t1), or nothing if they are null; settled when no more movement
// is expected.
function viewSelect(page, t0, t1, settled)
{
	const { view } = page;
	const whole = page.model.duration;

	if (t0 === null)
		view.selection = null;
	else
		view.selection = [Math.max(0, Math.min(t0, t1)),
			Math.min(whole, Math.max(t0, t1))];
	frameAsk(page, "selection");
	if (settled || t0 === null)
		rangeLater(page);
	else
		rangeSoon(page);
}

function viewToSelection(page)
{
	const { selection } = page.view;

	if (!selection)
		return;
	page.view.selection = null;
	viewGo(page, ...selection);
	frameAsk(page, "selection");
}

// the time whose statistics are shown
function viewRange(view)
{
	return view.selection || [view.t0, view.t1];
}

// after any change of the filter
function viewFiltered(page)
{
	sideFollow(page);
	for (const { model, sources, view } of page.sides)
		sourcesFilter(sources, modelPassing(model, view.filter),
			modelIsDefault(model, view.filter));
	frameAsk(page, "filter");
	rangeLater(page);
}

// one of the switches of graphs: latency, heat, offsets, phases
function viewSwitch(page, name, value)
{
	page.view[name] = value;
	frameAsk(page, "view");
	rangeLater(page);
}

// The value axis of a graph: undefined for what fits, "full", or numbers.
function viewTop(page, graph, wish)
{
	if (wish === undefined)
		delete page.view.tops[graph];
	else
		page.view.tops[graph] = wish;
	frameAsk(page, "view");
	frameAsk(page, "sides");
}
