// SPDX-License-Identifier: GPL-2.0-only
// How the page begins: the data is unpacked, graphs are made, and what stands
// in the page as HTML is taken over.

// all graphs, from top to bottom
function mainGraphs(page)
{
	return [LATENCY_GRAPH, PHASES_GRAPH, ...RATES_GRAPHS, DEPTH_GRAPH,
		OFFSETS_GRAPH,
		...page.lanes.length ? [eventsGraph(page.lanes)] : []];
}

// state of the whole page, whatever it shows
function mainPage(meta)
{
	const model = modelMake(meta);
	const page = {
		meta, model,
		view: viewMake(model),
		cards: [], pointers: new Map(), old: new Set(),
		scratch: document.createElement("canvas"),
		ticks: { at: [], step: 1 },
		motion: 0, frame: 0, settling: 0, drag: null, range: null,
		rangeWanted: false, themeGiven:
			document.documentElement.dataset.theme || "",
	};

	page.front = page;
	page.sides = [page];
	return page;
}

// a run: the page itself, or one of two that stand on it
function mainSide(page, meta, columns)
{
	page.meta = meta;
	page.model = modelMake(meta);
	page.sources = sourcesMake(page.model, columns);
	page.lanes = eventsLanes(meta, columns, page.sources.rows.rows);
	page.range = null;
	return page;
}

// the page of one run, or of two
async function mainMake(meta)
{
	if (meta.sides)
		return pairMake(meta);
	return mainSide(mainPage(meta), meta, await columnsUnpack(meta, "b-"));
}

// A card for each graph, of two runs one above the other, after the difference.
function mainCards(page)
{
	const lists = page.sides.map((side) => mainGraphs(side)
		.map((graph) => cardMake(page, side, graph)));

	return page.pair ? [cardMake(page, page, DIFFERENCE_GRAPH),
		...pairCards(lists)] : lists[0];
}

// elements of the graphs and of all that controls them
function mainBuild(page)
{
	const graphs = document.getElementById("graphs");

	page.aside = cursorMake();
	page.overview = overviewMake();
	page.bar = barMake(page);
	page.cards = mainCards(page);
	graphs.append(...page.cards.map((card) => card.element));
	if (page.pair)
		pairPlace(page, graphs);
	page.tables = tablesTake(page);
	page.sides.forEach(mainTables);
	headButtons(page);
	findingsBind(page);
	showTiles(page);
}

// the tables that are a side's own
function mainTables(side)
{
	side.slowest = slowestTake(side);
	side.opened = slowestTable(side, "t-open");
}

function mainBind(page)
{
	for (const card of page.cards)
		pointerBind(page, card);
	overviewBind(page);
	menuBind(page);
	keysBind(page);
	printBind(page);
	window.addEventListener("hashchange", () => addressChanged(page));
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change",
		() => {
			themeApply(page, page.view.theme || page.themeGiven);
			frameAsk(page, "theme");
		});
	new ResizeObserver(() => page.printing || frameAsk(page, "layout"))
		.observe(document.getElementById("graphs"));
	mainWatch(page);
}

// graphs that come onto the screen are drawn if they are old
function mainWatch(page)
{
	const cards = new Map(page.cards.map((c) => [c.element, c]));
	const watch = new IntersectionObserver((entries) => {
		for (const entry of entries)
			cards.get(entry.target).visible = entry.isIntersecting;
		frameAsk(page, "card");
	}, { rootMargin: "100px" });

	page.cards.forEach((card) => watch.observe(card.element));
}

// the first picture, at once; the statistics with it
function mainDraw(page)
{
	addressRead(page);
	layoutRead(page);
	cancelAnimationFrame(page.frame);
	rangeCompute(page, false);
	frameAsk(page, "layout");
	frameAsk(page, "range");
	cancelAnimationFrame(page.frame);
	frameDraw(page);
}

async function mainStart()
{
	const text = document.getElementById("meta").textContent;
	const meta = JSON.parse(text);
	const page = await mainMake(meta);

	mainBuild(page);
	mainBind(page);
	mainDraw(page);
	document.documentElement.dataset.ready = "1";
	return page;
}

// for tests: the statistics of any range, and the view
function mainExpose(ready)
{
	window.btreport = { ready: ready.then((page) => {
		Object.assign(window.btreport, {
			meta: page.meta, page,
			view: () => page.view,
			range: (t0, t1, quick) => rangeOf(sourceFor(
				page.sources, t0, t1), page.view.filter, t0,
			t1, quick),
			rangeOf: (source, t0, t1) => rangeOf(source,
				page.view.filter, t0, t1, false),
			settled: () => page.sides[0].range && !page.settling,
			zoom: (t0, t1) => viewSet(page, t0, t1),
			select: (t0, t1) => viewSelect(page, t0, t1, false),
			/* what is asked for, now; also what is out of sight */
			draw: () => {
				frameCards(page, true);
				frameDraw(page);
			},
		});
	}) };
}

// The static part stays as it is where the script or the browser fails.
function mainFailed(error)
{
	const late = document.getElementById("late");

	late.hidden = false;
	document.documentElement.dataset.failed = String(error);
}

mainExpose(mainStart().catch((error) => {
	mainFailed(error);
	throw error;
}));
