import { describe, expect, it } from "vitest";
import type { SlashCommand } from "../../../src/screen/commands/commands.ts";
import { type SessionControls, sessionCommands } from "../../../src/screen/commands/session-commands.ts";
import type { Effort } from "../../../src/settings/effort.ts";

type Given = { model?: string; effort?: Effort; picks?: string; scripted?: boolean; events?: { type: string }[] };

/** A session in which commands are typed; `picks` is what the user chooses from a list. */
function session({ model = "claude-opus-5-5", effort, picks, ...has }: Given = {}) {
  const said: string[] = [];
  const now: { model: string; effort: Effort | undefined } = { model, effort };
  const controls = {
    print: (text: string) => void said.push(text),
    warn: (text: string) => void said.push(`! ${text}`),
    events: () => has.events ?? [],
    models: () => (has.scripted ? [] : [{ label: "claude-opus-5-5" }, { label: "claude-haiku-5-5" }]),
    model: () => now.model,
    setModel(name: string) {
      now.model = name;
    },
    effort: () => now.effort,
    setEffort(name: Effort | undefined) {
      now.effort = name;
    },
    pick: async <Item extends { label: string }>(items: Item[]) => items.find(({ label }) => label === picks),
    exit: { summary: "end the session", keys: "Ctrl-D            ends it too", run: () => {} },
    rewind: async () => {},
  } as unknown as SessionControls;
  const type = async (name: string, words = "", further: SlashCommand[] = []) => {
    await sessionCommands(controls, further)
      .find((command) => command.name === name)!
      .run(words);
    return said.splice(0);
  };
  return { now, type };
}

describe("/effort", () => {
  it("sets the effort by name or from the list, and returns to the model's default", async () => {
    const { now, type } = session({ picks: "low" });
    expect([await type("effort", "high"), now.effort]).toEqual([
      [expect.stringMatching(/^The effort is high from now on: it thinks long/)],
      "high",
    ]);
    expect([await type("effort"), now.effort]).toEqual([[expect.stringMatching(/^The effort is low from now on/)], "low"]);
    expect([await type("effort", "default"), now.effort]).toEqual([[expect.stringMatching(/the model's default/)], undefined]);
    expect(await type("effort", "default")).toEqual([]);
  });

  it("does not change to a misspelled tier, and takes any id", async () => {
    const { now, type } = session({ model: "claude-haiku-5-5" });
    expect([await type("model", "opsu"), now.model]).toEqual([
      ['! There is no model "opsu": did you mean opus? The model is still claude-haiku-5-5.'],
      "claude-haiku-5-5",
    ]);
    await type("model", "claude-opus-5-6");
    expect(now.model).toBe("claude-opus-5-6");
  });

  it("says that the conversation is read again only if one was sent", async () => {
    expect(await session().type("effort", "low")).toEqual(["The effort is low from now on: it thinks a little."]);
    expect(await session({ events: [{ type: "input" }, { type: "reply" }] }).type("effort", "low")).toEqual([
      "The effort is low from now on: it thinks a little. The next request reads the whole conversation again once: the provider caches it per effort.",
    ]);
  });

  it("lists the efforts, and warns about one that the model lacks", async () => {
    const { now, type } = session();
    expect([await type("effort", "medium"), now.effort]).toEqual([
      ['! There is no effort "medium". There are: default, off, low, high.'],
      undefined,
    ]);
    expect([await type("effort", "off"), now.effort]).toEqual([
      ['! claude-opus-5-5 always thinks; with the effort "off" it thinks as little as it can.'],
      "off",
    ]);
  });
});

describe("/model", () => {
  it("says that a script cannot be replaced by a model", async () => {
    expect(await session({ scripted: true }).type("model", "large")).toEqual(["Cannot change the model: answers come from a script."]);
  });

  it("accepts a tier, and says what the chosen effort means for the model", async () => {
    const { now, type } = session({ model: "claude-haiku-5-5", effort: "off" });
    expect([await type("model", "large"), now.model]).toEqual([
      [
        '! claude-opus-5-5 always thinks; with the effort "off" it thinks as little as it can.',
        expect.stringMatching(/^The model is claude-opus-5-5 from now on\./),
      ],
      "claude-opus-5-5",
    ]);
  });

  it("says that the conversation is read again only if one has been sent", async () => {
    expect(await session().type("model", "haiku")).toEqual(["The model is claude-haiku-5-5 from now on."]);
    expect(await session({ events: [{ type: "reply" }] }).type("model", "haiku")).toEqual([
      "The model is claude-haiku-5-5 from now on. The next request reads the whole conversation again once: the provider caches it per model.",
    ]);
  });
});

describe("/help", () => {
  it("fits into a small terminal, each key with what it does in one column", async () => {
    const [help = ""] = await session().type("help");
    const lines = help.split("\n");
    expect(lines.length).toBeLessThan(20);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const keys = lines.slice(lines.findIndex((line) => line.startsWith("  Enter")));
    expect(keys.filter((line) => !/^ {2}\S.{16} {1}\S|^ {2}\S.{15} {2}\S/.test(line))).toEqual([]);
  });

  it("lists every command once, by group, and those without a group as skills", async () => {
    const own = [{ name: "fix", argument: "[file]", summary: "repairs", run: () => {} }];
    const [help = ""] = await session().type("help", "", own);
    const commands = help.slice(0, help.indexOf("/help all"));
    expect([...commands.matchAll(/\/[a-z-]+/g)].map(([name]) => name).join(" ")).toBe(
      "/compact /rewind /model /effort /tasks /changes /agents /team /help /status /config /context /cost /privacy /doctor /permissions /add-dir /hooks /skills /mcp /fix",
    );
    expect(commands).toContain("  conversation      /compact  /rewind\n");
    expect(commands).toContain("  skills            /skills  /mcp  /fix\n");
    expect(help).toContain("  /quit, /exit      end the session\n");
  });

  it("says what one command does, by its name or alias, or all of them", async () => {
    const { type } = session();
    expect(await type("help", "cost")).toEqual(["  /cost  tokens and dollars, by model and by agent"]);
    expect(await type("help", "/QUIT")).toEqual(["  /exit  end the session"]);
    expect((await type("help", "cots"))[0]).toMatch(/^There is no command \/cots\. Did you mean \/cost\?/);
    const [all = ""] = await type("help", "all");
    expect(all.split("\n").length).toBeGreaterThan(15);
  });
});

it.each(["status", "doctor"] as const)("/%s continues a long value below itself", async (name) => {
  const printed: [string, number | undefined][] = [];
  const controls = {
    print: (text: string, hang?: number) => void printed.push([text, hang]),
    [name]: async () => ({ text: "  folder  /repo", hang: 10 }),
  } as unknown as SessionControls;
  await sessionCommands({ ...controls, exit: { summary: "", keys: "", run: () => {} } })
    .find((command) => command.name === name)!
    .run("");
  expect(printed).toEqual([["  folder  /repo", 10]]);
});
