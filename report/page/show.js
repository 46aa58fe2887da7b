// SPDX-License-Identifier: GPL-2.0-only
// What takes the reader to a time.

// how much of the window a shown time takes
const SHOW_PART = 0.25;

// Scrolls to a graph, right below the bar, which stays in sight, and gives it
// the focus: arrows go on from there.
function showGraph({ element, plot })
{
	element.scrollIntoView({ block: "start" });
	plot.focus({ preventScroll: true });
}

// a window in which [t0, t1) can be seen with its surroundings
function showWindow(t0, t1)
{
	const half = Math.max(1000, t1 - t0) / SHOW_PART / 2;
	const middle = (t0 + t1) / 2;

	return [middle - half, middle + half];
}

// selects [t0, t1) and zooms so that it can be seen with its surroundings
function showTime(page, t0, t1)
{
	const { front } = page;

	viewSelect(front, t0, Math.max(t1, t0 + 1) + 1, true);
	viewGo(front, ...showWindow(t0, t1));
	showGraph(front.cards.find((card) => card.page === page &&
		card.id === "latency"));
}

// the tile of the slowest I/O leads to it
function showTiles(page)
{
	const tile = document.querySelector("[data-tile=slowest] .label");
	const [slowest] = page.meta.slowest || [];

	if (!tile || !slowest)
		return;
	tile.replaceChildren(domButton(tile.textContent, "name", () =>
		slowestShow(page, slowest)));
}
