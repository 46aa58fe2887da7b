// SPDX-License-Identifier: GPL-2.0-only
// The ready queries, asked about what btexport has written for three hosts.
//
//	node engines-queries.mjs MODULES DIRECTORY
//
// MODULES is a node_modules as engines.mjs says, DIRECTORY was made by
// engines-export.  DuckDB has views over its folders, as doc/sql/duckdb.sql
// makes them, bare, gzip'd and by --follow, and ClickHouse the files themselves in place of
// the cluster's tables.  Answers are those of tests/sql/answers.
import fs from 'node:fs';
import path from 'node:path';
import { byClickhouse, byDuckdb, newTap, openEngines } from './engines.mjs';

const [modules, folder] = process.argv.slice(2);
const here = import.meta.dirname;
const engines = await openEngines(modules);
const tap = newTap();

// what stands before the first query, and each query by its name
function readyQueries(engine) {
	const file = path.join(here, '../../doc/sql', engine + '.sql');
	const parts = fs.readFileSync(file, 'utf8').split(/^-- name: (\w+)\n/m);
	const queries = new Map();

	for (let i = 1; i < parts.length; i += 2)
		queries.set(parts[i], parts[i + 1].replace(/;\s*$/, ''));
	return { before: parts[0], queries };
}

function answer(name) {
	const file = path.join(here, '../sql/answers', name + '.tsv');
	return fs.readFileSync(file, 'utf8').split('\n').slice(0, -1)
		.map(line => line.split('\t'));
}

async function askDuckdb(where) {
	const { before, queries } = readyQueries('duckdb');

	process.chdir(where);
	await engines.duck.run(before);
	for (const [name, query] of queries)
		await tap.compare(`${name} by duckdb, ${path.basename(where)}`,
			answer(name), () => byDuckdb(engines, query));
	for (const [, view] of before.matchAll(/^CREATE VIEW (\w+)/mg))
		await engines.duck.run(`DROP VIEW ${view}`);
}

// what a view of clickhouse-views.sql selects
function views() {
	const text = fs.readFileSync(path.join(here,
		'../../doc/sql/clickhouse-views.sql'), 'utf8');

	return [...text.matchAll(/^CREATE VIEW (\w+) AS\n([^;]*);/mg)];
}

async function askClickhouse(where) {
	const { queries } = readyQueries('clickhouse');
	const file = table =>
		`file('${where}/${table}/*/*/*.parquet', Parquet) AS ${table}`;

	for (const [name, query] of queries) {
		let asked = query;

		for (const [, view, select] of views())
			asked = asked.replace(`JOIN ${view}`,
				`JOIN (${select}) AS ${view}`);
		asked = asked.replace(/\b(ios|latency|segments)_all\b/g,
			(all, table) => file(table));
		await tap.compare(
			`${name} by clickhouse, ${path.basename(where)}`,
			answer(name), () => byClickhouse(engines, asked));
	}
}

// one of the hosts is a trace that is not in the tree
if (!fs.existsSync(path.join(folder, 'hosts/beta.csv'))) {
	console.log('1..0 # SKIP the trace of the host beta is not at hand');
	process.exit(0);
}
const hosts = path.resolve(folder, 'hosts');
for (const how of ['none', 'gzip', 'followed']) {
	const where = path.join(hosts, how);
	await askDuckdb(where);
	await askClickhouse(where);
}
tap.end();
