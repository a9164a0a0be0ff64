// What GitLab and Gitea have in common as forges of a batch: a token over HTTP, and the order of the questions.
import { z } from "zod";
import type { Forge, ForgeAnswer, ForgeLogin, NewPullRequest, PullRequest } from "../../batch/forge.ts";
import { readAnswer, refused } from "./answers.ts";
import type { ForgeOptions } from "./forge-options.ts";
import type { ServerAddress } from "./server-address.ts";
import type { ForgeRequest } from "./transport.ts";

export type Server = ForgeOptions<ServerAddress> & { signal?: AbortSignal | undefined };

export type Ask = <T>(request: ForgeRequest, reading: { shape: z.ZodType<T>; doing: string }) => Promise<ForgeAnswer<T>>;

export type ServerCalls = {
  /** What a token needs, after a 403. */
  needs: string;
  /** Refuses a repository in which nothing can be opened. */
  look: (ask: Ask, server: Server) => Promise<ForgeAnswer<{ notices?: string[] }>>;
  branchPath: (server: Server, branch: string) => string;
  find: (ask: Ask, server: Server, branch: string) => Promise<ForgeAnswer<PullRequest | undefined>>;
  open: (ask: Ask, server: Server, request: NewPullRequest) => Promise<ForgeAnswer<PullRequest>>;
};

export function serverForge(options: ForgeOptions<ServerAddress>, calls: ServerCalls): Forge {
  const { address, via } = options;
  const askAs = (server: Server) => asker(server, calls.needs);
  return {
    name: `${address.host}/${address.repository}, with ${via}`,
    preflight: (base) => preflight(options, calls, base),
    findPullRequest: (branch, signal) => calls.find(askAs({ ...options, signal }), { ...options, signal }, branch),
    async openPullRequest(request, signal) {
      const server = { ...options, signal };
      const opened = await calls.open(askAs(server), server, request);
      if (opened.ok || opened.error.kind !== "invalid") return opened;
      // The answer to the first request may have been lost, and a second one is refused (409).
      const there = await calls.find(askAs(server), server, request.head);
      return there.ok && there.value?.state === "open" ? { ok: true, value: there.value } : opened;
    },
  };
}

/** GitLab says `username`, Gitea `login`. */
const userShape = z.union([
  z.object({ username: z.string() }).transform(({ username }) => username),
  z.object({ login: z.string() }).transform(({ login }) => login),
]);

async function preflight(server: Server, calls: ServerCalls, base: string | undefined): Promise<ForgeAnswer<ForgeLogin>> {
  const ask = asker(server, calls.needs);
  const { repository, host } = server.address;
  const looked = await calls.look(ask, server);
  if (!looked.ok) return looked;
  if (base !== undefined) {
    const request = { method: "GET", path: calls.branchPath(server, base) } as const;
    const branch = await ask(request, { shape: z.object({ name: z.string() }), doing: `look at branch ${base}` });
    if (!branch.ok && branch.error.kind === "not_found")
      return refused(
        "invalid",
        `${repository} has no branch "${base}" to open them against. Push it, or check out a branch that is there.`,
      );
  }
  const user = await ask({ method: "GET", path: "/user" }, { shape: userShape, doing: `sign in at ${host}` });
  return user.ok ? { ok: true, value: { login: user.value, ...looked.value } } : user;
}

function asker({ address, transport, now, via, signal }: Server, needs: string): Ask {
  const wrongToken = `The token is wrong or has expired: set ${via} to another one.`;
  const dialect = { product: address.product, wrongToken, needs };
  return async (request, reading) => readAnswer(await transport({ ...request, signal }), { ...reading, now, dialect });
}
