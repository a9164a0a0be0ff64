// Work at places, over ssh and on Slurm, again and again under faults until there were so many: the loop around batches and teams.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sshdOnLoopback } from "../places/place-world.ts";
import { slurmCluster } from "../places/slurm-cluster.ts";
import { seeded } from "../process/seeded.ts";
import { type Counts, countsText, disturb, isEnough, type Wants } from "./place-faults.ts";
import { processesWith } from "./process-table.ts";

export type PlacesOrder = { seed: number; cuts: number; kills: number; print(text: string): void };

/** `slurm`: with this environment, Slurm's programs mean the cluster of the rounds. */
export type Round = { random: () => number; counts: Counts; wants: Wants; slurm: Record<string, string> };

/** `work`: how much was done, in words. */
export type Verdict = { work: string; steps: number; deaths: number; doubled: number; lost: number; violations: string[] };

/** Resolves with what was wrong. `what`: one round of it. */
export async function faultyRounds({ seed, print, ...wants }: PlacesOrder, what: string, run: (round: Round) => Promise<Verdict>) {
  const random = seeded(seed);
  const counts: Counts = { cuts: 0, kills: new Map() };
  const violations: string[] = [];
  const cluster = await slurmCluster();
  try {
    for (let number = 1; !isEnough(counts, wants); number++) {
      const verdict = await run({ random, counts, wants, slurm: cluster.env });
      violations.push(...verdict.violations);
      const { work, steps, deaths, doubled, lost } = verdict;
      const found = `${steps} calls, ${deaths} deaths, ${doubled} doubled, ${lost} lost with a death`;
      print(`${what} ${number}: ${work}, ${found}; so far ${countsText(counts)}: ${verdict.violations.length} violations`);
      for (const violation of verdict.violations) print(`  ${violation}`);
    }
  } finally {
    await cluster.stop();
  }
  return violations;
}

/** Writes settings with the places `far` and `slurm` for a person with these folders, which are there. */
export async function placesUnderFaults(folder: string, atOnce: number): Promise<{ stop(): void }> {
  const sshd = await sshdOnLoopback(join(folder, "ssh"));
  // The mark is in the environment of what runs there too.
  const far = { command: [...sshd.command, "env", `CHAOS=${folder}`], arguments: "joined", folder: join(folder, "far"), atOnce };
  const slurm = { command: ["srun", "-n1", "-c4", "--mem=8G"], folder: join(folder, "far-slurm"), atOnce };
  writeFileSync(join(folder, "config/settings.json"), JSON.stringify({ places: { far, slurm } }));
  return sshd;
}

/** Faults for the processes with that mark, until it is over or takes too long. */
export async function disturbed(isOver: () => boolean, { mark, mostMs }: { mark: string; mostMs: number }, round: Round): Promise<void> {
  const until = performance.now() + mostMs;
  while (!isOver() && performance.now() < until) {
    await new Promise((done) => setTimeout(done, 100 + 400 * round.random()));
    disturb(processesWith(mark), round);
  }
}
