// Folders that cannot be listed, in sessions of an ordinary user: what they hold stays protected, and is neither lost nor taken for new.
import { chmodSync, statSync } from "node:fs";
import { expect, it } from "vitest";
import { lacks } from "../needs.ts";
import { usersRepository } from "../ordinary-user.ts";

const asOrdinary = it.skipIf((await lacks("sandbox")) || (await lacks("a sandbox of an ordinary user")));

const files = {
  "a.txt": "a",
  ".env": "canary-1",
  "sub/.env": "canary-2",
  "read.sh": "cat .env sub/.env",
  "close.sh": "chmod 311 . sub",
  "write.sh": "printf '[core]\\n\\tfsmonitor = touch pwn\\n' >> .git/config; echo x > .git/hooks/pre-commit; echo done",
};
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

asOrdinary("one that a command closes is opened again, so that the next command sees as little of it", () => {
  const { session, at } = usersRepository(files);
  expect(session("sh close.sh", "sh read.sh").join()).not.toContain("canary");
  expect(["", "sub"].map((path) => mode(at(path)))).toEqual(["711", "711"]);
});

asOrdinary("a repository that a command closes can be written by the next command as little as before", () => {
  const { session, read, there } = usersRepository({ ...files, "close.sh": "chmod 311 .git" });
  const before = read(".git/config");
  expect(session("sh close.sh", "sh write.sh")[1]).toContain("done");
  expect([read(".git/config"), there(".git/hooks/pre-commit")]).toEqual([before, false]);
});

asOrdinary("one that was closed before is hidden as a whole, and nothing in it is moved once it is open", () => {
  const { session, at, there } = usersRepository({ ...files, "sub/.envrc": "the person's" });
  chmodSync(at("sub"), 0o311);
  expect(session("sh read.sh; echo; echo x > sub/new; ls sub | wc -l", "true")[0]).toMatch(/^0$/m);
  expect(mode(at("sub"))).toBe("311");
  chmodSync(at("sub"), 0o755);
  session("true");
  expect([there("sub/.env"), there("sub/.envrc"), there("sub/new")]).toEqual([true, true, false]);
});

asOrdinary("no command runs where the working directory or its repository cannot be listed, and the person is told what to do", () => {
  const { session, at, read } = usersRepository(files);
  const before = read(".git/config");
  for (const path of ["", ".git"]) {
    const { mode: rights } = statSync(at(path));
    chmodSync(at(path), 0o311);
    const [result = ""] = session("sh write.sh");
    chmodSync(at(path), rights);
    expect(result).toMatch(/cannot be listed, so what a command must not see or change in it cannot be protected.*chmod u\+rx/);
  }
  expect(read(".git/config")).toBe(before);
});

asOrdinary("the person's own repository is not taken for new after its folder was closed and opened", () => {
  const { session, there } = usersRepository({ ...files, "close.sh": "chmod 311 . .git", "open.sh": "chmod 755 . .git" });
  session("sh close.sh", "sh open.sh; sleep 0.5", "true");
  expect([there(".git/HEAD"), there(".env")]).toEqual([true, true]);
});

asOrdinary("what a command leaves in a folder that it closes is found there", () => {
  const { session, there } = usersRepository({
    ...files,
    "close.sh": "mkdir -p new/er; echo x > new/er/.envrc; chmod 100 new/er; chmod 311 new",
  });
  expect(session("sh close.sh")[0]).toContain(".envrc was moved to");
  expect(there("new/er/.envrc")).toBe(false);
});
