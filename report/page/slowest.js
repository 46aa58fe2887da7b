// SPDX-License-Identifier: GPL-2.0-only
// The slowest requests: the table of the file, which can be sorted, with the
// life of each as a bar; a click shows it in the graphs.  For a range, those
// of it.

const SLOWEST_FEW = 15;
// columns of meta.slowest
const SLOWEST = { start: 0, stream: 1, sector: 2, bytes: 3, q2g: 4, q2i: 5,
	q2d: 6, d2c: 7, q2c: 8, pid: 9, flags: 10, error: 11,
	/* of the table of what is in flight only: times are at most that */
	most: 12 };
// the columns of the table that sort it
const SLOWEST_SORTS = [[6, "q2d"], [7, "d2c"], [8, "q2c"]];

// Takes a table over: adds a column of lives, and a button for all rows.
function slowestTable(page, id)
{
	const section = document.getElementById(id + (page.suffix || ""));

	if (!section)
		return null;
	const table = { section, body: section.querySelector("tbody"),
		heads: [...section.querySelectorAll("thead th")],
		caption: section.querySelector("caption"),
		sort: "q2c", all: false, shown: [] };

	table.heads[0].parentNode.append(domMake("th", { scope: "col" },
		"Life"), domMake("th", { scope: "col" }, "Why"));
	table.more = domButton("", "more", () => {
		table.all = !table.all;
		slowestFill(page, table);
	});
	section.append(table.more);
	return table;
}

// the table of the slowest, whose heads become buttons
function slowestTake(page)
{
	const slowest = slowestTable(page, "t-slowest");

	if (!slowest)
		return null;
	slowest.original = slowest.caption.textContent;
	for (const [column, sort] of SLOWEST_SORTS)
		slowestHead(page, slowest, column, sort);
	return slowest;
}

function slowestHead(page, slowest, column, sort)
{
	const head = slowest.heads[column];
	const button = domButton(head.textContent, "sort", () => {
		slowest.sort = sort;
		slowestUpdate(page);
	});

	head.replaceChildren(button);
	head.dataset.sort = sort;
}

// a row of the table of rows in the shape of meta.slowest
function slowestOf(rows, row)
{
	return [rows.start[row], rows.stream[row], rows.sector[row],
		rows.blocks[row] * 512, rows.q2g[row], rows.q2i[row],
		rows.issued[row] - 1, rows.d2c[row],
		rows.done[row] - rows.start[row], rows.pid[row],
		rows.flags[row], rows.error[row]];
}

// the slowest of a range of rows, by what sorts them
function slowestOfRows(page, sort, most)
{
	const { source, t0, t1 } = page.range;
	const { rows } = source;
	const has = page.meta.has[sort] ? sort : page.model.latencies[0];
	const ranked = has ? rowsRanked(rows, has) : [];
	const [a, b] = rowsEnded(rows, t0, t1);
	const found = [];

	for (let i = ranked.length - 1; i >= 0 && found.length < most; i--) {
		const at = ranked[i];

		if (at >= a && at < b && source.on[rows.ended.stream[at]])
			found.push(slowestOf(rows, rows.ended.row[at]));
	}
	return found;
}

// of the file's list: those of the range that pass the filter
function slowestOfFile(page, sort)
{
	const { t0, t1, source } = page.range;

	return slowestSorted(page.meta.slowest.filter((s) => {
		const end = s[SLOWEST.start] + s[SLOWEST.q2c];

		return source.on[s[SLOWEST.stream]] && end >= t0 && end < t1;
	}), sort);
}

// Whether what is selected is a row of a list, which stays as it was.
function slowestPinned({ front })
{
	return Boolean(front.pinned) &&
		front.pinned.selection === front.view.selection;
}

function slowestSorted(list, sort)
{
	return [...list].sort((a, b) => b[SLOWEST[sort]] - a[SLOWEST[sort]]);
}

// the whole trace's as the file has it, unless sorted otherwise
function slowestUpdate(page)
{
	const { slowest, range } = page;

	if (!slowest)
		return;
	if (slowestPinned(page)) {
		slowest.shown = slowestSorted(slowest.shown, slowest.sort);
		slowestFill(page, slowest);
		return;
	}
	slowest.shown = range.source.exact && !range.whole ||
		page.meta.exact && slowest.sort !== "q2c" ?
		slowestOfRows(page, slowest.sort, 150) :
		slowestOfFile(page, slowest.sort);
	domText(slowest.caption, range.whole ? slowest.original :
		`${slowest.original}, ${labelSpan(range.t0, range.t1)}`);
	slowestFill(page, slowest);
}

function slowestFill(page, table)
{
	const few = table.all ? table.shown :
		table.shown.slice(0, SLOWEST_FEW);
	const most = Math.max(1, ...few.map((s) => s[SLOWEST.q2c]));

	table.body.replaceChildren(...few.map((s) =>
		slowestRow(page, s, most)));
	table.more.hidden = table.shown.length <= SLOWEST_FEW;
	domText(table.more, table.all ? "Show fewer" :
		`Show all ${table.shown.length}`);
	for (const head of table.heads)
		if (head.dataset.sort)
			head.setAttribute("aria-sort",
				head.dataset.sort === table.sort ?
					"descending" : "none");
}

function slowestTexts(page, s)
{
	const { meta } = page;
	const [device, operation] = meta.streams[s[SLOWEST.stream]];
	const most = s[SLOWEST.most] ? "\u2264" + NUMBER_THIN : "";
	const time = (ns) => ns < 0 ? NUMBER_NONE : most + numberTime(ns);

	return [(s[SLOWEST.start] / 1e9).toFixed(6),
		meta.operations[operation].name, meta.devices[device].name,
		numberWhole(s[SLOWEST.sector]), numberBytes(s[SLOWEST.bytes]),
		meta.pidnames[s[SLOWEST.pid]], time(s[SLOWEST.q2d]),
		time(s[SLOWEST.d2c]), time(s[SLOWEST.q2c])];
}

const SLOWEST_TEXTS = [1, 2, 5];

function slowestRow(page, s, most)
{
	const row = domMake("tr", { className: "go" });

	if (slowestChosen(page, s))
		row.setAttribute("aria-current", "true");
	slowestTexts(page, s).forEach((text, i) => row.append(
		domMake("td", { className: SLOWEST_TEXTS.includes(i) ? "" :
			"num" }, text)));
	const why = whyButton(page, s);

	row.append(domMake("td", {}, slowestLife(page, s, most)),
		domMake("td", {}, why));
	const button = domButton(row.cells[0].textContent, "name", () =>
		slowestShow(page, s));

	button.title = "show it in the graphs";
	row.cells[0].replaceChildren(button);
	row.addEventListener("click", (event) => {
		if (event.target !== button && event.target !== why)
			slowestShow(page, s);
	});
	return row;
}

// the phases of a request to scale, as wide as its time is of the longest
function slowestLife(page, s, most)
{
	const q2d = s[SLOWEST.q2d] < 0 ? s[SLOWEST.q2i] : s[SLOWEST.q2d];
	const phases = [s[SLOWEST.q2g], s[SLOWEST.q2i] - s[SLOWEST.q2g],
		q2d - s[SLOWEST.q2i], s[SLOWEST.q2c] - q2d];
	const life = domMake("span", { className: "life", role: "img",
		"aria-label": phases.map((ns, k) => ns > 0 ?
			`${page.meta.phases[k]} ${numberTime(ns)}` : "")
			.filter((text) => text).join(", ") });

	phases.forEach((ns, k) => {
		const part = domMake("i", {});
		const percent = Math.max(0, ns) / most * 100;

		part.style.width = `${percent.toFixed(2)}%`;
		part.style.background = `var(--phase${k})`;
		life.append(part);
	});
	life.title = life.getAttribute("aria-label");
	return life;
}

// whether a row, or what it begins with, is the one that is shown
function slowestChosen(page, s)
{
	const { pinned } = page.front;

	return slowestPinned(page) && pinned.page === page &&
		["start", "stream", "sector"].every((name) =>
			pinned.row[SLOWEST[name]] === s[SLOWEST[name]]);
}

// selects its time and brings it into view, with as much on either side
function slowestShow(page, s)
{
	const t0 = s[SLOWEST.start];
	const length = Math.max(1000, s[SLOWEST.q2c]);
	const { front } = page;

	showTime(page, t0, t0 + length);
	front.pinned = { selection: front.view.selection, row: s, page };
}
