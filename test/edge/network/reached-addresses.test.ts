// Where an allowed name may lead: the real proxy, desk and rules, servers on loopback, and a resolver of the test's own.
import { createServer, type RequestListener, request } from "node:http";
import { type AddressInfo, connect, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, it, onTestFinished } from "vitest";
import { networkDesk } from "../../../src/agent/workspace/network/network-desk.ts";
import { filteringProxy } from "../../../src/edge/network/filtering-proxy.ts";
import { kindOf } from "../../../src/edge/web-address.ts";
import { permit } from "../../../src/permissions/permit.ts";
import { makePolicy } from "../../../src/permissions/policy.ts";
import type { Answer, Question } from "../../../src/permissions/questions/question.ts";

async function listening<S extends Server>(server: S, host = "127.0.0.1", port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

type Answers = Record<string, string[] | (() => string[])>;
type Setup = { allow?: string[]; deny?: string[]; answer?: Answer; names?: Answers };

/** `says`: what a client of the proxy gets; `asked`: the reasons of the person's questions, and `resolved` the names that were looked up. */
async function proxy({ allow = [], deny = [], answer, names = {} }: Setup) {
  const real = async (path: string) => path;
  const made = await makePolicy({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", allow, deny }, real);
  if (!made.ok) throw new Error(made.reason);
  const [asked, resolved]: [string[], string[]] = [[], []];
  const ask =
    answer &&
    (async (question: Question) => {
      if ("reason" in question) asked.push(question.reason);
      return answer;
    });
  const { requests, begin } = networkDesk({
    policy: made.policy,
    decide: permit({ policy: made.policy, real, ask }),
    isThere: () => false,
    monotonicMs: () => 0,
    record: () => {},
  });
  const running = begin("curl");
  const port = await listening(
    filteringProxy(requests, async (name) => {
      resolved.push(name);
      const found = names[name] ?? [name];
      return typeof found === "function" ? found() : found;
    }),
  );
  const says = (url: string) =>
    new Promise<string>((resolve, reject) => {
      const sent = request({ host: "127.0.0.1", port, path: url, headers: { host: "x" }, agent: false }, (response) => {
        let text = "";
        response.on("data", (part) => (text += part)).on("end", () => resolve(`${response.statusCode} ${text.trim()}`));
      });
      sent.once("error", reject).end();
    });
  /** What a client gets that sends these bytes. */
  const raw = (bytes: string | Buffer) =>
    new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
      socket.on("data", (part) => (text += part)).on("error", () => {});
      socket.once("close", () => resolve(text));
    });
  return { says, raw, asked, resolved, requests, denied: () => running.end().map(({ reason }) => reason) };
}

const answers: RequestListener = ({ url, headers }, response) => response.end(`${url} for ${headers.host?.split(":")[0]}`);
const here = () => listening(createServer(answers));
const own = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .filter(({ internal }) => !internal);

it("knows the kind of each address, in IPv6 by the one of IPv4 that it contains", () => {
  const kinds = (list: string) => [...new Set(list.split(" ").map(kindOf))];
  expect({
    public: kinds("1.1.1.1 172.32.0.1 100.128.0.1 2606:4700::1111 ::ffff:1.1.1.1 64:ff9b::101:101 2002:101:101::1"),
    private: kinds("10.0.0.1 172.16.0.1 172.31.255.255 192.168.3.4 100.64.0.1 fd12::1 ::ffff:10.0.0.1 64:ff9b::a00:1 2002:a00:1::"),
    here: kinds("127.0.0.1 127.255.0.1 0.0.0.0 ::1 :: ::ffff:127.0.0.1 ::ffff:0:127.0.0.1 ::127.0.0.1 64:ff9b::7f00:1 2002:7f00:1::5"),
    metadata: kinds("169.254.169.254 169.254.0.1 fe80::1 fe80::1%lo febf::1 fd00:ec2::254 100.100.100.200 168.63.129.16 ::ffff:a9fe:a9fe"),
    none: kinds("224.0.0.1 255.255.255.255 240.0.0.1 0.1.2.3 192.0.2.1 ff02::1 2001:db8::1 2001:0:1::1 ::5 1000::1 x 1.2.3"),
    own: own.map(({ address }) => kindOf(address)),
    mapped: own.filter(({ family }) => family === "IPv4").map(({ address }) => kindOf(`::ffff:${address}`)),
  }).toEqual({
    public: ["public"],
    private: ["private"],
    here: ["this machine"],
    metadata: ["link-local"],
    none: ["none"],
    own: own.map(() => "this machine"),
    mapped: own.filter(({ family }) => family === "IPv4").map(() => "this machine"),
  });
});

const [wild, exact] = [["Network(*.example.org)"], ["Network(a.example.org)"]];

it.each<[allow: string[], address: string, way: string]>([
  [wild, "1.1.1.1", "open"],
  [exact, "1.1.1.1", "open"],
  [wild, "10.0.0.5", "asks"],
  [exact, "10.0.0.5", "open"],
  [[...wild, "Network(10.0.0.5)"], "10.0.0.5", "open"],
  [wild, "127.0.0.1", "asks"],
  [exact, "127.0.0.1", "asks"],
  [exact, "0.0.0.0", "asks"],
  [exact, "::ffff:127.0.0.1", "asks"],
  [exact, own[0]?.address ?? "127.0.0.1", "asks"],
  [[...exact, "Network(127.0.0.1)"], "127.0.0.1", "open"],
  [[...exact, "Network([::1])"], "::1", "open"],
  [wild, "169.254.169.254", "no"],
  [exact, "169.254.169.254", "no"],
  [exact, "64:ff9b::a9fe:a9fe", "no"],
  [exact, "fe80::1", "no"],
  [[...exact, "Network(169.254.169.254)"], "169.254.169.254", "open"],
  [[...exact, "Network(224.0.0.1)"], "224.0.0.1", "no"],
])("with %j a name that leads to %s: %s", async (allow, address, way) => {
  const { requests, asked } = await proxy({ allow, answer: { kind: "once" } });
  const verdict = await requests.decideAddresses({ host: "a.example.org", port: 80 }, [{ address, kind: kindOf(address) }]);
  expect(verdict.allowed ? (asked.length > 0 ? "asks" : "open") : "no").toBe(way);
});

it("is not opened to this machine by a rule for a name that leads here, but by the question that says so, and where nobody is asked it says how", async () => {
  const port = await here();
  const names = { "a.example.org": ["127.0.0.1"] };
  const alone = await proxy({ allow: exact, names });
  const refused =
    "a.example.org leads to 127.0.0.1, an address of this machine, which only the rule Network(127.0.0.1) opens without a question";
  expect(await alone.says(`http://a.example.org:${port}/`)).toContain(
    `403 The sandbox's proxy refused this: Permission is missing and nobody`,
  );
  expect(await alone.says(`http://a.example.org:${port}/`)).toContain(refused);
  expect(alone.denied()).toEqual([expect.stringContaining(refused)]);
  const attended = await proxy({ allow: exact, names, answer: { kind: "once" } });
  expect(await attended.says(`http://A.EXAMPLE.org.:${port}/x`)).toBe("200 /x for a.example.org.");
  expect(await attended.says(`http://a.example.org:${port}/x`)).toBe("200 /x for a.example.org");
  expect(attended.asked).toEqual([refused]);
  expect(await (await proxy({ allow: exact, names, answer: { kind: "no" } })).says(`http://a.example.org:${port}/`)).toMatch(/^403/);
  expect(await (await proxy({ allow: [...exact, "Network(127.0.0.1)"], names })).says(`http://a.example.org:${port}/`)).toMatch(/^200/);
});

it("takes a name that says that it is this machine at its word, as a rule names it", async () => {
  const port = await here();
  for (const name of ["localhost", "app.localhost", "ip6-localhost"]) {
    const names = { [name]: ["127.0.0.1"] };
    expect(await (await proxy({ allow: [`Network(${name})`], names })).says(`http://${name}:${port}/`)).toBe(`200 / for ${name}`);
    expect(await (await proxy({ allow: ["Network", "Network(*.localhost)"], names })).says(`http://${name}:${port}/`)).toMatch(/^403/);
  }
});

it("counts an answer for that name and that address only, and asks about no address that any answer closes", async () => {
  const port = await here();
  const [looks, other] = [["127.0.0.1"], await listening(createServer(answers), "127.0.0.2", port)];
  const names = { "a.example.org": () => looks, "b.example.org": () => ["127.0.0.1"] };
  const { says, asked } = await proxy({ allow: wild, names, answer: { kind: "once" } });
  for (const name of ["a", "a", "b"]) expect(await says(`http://${name}.example.org:${port}/`)).toMatch(/^200/);
  looks[0] = "127.0.0.2"; // rebound
  expect(await says(`http://a.example.org:${other}/`)).toMatch(/^200/);
  expect(asked.map((reason) => /^\S+ leads to [\d.]+/.exec(reason)?.[0])).toEqual([
    "a.example.org leads to 127.0.0.1",
    "b.example.org leads to 127.0.0.1",
    "a.example.org leads to 127.0.0.2",
  ]);
  looks[0] = "169.254.169.254";
  expect(await says("http://a.example.org/")).toBe(
    "403 The sandbox's proxy refused this: a.example.org leads to 169.254.169.254, a link-local address, or where a cloud gives its machines credentials, which only a rule of the person's own for the address itself opens: Network(169.254.169.254).",
  );
  expect(asked.length).toBe(3);
});

it("needs all addresses of an answer to be allowed, names them in one question, and connects to one that was looked at", async () => {
  const port = await here();
  let looks = 0;
  const names: Answers = {
    "mixed.example.org": ["127.0.0.1", "169.254.169.254"],
    "two.example.org": ["127.0.0.1", "10.0.0.5"],
    "turning.example.org": () => [looks++ === 0 ? "127.0.0.1" : "10.9.9.9"],
    "none.example.org": [],
  };
  const { says, asked, denied } = await proxy({ allow: wild, names, answer: { kind: "once" } });
  expect(await says(`http://mixed.example.org:${port}/`)).toMatch(/^403 .*mixed\.example\.org leads to 169\.254\.169\.254/);
  expect(asked).toEqual([]);
  expect(await says(`http://two.example.org:${port}/`)).toMatch(/^200/);
  expect(asked).toEqual([
    expect.stringMatching(/127\.0\.0\.1, an address of this machine, and 10\.0\.0\.5, an address of a private network/),
  ]);
  expect(await says(`http://turning.example.org:${port}/`)).toMatch(/^200/);
  expect(looks).toBe(1);
  expect(await says("http://none.example.org/")).toMatch(/^403 .*none\.example\.org has no address/);
  expect(denied()).toEqual([expect.stringContaining("169.254.169.254")]);
});

it("tries the next address where one does not answer, in a request and in a tunnel, and says why where none does", async () => {
  const port = await here();
  const names = { "a.example.org": ["::1", "127.0.0.2", "127.0.0.1"], "b.example.org": ["127.0.0.2", "127.0.0.3"] };
  const allow = ["Network(*.example.org)", "Network(127.0.0.1)", "Network(127.0.0.2)", "Network(127.0.0.3)", "Network([::1])"];
  const { says, raw } = await proxy({ allow, names });
  expect(await says(`http://a.example.org:${port}/x`)).toBe("200 /x for a.example.org");
  const tunnel = (host: string) => raw(`CONNECT ${host}:${port} HTTP/1.1\r\nhost: ${host}\r\n\r\nno TLS`);
  expect(await tunnel("a.example.org")).toMatch(/^HTTP\/1.1 200 Connection Established/);
  expect(await says(`http://b.example.org:${port}/x`)).toMatch(/^502 .*ECONNREFUSED 127\.0\.0\.2/);
});

it("decides each step of a redirect by itself", async () => {
  const port = await here();
  const redirects: RequestListener = (_, response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/secret` }).end();
  const first = await listening(createServer(redirects));
  const { says } = await proxy({ allow: [...exact], names: { "a.example.org": ["127.0.0.1"] }, answer: { kind: "once" } });
  expect(await says(`http://a.example.org:${first}/`)).toMatch(/^302/);
  expect(await says(`http://127.0.0.1:${port}/secret`)).toMatch(/^403 .*only a rule that names it opens it to commands/);
});

it("reads a number as the address that it is, in a request and in a tunnel, and resolves none", async () => {
  const port = await here();
  const forms = ["2130706433", "0x7f.1", "127.1", "017700000001", "127.0.0.1.", "2130706433..", "0x7f.1..", "[::ffff:127.0.0.1]", "[::]"];
  const { says, raw, asked, resolved } = await proxy({ allow: ["Network", "Network(*.1)"], answer: { kind: "once" } });
  for (const form of forms) {
    expect(await says(`http://${form}:${port}/`)).toMatch(/^403 .*only a rule that names it opens it to commands/);
    expect(await raw(`CONNECT ${form}:${port} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/403 Forbidden.*only a rule that names it/s);
  }
  expect([asked, resolved]).toEqual([[], []]);
  const named = await proxy({ allow: ["Network(127.0.0.1)"] });
  for (const form of ["2130706433", "127.1..", "127.0.0.1"]) expect(await named.says(`http://${form}:${port}/`)).toMatch(/^200/);
});

it("judges a tunnel like a request, a name by its punycode, and speaks no SOCKS", async () => {
  const port = await here();
  const names = { "xn--bcher-kva.example": ["127.0.0.1"], "a.example.org": ["169.254.169.254"] };
  const { says, raw, asked } = await proxy({ allow: ["Network(bücher.example)", ...exact], names, answer: { kind: "no" } });
  expect(await says(`http://xn--bcher-kva.example:${port}/`)).toMatch(/^403/);
  expect(asked).toEqual([expect.stringMatching(/^xn--bcher-kva\.example leads to 127\.0\.0\.1/)]);
  expect(await raw("CONNECT a.example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n")).toMatch(/403 Forbidden.*leads to 169\.254\.169\.254/s);
  const [socks5, socks4] = [Buffer.from([5, 1, 0]), Buffer.from([4, 1, port >> 8, port & 255, 127, 0, 0, 1, 0])];
  for (const hello of [socks5, socks4]) expect(await raw(hello)).toBe("");
});

it("is closed by a deny rule for an address to which the name leads, whatever opens the name", async () => {
  const { requests } = await proxy({ allow: exact, deny: ["Network(10.0.0.5)"], answer: { kind: "once" } });
  const found = ["1.1.1.1", "10.0.0.5"].map((address) => ({ address, kind: kindOf(address) }));
  expect(await requests.decideAddresses({ host: "a.example.org", port: 80 }, found)).toEqual({
    allowed: false,
    reason: "a.example.org leads to an address that the rule Network(10.0.0.5) denies",
  });
});
