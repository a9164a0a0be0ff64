// Where each thing of a team lies below its folder. Nobody else joins these names.

export type TeamLayout = {
  record: string;
  tasks: string;
  /** The claims of the task list's lock. */
  lock: string;
  log: string;
  requests: string;
  /** What the person has granted to every member. */
  grants: string;
  /** The claims of the lock of that. */
  grantsLock: string;
  mailbox: (agent: string) => string;
  member: (agent: string) => string;
  /** Held for the life of that member's process. */
  claim: (agent: string) => string;
  /** Held by a process that resumes the team, until the team has its lead. */
  resume: string;
};

export function teamLayout(folder: string): TeamLayout {
  return {
    record: `${folder}/team.json`,
    tasks: `${folder}/tasks.json`,
    lock: `${folder}/lock`,
    log: `${folder}/log/events.jsonl`,
    requests: `${folder}/requests`,
    grants: `${folder}/grants.json`,
    grantsLock: `${folder}/grants-lock`,
    mailbox: (agent) => `${folder}/mailbox/${agent}`,
    member: (agent) => `${folder}/members/${agent}`,
    claim: (agent) => `${folder}/members/${agent}/claim`,
    resume: `${folder}/resume`,
  };
}

/** All teams of a user lie in one folder. */
export function teamsFolder(configDir: string): string {
  return `${configDir}/teams`;
}
