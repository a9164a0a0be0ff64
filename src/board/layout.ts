// The paths of everything in a team's folder. No other file joins these names.

export type TeamLayout = {
  record: string;
  tasks: string;
  /** The claims of the task list's lock. */
  lock: string;
  log: string;
  requests: string;
  /** The permissions that the person has granted to every member. */
  grants: string;
  /** The claims of the grants' lock. */
  grantsLock: string;
  mailbox: (agent: string) => string;
  member: (agent: string) => string;
  /** Held for the life of that member's process. */
  claim: (agent: string) => string;
  /** Held by a process that resumes the team, until the lead runs. */
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

/** The folder of all teams of a user. */
export function teamsFolder(configDir: string): string {
  return `${configDir}/teams`;
}
