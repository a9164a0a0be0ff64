// A session that is being opened. Its disk, hooks, tools and questions are made before it, and reach it through this once they are used.
import type { Agent } from "../../agent/agent.ts";
import type { Session } from "../../agent/session/session.ts";

export type ComingSession<Kind extends Session> = {
  /** Undefined while its parts are opened. */
  ifThere(): Kind | undefined;
  /** For what happens only within the session, such as a call of a tool. */
  session(): Kind;
  agent(): Agent;
  /** Called once, with the session. */
  opened(session: Kind): Kind;
};

export function comingSession<Kind extends Session = Session>(): ComingSession<Kind> {
  let there: Kind | undefined;
  const session = () => {
    if (!there) throw new Error("A part of the session was used before the session was open");
    return there;
  };
  return {
    ifThere: () => there,
    session,
    agent: () => session().agent,
    opened(opened) {
      there = opened;
      return opened;
    },
  };
}
