import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PutAside } from "../../../src/agent/ports/sandbox-port.ts";
import { carry } from "../../../src/edge/shell/carry.ts";
import { putAsideContent } from "../../../src/edge/shell/put-aside-content.ts";
import { joined, putAside, putBack } from "../../../src/edge/shell/quarantine.ts";
import { failing } from "../../failing-calls.ts";
import { type Tree, tree } from "../../tools/tree.ts";

let folder: Tree;
beforeEach(() => {
  folder = tree({ "work/sub/.bashrc": "planted", "home/.bashrc": "the person's", "home/other": "" });
});
afterEach(() => folder.remove());

const aside = (path: string, note: (aside: PutAside) => void = () => {}) => putAside(folder.at(path), { folder: folder.at("kept"), note });

/** What a command can do to a path while it is looked at. */
function swapForLink(path: string, target: string) {
  renameSync(folder.at(path), `${folder.at(path)}-away`);
  symlinkSync(folder.at(target), folder.at(path));
}

describe("putAside()", () => {
  it("says where it moves a file before it does", () => {
    const moved = aside("work/sub/.bashrc", ({ path, kept }) => expect([existsSync(path), existsSync(kept)]).toEqual([true, false]));
    expect([moved, readFileSync(moved!.kept, "utf8")]).toEqual([
      { path: folder.at("work/sub/.bashrc"), kept: folder.at("kept/1-.bashrc") },
      "planted",
    ]);
  });

  it("takes what replaces objects out of packed references, as loose ones that can be put back, unless git has them locked", () => {
    const [one, two, three] = ["a", "b", "c"].map((letter) => letter.repeat(40));
    const packed = folder.at("work/packed-refs");
    const rest = `# pack-refs with: peeled fully-peeled sorted \n${one} refs/heads/main\n${one} refs/tags/v1\n^${two}\n`;
    writeFileSync(
      packed,
      rest.replace(`${one} refs/tags`, `${one} refs/replace/${two}\n^${three}\n${three} refs/replace/${one}\n${one} refs/tags`),
    );
    writeFileSync(`${packed}.lock`, "");
    expect(() => aside("work/packed-refs")).toThrow("EEXIST");
    rmSync(`${packed}.lock`);
    const moved = aside("work/packed-refs");
    expect([moved?.path, readFileSync(packed, "utf8")]).toEqual([folder.at("work/refs/replace"), rest]);
    putBack(moved!, putAsideContent(moved!.kept));
    expect([two, one].map((name) => readFileSync(folder.at(`work/refs/replace/${name}`), "utf8"))).toEqual([`${one}\n`, `${three}\n`]);
  });

  it("moves nothing of the person's through a link that takes the folder's place", () => {
    swapForLink("work/sub", "home");
    expect([aside("work/sub/.bashrc"), folder.text("home/.bashrc")]).toEqual([undefined, "the person's"]);
  });

  it("moves nothing of the person's if the link comes at the last moment", () => {
    aside("work/sub/.bashrc", () => swapForLink("work/sub", "home"));
    expect([folder.text("home/.bashrc"), folder.text("kept/1-.bashrc")]).toEqual(["the person's", "planted"]);
  });

  it("finds nothing where another agent was first, or the command removed it again", () => {
    expect(aside("work/sub/none")).toBeUndefined();
    expect(aside("work/none/none")).toBeUndefined();
    expect(aside("work/sub/.bashrc", ({ path }) => rmSync(path))).toBeUndefined();
  });

  it("gives no rights to a folder of the person's if the link comes while its own folder refuses the move", () => {
    chmodSync(folder.at("home"), 0o700);
    failing("renameSync", { code: "EACCES", when: (path) => path.endsWith("/.bashrc") });
    expect(aside("work/sub/.bashrc", () => swapForLink("work/sub", "home"))).toBeUndefined();
    expect(lstatSync(folder.at("home")).mode & 0o777).toBe(0o700);
  });

  it.each([
    [100, "kept/1-index"],
    [65 * 1024 * 1024, "work/.git/index.2.aside"],
  ])("keeps an index of %d bytes beside where it was if it is large and would have to be copied", (size, kept) => {
    folder.put("work/.git/index", "");
    folder.put("work/.git/index.1.aside", "earlier");
    truncateSync(folder.at("work/.git/index"), size);
    failing("renameSync", { code: "EXDEV", when: (path) => path.endsWith("/index"), times: 1 });
    const noted: string[] = [];
    const moved = aside("work/.git/index", (each) => noted.push(each.kept));
    expect([moved, noted.at(-1), existsSync(folder.at("work/.git/index"))]).toEqual([
      { path: folder.at("work/.git/index"), kept: folder.at(kept) },
      folder.at(kept),
      false,
    ]);
    expect(lstatSync(folder.at(kept)).size).toBe(size);
  });

  it.each([
    ["a file", "work/sub/.npmrc", "work/sub/.npmrc"],
    ["a folder", "work/.vscode", "work/.vscode/deep/of.bin"],
  ])("keeps %s of any size where it was, under a name that means nothing, if it would have to be copied", (_kind, path, large) => {
    folder.put(large, "");
    truncateSync(folder.at(large), 2 ** 40); // a copy would never end
    failing("renameSync", { code: "EXDEV", when: (from) => from.endsWith(path.slice(path.lastIndexOf("/"))), times: 1 });
    expect(aside(path)).toEqual({ path: folder.at(path), kept: `${folder.at(path)}.1.aside` });
    expect(lstatSync(folder.at(large.replace(path, `${path}.1.aside`))).size).toBe(2 ** 40);
  });

  it("fails if the file cannot be moved", () => {
    failing("renameSync", { code: "EIO", when: (path) => path.endsWith(".bashrc") });
    expect(() => aside("work/sub/.bashrc")).toThrow("EIO");
  });
});

describe("putBack()", () => {
  const back = (before: () => void) => {
    const moved = aside("work/sub/.bashrc")!;
    const shown = putAsideContent(moved.kept);
    before();
    putBack(moved, shown);
  };

  it("creates its folder again", () => {
    back(() => rmSync(folder.at("work"), { recursive: true }));
    expect(folder.text("work/sub/.bashrc")).toBe("planted");
  });

  it("is not what another name leads to, by which a command could change it later", () => {
    back(() => linkSync(folder.at("kept/1-.bashrc"), folder.at("work/other-name")));
    folder.put("work/other-name", "changed");
    expect(folder.text("work/sub/.bashrc")).toBe("planted");
  });

  it("is not what has been changed since it was shown, by another name or by a program that holds it open", () => {
    const change = () => {
      linkSync(folder.at("kept/1-.bashrc"), folder.at("work/other-name"));
      folder.put("work/other-name", "changed");
    };
    expect(() => back(change)).toThrow("changed after it had been shown");
    expect([existsSync(folder.at("work/sub/.bashrc")), folder.text("kept/1-.bashrc.changed")]).toEqual([false, "changed"]);
  });

  it("follows no link to another folder", () => {
    expect(() => back(() => swapForLink("work/sub", "home"))).toThrow("leads elsewhere");
    expect(readdirSync(folder.at("home"))).toEqual([".bashrc", "other"]);
  });

  it("replaces nothing that has the name by now", () => {
    expect(() => back(() => folder.put("work/sub/.bashrc", "the person's"))).toThrow("something else is there");
    expect([folder.text("work/sub/.bashrc"), folder.text("kept/1-.bashrc")]).toEqual(["the person's", "planted"]);
  });
});

describe("joined()", () => {
  const again = (text: string) => {
    folder.put("work/sub/.bashrc", text);
    return aside("work/sub/.bashrc")!;
  };

  it("keeps what was there before, which may be the person's, beside the newest", () => {
    const [first, second, third] = [again("the person's"), again("planted"), again("planted again")];
    expect(joined(joined(first, second), third)).toEqual({ ...third, earlier: [first.kept, second.kept] });
    expect([first, second, third].map(({ kept }) => readFileSync(kept, "utf8"))).toEqual(["the person's", "planted", "planted again"]);
  });

  it("makes one of two that are the same, and of folders without a difference", () => {
    const [first, second] = [again("planted"), again("planted")];
    expect([joined(first, second), existsSync(second.kept)]).toEqual([first, false]);
    const vscode = (name: string, text: string) => {
      folder.put(`work/.vscode/${name}`, text);
      return aside("work/.vscode")!;
    };
    const [one, other, third] = [vscode("a", "a"), vscode("b", "b"), vscode("b", "else")];
    expect([joined(one, other), readdirSync(one.kept), existsSync(other.kept)]).toEqual([one, ["a", "b"], false]);
    expect([joined(one, third), readFileSync(join(one.kept, "b"), "utf8")]).toEqual([{ ...third, earlier: [one.kept] }, "b"]);
  });

  it.skipIf(process.platform !== "linux").each(["openSync", "unlinkSync", "readdirSync"] as const)(
    "neither copies nor removes what a link leads to that takes a folder's place before %s",
    (call) => {
      const made = (): PutAside => {
        for (const name of ["a", "other"]) folder.put(`work/.vscode/in/${name}`, "");
        return aside("work/.vscode")!;
      };
      const [first, next] = [made(), made()];
      let isSwapped = false;
      failing(call, {
        code: "EIO",
        when: (path) => {
          if (isSwapped || (!path.startsWith("/proc/self/fd") && !path.includes("/in"))) return false;
          isSwapped = true;
          const at = join(next.kept, "in");
          if (!existsSync(at)) return false;
          renameSync(at, folder.at("away"));
          symlinkSync(folder.at("home"), at);
          return false;
        },
      });
      joined(first, next);
      expect([isSwapped, readdirSync(folder.at("home")), readdirSync(join(first.kept, "in"))]).toEqual([
        true,
        [".bashrc", "other"],
        ["a", "other"],
      ]);
    },
  );
});

describe("carry(), to another file system", () => {
  it("keeps names, contents, modes and links, and takes nothing but the name of a pipe", () => {
    const at = (name: string) => join(folder.at("work/.vscode"), name);
    mkdirSync(at("in/er"), { recursive: true });
    writeFileSync(at("in/run.sh"), "run", { mode: 0o755 });
    symlinkSync("/nowhere", at("link"));
    execFileSync("mkfifo", [at("pipe")]);
    carry(folder.at("work/.vscode"), folder.at("moved"));
    const moved = (name: string) => folder.at(join("moved", name));
    expect([existsSync(at("")), readdirSync(moved(""), { recursive: true }).map(String).sort()]).toEqual([
      false,
      ["in", "in/er", "in/run.sh", "link", "pipe"],
    ]);
    const mode = lstatSync(moved("in/run.sh")).mode & 0o777;
    expect([readFileSync(moved("in/run.sh"), "utf8"), mode, readlinkSync(moved("link")), lstatSync(moved("pipe")).isFile()]).toEqual([
      "run",
      0o755,
      "/nowhere",
      true,
    ]);
  });

  it.skipIf(process.platform !== "linux")("neither copies nor removes what a link leads to that takes a folder's place", () => {
    mkdirSync(folder.at("work/.vscode/in"), { recursive: true });
    writeFileSync(folder.at("work/.vscode/in/a"), "");
    let swapped = false;
    const swap = (path: string) => {
      if (!swapped && path.endsWith("/a")) {
        swapped = true;
        swapForLink("work/.vscode/in", "home");
      }
      return false;
    };
    failing("openSync", { code: "EIO", when: swap });
    expect(() => carry(folder.at("work/.vscode"), folder.at("moved"))).toThrow();
    expect([swapped, readdirSync(folder.at("home")), readdirSync(folder.at("moved/in"))]).toEqual([true, [".bashrc", "other"], ["a"]]);
  });
});
