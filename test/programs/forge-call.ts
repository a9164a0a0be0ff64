// Opens a pull request as a batch would, in a process that trusts the certificates named in its environment.
import { openForge } from "../../src/edge/forge/open-forge.ts";

const { url, request } = JSON.parse(process.argv[2] ?? "{}");
const choice = await openForge({ name: "origin", url }, { env: process.env, forges: {}, pullRequests: {} });
if (choice.kind === "none") throw new Error(choice.reason);
const { forge } = choice;
const answers = [await forge.preflight("main"), await forge.openPullRequest(request), await forge.findPullRequest(request.head)];
process.stdout.write(JSON.stringify({ name: forge.name, answers }));
