// SPDX-License-Identifier: GPL-2.0-only
// What btstat says of every recorded trace, and what engines make of the same
// ios as btexport wrote them.
//
//	node engines-btstat.mjs MODULES DIRECTORY
//
// MODULES is a node_modules as engines.mjs says, DIRECTORY was made by
// engines-export.  Of the ios that btstat measures counts, sums, minima and
// maxima are the same.  Its percentiles are the middle of a histogram's cell,
// that in which the exact one of the engines lies.
import fs from 'node:fs';
import path from 'node:path';
import { byClickhouse, byDuckdb, csvRows, newTap, openEngines }
	from './engines.mjs';

const [modules, folder] = process.argv.slice(2);
const traces = path.resolve(folder, 'traces');
const engines = await openEngines(modules);
const tap = newTap();

const PHASES = {
	q2c: "if(birth = 'Q', total_ns, NULL)", q2g: 'q2g_ns', g2i: 'g2i_ns',
	i2d: 'i2d_ns', d2c: 'd2c_ns',
};
const PERCENTILES = [50, 90, 99];
const COLUMNS = ['disk', 'op', 'phase', 'count', 'sum_ns', 'min_ns', 'max_ns',
	...PERCENTILES.map(p => `p${p}_ns`)];

// what stat/coverage.h calls measured: completed, without a gap, no part of
// another, no flush of the kernel's own
const MEASURED = `ended = 'C' AND gap = 0 AND coalesce(link, '') <> 'split'
	AND kind <> 'flush'`;

// the percentiles in each engine's words: the ceil(p n)-th smallest
const exactly = {
	duckdb: (column, p) => `quantile_disc(${column}, ${p / 100})`,
	clickhouse: (column, p) =>
		`quantileExactWeighted(${p / 100})(${column}, 1)`,
};
const readers = {
	duckdb: query => byDuckdb(engines, query),
	clickhouse: query => byClickhouse(engines, query),
};

// A device without a name is 254:0 for engines, as sysfs has it, and 254,0 for
// people.
function question(engine, table) {
	return Object.entries(PHASES).map(([phase, column]) => `SELECT
		replace(disk, ':', ',') AS device,
		if(kind = 'pass', 'passthrough', op) AS op_of,
		'${phase}' AS phase, count(${column}), sum(${column}),
		min(${column}), max(${column}),
		${PERCENTILES.map(p => exactly[engine](column, p))}
		FROM ${table} WHERE ${column} IS NOT NULL AND ${MEASURED}
		GROUP BY device, op_of`).join(' UNION ALL ');
}

// the middle of the cell: 128 of them to a power of two, each ns below 256
function middle(value) {
	let width = 1n;

	while (value / width >= 256n)
		width *= 2n;
	return value / width * width + (width - 1n) / 2n;
}

// A row with percentiles as btstat has them: none where it would be the
// maximum, and what has the least rank is the minimum.
function rounded(row) {
	const [count, , least, most] = row.slice(3, 7).map(BigInt);
	const within = v => v < least ? least : v > most ? most : v;

	return [...row.slice(0, 7), ...PERCENTILES.map((p, i) => {
		if (count * BigInt(100 - p) < 100n)
			return '\\N';
		return String(count * BigInt(p) <= 100n ? least :
			within(middle(BigInt(row[7 + i]))));
	})];
}

function inOrder(rows) {
	return rows.sort((a, b) => a.join() < b.join() ? -1 : 1);
}

// the same columns of btstat's text, of phases that there are
function btstatRows(file) {
	const [names, ...rows] = csvRows(file);
	const at = COLUMNS.map(c => names.indexOf(c));

	return rows.map(row => at.map(i => row[i])).filter(row => row[3] > 0);
}

const files = fs.readdirSync(traces).filter(f => /^[^.]*\.csv$/.test(f));
for (const file of files.sort()) {
	const name = path.basename(file, '.csv');
	const want = inOrder(btstatRows(path.join(traces, file)));
	const ios = path.join(traces, name + '.ios.parquet');
	const from = {
		duckdb: `read_parquet('${ios}')`,
		clickhouse: `file('${ios}', Parquet)`,
	};
	for (const [engine, read] of Object.entries(readers))
		await tap.compare(`${name} by ${engine}, ${want.length} rows`,
			want, async () => inOrder((await read(
			question(engine, from[engine]))).map(rounded)));
}
tap.end();
