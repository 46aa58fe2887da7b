// SPDX-License-Identifier: GPL-2.0-only
// Zooming and moving value axes: by the wheel (with Ctrl) or a drag over their
// labels, or by the keys R and F.  Graphs of columns only have a top; latency
// and offsets have two ends.

// What an axis shows: { key: its name among the tops, range: [lo, hi] or a
// number for a top }.
function valuesOf(front, card, y)
{
	const { page } = card;

	if (card.axis === "latency" && card.scale)
		return { key: "latency", range: [card.scale.lo, card.scale.hi],
			whole: latencyWhole(page), height: card.graph.height };
	if (card.id === "offsets" && card.lanes && card.lanes.length) {
		const lane = card.lanes.find((l) => y < l.y + l.height) ||
			card.lanes[card.lanes.length - 1];

		return { key: sideOffsets(page, lane.device), from: lane.y,
			range: [lane.lo, lane.hi],
			whole: sideSectors(page, lane.device),
			height: lane.height };
	}
	return { key: card.id, top: card.top, height: card.graph.height };
}

// a range inside the whole, not narrower than 1/4096 of it
function valuesClamp([lo, hi], whole)
{
	const all = whole[1] - whole[0];
	const length = Math.max(all / 4096, Math.min(all, hi - lo));
	const from = Math.max(whole[0], Math.min(whole[1] - length, lo));

	return [from, from + length];
}

// sets a range, or what fits when all of it is shown
function valuesSet(page, key, range, whole)
{
	const next = valuesClamp(range, whole);
	const all = next[1] - next[0] >= (whole[1] - whole[0]) * 0.999;

	viewTop(page, key, all ? undefined : next);
}

// zooms at pixel y of the card
function valuesZoom(page, card, y, factor)
{
	const axis = valuesOf(page, card, y);

	if (!axis.range) {
		if (axis.top)
			viewTop(page, axis.key, axis.top * factor);
		return;
	}
	const [lo, hi] = axis.range;
	const at = hi - (y - (axis.from || 0)) / axis.height * (hi - lo);

	valuesSet(page, axis.key, [at - (at - lo) * factor,
		at + (hi - at) * factor], axis.whole);
}

// a drag over the labels: moves a range, or pulls a top
function valuesMove(page, drag, px)
{
	const axis = drag.values;

	if (!axis.range) {
		if (axis.top)
			viewTop(page, axis.key, axis.top *
				Math.exp(px / axis.height));
		return;
	}
	const [lo, hi] = axis.range;
	const by = px / axis.height * (hi - lo);

	valuesSet(page, axis.key, [lo + by, hi + by], axis.whole);
}

function valuesFit(page, card, y)
{
	viewTop(page, valuesOf(page, card, y).key, undefined);
}

// by the keyboard: about the middle, or the cursor's place
function valuesKey(page, card, factor)
{
	const y = page.view.cursor && page.view.cursor.card === card ?
		page.view.cursor.y : card.graph.height / 2;

	valuesZoom(page, card, y, factor);
}
