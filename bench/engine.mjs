// SPDX-License-Identifier: GPL-2.0-only
// Runs one statement of SQL in an engine that is there as a module of node.
//
//	node engine.mjs MODULES duckdb|clickhouse STATEMENT
//
// MODULES is a node_modules with @duckdb/node-api, or chdb.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, engine, statement] = process.argv.slice(2);
const from = createRequire(path.resolve(modules) + '/');

if (engine === 'duckdb') {
	const { DuckDBInstance } = await import(
		pathToFileURL(from.resolve('@duckdb/node-api')));
	const base = await DuckDBInstance.create(':memory:');
	await (await base.connect()).run(statement);
} else {
	from('chdb').query(statement, 'Null');
}
