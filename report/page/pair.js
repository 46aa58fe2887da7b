// SPDX-License-Identifier: GPL-2.0-only
// A page of two runs, A and B: each is a page by itself that stands on the one
// that all input goes to (front).  The view is that one's; only the
// filter is put in a side's own numbers, as devices and processes are others.
// On a page of one run the front is its only side.

const PAIR_LETTERS = ["A", "B"];

// which of a list is first on either side: of [[place in A, in B], ...]
function pairOne(sides, list, of)
{
	return list.map(([a, b]) => a === null ? of(sides[1])[b] :
		of(sides[0])[a]);
}

// meta as the front needs it: what both have together
function pairMeta(meta)
{
	const { sides } = meta;
	const [first] = sides;
	const all = (of) => sides.flatMap(of);

	return {
		...first,
		program: meta.program, about: { command: meta.command },
		duration: Math.max(...sides.map((s) => s.duration)),
		devices: pairOne(sides, meta.devices, (s) => s.devices),
		processes: pairOne(sides, meta.processes, (s) => s.processes),
		streams: all((s) => s.streams), slowest: [],
		tables: { operations: all((s) => s.tables.operations) },
		gaps: all((s) => s.gaps), marks: [], findings: [],
		complete: pairComplete(sides),
		has: Object.fromEntries(Object.keys(first.has).map((name) =>
			[name, sides.some((s) => s.has[name])])),
	};
}

// from when on a CPU's records are missing on any side, or null
function pairComplete(sides)
{
	const known = sides.map((s) => s.complete).filter((t) => t !== null &&
		t !== undefined);

	return known.length ? Math.min(...known) : null;
}

// the time of the statistics, which graphs of both sides are about
function pairRange(page)
{
	const [t0, t1] = viewRange(page.view);

	page.range = { t0, t1 };
}

// the place in the page's list of each of a side's
function pairPlaces(list, side)
{
	const places = [];

	list.forEach((both, i) => {
		if (both[side] !== null)
			places[both[side]] = i;
	});
	return places;
}

async function pairMake(meta)
{
	const page = mainPage(pairMeta(meta));
	const sides = [];

	for (const [i, own] of meta.sides.entries()) {
		const side = Object.create(page);
		const letter = PAIR_LETTERS[i];
		const suffix = "-" + letter.toLowerCase();

		Object.assign(side, { letter, suffix, name: meta.names[i],
			places: { devices: pairPlaces(meta.devices, i),
				processes: pairPlaces(meta.processes, i) } });
		sides.push(mainSide(side, own, await columnsUnpack(own,
			suffix.slice(1) + "-")));
	}
	page.sides = sides;
	page.pair = meta;
	return page;
}

// Cards of both sides in the order in which they stand; those of the same graph
// have one scale.
function pairCards(lists)
{
	const ids = [...new Set(lists.flat().map((card) => card.id))];
	const order = lists.flat().sort((a, b) => ids.indexOf(a.id) -
		ids.indexOf(b.id));

	for (const card of order) {
		card.peer = order.find((c) => c.id === card.id && c !== card);
		pairCard(card);
	}
	return order;
}

// The difference, and what it is controlled by, stands above all numbers; on a
// phone there is no room for all that is said above it.
function pairPlace(page, graphs)
{
	graphs.prepend(spreadMake(page));
	document.querySelector("#outcome details").open =
		window.innerWidth >= FRAME_NARROW;
	document.getElementById("tiles").before(
		document.getElementById("bar"), page.cards[0].element);
}

function pairCard(card)
{
	const { letter, suffix } = card.page;
	const second = suffix === "-b" && card.peer;

	card.element.classList.add("of" + suffix);
	card.element.classList.toggle("second", Boolean(second));
	card.element.id += suffix;
	card.element.querySelector("h2").prepend(sideBadge(letter));
	/* there is one switch for both */
	card.switches.hidden = Boolean(second);
}
