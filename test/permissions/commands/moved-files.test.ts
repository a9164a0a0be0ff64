// Links that a part of a command puts in the way of another part, without a sandbox.
import { describe, expect, it } from "vitest";
import { locate } from "../../../src/permissions/call.ts";
import { decide } from "../../../src/permissions/decision.ts";
import { makePolicy, type Policy, type PolicyOrder } from "../../../src/permissions/policy.ts";

/** Relative links in the tree, with what they lead to from where they are. */
const links = new Map([
  ["/repo/a/b/l", "/repo/other/notes.txt"],
  ["/repo/a/b/m", "/repo/a/k"],
]);
const real = async (path: string) => links.get(path) ?? path;

async function decided(command: string, order: Partial<PolicyOrder> = {}, found: Partial<Policy> = {}) {
  const places = { cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool" };
  const made = await makePolicy({ ...places, mode: "acceptEdits", sandbox: { kind: "missing", why: "a test" }, ...order }, real);
  if (!made.ok) throw new Error(made.reason);
  const led = [...links].map(([path, target]) => ({ path, target }));
  const policy = Object.assign(made.policy, { outliers: () => ({ sensitive: [], links: led, packages: () => undefined }), ...found });
  const { decision, reason } = decide(await locate({ tool: "Bash", input: { command } }, policy, real), policy);
  return decision === "ask" ? reason : decision;
}

const unknown = (access: string) => `Which file is ${access} is not known before it runs`;

describe("withMoved()", () => {
  it.each([
    ["mv a/b/m z/w/m && cat z/w/m", "read"],
    ["mv a/b/m z/w/m && cat < z/w/m", "read"],
    ["mv a/b/m z/w/ && cat z/w/m", "read"],
    ["mv a/b/l a/l && echo evil >> a/l", "written"],
    ["mv a/b d && cat d/l", "read"],
    ["mv a/b/m? z && cat z/mm", "read"],
    ["mv a/b/m z/m && cat z/*", "read"],
    ["while cat z/m; do mv a/b/m z/m; done", "read"],
    ["sleep 1 && touch z/l & mv a/b/l z/l", "read"],
    ["mv a/b d && cd d && touch l", "read"],
    ["cd q/b/c && mv ../../b/c ../../../c && cat ../../x.txt", "read"],
    ["cd q/b/c && mv ../../b/c ../../../c && echo evil > ../../x", "written"],
    ["{ sleep 1; mv k/j j; } & cd k/j && cat ../config/x.json", "read"],
    ["mv a/m n && cat n/../x.txt", "read"],
  ])("does not know what is used by %s", async (command, access) => {
    expect(await decided(command)).toBe(unknown(access));
  });

  it.each([
    "mv x.txt y.txt && cat y.txt",
    "mv lib src && sed -i s/a/b/ src/c.ts",
    "mkdir -p d && touch d/x && cat d/x",
    "cd lib && mv ../x.txt y.txt && cat y.txt",
    "mv a/b/m z/m && cat other.txt",
  ])("leaves %s as it is", async (command) => expect(await decided(command)).toBe("allow"));

  it.each(["ln -s other l && cat l/x", "tar xf a.tar && cat l/x", "git checkout other && cat l/x", "cp -a ../x/l l && cat l"])(
    "does not know either what a program under a rule has put there: %s",
    async (command) => {
      const allow = ["Bash(ln:*)", "Bash(tar:*)", "Bash(git:*)", "Bash(cp:*)", "Read(../x/**)"];
      expect(await decided(command, { allow, mode: "default" })).toBe(unknown("read"));
    },
  );

  it.each(["x -f a.tar", "-vx -f a.tar", "-f a.tar --extract", "-f a.tar --get"])("knows that tar %s unpacks", async (options) => {
    expect(await decided(`tar ${options} && cat l/x`, { allow: ["Bash(tar:*)"], mode: "default" })).toBe(unknown("read"));
  });

  it("lets tar pack a folder and list what is in it", async () => {
    expect(await decided("tar -cf a.tar sub && tar -tf a.tar", { allow: ["Bash(tar:*)"], mode: "default" })).toBe("allow");
  });

  it("keeps a denied file denied", async () => {
    expect(await decided("mv a/b/m z/m && cat z/m", { deny: ["Read(z/m)"] })).toBe("deny");
  });

  it("lets the sandbox confine what links lead to", async () => {
    expect(await decided("mv a/b/m z/m && cat z/m", { sandbox: { kind: "active" }, autoAllow: true })).toBe("allow");
  });
});

describe("isMadeBy()", () => {
  const programs: Policy["programs"] = (program, isMade) => (isMade?.(`/repo/bin/${program}`) ? "within" : "elsewhere");

  it.each(["mkdir bin && chmod +x y && mv y bin/head && head a.txt", "cp y bin && head a.txt", "head a.txt; mv x bin/h*"])(
    "finds the program that %s may put on PATH",
    async (command) => expect(await decided(command, {}, { programs })).toBe("No rule allows it"),
  );

  it("leaves a program that is not written", async () => {
    expect(await decided("mkdir lib && touch lib/head bin/tail && head a.txt", {}, { programs })).toBe("allow");
  });
});
