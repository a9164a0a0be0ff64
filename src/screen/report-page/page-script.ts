// The script of the report page: filters, theme and keys. It reads the page and contains no text from outside, so nothing in a report can become
// code. Without it everything is shown.

export const pageScript = `"use strict";
{
  const find = (selector) => document.querySelector(selector);
  const rules = document.head.appendChild(document.createElement("style"));
  const option = (text, value) => Object.assign(document.createElement("option"), { textContent: text, value });
  const chooser = (label, key, options) => {
    const select = document.createElement("select");
    select.append(option("all", ""), ...options);
    const line = document.createElement("label");
    line.append(label + " (" + key + ") ", select);
    return { line, select };
  };
  const agent = chooser("Agent", "a", [...document.querySelectorAll(".lane > b")].map((name, number) => option(name.textContent, "a" + number)));
  const task = chooser("Task", "t", [...document.querySelectorAll("#tasks tbody tr")].map((row) =>
    option(row.cells[0].textContent + " " + row.cells[3].querySelector("b").textContent.slice(0, 50), row.id)));
  const button = (text, act) => Object.assign(document.createElement("button"), { type: "button", textContent: text, onclick: act });
  const chosen = () => [["A", agent.select.value], ["T", task.select.value]].filter(([, value]) => value !== "");
  const shown = (wanted) => [...document.querySelectorAll("#events li")].filter((row) => wanted.every(([, value]) => row.classList.contains(value)));
  const filter = (note) => {
    const wanted = chosen();
    rules.textContent = wanted.map(([kind, value]) => "." + kind + ":not(." + value + "){display:none}").join("");
    const search = wanted.map(([, value]) => value).join("&");
    if (note) history.replaceState(null, "", search === "" ? location.pathname + location.search : "#only=" + search);
    count.textContent = wanted.length === 0 ? "" : shown(wanted).length + " events";
  };
  const all = () => { agent.select.value = task.select.value = ""; filter(true); };
  const isDark = () => (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const turn = () => { document.documentElement.dataset.theme = isDark() ? "light" : "dark"; };
  const count = Object.assign(document.createElement("span"), { ariaLive: "polite" });
  const form = document.createElement("form");
  form.append(agent.line, task.line, button("All (x)", all), button("Light or dark (d)", turn), count);
  find("header").after(form);
  for (const { select } of [agent, task]) select.onchange = () => filter(true);
  const fromAddress = () => {
    const [, wanted] = /^#only=([at\\d&]+)$/.exec(location.hash) ?? [];
    if (wanted === undefined) return;
    for (const value of wanted.split("&")) (value[0] === "a" ? agent : task).select.value = value;
    filter(false);
  };
  const step = (by) => {
    const rows = shown(chosen());
    const here = rows.findIndex((row) => row.classList.contains("here"));
    find("li.here")?.classList.remove("here");
    const next = rows[Math.min(rows.length - 1, Math.max(0, here + by))];
    next?.classList.add("here");
    next?.scrollIntoView({ block: "center" });
  };
  const keys = { a: () => agent.select.focus(), t: () => task.select.focus(), x: all, Escape: all, d: turn, j: () => step(1), k: () => step(-1) };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target.tagName === "SELECT" && event.key !== "Escape") || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
  addEventListener("hashchange", fromAddress);
  fromAddress();
  document.documentElement.dataset.readyMs = Math.round(performance.now());
}
`;
