// `tool mcp`: adds, lists, shows, checks and removes MCP servers, and logs in at remote ones.
import { Command, Option } from "commander";
import type { Finish, World } from "../../app/world.ts";
import { asPerson } from "../as-person.ts";
import type { AddFlags, Scope } from "./change.ts";

type Flags = { json?: boolean; trust?: boolean };
type Place = { world: World; finish: Finish };

export function mcpCommand(world: World, finish: Finish): Command {
  const command = new Command("mcp")
    .description("Add, list, check and remove MCP servers: programs and addresses that bring tools for the model.")
    .addHelpText("after", help);
  command.addCommand(listCommand({ world, finish }), { isDefault: true });
  command.addCommand(addCommand({ world, finish }));
  command.addCommand(addJsonCommand({ world, finish }));
  command.addCommand(getCommand({ world, finish }));
  command.addCommand(testCommand({ world, finish }));
  command.addCommand(removeCommand({ world, finish }));
  command.addCommand(loginCommand({ world, finish }));
  command.addCommand(logoutCommand({ world, finish }));
  return command;
}

const help = `
Servers stand in "mcpServers" of ~/.tool/settings.json, in a project's .mcp.json and .tool/settings.json, and where Claude Code keeps yours
(~/.claude.json). Of several with one name, that of the managed settings counts, then yours, then the project's. A project's servers wait until
you trust the project. Nothing is started before one of its tools is needed. More: docs/mcp.md

Examples:
  tool mcp add files -- mcp-server-filesystem .
  tool mcp add tracker --url https://mcp.example.com/mcp
  tool mcp test tracker`;

const json = () => new Option("--json", "print JSON");
const trust = () => new Option("--trust", "count the project's servers even if you have not trusted the project");

const listCommand = ({ world, finish }: Place) =>
  new Command("list")
    .description("List the servers of this folder with the file of each, and mistakes in their entries. Nothing is started.")
    .addOption(trust())
    .addOption(json())
    .addHelpText("after", "\nExample:\n  tool mcp list --json")
    .action(async (flags: Flags) => {
      const { listServers } = await import("./show.ts");
      finish(await listServers(world, flags));
    });

const getCommand = ({ world, finish }: Place) =>
  new Command("get")
    .description("Show one server: its whole entry, and the tools that it had when it was last started.")
    .argument("<server>", "its name")
    .addOption(trust())
    .addOption(json())
    .addHelpText("after", "\nExample:\n  tool mcp get tracker")
    .action(async (name: string, flags: Flags) => {
      const { showServer } = await import("./show.ts");
      finish(await showServer(world, name, flags));
    });

const scopeHints = "user: for you, everywhere; project: .mcp.json, for everybody; local: for you, in this project";
const scope = () => new Option("-s, --scope <scope>", scopeHints).choices(["user", "project", "local"]).default("user");

const addCommand = ({ world, finish }: Place) =>
  new Command("add")
    .description("Add a server, or replace its entry, and start it once to see its tools. Exit code 1 when it is added but does not start.")
    .argument("<server>", "its name in rules: mcp__name")
    .argument("[words...]", "a program and its arguments, after --; or the address of a remote server")
    .option("--url <address>", "a remote server, over streamable HTTP")
    .option("-t, --transport <kind>", "stdio: a program; http: an address. Without it, the words tell")
    .option("-e, --env <NAME=value>", `a variable for the program; \${VAR} in the value is filled in at its start`, repeated)
    .option("-H, --header <Name: value>", `a header for a remote server; \${VAR} as above`, repeated)
    .addOption(scope())
    .option("--no-check", "do not start it now")
    .addOption(json())
    .addHelpText("after", addExamples)
    .action(async (name: string, words: string[], flags: AddFlags) => {
      await asPerson({ world, finish }, async () => {
        const { addServer } = await import("./change.ts");
        finish(await addServer(world, { name, words, flags }));
      });
    });

const addExamples = `
Examples:
  tool mcp add files -- mcp-server-filesystem .
  tool mcp add --env TOKEN='\${TRACKER_TOKEN}' tracker -- npx -y tracker-server
  tool mcp add --transport http tracker https://mcp.example.com/mcp --header 'Authorization: Bearer \${TRACKER_TOKEN}'`;

const addJsonCommand = ({ world, finish }: Place) =>
  new Command("add-json")
    .description("Add a server by its entry, as it stands in .mcp.json and in the files of other programs.")
    .argument("<server>", "its name in rules: mcp__name")
    .argument("<entry>", "a JSON object")
    .addOption(scope())
    .option("--no-check", "do not start it now")
    .addOption(json())
    .addHelpText("after", `\nExample:\n  tool mcp add-json files '{ "command": "mcp-server-filesystem", "args": ["."] }'`)
    .action(async (name: string, text: string, flags: AddFlags) => {
      await asPerson({ world, finish }, async () => {
        const { addWritten } = await import("./change.ts");
        finish(await addWritten(world, { name, text, flags }));
      });
    });

const removeCommand = ({ world, finish }: Place) =>
  new Command("remove")
    .description("Remove a server from your settings or from the project's .mcp.json.")
    .argument("<server>", "its name")
    .addOption(new Option("-s, --scope <scope>", "user, project or local; without it, where it is").choices(["user", "project", "local"]))
    .addOption(json())
    .addHelpText("after", "\nExample:\n  tool mcp remove tracker")
    .action(async (name: string, flags: { scope?: Scope; json?: boolean }) => {
      await asPerson({ world, finish }, async () => {
        const { removeServer } = await import("./change.ts");
        finish(await removeServer(world, name, flags));
      });
    });

const testCommand = ({ world, finish }: Place) =>
  new Command("test")
    .description("Start a server, list what it offers, and end it. Exit code 1 when it does not work.")
    .argument("<server>", "its name")
    .addOption(trust())
    .addOption(json())
    .addHelpText("after", "\nExample:\n  tool mcp test tracker")
    .action(async (name: string, flags: Flags) => {
      const { testServer } = await import("./test.ts");
      finish(await testServer(world, name, flags));
    });

const loginCommand = ({ world, finish }: Place) =>
  new Command("login")
    .description("Log in at a remote server in your browser, or by pasting the address that the browser was sent to.")
    .argument("<server>", "its name")
    .option("--no-browser", "only print the address")
    .addOption(trust())
    .addHelpText("after", "\nExample:\n  tool mcp login tracker")
    .action(async (name: string, flags: Flags & { browser: boolean }) => {
      await asPerson({ world, finish }, async () => {
        const { loginAt } = await import("./login.ts");
        finish(await loginAt(world, name, flags));
      });
    });

const logoutCommand = ({ world, finish }: Place) =>
  new Command("logout")
    .description("Forget the login at a remote server.")
    .argument("<server>", "its name")
    .addHelpText("after", "\nExample:\n  tool mcp logout tracker")
    .action(async (name: string, flags: Flags) => {
      await asPerson({ world, finish }, async () => {
        const { logoutFrom } = await import("./login.ts");
        finish(await logoutFrom(world, name, flags));
      });
    });

const repeated = (value: string, before: string[] | undefined) => [...(before ?? []), value];
