// SPDX-License-Identifier: GPL-2.0-only
// Menus of check boxes: which devices, which processes.

const MENU_COUNT = 60;

// A button with a list that it opens.  kind: the filter that it changes.
function menuMake(page, title, kind, names)
{
	const menu = { title, kind, names };

	menu.list = domMake("div", { className: "list", hidden: true,
		role: "group", "aria-label": title });
	menu.boxes = names.slice(0, MENU_COUNT).map((name, i) =>
		menuBox(page, menu, name, i));
	menu.button = domButton("", "", () => {
		const open = menu.list.hidden;

		menuClose(page);
		menu.list.hidden = !open;
		menu.button.setAttribute("aria-expanded", String(open));
	});
	menu.button.setAttribute("aria-expanded", "false");
	menu.list.append(domButton("All", "", () =>
		menuSet(page, menu, () => true)),
	...menu.boxes.map((b) => b.element));
	if (names.length > MENU_COUNT)
		menu.list.append(domMake("p", {}, "and " +
			`${names.length - MENU_COUNT} more, in the table`));
	menu.element = domMake("div", { className: "menu" }, menu.button,
		menu.list);
	return menu;
}

// a box for one, and a button to see it alone
function menuBox(page, menu, name, i)
{
	const input = domMake("input", { type: "checkbox", onchange: () => {
		page.view.filter[menu.kind][i] = input.checked;
		viewFiltered(page);
	} });
	const only = domButton("only", "only", () =>
		menuSet(page, menu, (k) => k === i));

	only.setAttribute("aria-label", `only ${name}`);
	return { input, element: domMake("div", { className: "box" },
		domMake("label", {}, input, " ", name), only) };
}

function menuSet(page, menu, chosen)
{
	const filter = page.view.filter[menu.kind];

	filter.forEach((on, i) => {
		filter[i] = chosen(i);
	});
	viewFiltered(page);
}

function menuUpdate(page, menu)
{
	const filter = page.view.filter[menu.kind];
	const on = menu.names.filter((name, i) => filter[i]);
	const text = on.length === menu.names.length ? "all" :
		on.length === 1 ? on[0] :
			`${on.length} of ${menu.names.length}`;

	menu.boxes.forEach((box, i) => {
		box.input.checked = filter[i];
	});
	domText(menu.button, `${menu.title}: ${text} \u25be`);
}

// whether one was open
function menuClose(page)
{
	let closed = false;

	for (const menu of page.bar.menus) {
		if (menu.list.hidden)
			continue;
		menu.list.hidden = true;
		menu.button.setAttribute("aria-expanded", "false");
		menu.button.focus();
		closed = true;
	}
	return closed;
}

// a click elsewhere closes them
function menuBind(page)
{
	document.addEventListener("pointerdown", (event) => {
		if (!event.target.closest(".menu"))
			menuClose(page);
	});
}
