// What every forge is opened with, and the text of its pull requests, which is the same at all of them.
import type { NewPullRequest } from "../../batch/forge.ts";
import type { PullRequestSettings } from "../../settings/settings.ts";
import { withoutCredentials } from "../git/remote-address.ts";
import type { Transport } from "./transport.ts";

export type ForgeOptions<Address> = PullRequestSettings & {
  address: Address;
  transport: Transport;
  /** How it is reached, for the user: `gh`, or the name of a variable. */
  via: string;
  now: () => number;
};

/** `prefix`: how a forge without drafts of their own marks one. All of the forges take 250 characters. */
export function requestText({ title, body }: Pick<NewPullRequest, "title" | "body">, prefix = ""): { title: string; body: string } {
  return { title: cut(prefix + withoutCredentials(title), longestTitle), body: cut(body, longestBody) };
}

const longestTitle = 250;
const longestBody = 60_000;
const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
