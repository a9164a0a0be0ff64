// Private keys: blocks between their marks, what is left of one whose end or beginning was cut, and keys in other writings.
import type { Found } from "./secret-assignments.ts";

export function findPrivateKeys(text: string): Found[] {
  return [...blocks(text), ...pieces(text)];
}

const begin = /-{4,5} ?BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}|PuTTY-User-Key-File-\d: [^\n]{1,60}/g;

/** From behind the first mark to the last mark, or as far as lines look like the body of a key. */
function* blocks(text: string): Generator<Found> {
  for (const mark of text.matchAll(begin)) {
    const from = mark.index + mark[0].length;
    const window = text.slice(from, from + longestBlock);
    const finish = mark[0].startsWith("PuTTY")
      ? /Private-MAC: [0-9a-f]{8,128}|Private-Hash: [0-9a-f]{8,128}/.exec(window)
      : /-{4,5} ?END /.exec(window);
    const bodyStart = mark[0].startsWith("PuTTY") ? Math.max(0, window.search(/Private-Lines/)) : 0;
    const next = window.search(/-{4,5} ?BEGIN /);
    const whole = finish && (next === -1 || finish.index < next);
    const end = whole ? finish.index + (mark[0].startsWith("PuTTY") ? finish[0].length : 0) : cutBody(window);
    const body = window.slice(bodyStart, end);
    const lead = /^(?:\s|\\[nr])*/.exec(body)![0].length;
    const tail = /(?:\s|\\[nr]){0,20}$/.exec(body)![0].length;
    const content = body.slice(lead, body.length - tail);
    if (content.replace(/[^A-Za-z0-9+/=]/g, "").length < 16 || /‹|\.{3}|…|example|your|<[a-z]|\$\{|x{8}|\*{4}/i.test(content)) continue;
    yield { kind: "private-key", start: from + bodyStart + lead, end: from + bodyStart + body.length - tail };
  }
}

/** A key of 16,384 bits, with what surrounds each of its lines in a listing. */
const longestBlock = 20_000;

/** Lines of a key in a listing may have a number, a sign or a path before them. */
function cutBody(window: string): number {
  let end = 0;
  for (const line of window.matchAll(/[^\n]*(?:\n|$)/g)) {
    if (line[0] === "") break;
    const bare = line[0].replaceAll(/\\[nr]/g, " ").trim();
    if (
      bare !== "" &&
      !/(?:^|[\s:|+>-])[A-Za-z0-9+/=]{12,4000}[\s"',;\\]*$/.test(bare) &&
      !/^(?:Proc-Type|DEK-Info|Comment|Version|Encryption|Public-Lines|Private-Lines)\b/.test(bare)
    )
      break;
    end = line.index + line[0].length;
    if (end > 16_000) break;
  }
  return end;
}

/** A whole block in base64, as cluster settings and CI variables hold it: `-----BEGIN … PRIVATE KEY`, also in what is cut off. */
const wrapped =
  /(?<![A-Za-z0-9+/])LS0tLS1CRUdJTi[A-Za-z0-9+/]{0,24}(?:BSSVZBVEUgS0VZ|UFJJVkFURSBLRV|QUklWQVRFIEtFW)[A-Za-z0-9+/=]{16,20000}/g;

/** What the encodings of private keys begin with: PKCS #1, PKCS #8, SEC 1, OpenSSH. And keys as JSON. */
const beginnings =
  /(?<![A-Za-z0-9+/])(?:MII[A-Za-z0-9+/]{2}[A-Za-z0-9]?IBAA(?:KC|[A-Za-z0-9+/]{2})[A-Za-z0-9+/=\n\r ]{40,6000}|MII[A-Za-z0-9+/]{2}[A-Z]IBADANBgkqhkiG9w0BAQEFAA[A-Za-z0-9+/=\n\r ]{20,6000}|MIG[A-Za-z0-9+/]AgEAMBMGByqGSM49[A-Za-z0-9+/=\n\r ]{40,600}|MC4CAQAwBQYDK2Vw[A-Za-z0-9+/]{40,64}={0,2}|MHcCAQEEI[A-Za-z0-9+/=\n\r ]{40,300}|b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=\n\r ]{40,8000})/g;
const webKey =
  /"kty"\s{0,4}:\s{0,4}"(?:RSA|EC|OKP|oct)"[^{}]{0,3000}?"[dk]"\s{0,4}:\s{0,4}"(?<secret>[A-Za-z0-9_-]{20,700})"|"[dk]"\s{0,4}:\s{0,4}"(?<other>[A-Za-z0-9_-]{20,700})"[^{}]{0,3000}?"kty"\s{0,4}:/g;

function* pieces(text: string): Generator<Found> {
  for (const match of text.matchAll(beginnings))
    yield { kind: "private-key", start: match.index, end: match.index + match[0].trimEnd().length };
  for (const match of text.matchAll(wrapped)) yield { kind: "private-key", start: match.index, end: match.index + match[0].length };
  for (const match of text.matchAll(webKey)) {
    const secret = match.groups?.["secret"] ?? match.groups?.["other"] ?? "";
    const start = match.index + match[0].indexOf(secret);
    yield { kind: "private-key", start, end: start + secret.length };
  }
}
