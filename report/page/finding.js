// SPDX-License-Identifier: GPL-2.0-only
// Findings: a button that shows the time of one, and one that copies it: its
// words, a command that prints the same numbers, and a link to that time.

const FINDING_DETAILS = /^For details: btstat (.*)$/;
// of a command line: its window
const FINDING_WINDOW = / (?:-w ?|--stopwatch[= ])('[^']*'|\S+)/;

// a finding in the page: { head, text, time: [from, to] or null }
function findingRead(element)
{
	const of = (name) => element.querySelector("." + name).textContent;
	const show = element.querySelector("[data-from]");
	const { from, to } = show ? show.dataset : {};

	return { head: of("head"), text: of("text"),
		time: show ? [Number(from), Number(to || from)] : null };
}

// numbers as others read them: digits without spaces between them
function findingPlain(text)
{
	return text.replace(/(\d)\u202f(?=\d{3})/g, "$1")
		.replace(/\u202f/g, " ");
}

// -w of a time, rounded outward; of the whole page, that of its command
function findingWindow({ meta }, time)
{
	const given = FINDING_WINDOW.exec(meta.about.command);

	if (!time)
		return given ? ["-w", given[1]] : [];
	/* -w counts from the trace's first event, the page from t=0 */
	const [from, to] = time.map((t) => (t + meta.start) / 1e3);

	return ["-w", [Math.floor(from), Math.ceil(to + 0.001)].map((us) =>
		(us / 1e6).toFixed(6)).join(":")];
}

// the command of a finding; without one, what prints the same in general
function findingCommand(page, { text, time })
{
	const details = FINDING_DETAILS.exec(text);
	const what = details ? details[1] : time ? "--top=10" : "--explain";
	const window = /^-w /.test(what) ? [] : findingWindow(page, time);

	return ["btstat", ...window, what,
		page.meta.about.input].filter((word) => word).join(" ");
}

// the link to a time, as Copy link has it
function findingLink(page, time)
{
	const { front } = page;
	const window = addressSpan(viewClamp(front, ...showWindow(...time)));

	return `${addressPath()}#t=${window}&sel=${addressSpan(time)}`;
}

function findingText(page, finding)
{
	const { head, text, time } = finding;

	return [head, FINDING_DETAILS.test(text) ? "" : text,
		findingCommand(page, finding), time ? findingLink(page, time) :
			""].filter((line) => line).map(findingPlain).join("\n");
}

// the run that a list of findings is about
function findingSide(page, element)
{
	const head = element.closest("ol").previousElementSibling;

	return page.sides[head && head.querySelector(".side-b") ? 1 : 0];
}

function findingButtons(page, element)
{
	const side = findingSide(page, element);
	const finding = findingRead(element);
	const show = element.querySelector("[data-from]");
	const copy = domButton("Copy", "", () =>
		copyText(copy, findingText(side, finding)));
	const label = (button, word) => button.setAttribute("aria-label",
		`${word}: ${finding.head}`);

	copy.append(domMake("span", { className: "rest" }, " finding"));
	label(copy, "Copy finding");
	if (show) {
		show.hidden = false;
		label(show, "Show");
		show.addEventListener("click", () =>
			showTime(side, ...finding.time));
	}
	element.append(domMake("span", { className: "acts" }, show, copy));
}

function findingsBind(page)
{
	for (const element of document.querySelectorAll("#findings li"))
		findingButtons(page, element);
}
