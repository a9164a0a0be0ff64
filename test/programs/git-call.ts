// One call of our own git, in a process that can be killed meanwhile.
import { keepGitFilesIn } from "../../src/edge/git/own-folder.ts";
import { ownGit } from "../../src/edge/git/own-git.ts";

const { folder, args, config, env } = JSON.parse(process.argv[2] ?? "{}");
keepGitFilesIn(config);
await ownGit(env)(folder, args);
