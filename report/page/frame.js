// SPDX-License-Identifier: GPL-2.0-only
// When to draw.  Changes request a frame; in it everything requested is
// drawn once, and only graphs on the screen are.

// what each change makes old
const FRAME_OLD = {
	view: ["graphs", "overlay", "bar", "address"],
	filter: ["graphs", "overlay", "overview", "bar", "address"],
	selection: ["overlay", "bar", "address"],
	theme: ["graphs", "sides", "overlay", "overview", "bar", "address"],
	layout: ["layout", "graphs", "sides", "overlay", "overview", "bar"],
	range: ["sides", "range"],
	sides: ["sides"],
	cursor: ["cursor"],
	card: [],
};

// phones, as in the style
const FRAME_NARROW = 760;

// the statistics are exact this long after the last movement
const FRAME_SETTLED = 150;

function frameAsk(page, what)
{
	for (const old of FRAME_OLD[what])
		page.old.add(old);
	if (what === "view" || what === "filter" || what === "theme" ||
	    what === "layout")
		for (const card of page.cards)
			card.old = true;
	if (page.old.has("sides"))
		frameSidesOld(page);
	if (!page.frame)
		page.frame = requestAnimationFrame(() => frameDraw(page));
}

function frameSidesOld(page)
{
	for (const card of page.cards)
		card.sideOld = true;
	page.spreadOld = true;
}

// draws what has been asked for, in an order in which sizes are read first
function frameDraw(page)
{
	const old = page.old;

	page.frame = 0;
	page.old = new Set();
	if (old.has("layout"))
		layoutRead(page);
	if (page.rangeWanted) {
		rangeCompute(page, true);
		old.add("range");
		frameSidesOld(page);
	}
	page.ticks = axisTimeTicks(page.view.t0, page.view.t1,
		page.layout.px / 110);
	frameCards(page, false);
	if (page.pair)
		spreadUpdate(page);
	if (old.has("overview"))
		overviewBase(page);
	if (old.has("overview") || old.has("overlay"))
		overviewDraw(page);
	if (old.has("overlay"))
		overlayDraw(page);
	if (old.has("bar"))
		barUpdate(page);
	if (old.has("range"))
		frameRange(page);
	if (old.has("cursor") || old.has("overlay"))
		cursorDraw(page);
	if (old.has("address"))
		addressWrite(page);
}

function frameRange(page)
{
	barRange(page);
	tablesUpdate(page);
}

// draws graphs that are old and can be seen; all of them for printing
function frameCards(page, all)
{
	/* the second time only those whose scale another has changed */
	for (let pass = 0; pass < 2; pass++)
		for (const card of page.cards)
			if (all || cardIsVisible(card))
				frameCard(card);
}

function frameCard(card)
{
	if (card.old)
		cardDraw(card.page, card);
	if (card.sideOld && card.page.range)
		cardSide(card.page, card);
}

// statistics with the next frame: something is being dragged
function rangeSoon(page)
{
	page.rangeWanted = true;
	frameAsk(page, "selection");
	rangeLater(page);
}

// exact statistics when nothing has moved for a while
function rangeLater(page)
{
	clearTimeout(page.settling);
	page.settling = setTimeout(() => {
		page.settling = 0;
		rangeCompute(page, false);
		frameAsk(page, "range");
	}, FRAME_SETTLED);
}

// computes the statistics of the range in view or selected
function rangeCompute(page, quick)
{
	page.rangeWanted = false;
	for (const side of page.sides)
		rangeSide(side, quick);
	if (page.pair)
		pairRange(page);
}

function rangeSide(side, quick)
{
	const { view, model } = side;
	const [t0, t1] = viewRange(view);
	const source = sourceFor(side.sources, t0, t1);

	side.range = rangeOf(source, view.filter, t0, t1, quick);
	side.range.whole = t0 <= 0 && t1 >= model.duration &&
		modelIsDefault(model, view.filter);
	if (side.range.whole)
		rangeWhole(side.range, model);
	side.range.quick = quick;
}

// Sizes, read once after each change of them and before anything is written.
function layoutRead(page)
{
	const first = page.cards[0].plot;
	const narrow = window.innerWidth < FRAME_NARROW;
	const width = page.printing ? page.printing.width :
		first.clientWidth;
	const left = narrow ? 58 : 66;
	const right = narrow ? 12 : 56;

	page.layout = {
		left, right, width, narrow,
		px: Math.max(50, width - left - right),
		ratio: page.printing ? 2 : window.devicePixelRatio || 1,
	};
	/* what is scrolled to stands below the bar */
	document.documentElement.style.scrollPaddingTop =
		document.getElementById("bar").offsetHeight + "px";
	for (const card of page.cards)
		card.sideWidth = card.sideCanvas.parentNode.clientWidth - 24;
}

function layoutAxis(page)
{
	const { view, layout } = page;

	return axisMake(view.t0, view.t1, layout.left, layout.px);
}
