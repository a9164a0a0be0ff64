// Private keys: complete PEM blocks, blocks that were cut off at either end, and keys in other encodings.
import type { Found } from "../values/assignments.ts";

/** Every key that this file finds contains one of these. */
const marks = /BEGIN|PuTTY-|kty|<RSA(?:KeyV|Par)|MI[IGH]|MC4C|MHcC|b3Bl|LS0t|secret key\r?\n/;

export function findPrivateKeys(text: string): Found[] {
  if (!marks.test(text)) return [];
  return [...blocks(text), ...pieces(text), ...webKeys(text), ...xmlKeys(text)];
}

/**
 * Where in a text of whole lines, to which more will come, a key may have begun that is not complete: before that, everything is found by
 * findPrivateKeys. The length of the text if there is none. What has grown longer than any key is none.
 */
export function unfinishedKey(text: string): number {
  const starts = [lastBlock(text), lastPiece(text), lastWebKey(text), lastXmlKey(text)].filter((at) => at !== undefined);
  return Math.min(text.length, ...starts);
}

/** `-----BEGIN … PRIVATE KEY-----`, and the variant of OpenVPN. */
const begin =
  /-{4,5} ?BEGIN (?:[A-Za-z0-9-]{1,20} ){0,5}(?:PRIVATE KEY|SECRET KEY|Static key V\d|(?:client|server) key)(?: BLOCK)? ?-{4,5}|PuTTY-User-Key-File-\d: [^\n]{1,60}/g;

/** One without a last marker, if all lines after the first one look like the body of a key. */
function lastBlock(text: string): number | undefined {
  const mark = [...text.matchAll(begin)].at(-1);
  if (!mark) return undefined;
  const window = text.slice(mark.index + mark[0].length);
  if (window.length > longestBlock || finishOf(mark[0]).test(window)) return undefined;
  return cutBody(window) === window.length ? mark.index : undefined;
}

const finishOf = (mark: string) =>
  mark.startsWith("PuTTY") ? /Private-MAC: [0-9a-f]{8,128}|Private-Hash: [0-9a-f]{8,128}/ : /-{4,5} ?END /;

/** From the first marker to the last; without a last marker, as long as lines look like the body of a key. */
function* blocks(text: string): Generator<Found> {
  for (const mark of text.matchAll(begin)) {
    const from = mark.index + mark[0].length;
    const window = text.slice(from, from + longestBlock);
    const finish = finishOf(mark[0]).exec(window);
    const bodyStart = mark[0].startsWith("PuTTY") ? Math.max(0, window.search(/Private-Lines/)) : 0;
    const next = window.search(/-{4,5} ?BEGIN /);
    const whole = finish && (next === -1 || finish.index < next);
    const end = whole ? finish.index + (mark[0].startsWith("PuTTY") ? finish[0].length : 0) : cutBody(window);
    const body = window.slice(bodyStart, end);
    const lead = /^(?:\s|\\[nr])*/.exec(body)![0].length;
    const tail = /(?:\s|\\[nr]){0,20}$/.exec(body)![0].length;
    const content = body.slice(lead, body.length - tail);
    if (content.replace(/[^A-Za-z0-9+/=]/g, "").length < 16 || isStandInBody(content)) continue;
    const marked = !mark[0].startsWith("PuTTY");
    const last = marked && whole ? (endMark.exec(window.slice(end))?.[0].length ?? 0) : 0;
    yield {
      kind: "private-key",
      start: marked ? mark.index : from + bodyStart + lead,
      end: last > 0 ? from + end + last : from + bodyStart + body.length - tail,
    };
  }
}

/**
 * Includes escaped line ends after the marker, as in a key written on one line: without them the placeholder would not restore the text.
 */
const endMark = /^-{4,5} ?END [^\n"'`<]{1,60}?-{4,5}(?:\\{1,4}[nr]|\\{1,2}u000[ad]|&#(?:10|13|x[adAD]);|%0[aAdD]){0,4}/;

/** A placeholder word counts only outside the lines of the key: among that many random letters any short word can appear. */
function isStandInBody(content: string): boolean {
  return /‹|\.{3}|…|<[a-z]|\$\{|x{8}|\*{4}/i.test(content) || /example|your/i.test(content.replaceAll(/[A-Za-z0-9+/=]{30,}/g, " "));
}

/** A key of 16,384 bits, with line numbers or paths before its lines. */
const longestBlock = 20_000;

/** In a listing, the lines of a key may follow a number, a character or a path. */
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

/** A whole PEM block encoded in base64, as in cluster settings and CI variables: `-----BEGIN … PRIVATE KEY`, also when it is cut off. */
const wrapped =
  /(?<![A-Za-z0-9+/])LS0tLS1CRUdJTi[A-Za-z0-9+/]{0,24}(?:BSSVZBVEUgS0VZ|UFJJVkFURSBLRV|QUklWQVRFIEtFW)[A-Za-z0-9+/=]{16,20000}/g;

/** How encoded private keys begin: PKCS #1, PKCS #8, SEC 1, OpenSSH, and keys as JSON. */
const beginnings =
  /(?<![A-Za-z0-9+/])(?:MII[A-Za-z0-9+/]{2}[A-Za-z0-9]?IBAA(?:KC|[A-Za-z0-9+/]{2})[A-Za-z0-9+/=\n\r ]{40,6000}|MII[A-Za-z0-9+/]{2}[A-Z]IBADANBgkqhkiG9w0BAQEFAA[A-Za-z0-9+/=\n\r ]{20,6000}|MIG[A-Za-z0-9+/]AgEAMBMGByqGSM49[A-Za-z0-9+/=\n\r ]{40,600}|MC4CAQAwBQYDK2Vw[A-Za-z0-9+/]{40,64}={0,2}|MHcCAQEEI[A-Za-z0-9+/=\n\r ]{40,300}|b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=\n\r ]{40,8000})/g;
/** Key stores (PKCS #12), and the one-line key files of two signing tools after the comment that names them. */
const stores = /(?<![A-Za-z0-9+/])MII[A-Za-z0-9+/]{3}IBAzCC[A-Za-z0-9+/=\n\r ]{60,12000}/g;
const signers = /secret key\r?\n(?<secret>RW[A-Za-z0-9+/]{60,240}={0,2})/g;

function* pieces(text: string): Generator<Found> {
  for (const pattern of [beginnings, stores])
    for (const match of text.matchAll(pattern))
      yield { kind: "private-key", start: match.index, end: match.index + match[0].trimEnd().length };
  for (const match of text.matchAll(wrapped)) yield { kind: "private-key", start: match.index, end: match.index + match[0].length };
  for (const match of text.matchAll(signers)) {
    const end = match.index + match[0].length;
    yield { kind: "private-key", start: end - match.groups!["secret"]!.length, end };
  }
}

const longestPiece = 12_000;

function lastPiece(text: string): number | undefined {
  const at = text.slice(-longestPiece).search(/(?<![A-Za-z0-9+/])(?:MI[IG]|MC4C|MHcC|b3Bl)[A-Za-z0-9+/=\n\r ]*$|secret key\r?\n$/);
  return at < 0 ? undefined : Math.max(0, text.length - longestPiece) + at;
}

const member = /(?<![\w$])(?:d|p|q|dp|dq|qi|k)\\?["']?\s{0,4}:\s{0,4}\\?["'](?<secret>[A-Za-z0-9_-]{20,1400})/g;

/** A key as JSON (JWK), in any order and with any quotes: only its private members. */
function* webKeys(text: string): Generator<Found> {
  let done = 0; // end of the last key, so that overlapping matches are skipped
  for (const { index } of text.matchAll(/\bkty\\?["']?\s{0,4}:\s{0,4}\\?["'](?:RSA|EC|OKP|oct)/g)) {
    const earliest = Math.max(done, index - longestWebKey);
    const from = earliest + Math.max(0, text.slice(earliest, index).lastIndexOf("{"));
    const after = text.slice(index, index + longestWebKey);
    const close = after.indexOf("}");
    done = index + (close === -1 ? after.length : close);
    yield* values(text.slice(from, done), from, member);
  }
}

/** An object that is still open: from a private member on, or from where it says that it is a key. */
function lastWebKey(text: string): number | undefined {
  const end = text.lastIndexOf("}") + 1;
  const found = [text.indexOf("kty", end) - end, text.slice(end).search(member)].filter((at) => at >= 0);
  const at = end + Math.min(...found);
  return text.length - at > longestWebKey || found.length === 0 ? undefined : text.lastIndexOf("\n", at) + 1;
}

/** A key of 4,096 bits with all its members has about 3,300 characters. */
const longestWebKey = 6000;

/** A key in the XML format of .NET. */
function* xmlKeys(text: string): Generator<Found> {
  let done = 0;
  for (const { index } of text.matchAll(/<RSAKeyValue>|<RSAParameters>/g)) {
    const from = Math.max(done, index);
    done = Math.max(done, index + longestWebKey);
    yield* values(text.slice(from, done), from, /<(?:P|Q|DP|DQ|InverseQ|D)>\s{0,40}(?<secret>[A-Za-z0-9+/=]{20,1400})/g);
  }
}

function lastXmlKey(text: string): number | undefined {
  const at = Math.max(text.lastIndexOf("<RSAKeyValue>"), text.lastIndexOf("<RSAParameters>"));
  return at < 0 || text.length - at > longestWebKey || text.includes("</RSA", at) ? undefined : at;
}

function* values(body: string, from: number, pattern: RegExp): Generator<Found> {
  for (const match of body.matchAll(pattern)) {
    const end = from + match.index + match[0].length;
    yield { kind: "private-key", start: end - match.groups!["secret"]!.length, end };
  }
}
