// SPDX-License-Identifier: GPL-2.0-only
// A run on a page: the page itself, or one of two that stand on it (pair.js).

// The filter of the front, in the numbers of each side.
function sideFollow(page)
{
	const { view } = page;

	for (const side of page.sides) {
		if (side === page)
			continue;
		const of = (name) => side.places[name].map((i) =>
			view.filter[name][i]);

		side.view = Object.create(view);
		side.view.filter = { operations: view.filter.operations,
			devices: of("devices"), processes: of("processes") };
	}
}

// "A" or "B" as a mark; nothing on a page of one run
function sideBadge(letter)
{
	return letter ? domMake("b", { className: "badge side-" +
		letter.toLowerCase() }, letter) : "";
}

// the same in a label
function sideOf(page)
{
	return page.letter ? ` of ${page.letter}` : "";
}

// the number of a device among those of all sides
function sideDevice(page, device)
{
	return page.places ? page.places.devices[device] : device;
}

// what the value axis of a device's offsets is called
function sideOffsets(page, device)
{
	return "offsets" + sideDevice(page, device);
}

// the sectors that a device was used at, on either side: [lo, hi]
function sideSectors(page, device)
{
	const number = sideDevice(page, device);
	const used = page.sides.flatMap((side) => side.meta.devices.filter(
		(d, i) => sideDevice(side, i) === number && d.hi > d.lo));

	if (!used.length)
		return [0, 0];
	return [Math.min(...used.map((d) => d.lo)),
		Math.max(...used.map((d) => d.hi))];
}
