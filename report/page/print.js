// SPDX-License-Identifier: GPL-2.0-only
// Printing: light, and all canvases drawn anew at twice the pixels, as wide as
// a landscape page.

const PRINT_WIDTH = 1032;
const PRINT_SIDE = 210;

function printBegin(page)
{
	page.printing = { width: PRINT_WIDTH - PRINT_SIDE - 2,
		theme: themeCurrent() };
	document.documentElement.classList.add("printing");
	themeApply(page, "light");
	printDraw(page);
}

function printEnd(page)
{
	if (!page.printing)
		return;
	const { theme } = page.printing;

	page.printing = null;
	document.documentElement.classList.remove("printing");
	themeApply(page, theme);
	frameAsk(page, "layout");
	frameAsk(page, "theme");
}

// everything at once, as no frame comes before the paper
function printDraw(page)
{
	cancelAnimationFrame(page.frame);
	page.frame = 0;
	page.old = new Set();
	layoutRead(page);
	for (const card of page.cards) {
		card.old = true;
		card.sideOld = true;
		card.sideWidth = PRINT_SIDE - 24;
	}
	rangeCompute(page, false);
	page.ticks = axisTimeTicks(page.view.t0, page.view.t1,
		page.layout.px / 110);
	frameCards(page, true);
	if (page.pair)
		spreadUpdate(page);
	overviewBase(page);
	overviewDraw(page);
	overlayDraw(page);
	barRange(page);
}

function printBind(page)
{
	window.addEventListener("beforeprint", () => printBegin(page));
	window.addEventListener("afterprint", () => printEnd(page));
}
