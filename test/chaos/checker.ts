// What must hold of a team's files after any fault, checked from the files alone. Imports nothing of src/: the program cannot vouch for
// itself. A violation is a sentence that names the file or the id.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** `titles`: the tasks that the lead should create, once each, with the titles that each depends on. */
export type Expected = { titles: Map<string, string[]> };
/** How the last process of the lead ended. */
export type LeadEnd = {
  code: number | null;
  signal: string | null;
  /**
   * The resume reported that there was nothing to do: the lead before it was killed after the last completion, and no process outlived it.
   */
  nothingToResume?: boolean;
};
export type Evidence = {
  /** The configuration folder, with teams/ and projects/ in it. */
  configDir: string;
  team: string;
  expected: Expected;
  end: LeadEnd;
  /** Command lines of processes that belong to the team and still run after its end. */
  processes: string[];
};

export type Verdict = {
  violations: string[];
  /** How much was checked: a check of nothing proves nothing. */
  counted: { tasks: number; completions: number; messages: number; unread: number; calls: number; processes: number };
};

type Json = Record<string, unknown>;
type Task = { id: string; title: string; status: string; assigned_to: string | null; dependencies: string[]; summary?: string };
type Event = { kind: string; by: string; revision?: number; task?: string; assigned_to?: string | null };
type Mail = { id: string; from: string; to: string; kind: string; text: string; place: string };
type Call = { member: string; id: string; name: string; input: Json; results: { text: string; isError: boolean }[] };
type Team = {
  tasks: Task[];
  revision: number;
  events: Event[];
  mail: Mail[];
  calls: Call[];
  /** Message ids, once for each time that one entered a transcript. */
  shown: { member: string; id: string }[];
  /** Names of members whose process has ended permanently, by the team's record. */
  ended: Set<string>;
};

export function check(evidence: Evidence): Verdict {
  const violations: string[] = [];
  const team = readTeam(evidence, violations);
  const done = evidence.end.code === 0;
  checkTasks(team, { expected: evidence.expected, done: done || evidence.end.nothingToResume === true }, violations);
  checkHistory(team, violations);
  checkCalls(team, violations);
  const unread = checkMail(team, done, violations);
  checkEnd(team, evidence.end, violations);
  for (const command of evidence.processes) violations.push(`A process of the team lives on: ${command}`);
  for (const file of leftFiles(evidence)) violations.push(`A file was left behind: ${file}`);
  const completions = team.events.filter(({ kind }) => kind === "task_completed").length;
  const messages = team.mail.filter(({ kind }) => kind === "message").length;
  const counted = {
    tasks: team.tasks.length,
    completions,
    messages,
    unread,
    calls: team.calls.length,
    processes: evidence.processes.length,
  };
  return { violations, counted };
}

function checkTasks({ tasks }: Team, { expected, done }: { expected: Expected; done: boolean }, violations: string[]): void {
  for (const id of repeated(tasks.map((task) => task.id))) violations.push(`tasks.json has ${id} twice`);
  for (const title of repeated(tasks.map((task) => task.title))) violations.push(`The task "${title}" was created twice`);
  const byTitle = new Map(tasks.map((task) => [task.title, task]));
  const titleOf = new Map(tasks.map((task) => [task.id, task.title]));
  for (const [title, dependencies] of expected.titles) {
    const task = byTitle.get(title);
    if (!task && done) violations.push(`The task "${title}" is lost`);
    if (!task) continue;
    const has = task.dependencies.map((id) => titleOf.get(id) ?? id).sort();
    if (has.join() !== [...dependencies].sort().join())
      violations.push(`${task.id} depends on ${has.join()}, not on ${dependencies.join()}`);
  }
  for (const task of tasks) {
    if (!expected.titles.has(task.title)) violations.push(`Nobody ordered ${task.id} "${task.title}"`);
    if (done && task.status !== "completed") violations.push(`The lead ended with 0 and ${task.id} is ${task.status}`);
    if (task.status === "completed" && !task.summary) violations.push(`${task.id} is completed without a summary`);
  }
}

/** The log, in order of revision, is the list's history: no revision is missing, no task is held by two members or completed twice. */
function checkHistory({ tasks, revision, events }: Team, violations: string[]): void {
  const dependencies = new Map(tasks.map((task) => [task.id, task.dependencies]));
  const states = new Map<string, { status: string; owner: string | null | undefined; completions: number }>();
  const seen = new Set<number>();
  for (const event of events) {
    if (event.revision === undefined) continue;
    seen.add(event.revision);
    if (event.task === undefined) continue;
    const before = states.get(event.task) ?? { status: "none", owner: null, completions: 0 };
    const status = statusAfter[event.kind] ?? before.status;
    const problem = illegal(event, before);
    if (problem) violations.push(`Revision ${event.revision}: ${problem}`);
    if (event.kind === "task_claimed") {
      const open = (dependencies.get(event.task) ?? []).filter((id) => states.get(id)?.status !== "completed");
      if (open.length > 0) violations.push(`Revision ${event.revision}: ${event.task} was begun before ${open.join(", ")} was completed`);
    }
    const completions = before.completions + (event.kind === "task_completed" ? 1 : 0);
    states.set(event.task, { status, owner: event.assigned_to, completions });
  }
  for (let number = 1; number <= revision; number++) if (!seen.has(number)) violations.push(`The log has no event of revision ${number}`);
  for (const task of tasks) {
    const state = states.get(task.id);
    if (state?.status !== task.status) violations.push(`tasks.json says that ${task.id} is ${task.status}, the log ${state?.status}`);
    if (state && state.completions > 1) violations.push(`${task.id} was completed ${state.completions} times`);
    if (task.status === "completed" && state?.owner !== task.assigned_to)
      violations.push(`${task.id} is ${task.assigned_to}'s by the list and ${state?.owner}'s by the log`);
  }
}

const statusAfter: Record<string, string> = {
  task_created: "open",
  task_claimed: "in_progress",
  task_resumed: "in_progress",
  task_blocked: "blocked",
  task_released: "open",
  task_completed: "completed",
};

const from: Record<string, string[]> = {
  task_created: ["none"],
  task_claimed: ["open"],
  task_resumed: ["blocked"],
  task_blocked: ["in_progress"],
  task_released: ["blocked"],
  task_completed: ["in_progress"],
  task_changed: ["open", "blocked"],
};

function illegal({ kind, task, by }: Event, before: { status: string; owner: string | null | undefined }): string | undefined {
  if (!(from[kind] ?? [before.status]).includes(before.status)) return `${kind} of ${task}, which was ${before.status}`;
  if (kind === "task_completed" && by !== before.owner) return `${by} completed ${task}, which ${before.owner} held`;
  return undefined;
}

/** Each call has one result, and every change that a result reports is in the list. */
function checkCalls({ calls, tasks }: Team, violations: string[]): void {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  for (const { member, id, name, input, results } of calls) {
    if (results.length > 1) violations.push(`${member}: the call ${id} (${name}) has ${results.length} results`);
    const [result] = results;
    if (!result || result.isError) continue;
    const created = name === "TaskCreate" ? /^Created (\S+): (.*)\.$/.exec(result.text) : null;
    if (created && byId.get(created[1] ?? "")?.title !== created[2])
      violations.push(`${created[1]} "${created[2]}" was acknowledged and is lost`);
    if (name === "TaskUpdate" && input["status"] === "completed") {
      const task = byId.get(String(input["id"]));
      if (task?.status !== "completed" || task.assigned_to !== member)
        violations.push(`The completion of ${String(input["id"])} by ${member} was acknowledged and is lost`);
    }
  }
}

/** Every acknowledged message is in one mailbox, once, and was shown once. Returns how many are unread in mailboxes of ended members. */
function checkMail({ calls, mail, shown, ended }: Team, done: boolean, violations: string[]): number {
  const times = new Map<string, number>();
  for (const { id } of shown) times.set(id, (times.get(id) ?? 0) + 1);
  const known = new Map(mail.map((message) => [message.id, message]));
  for (const id of repeated(mail.map((message) => message.id))) violations.push(`The message ${id} lies in two places`);
  for (const { member, id } of shown) {
    if (!known.has(id)) violations.push(`${member} was shown the message ${id}, of which there is no file`);
    else if (known.get(id)?.to !== member) violations.push(`${member} was shown the message ${id} to ${known.get(id)?.to}`);
  }
  for (const [id, count] of times) if (count > 1) violations.push(`The message ${id} was shown ${count} times`);
  const sent = new Map<string, number>();
  for (const { from: sender, to, text } of mail) sent.set(`${sender}\n${to}\n${text}`, (sent.get(`${sender}\n${to}\n${text}`) ?? 0) + 1);
  for (const { member, name, input, results } of calls) {
    if (name !== "SendMessage" || results[0]?.isError !== false) continue;
    const found = sent.get(`${member}\n${String(input["to"])}\n${String(input["text"])}`) ?? 0;
    if (found !== 1)
      violations.push(
        `The message "${String(input["text"])}" of ${member} to ${String(input["to"])} was acknowledged and is there ${found} times`,
      );
  }
  let unread = 0;
  for (const { id, to, kind, place } of mail) {
    if (place === "bad") violations.push(`The message ${id} lies in bad/`);
    const wasShown = (times.get(id) ?? 0) > 0;
    if (place === "done" && !wasShown && kindsForModels.has(kind))
      violations.push(`The message ${id} to ${to} is acknowledged and was never shown`);
    if (place === "done" || wasShown || kind !== "message") continue;
    if (ended.has(to)) unread++;
    else if (done) violations.push(`The message ${id} to ${to} was never shown`);
  }
  return unread;
}

const kindsForModels = new Set(["message", "turn_report", "task_notice", "notice"]);

function checkEnd({ tasks }: Team, { code, signal, nothingToResume }: LeadEnd, violations: string[]): void {
  const all = tasks.length > 0 && tasks.every(({ status }) => status === "completed");
  if (signal) violations.push(`The last process of the lead was ended by ${signal}`);
  else if (all && code !== 0 && !(nothingToResume && code === 2))
    violations.push(`All tasks are completed, and the lead ended with ${code}`);
  else if (!all && code !== 0)
    violations.push(`The lead gave up with ${code}: ${tasks.filter(({ status }) => status !== "completed").length} tasks are left`);
}

function readTeam({ configDir, team }: Evidence, violations: string[]): Team {
  const folder = join(configDir, "teams", team);
  const record = JSON.parse(readFileSync(join(folder, "team.json"), "utf8")) as {
    members: { name: string; session?: string; ended?: unknown }[];
  };
  const list = JSON.parse(readFileSync(join(folder, "tasks.json"), "utf8")) as { revision: number; tasks: Task[] };
  const transcripts = record.members.flatMap(({ name, session }) => (session ? [{ name, lines: transcriptOf(configDir, session) }] : []));
  const mail = record.members.flatMap(({ name }) => mailOf(join(folder, "mailbox", name), violations));
  return {
    ...list,
    events: trueEvents(linesOf(join(folder, "log", "events.jsonl")) as Event[], list.revision),
    mail,
    calls: transcripts.flatMap(({ name, lines }) => callsOf(name, lines)),
    shown: transcripts.flatMap(({ name, lines }) => shownIn(lines).map((id) => ({ member: name, id }))),
    ended: new Set(record.members.filter(({ ended }) => ended !== undefined).map(({ name }) => name)),
  };
}

/** Of two events with one revision the last counts: the writer of the first was killed before it changed the list. */
function trueEvents(events: Event[], revision: number): Event[] {
  const last = new Map(events.flatMap((event, index) => (event.revision === undefined ? [] : [[event.revision, index] as const])));
  return events
    .filter((event, index) => event.revision === undefined || (last.get(event.revision) === index && event.revision <= revision))
    .sort((a, b) => (a.revision ?? 0) - (b.revision ?? 0));
}

function transcriptOf(configDir: string, session: string): Json[] {
  const projects = join(configDir, "projects");
  return namesIn(projects).flatMap((project) => linesOf(join(projects, project, `${session}.jsonl`)));
}

function callsOf(member: string, lines: Json[]): Call[] {
  const calls = new Map<string, Call>();
  for (const line of lines) {
    if (line["type"] === "reply") {
      const { content } = line["message"] as { content: { type: string; id: string; name: string; input: Json }[] };
      for (const { type, id, name, input } of content) if (type === "tool_use") calls.set(id, { member, id, name, input, results: [] });
    }
    if (line["type"] === "tool_ended") {
      const { id, name, text, isError } = line as unknown as { id: string; name: string; text: string; isError: boolean };
      const call = calls.get(id) ?? { member, id, name, input: {}, results: [] };
      call.results.push({ text, isError });
      calls.set(id, call);
    }
  }
  return [...calls.values()];
}

function shownIn(lines: Json[]): string[] {
  return lines.flatMap((line) =>
    line["type"] === "input"
      ? (line["inputs"] as { source: { kind: string; message?: string } }[]).flatMap(({ source }) =>
          source.kind === "mail" && source.message ? [source.message] : [],
        )
      : [],
  );
}

function mailOf(folder: string, violations: string[]): Mail[] {
  return ["new", "cur", "done", "bad"].flatMap((place) =>
    namesIn(join(folder, place)).flatMap((name) => {
      try {
        return [{ ...(JSON.parse(readFileSync(join(folder, place, name), "utf8")) as Omit<Mail, "place">), place }];
      } catch {
        violations.push(`${join(folder, place, name)} is no message`);
        return [];
      }
    }),
  );
}

function leftFiles({ configDir, team }: Evidence): string[] {
  const members = join(configDir, "teams", team, "members");
  return namesIn(members).flatMap((name) =>
    namesIn(join(members, name)).flatMap((file) => (file === "launch.json" ? [join(members, name, file)] : [])),
  );
}

/** Lines of a file; a line that a kill left incomplete does not count. */
function linesOf(path: string): Json[] {
  let text = "";
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return []; // the checks report what is missing because of this
  }
  return text.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as Json];
    } catch {
      return [];
    }
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function repeated(values: string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}
