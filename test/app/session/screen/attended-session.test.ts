// A session on a terminal in memory: what is typed reaches the model or a command, and the end releases terminal and session.
import { describe, expect, it } from "vitest";
import type { SessionFlags } from "../../../../src/app/agent-flags.ts";
import { runAttended } from "../../../../src/app/session/screen/attended-session.ts";
import { modelOf, replied, say } from "../../../agent/agent-kit.ts";
import { eventually } from "../../../scratch.ts";
import { emulatedTerminal } from "../../../screen/emulated-terminal.ts";
import { type MemoryWorkSetup, memoryWork } from "../../memory-workspace.ts";
import { type MemoryWorldSetup, memoryWorld } from "../../memory-world.ts";

type Setup = MemoryWorldSetup & { outcomes?: Parameters<typeof modelOf>[0]; workspace?: MemoryWorkSetup };

function place({ outcomes = [], workspace, edges, ...setup }: Setup = {}) {
  const work = memoryWork(workspace);
  const model = modelOf(outcomes);
  const screen = emulatedTerminal(100, 40);
  const memory = memoryWorld({
    isTTY: true,
    env: { NO_COLOR: "1" },
    ...setup,
    edges: { model: async () => model, work: work.open, terminal: async () => screen.terminal, ...edges },
  });
  const run = (prompt?: string, flags: Partial<SessionFlags> = {}) =>
    runAttended(memory.world, { prompt, flags: { outputFormat: "text", allow: [], deny: [], ...flags } });
  /** Waits until the screen shows this text. */
  const shows = async (text: string | RegExp) => {
    let last = "";
    await eventually(() => {
      screen.tick();
      void screen.lines().then((lines) => {
        last = lines.join("\n");
      });
      return typeof text === "string" ? last.includes(text) : text.test(last);
    }).catch(() => {
      throw new Error(`The screen does not show ${text}:\n${last}`);
    });
    return last;
  };
  const enter = (line: string) => screen.type(`${line}\r`);
  return { ...memory, ...screen, work, model, run, shows, enter };
}

describe("runAttended()", () => {
  it("answers what is typed, and says at the end how to resume", async () => {
    const { run, shows, enter, out, lock, listening } = place({
      outcomes: [replied([say("It is a logger.")])],
      files: { "/repo/log.ts": "" },
    });
    const running = run();
    await shows("/help");
    enter("What is it?");
    await shows("It is a logger.");
    enter("/exit");
    expect(await running).toBe(0);
    expect(out()).toMatch(/Resume this session: tool --resume \S+\n$/);
    expect([lock.held.size, listening()]).toEqual([0, 0]);
  });

  it("does not say how to resume once its folder was deleted", async () => {
    const { run, shows, enter, out, disk } = place({ outcomes: [replied([say("It is a logger.")])], files: { "/repo/log.ts": "" } });
    const running = run("What is it?");
    await shows("It is a logger.");
    disk.files.delete("/repo/log.ts"); // the last file: in memory, a folder exists as long as it has one
    enter("/exit");
    expect(await running).toBe(0);
    expect(out()).not.toContain("Resume this session");
  });

  it("begins with the prompt of the command line", async () => {
    const { run, shows, enter, model } = place({ outcomes: [replied([say("Done.")])] });
    const running = run("Do it");
    await shows("Done.");
    enter("/exit");
    await running;
    expect(JSON.stringify(model.requests[0]?.messages)).toContain("Do it");
  });

  it("answers commands without the model, and refuses one that is nearly another", async () => {
    const { run, shows, enter, model } = place();
    const running = run();
    await shows("/help");
    enter("/agents");
    await shows(/tool .*0 turns/);
    enter("/tasks");
    await shows("This session has started no agents.");
    for (const command of ["clear", "status"]) {
      enter(`/${command} now`);
      await shows(`/${command} takes no argument. Nothing was done`);
    }
    enter("/clera");
    await shows("/clear");
    enter("/exit");
    await running;
    expect(model.requests).toEqual([]);
  });

  it("starts a new conversation after /clear, with the model that was chosen, and with what was typed meanwhile", async () => {
    const { run, shows, enter, model } = place({ outcomes: [replied([say("One.")]), replied([say("Two.")])] });
    const running = run("First");
    await shows("One.");
    enter("/model opus");
    await shows("opus");
    enter("/clear");
    enter("Second"); // while the first session is still closing
    await shows("Two.");
    enter("/exit");
    await running;
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain("First");
    expect(model.requests[1]?.model).toContain("opus");
  });

  it("ends with 130 at a signal, and with 0 when the person leaves", async () => {
    const { run, shows, signal, lock } = place();
    const running = run();
    await shows("/help");
    signal("SIGTERM");
    expect([await running, lock.held.size]).toEqual([130, 0]);
  });

  it("ends a demo by itself once nothing is left to do", async () => {
    const { run, out } = place({ outcomes: [replied([say("Done.")])] });
    expect(await run("Do it", { endWhenDone: true })).toBe(0);
    expect(out()).not.toContain("Resume this session");
  });

  it("shows an earlier conversation again", async () => {
    const here = place({ outcomes: [replied([say("One.")])] });
    const first = here.run("First");
    await here.shows("One.");
    here.enter("/exit");
    await first;
    const again = place({ files: Object.fromEntries(here.disk.files) });
    const running = again.run(undefined, { continue: true });
    await again.shows(/resumed.*First.*One\./s);
    again.enter("/exit");
    expect(await running).toBe(0);
  });
});
