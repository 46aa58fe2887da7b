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
	const cells = [...element.cells].slice(1);

	tablesChoose(page, kind, element, index);
	return { element, index, cells,
		original: cells.map((cell) => cell.textContent),
		part: kind === "processes" ?
			cells[0].style.getPropertyValue("--part") : "" };
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

// texts of a row's cells, in the order of the columns
function tablesCells(row)
{
	const time = (dist, of) => dist ? numberTime(of(dist)) : TABLES_NONE;
	const { q2c, d2c } = row;

	return [numberWhole(row.n), numberShort(row.perSecond),
		numberBytes(row.bytes), numberBytes(row.bytesPerSecond),
		row.n ? numberBytes(row.bytes / row.n) : TABLES_NONE,
		time(q2c, (d) => d.p[0]), time(q2c, (d) => d.p[1]),
		time(q2c, (d) => d.p[2]), time(q2c, (d) => d.p[3]),
		time(q2c, (d) => d.max), time(d2c, (d) => d.p[0]),
		time(d2c, (d) => d.p[2]), time(d2c, (d) => d.max)];
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
	const row = page.range[table.kind][shown.index];
	const texts = tablesCells(row);
	const cells = table.kind === "processes" ? shown.cells.slice(1) :
		shown.cells;

	cells.forEach((cell, i) => domText(cell, texts[i]));
	if (table.kind === "processes")
		tablesShare(page, row, shown.cells[0]);
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
	const { range, view } = page;
	const about = range.exact || range.source.exact ? "" :
		", percentiles \u00b14\u2009%";

	domText(table.caption, range.whole ? table.original :
		`${table.original}, ${view.selection ? "selected " : ""}` +
		labelSpan(range.t0, range.t1) + about);
}

// the rows that the filter leaves out are grey
function tablesDim(page, table)
{
	const filter = page.view.filter[table.kind];

	for (const { element, index } of table.rows) {
		element.classList.toggle("off", !filter[index]);
		domPressed(element.cells[0].firstChild, filter[index]);
	}
}

// All tables for the range as it is now.
function tablesUpdate(page)
{
	for (const table of page.tables) {
		for (const shown of table.rows)
			if (page.range.whole)
				tablesRestore(table, shown);
			else
				tablesFill(page, table, shown);
		tablesCaption(page, table);
		tablesDim(page, table);
	}
	if (page.cgroups)
		domText(page.cgroups, page.cgroupsCaption +
			(page.range.whole ? "" : ", the whole trace"));
	if (!page.range.quick)
		slowestUpdate(page);
}
