// SPDX-License-Identifier: GPL-2.0-only
// The head's buttons (copy the link, theme, help), and help itself.

const HELP_KEYS = [
	["W, S", "zoom in, out"], ["A, D", "move left, right"],
	["\u2190, \u2192", "move the cursor on a graph (Ctrl: further)"],
	["Shift + \u2190, \u2192", "select"],
	["\u2190, \u2192 on the overview", "move; with Shift: zoom"],
	["Z, Enter", "zoom to the selection"],
	["Esc", "clear the selection; then show the whole trace"],
	["0", "show the whole trace"],
	["R, F", "zoom the value axis of the graph in, out"],
	["V", "full or fitted value axis"],
	["G", "next graph"],
	["T", "light or dark theme"], ["?", "this help"],
];
const HELP_MOUSE = [
	["drag", "select a range for all numbers"],
	["click on an I/O", "what it waited for"],
	["double click", "zoom in; in a selection: zoom to it"],
	["Ctrl + wheel, pinch", "zoom at the pointer"],
	["Shift + drag, middle button", "move"],
	["sideways wheel, one finger", "move"],
	["Ctrl + wheel on labels", "zoom the value axis"],
	["drag labels", "move the value axis; double click: fit it"],
];

function helpList(title, rows)
{
	return domMake("div", {}, domMake("h3", {}, title),
		domMake("dl", {}, ...rows.flatMap(([key, what]) => [
			domMake("dt", {}, key), domMake("dd", {}, what)])));
}

// a dialog of the browser's own, which keeps the focus inside
function helpMake(page)
{
	const close = domButton("Close", "", () => helpClose(page));
	const dialog = domMake("dialog", { id: "help",
		"aria-label": "Keys and mouse" },
	domMake("h2", {}, "Keys and mouse"),
	domMake("div", { className: "columns" }, helpList("Keys", HELP_KEYS),
		helpList("Mouse and fingers", HELP_MOUSE)), close);

	document.body.append(dialog);
	return dialog;
}

function helpOpen(page)
{
	if (!page.help)
		page.help = helpMake(page);
	if (!page.help.open)
		page.help.showModal();
}

// whether it was open
function helpClose(page)
{
	if (!page.help || !page.help.open)
		return false;
	page.help.close();
	return true;
}

// the other of light and dark
function themeTurn(page)
{
	const next = themeCurrent() === "dark" ? "light" : "dark";

	page.view.theme = next;
	themeApply(page, next);
	frameAsk(page, "theme");
}

// Copies a text; the button says so for a while.
async function copyText(button, text)
{
	const before = [...button.childNodes];

	try {
		await navigator.clipboard.writeText(text);
		domText(button, "Copied");
	} catch {
		domText(button, "Not allowed");
	}
	setTimeout(() => button.replaceChildren(...before), 1500);
}

function headButtons(page)
{
	const copy = domButton("Copy link", "", () =>
		copyText(copy, addressLink(page)));
	const theme = domButton("\u25d0", "icon", () => themeTurn(page));
	const help = domButton("?", "icon", () => helpOpen(page));

	theme.setAttribute("aria-label", "Light or dark");
	help.setAttribute("aria-label", "Help");
	document.getElementById("head").append(
		domMake("div", { className: "buttons" }, copy, theme, help));
}
