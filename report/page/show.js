// SPDX-License-Identifier: GPL-2.0-only
// What takes the reader to a time: findings' buttons, and tiles that are about
// one I/O.

// how much of the window a shown time takes
const SHOW_PART = 0.25;

// Scrolls to the latencies of a run, right below the bar, which stays in sight,
// and gives them the focus: arrows go on from there.
function showGraph(page)
{
	const { element, plot } = page.front.cards.find((card) =>
		card.page === page && card.id === "latency");
	const bar = document.getElementById("bar").getBoundingClientRect();

	element.style.scrollMarginTop = `${Math.ceil(bar.height)}px`;
	element.scrollIntoView({ block: "start" });
	plot.focus({ preventScroll: true });
}

// selects [t0, t1) and zooms so that it can be seen with its surroundings
function showTime(page, t0, t1)
{
	const { front } = page;
	const length = Math.max(1000, t1 - t0);
	const window = length / SHOW_PART;
	const middle = (t0 + t1) / 2;

	viewSelect(front, t0, Math.max(t1, t0 + 1) + 1, true);
	viewGo(front, middle - window / 2, middle + window / 2);
	showGraph(page);
}

function showFindings(page)
{
	for (const button of document.querySelectorAll(
		"#findings button[data-from]")) {
		const { from, to } = button.dataset;
		const head = button.parentNode.querySelector(".head");

		button.hidden = false;
		button.setAttribute("aria-label",
			`Show: ${head ? head.textContent : ""}`);
		button.addEventListener("click", () =>
			showTime(page, Number(from), Number(to || from)));
	}
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
