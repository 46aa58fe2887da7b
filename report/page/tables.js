// SPDX-License-Identifier: GPL-2.0-only
// The tables by operation, process and device.  They stand in the file for the
// whole trace; for a range or a filter their cells get its numbers, and later
// the original ones come back.

// each table: its element, what its rows are, and how a row names itself
const TABLES = [["t-operations", "operations", "op"],
	["t-processes", "processes", "process"],
	["t-devices", "devices", "device"]];

// Takes over the tables of the file.
function tablesTake(page)
{
	const tables = [];

	for (const [id, kind, name] of TABLES) {
		const section = document.getElementById(id);

		if (!section)
			continue;
		const body = section.querySelector("tbody");
		const rows = [...body.rows].map((row) =>
			tablesRow(page, kind, row, row.dataset[name]));

		if (page.sides.length > 1)
			tablesJoin(rows);

		tables.push({ kind, body, rows,
			caption: section.querySelector("caption"),
			original: section.querySelector("caption")
				.textContent });
	}
	tablesGroups(page);
	return tables;
}

// a row: its cells as they came, and the number of what it is about
function tablesRow(page, kind, element, name)
{
	const index = kind === "operations" ?
		page.meta.operations.findIndex((o) => o.key === name) :
		Number(name);
	const heads = [...element.cells].filter((c) => c.tagName === "TH");
	const cells = [...element.cells].slice(heads.length);
	const { side } = element.dataset;

	/* of two runs the name stands before the first row */
	if (side === undefined || side === "a")
		tablesChoose(page, kind, element, index);
	return { element, index, cells, side,
		original: cells.map((cell) => cell.textContent),
		part: kind === "processes" ?
			cells[0].style.getPropertyValue("--part") : "" };
}

// Two runs have three rows: A, B, and the difference.
function tablesJoin(rows)
{
	rows.forEach((row, i) => {
		if (row.side === "change")
			row.between = rows.slice(i - 2, i);
	});
}

// A click on a row's name switches what it is about on and off.
function tablesChoose(page, kind, element, index)
{
	const head = element.cells[0];
	const button = domButton(head.textContent, "name", () => {
		const filter = page.view.filter[kind];

		filter[index] = !filter[index];
		viewFiltered(page);
	});

	button.title = "show or hide in the graphs";
	head.replaceChildren(button);
}

// the table of control groups has no rows in the file to count again
function tablesGroups(page)
{
	const section = document.getElementById("t-cgroups");

	page.cgroups = section && section.querySelector("caption");
	page.cgroupsCaption = page.cgroups && page.cgroups.textContent;
}

const TABLES_NONE = NUMBER_NONE;

// how the numbers of a row are written, in the order of the columns
const TABLES_TEXTS = [numberWhole, numberShort, numberBytes, numberBytes,
	numberBytes, ...Array(8).fill(numberTime)];

// the numbers of a row, NaN if missing
function tablesNumbers(row)
{
	const of = (dist, ...which) => which.map((k) => dist ? dist.p[k] :
		NaN).concat(dist ? dist.max : NaN);

	return [row.n, row.perSecond, row.bytes, row.bytesPerSecond,
		row.bytes ? row.bytes / row.moved : NaN,
		...of(row.q2c, 0, 1, 2, 3), ...of(row.d2c, 0, 2)];
}

function tablesCells(numbers)
{
	return numbers.map((v, i) => Number.isNaN(v) ? TABLES_NONE :
		TABLES_TEXTS[i](v));
}

// the run that a row is about, and its number there
function tablesSide(page, kind, shown)
{
	const side = page.sides[shown.side === "b" ? 1 : 0];

	return [side, kind === "operations" || !side.places ? shown.index :
		side.places[kind].indexOf(shown.index)];
}

// the share of data that a process has, as a number and a bar
function tablesShare(page, row, cell)
{
	const all = page.range.all.bytes;
	const part = all ? row.bytes / all * 100 : 0;

	domText(cell, numberPercent(row.bytes, all));
	cell.style.setProperty("--part", `${part.toFixed(1)}%`);
}

function tablesFill(page, table, shown)
{
	const [side, index] = tablesSide(page, table.kind, shown);
	const row = side.range[table.kind][index];
	const cells = table.kind === "processes" ? shown.cells.slice(1) :
		shown.cells;

	shown.numbers = row ? tablesNumbers(row) : cells.map(() => NaN);
	tablesCells(shown.numbers).forEach((text, i) =>
		domText(cells[i], text));
	if (table.kind === "processes" && row)
		tablesShare(side, row, shown.cells[0]);
}

function tablesChange(table, shown)
{
	const [a, b] = shown.between;
	const cells = table.kind === "processes" ? shown.cells.slice(1) :
		shown.cells;

	cells.forEach((cell, i) => domText(cell, spreadChange(a.numbers[i],
		b.numbers[i])));
}

function tablesRestore(table, shown)
{
	shown.cells.forEach((cell, i) => domText(cell, shown.original[i]));
	if (table.kind === "processes")
		shown.cells[0].style.setProperty("--part", shown.part);
}

// which range the tables are about, in their captions
function tablesCaption(page, table)
{
	const { view } = page;
	const ranges = page.sides.map((side) => side.range);
	const about = ranges.every((r) => r.exact || r.source.exact) ? "" :
		", percentiles \u00b14%";
	const [t0, t1] = ranges.length > 1 ? viewRange(view) :
		[ranges[0].t0, ranges[0].t1];

	domText(table.caption, tablesWhole(page) ? table.original :
		`${table.original}, ${view.selection ? "selected " : ""}` +
		labelSpan(t0, t1) + about);
}

// whether all of it is looked at, as it stands in the file
function tablesWhole(page)
{
	return page.sides.every((side) => side.range.whole);
}

// the rows that the filter leaves out are grey
function tablesDim(page, table)
{
	const filter = page.view.filter[table.kind];

	for (const { element, index } of table.rows) {
		element.classList.toggle("off", !filter[index]);
		const button = element.querySelector("button.name");

		if (button)
			domPressed(button, filter[index]);
	}
}

// All tables for the range as it is now.
function tablesUpdate(page)
{
	for (const table of page.tables) {
		for (const shown of table.rows)
			if (tablesWhole(page))
				tablesRestore(table, shown);
			else if (shown.between)
				tablesChange(table, shown);
			else
				tablesFill(page, table, shown);
		tablesCaption(page, table);
		tablesDim(page, table);
	}
	if (page.cgroups)
		domText(page.cgroups, page.cgroupsCaption +
			(tablesWhole(page) ? "" : ", the whole trace"));
	for (const side of page.sides)
		if (!side.range.quick) {
			slowestUpdate(side);
			openUpdate(side);
		}
}
