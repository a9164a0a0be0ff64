// `tool team report --html`: writes the page to a file or to standard output.

import { dirname, resolve } from "node:path";
import { UsageError, type World } from "../../app/world.ts";
import type { BoardDisk } from "../../board/disk.ts";
import type { ReportFacts } from "../../team/report/report-facts.ts";
import { faultSentence } from "../../wording/error-text.ts";

/** Redacts the page: what the person typed is stored as typed, and a page is meant to be passed on. */
export async function writeReportPage(
  world: World,
  { facts, output, disk }: { facts: ReportFacts; output: string | undefined; disk: Pick<BoardDisk, "replace" | "read" | "size"> },
): Promise<void> {
  const { createRedactor } = await import("../../secrets/redaction/redactor.ts");
  const { withTexts } = await import("../../team/report/report-facts.ts");
  const { isReportPage, reportPage } = await import("../../screen/report-page/page.ts");
  const { scanner } = await world.edges.secrets();
  const variables = Object.entries(world.env).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  const redactor = createRedactor({ mode: "redact", scanner, variables });
  const page = reportPage(await withTexts(facts, async (text) => (await redactor.text(text)).text));
  if (output === undefined) {
    world.stdout.write(page);
    return;
  }
  const path = resolve(world.cwd, output);
  const cannot = (why: string) => new UsageError(`Cannot write the report to ${path}: ${why}`);
  if (disk.size(dirname(path)) === undefined) throw cannot(`there is no folder ${dirname(path)}. Make it, or name another file.`);
  try {
    if ((disk.size(path) ?? 0) > 0 && !isReportPage(disk.read(path)?.toString("utf8") ?? ""))
      throw cannot("that file is not a report of a team. Remove it, or name another file.");
    disk.replace(path, page, { throughLink: true });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw cannot(`${faultSentence(error, "Nothing was written")}.`);
  }
  world.stdout.write(`${path}\n`);
}
