// The displays for teammates, and facts about the terminal that the process was started in.
import type { Edges } from "../app/world.ts";
import type { TmuxHandle } from "../team/place.ts";

/** Of a display whose places have no terminal of their own yet. */
const size = { columns: 200, rows: 50 };

export const displayEdges: Pick<
  Edges,
  | "displayFacts"
  | "display"
  | "driverPorts"
  | "testFolder"
  | "startPrivateServer"
  | "attach"
  | "showPane"
  | "ownPane"
  | "closeOwnPane"
  | "privateServers"
> = {
  async displayFacts(env) {
    const [{ tmuxVersion }, { keptEnvironment }, { ptyAvailable }] = await Promise.all([
      import("../edge/display/tmux/call.ts"),
      import("../edge/display/kept-environment.ts"),
      import("../edge/display/pty.ts"),
    ]);
    return {
      insideTmux: Boolean(env["TMUX"] && env["TMUX_PANE"]),
      tmuxVersion: await tmuxVersion(keptEnvironment(env)),
      platform: process.platform,
      iterm2: env["TERM_PROGRAM"] === "iTerm.app",
      terminal: process.stdin.isTTY === true && process.stdout.isTTY === true,
      pty: await ptyAvailable(),
    };
  },
  async display({ choice, team, owner, env, logOf }) {
    switch (choice.mode) {
      case "tmux": {
        const { tmuxDisplay } = await import("../edge/display/tmux/tmux.ts");
        const inside = { kind: "inside", tmux: env["TMUX"] ?? "", pane: env["TMUX_PANE"] ?? "" } as const;
        return tmuxDisplay({ team, owner, env, place: choice.where === "detached" ? { kind: "detached", size } : inside });
      }
      case "iterm2": {
        const { iterm2Display } = await import("../edge/display/iterm2/iterm2.ts");
        return iterm2Display({ leadSession: env["ITERM_SESSION_ID"], platform: process.platform, env });
      }
      case "in-process":
        return (await import("../edge/display/pty.ts")).ptyDisplay({ size, env });
      case "driver": {
        const { driverDisplay } = await import("../team/display/driver-display.ts");
        return driverDisplay(choice.driver, await displayEdges.driverPorts(env));
      }
      case "plain":
        return (await import("../edge/display/log-display.ts")).logDisplay({ env, logOf });
    }
  },
  async driverPorts(env) {
    const [{ driverPorts }, { personsEnvironment }] = await Promise.all([
      import("../edge/display/driver-ports.ts"),
      import("../secrets/environment.ts"),
    ]);
    return driverPorts(personsEnvironment(env));
  },
  testFolder: async () => (await import("../edge/display/test-folder.ts")).testFolder(),
  async startPrivateServer({ argv, former, ...request }) {
    const { startPrivateServer } = await import("../edge/display/tmux/server.ts");
    const own = { columns: process.stdout.columns || size.columns, rows: process.stdout.rows || size.rows };
    const servers = former.map(({ socket, serverPid, serverStart }) => ({ socket, pid: serverPid, start: serverStart }));
    return startPrivateServer({ ...request, leadArgv: argv, size: own, former: servers });
  },
  attach: async (socket, env) => (await import("../edge/display/tmux/attach.ts")).attach(socket, env),
  showPane: async (pane, env) => (await import("../edge/display/tmux/attach.ts")).showPane(pane, env),
  ownPane: async (env) => (await import("../edge/display/tmux/attach.ts")).ownPane(env),
  closeOwnPane: async (env) => (await import("../edge/display/tmux/attach.ts")).closeOwnPane(env),
  async privateServers(env) {
    const { lookAtPrivateServer, stopPrivateServer } = await import("../edge/display/tmux/server.ts");
    const identity = ({ socket, serverPid, serverStart, owner }: TmuxHandle) => ({ socket, pid: serverPid, start: serverStart, owner });
    return { look: (pane) => lookAtPrivateServer(identity(pane), env), end: (pane) => stopPrivateServer(identity(pane), env) };
  },
};
