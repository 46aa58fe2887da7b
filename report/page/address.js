// SPDX-License-Identifier: GPL-2.0-only
// The address: the view, after the "#", so that a link shows the
// same.  What is as the page begins is left out.

// a time in seconds, all digits that it has
function addressTime(t)
{
	return String(Number((Math.round(t) / 1e9).toFixed(9)));
}

function addressSpan([t0, t1])
{
	return `${addressTime(t0)}-${addressTime(t1)}`;
}

// "28.5-31" to ns, or null
function addressReadSpan(text)
{
	const found = /^([\d.]+)-([\d.]+)$/.exec(text || "");

	if (!found)
		return null;
	const [t0, t1] = [found[1], found[2]].map((s) =>
		Math.round(Number(s) * 1e9));

	return t1 > t0 ? [t0, t1] : null;
}

// numbers of those switched on, or null for the default
function addressList(now, usual)
{
	if (now.every((on, i) => on === usual[i]))
		return null;
	return now.map((on, i) => on ? i : -1).filter((i) => i >= 0).join(".");
}

function addressReadList(text, n)
{
	const on = new Set(text.split(".").filter((s) => s !== "")
		.map(Number));

	return Array.from({ length: n }, (v, i) => on.has(i));
}

// operations by their letters
function addressOperations(page)
{
	const usual = modelFilter(page.model).operations;
	const now = page.view.filter.operations;
	const { operations } = page.meta;
	const same = operations.every((o, i) => !page.model.occurs[i] ||
		now[i] === usual[i]);

	return same ? null : operations.filter((o, i) =>
		page.model.occurs[i] && now[i]).map((o) => o.key).join("");
}

// value axes that are not as they fit: name:lo:hi, name:top, name:full
function addressTops(tops)
{
	const parts = Object.entries(tops).map(([name, wish]) =>
		[name, ...[wish].flat().map((v) => typeof v === "number" ?
			Number(v.toPrecision(6)) : v)].join(":"));

	return parts.length ? parts.join(",") : null;
}

function addressReadTops(text)
{
	const tops = {};

	for (const part of text.split(",")) {
		const [name, ...rest] = part.split(":");
		const numbers = rest.map(Number);

		if (!/^[a-z]+\d*$/.test(name) || !rest.length)
			continue;
		if (rest[0] === "full")
			tops[name] = "full";
		else if (numbers.every((v) => Number.isFinite(v) && v >= 0))
			tops[name] = rest.length > 1 ? numbers.slice(0, 2) :
				numbers[0];
	}
	return tops;
}

// [name, text or null] of all that an address can say
function addressParts(page)
{
	const { view, model, meta } = page;
	const usual = modelFilter(model);
	const unless = (value, same) => value === same ? null : value;

	return [
		["t", viewIsWhole(page) ? null :
			addressSpan([view.t0, view.t1])],
		["sel", view.selection && addressSpan(view.selection)],
		["ops", addressOperations(page)],
		["dev", addressList(view.filter.devices, usual.devices)],
		["proc", addressList(view.filter.processes,
			usual.processes)],
		["lat", unless(view.latency, model.latencies[0] || "q2c")],
		["heat", unless(view.heat, "density")],
		["offs", unless(view.offsets, "op")],
		["ph", unless(view.phases, "time")],
		["y", addressTops(view.tops)],
		["theme", view.theme || null],
	].filter(([, text]) => text !== null && meta);
}

function addressWrite(page)
{
	const text = addressParts(page).map(([name, value]) =>
		`${name}=${value}`).join("&");

	clearTimeout(page.addressTimer);
	page.address = text ? "#" + text : "";
	if (page.address === location.hash)
		return;
	/* browsers refuse many changes a second */
	page.addressTimer = setTimeout(() => history.replaceState(null, "",
		page.address || location.pathname + location.search), 100);
}

// Where the page is: of a file only its name, as the rest of the path is of no
// use to others.
function addressPath()
{
	const { protocol, pathname, search, origin } = location;

	return protocol === "file:" ? pathname.split("/").pop() :
		origin + pathname + search;
}

// a link to what is shown
function addressLink(page)
{
	addressWrite(page);
	return addressPath() + page.address;
}

// one of the values that a switch has, or what it is now
function addressChoice(given, choices, now)
{
	return choices.includes(given) ? given : now;
}

// Takes over what an address says; what it does not say is as at first.
function addressRead(page)
{
	const given = new Map(location.hash.slice(1).split("&").map((part) => {
		const at = part.indexOf("=");

		return [part.slice(0, at), part.slice(at + 1)];
	}));
	const view = viewMake(page.model);
	const list = (name, key) => {
		if (given.has(name))
			view.filter[key] = addressReadList(given.get(name),
				view.filter[key].length);
	};

	list("dev", "devices");
	list("proc", "processes");
	if (given.has("ops"))
		view.filter.operations = page.meta.operations.map((o) =>
			given.get("ops").includes(o.key));
	view.latency = addressChoice(given.get("lat"), page.model.latencies,
		view.latency);
	view.heat = addressChoice(given.get("heat"), ["op"], view.heat);
	view.offsets = addressChoice(given.get("offs"), ["proc"],
		view.offsets);
	view.phases = addressChoice(given.get("ph"), ["share"], view.phases);
	view.theme = addressChoice(given.get("theme"), ["light", "dark"], "");
	if (given.has("y"))
		view.tops = addressReadTops(given.get("y"));
	addressTake(page, view, given);
}

function addressTake(page, view, given)
{
	const window = addressReadSpan(given.get("t")) || [view.t0, view.t1];
	const selection = addressReadSpan(given.get("sel"));

	page.view = view;
	themeApply(page, view.theme || page.themeGiven);
	viewFiltered(page);
	viewSet(page, ...window);
	if (selection)
		viewSelect(page, ...selection, true);
	frameAsk(page, "theme");
}

// The reader has gone to another address; one that only names a place of the
// page, as the link that skips to the graphs does, changes nothing.
function addressChanged(page)
{
	const { hash } = location;

	if (hash !== page.address && (hash === "" || hash.includes("=")))
		addressRead(page);
}
