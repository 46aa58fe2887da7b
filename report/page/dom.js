// SPDX-License-Identifier: GPL-2.0-only
// Elements.  Texts of the trace only ever become text nodes or attributes:
// nothing here or elsewhere on the page parses HTML.

// An element with properties (data-x and aria-x by setAttribute) and children,
// which are elements or texts.
function domMake(tag, properties, ...children)
{
	const element = document.createElement(tag);

	for (const [name, value] of Object.entries(properties || {})) {
		if (name.includes("-") || name === "role")
			element.setAttribute(name, value);
		else
			element[name] = value;
	}
	element.append(...children.filter((child) => child !== null));
	return element;
}

function domButton(text, className, onclick)
{
	return domMake("button", { type: "button", className, onclick }, text);
}

// sets a text only if it changes, as every change costs a layout
function domText(element, text)
{
	if (element.textContent !== text)
		element.textContent = text;
}

function domPressed(button, on)
{
	button.setAttribute("aria-pressed", on ? "true" : "false");
}

// A row of buttons of which one is pressed: choices are [value, text].
function domSwitch(label, choices, current, choose)
{
	const row = domMake("div", { className: "switch", role: "group",
		"aria-label": label });

	for (const [value, text] of choices) {
		const button = domButton(text, "", () => choose(value));

		button.dataset.value = value;
		domPressed(button, value === current);
		row.append(button);
	}
	return row;
}

function domSwitchTo(row, value)
{
	for (const button of row.children)
		domPressed(button, button.dataset.value === value);
}
