// Finding a recorded pane again: only the same pane on the same server.
import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ownPane, showPane } from "../../src/edge/display/tmux/attach.ts";
import { lookAtPrivateServer, startPrivateServer, stopPrivateServer } from "../../src/edge/display/tmux/server.ts";
import { tmuxDisplay } from "../../src/edge/display/tmux/tmux.ts";
import type { TmuxHandle } from "../../src/team/place.ts";
import { type PersonsTmux, personsTmux, until } from "./persons-tmux.ts";

let person: PersonsTmux;
/** The environment of a user's shell in the pane where a lead would run. */
let inside: Record<string, string>;

beforeEach(async () => {
  person = await personsTmux({ columns: 200, rows: 50 });
  inside = { ...person.env, TMUX: `${person.socket},${person.pid},0`, TMUX_PANE: person.pane };
});

afterEach(async () => {
  expect(await person.end()).toEqual([]);
});

function shown(): string {
  return person.tmux("display-message", "-p", "#{pane_id}");
}

describe("ownPane()", () => {
  it("is the pane that this process is in, without a mark when it is the person's", async () => {
    const [start = "", panePid = ""] = person.tmux("display-message", "-p", "-t", person.pane, "#{start_time} #{pane_pid}").split(" ");
    const expected: TmuxHandle = {
      kind: "tmux",
      socket: person.socket,
      serverPid: person.pid,
      serverStart: start,
      pane: person.pane,
      panePid: Number(panePid),
      owner: "",
    };
    expect(await ownPane(inside)).toEqual(expected);
  });

  it("is absent outside tmux, in a closed pane, and on a replaced server", async () => {
    const others = [person.env, { ...inside, TMUX_PANE: "%99" }, { ...inside, TMUX: `${person.socket},1,0` }];
    expect(await Promise.all(others.map(ownPane))).toEqual([undefined, undefined, undefined]);
  });
});

describe("showPane()", () => {
  it("switches the person's tmux to the pane, in any session", async () => {
    const lead = await ownPane(inside);
    const other = person.tmux("new-session", "-d", "-P", "-F", "#{pane_id}", "sleep", "1000");
    person.tmux("switch-client", "-t", other);
    const before = await until(() => shown(), other);
    const how = lead && (await showPane(lead, { ...inside, TMUX_PANE: other }));
    expect([before, how, await until(() => shown(), person.pane)]).toEqual([other, "selected", person.pane]);
  });

  it("refuses a pane, a program in it, or a server that is not the recorded one", async () => {
    const lead = await ownPane(inside);
    if (!lead) throw new Error("The pane is not found");
    const others: TmuxHandle[] = [
      { ...lead, pane: "%99" },
      { ...lead, panePid: 1 },
      { ...lead, serverPid: 1 },
      { ...lead, serverStart: "1" },
      { ...lead, socket: `${person.socket}-gone` },
    ];
    expect(await Promise.all(others.map((handle) => showPane(handle, inside)))).toEqual(["gone", "gone", "gone", "gone", "gone"]);
  });
});

describe("lookAtPrivateServer()", () => {
  it("distinguishes a team's server, with foreign panes in it, from its leftovers and from other servers", async () => {
    const request = {
      team: "atlas",
      owner: "s1",
      leadArgv: ["/bin/sleep", "1000"],
      cwd: "/",
      size: { columns: 200, rows: 50 },
      env: person.env,
    };
    const server = { ...(await startPrivateServer(request)), owner: "s1:lead" };
    const look = (changes: Partial<typeof server> = {}) => lookAtPrivateServer({ ...server, ...changes }, person.env);
    const alone = await look();
    person.tmuxOf("tool-atlas", "new-window", "-d", "sleep", "1000");
    const states = [
      alone,
      await look(),
      await look({ owner: "s2:lead" }),
      await look({ start: "1" }),
      await look({ socket: person.socket, pid: person.pid }),
    ];
    person.tmuxOf("tool-atlas", "kill-server");
    await until(async () => (await look()).kind, "socket");
    const ended = await look();
    await stopPrivateServer(server, person.env);
    expect([...states, ended, await look()]).toEqual([
      { kind: "runs", others: 0 },
      { kind: "runs", others: 1 },
      { kind: "runs", others: 2 },
      { kind: "none" },
      { kind: "none" },
      { kind: "socket" },
      { kind: "none" },
    ]);
  });

  it("never mistakes the person's own socket for a team's", async () => {
    const recorded = { socket: person.socket, pid: person.pid, start: "1", owner: "s1:ada" };
    person.tmux("kill-server");
    expect(await lookAtPrivateServer(recorded, person.env)).toEqual({ kind: "none" });
    rmSync(person.socket, { force: true });
  });
});

describe("a recorded pane that is the person's", () => {
  it("is not closed by a display, for it has no mark of ours", async () => {
    const lead = await ownPane(inside);
    const display = tmuxDisplay({ team: "atlas", owner: "s1", env: inside, place: { kind: "detached", size: { columns: 80, rows: 24 } } });
    if (lead) await display.close(lead);
    expect(person.tmux("list-panes", "-a", "-F", "#{pane_id}")).toBe(person.pane);
  });
});
