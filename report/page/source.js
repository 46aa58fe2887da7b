// SPDX-License-Identifier: GPL-2.0-only
// Where a graph takes its numbers from: every I/O (exact), or bins.  Both are
// asked for in the same words.  A page of bins has rows for some excerpts:
// where a view lies in one of them they are used.

function sourceMake(model, rows, bins, exact)
{
	return {
		exact, rows, bins, model,
		meta: model.meta,
		duration: model.duration,
		kinds: sumsKinds(model),
		on: new Uint8Array(model.streams),
		base: exact ? 1 : bins.width,
		cache: gridCache(),
	};
}

// the sources of a page: of rows, and of bins or null
function sourcesMake(model, columns)
{
	const rows = rowsMake(model.meta, columns);
	const bins = binsMake(model.meta, columns);

	return {
		rows: sourceMake(model, rows, bins, true),
		bins: bins ? sourceMake(model, rows, bins, false) : null,
	};
}

// the one to be asked about [t0, t1)
function sourceFor(sources, t0, t1)
{
	const whole = !sources.bins || rowsCover(sources.rows.rows, t0, t1);

	return whole ? sources.rows : sources.bins;
}

// another filter: drops results of the previous one
function sourcesFilter(sources, on, usual)
{
	for (const source of [sources.rows, sources.bins]) {
		if (!source)
			continue;
		source.on = on;
		source.usual = usual;
		source.cache.clear();
	}
}
