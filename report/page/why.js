// SPDX-License-Identifier: GPL-2.0-only
// Why one I/O took as long as it did: a dialog with what it waited for, and
// with what was in flight meanwhile, on all devices, over its time.

// columns of a bar
const WHY_COLUMNS = 60;
const WHY_CROWDS = 12;
// what an I/O does in a phase, after a time; others have the device meanwhile
const WHY_WORDS = ["for a request", "held in the plug or merged",
	"in the scheduler", "in the device"];
const WHY_DEVICE = 3;

// whether a row had the device at some time from t0 to t1
function whyHad(rows, i, t0, t1)
{
	return rows.done[i] > t0 && rowsIssue(rows, i) < t1 &&
		rows.issued[i] > 0;
}

// rows in flight from t0 to t1, but for one; in order of starts
function whyOthers(rows, row)
{
	const [t0, t1] = [rows.start[row], rows.done[row]];
	const others = [];

	for (let i = 0; i < rows.n && rows.start[i] < t1; i++) {
		const end = rows.done[i] < 0 ? Infinity : rows.done[i];

		if (i !== row && end > t0)
			others.push(i);
	}
	return others;
}

// "writes of checkpointer", of a stream
function whyWho(page, stream, n)
{
	const [, operation, process] = page.meta.streams[stream];
	const { name } = page.meta.operations[operation];
	const plural = name.endsWith("sh") ? "es" : "s";

	return `${name}${n === 1 ? "" : plural} of ` +
		page.meta.processes[process].name;
}

// rows by stream: { stream, list }, the longest list first
function whyGroups(rows, list)
{
	const groups = new Map();

	for (const i of list) {
		const stream = rows.stream[i];

		if (!groups.has(stream))
			groups.set(stream, []);
		groups.get(stream).push(i);
	}
	return [...groups].map(([stream, of]) => ({ stream, list: of }))
		.sort((a, b) => b.list.length - a.list.length);
}

// who had the device in a step: at its end, in the device itself at its begin
function whyBehind(page, rows, row, step, others)
{
	const { device } = page.model;
	const t1 = step.phase === WHY_DEVICE ? step.t0 + 1 : step.t1;
	const had = others.filter((i) => device[rows.stream[i]] ===
		device[rows.stream[row]] && whyHad(rows, i, step.t0, t1));
	const [most] = whyGroups(rows, had);

	if (!most || step.phase === 1)
		return "";
	const n = most.list.length;
	const who = whyWho(page, most.stream, n);
	const how = step.phase === WHY_DEVICE ? "beside" : "behind";

	return n === had.length ? `${how} ${n} ${who}` :
		`${how} ${had.length} requests, ${n} of them ${who}`;
}

// the phases of a row, in order, which add up to its time
function whySteps(page, rows, row, others)
{
	let t0 = rows.start[row];

	return rowsPhases(rows, row, []).map((ns, phase) => {
		const step = { phase, ns, t0, t1: t0 + ns };

		t0 = step.t1;
		return step;
	}).filter((step) => step.ns > 0).map((step) => ({ ...step,
		behind: whyBehind(page, rows, row, step, others) }));
}

function whySentence(page, rows, row, steps)
{
	const total = rows.done[row] - rows.start[row];
	const said = steps.filter((s) => s.ns >= total / 100);
	const rest = steps.filter((s) => s.ns < total / 100)
		.reduce((sum, s) => sum + s.ns, 0);
	const parts = said.map((s) => [numberTime(s.ns), WHY_WORDS[s.phase],
		s.behind].filter((text) => text).join(" "));

	if (rest > 0)
		parts.push(`${numberTime(rest)} in shorter steps`);
	return `${numberTime(total)}: ${parts.join(", ")}`;
}

// a bar from t0 to t1 of the time from start, as long as all
function whyBar(start, all, t0, t1, colour)
{
	const bar = domMake("i", {});

	bar.style.left = `${((t0 - start) / all * 100).toFixed(2)}%`;
	bar.style.width = `${((t1 - t0) / all * 100).toFixed(2)}%`;
	bar.style.background = colour;
	return bar;
}

// how many of a list were in flight, as columns of that strength
function whyColumns(rows, list, start, all)
{
	const counts = new Array(WHY_COLUMNS).fill(0);
	const place = (t) => Math.min(WHY_COLUMNS - 1, Math.max(0,
		Math.floor((t - start) / all * WHY_COLUMNS)));

	for (const i of list) {
		const end = rows.done[i] < 0 ? start + all : rows.done[i];

		for (let k = place(rows.start[i]); k <= place(end); k++)
			counts[k]++;
	}
	return counts;
}

function whyRow(texts, bars)
{
	const row = domMake("tr", {}, ...texts.map((text, i) =>
		domMake("td", { className: i < 2 ? "num" : "" }, text)));

	row.append(domMake("td", {}, domMake("div", { className: "track" },
		...bars)));
	return row;
}

function whyCrowd(page, rows, row, group)
{
	const start = rows.start[row];
	const all = Math.max(1, rows.done[row] - start);
	const counts = whyColumns(rows, group.list, start, all);
	const most = Math.max(...counts);
	const bytes = group.list.reduce((sum, i) =>
		sum + rows.blocks[i] * 512, 0);
	const [device, operation] = page.meta.streams[group.stream];
	const kind = THEME_KINDS[Math.min(operation, 2)];
	const bars = counts.map((n, k) => {
		const bar = whyBar(0, WHY_COLUMNS, k, k + 1, `var(--${kind})`);

		bar.style.opacity = (n / most).toFixed(2);
		return bar;
	}).filter((bar, k) => counts[k]);

	return whyRow([numberWhole(group.list.length), numberBytes(bytes),
		page.meta.devices[device].name,
		whyWho(page, group.stream, group.list.length)], bars);
}

function whyTable(caption, rows)
{
	return domMake("table", {}, domMake("caption", {}, caption),
		domMake("tbody", {}, ...rows));
}

function whyFill(page, rows, row)
{
	const start = rows.start[row];
	const all = Math.max(1, rows.done[row] - start);
	const others = whyOthers(rows, row);
	const steps = whySteps(page, rows, row, others);
	const [device] = page.meta.streams[rows.stream[row]];
	const { head, lines } = labelRow(page, row);
	const groups = whyGroups(rows, others);

	page.why.replaceChildren(domMake("h2", {}, head),
		domMake("p", { className: "sentence" },
			whySentence(page, rows, row, steps)),
		domMake("p", {}, lines.filter(([, value]) => value).slice(0, 2)
			.map((line) => line.join(" ")).join(", ")),
		whyTable("What it waited for", steps.map((s) => whyRow([
			numberTime(s.t0 - start), numberTime(s.ns),
			page.meta.devices[device].name, WHY_WORDS[s.phase]],
		[whyBar(start, all, s.t0, s.t1, `var(--phase${s.phase})`)]))),
		whyTable("In flight meanwhile", groups.slice(0, WHY_CROWDS)
			.map((group) => whyCrowd(page, rows, row, group))),
		domButton("Close", "", () => page.why.close()));
}

// opens the dialog for a row that ended
function whyOpen(page, row)
{
	const { rows } = page.sources.rows;

	if (rows.done[row] < 0)
		return;
	if (!page.why) {
		page.why = domMake("dialog", { id: "why",
			"aria-label": "Why it took so long" });
		document.body.append(page.why);
	}
	whyFill(page, rows, row);
	if (!page.why.open)
		page.why.showModal();
}

// the row of an I/O of a table; -1: the page has not kept it
function whyFind(page, s)
{
	const { rows } = page.sources.rows;
	const first = orderPlace(rows.start, s[SLOWEST.start]);

	for (let i = first; i < rows.n &&
	     rows.start[i] === s[SLOWEST.start]; i++)
		if (rows.stream[i] === s[SLOWEST.stream] &&
		    rows.sector[i] === s[SLOWEST.sector])
			return i;
	return -1;
}

// a button for a row of a table, or nothing where the page has no more of it
function whyButton(page, s)
{
	const row = whyFind(page, s);
	const button = row < 0 || page.sources.rows.rows.done[row] < 0 ? null :
		domButton("Why?", "why", () => whyOpen(page, row));

	if (button)
		button.title = "what it waited for, and what was in flight";
	return button;
}
