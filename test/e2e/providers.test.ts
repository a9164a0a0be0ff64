// The built program with the model of a cloud: chosen by the person's settings, for a team too, and what a repository may not choose.
import { once } from "node:events";
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { agentOf, call, provider } from "../cast.ts";
import { localhostCertificate } from "../edge/forge/certificate.ts";
import { saidByBedrock, saidByVertex, startClouds } from "../loopback-clouds.ts";
import { startProxy } from "../loopback-proxy.ts";
import type { Block } from "../messages-api.ts";
import { text } from "../messages-api.ts";
import { type Place, teamPlace } from "../team-kit.ts";

function withSettings(settings: object): Place {
  const place = teamPlace();
  place.write("config/settings.json", JSON.stringify(settings));
  return place;
}

/** Every file below the folder that holds the text. */
function filesWith(folder: string, word: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return names.filter((name) => lstatSync(name).isFile() && readFileSync(name, "utf8").includes(word));
}

it("a team asks Bedrock, signed for each of its members, and no command, transcript or ledger has the credentials", async () => {
  const secret = "bm90LWEtcmVhbC1rZXk/own+secretKey0123456";
  const session = "FwoGZXIvYXdzEXAMPLEsession0123456789==";
  const parts: Record<string, Block[][]> = {
    lead: [
      [call("TaskCreate", { title: "Only task", description: "Do it." }), call("SpawnTeammate", { name: "ada" })],
      [text("Started.")],
      [text("All done.")],
    ],
    ada: [
      [call("Bash", { command: "env | sort; echo end of the environment" })],
      [call("TaskUpdate", { id: "task-1", status: "completed", summary: "Done." })],
      [text("Done.")],
    ],
  };
  const api = await startClouds({
    keys: { ASIAOWN: { secret, sessionToken: session } },
    reply: (request) => saidByBedrock(parts[agentOf(request)]?.shift() ?? [text("(nothing more)")], { usage: { output_tokens: 1000 } }),
  });
  onTestFinished(api.close);
  const place = withSettings({ provider: "bedrock", apiBaseUrl: api.url });
  const env = { AWS_REGION: "eu-west-1", AWS_ACCESS_KEY_ID: "ASIAOWN", AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: session };
  const run = place.warm(["team", "--print", "--display", "in-process", "--allow", "Bash", "Do it."], { env });
  expect((await run.ended).code).toBe(0);
  expect(new Set(api.requests.map(({ headers }) => /Credential=\w+/.exec(headers.authorization ?? "")?.[0]))).toEqual(
    new Set(["Credential=ASIAOWN"]),
  );
  const seen = JSON.stringify(api.requests.findLast((request) => agentOf(request) === "ada")?.body.messages);
  expect(seen).toContain("end of the environment");
  expect([secret, session].filter((word) => seen.includes(word))).toEqual([]);
  expect([secret, session].flatMap((word) => filesWith(place.configDir, word))).toEqual([]);
  expect(run.output()).toMatch(/1 of 1 tasks in .* \$0\.06$/m);
});

it("Vertex AI answers with the tokens of a sign-in, a reply of one region costs a tenth more, and doctor says who is asked", async () => {
  const api = await startClouds({ reply: () => saidByVertex("Hello.", "claude-opus-5-5") });
  onTestFinished(api.close);
  const place = withSettings({ provider: "vertex", model: "opus" });
  const credentials = {
    type: "external_account",
    audience: "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/x",
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    token_url: `${api.url}/token`,
    credential_source: { file: place.write("subject", "ada") },
  };
  const env = {
    CLOUD_ML_REGION: "europe-west1",
    GOOGLE_CLOUD_PROJECT: "own-project",
    GOOGLE_APPLICATION_CREDENTIALS: place.write("credentials.json", JSON.stringify(credentials)),
    ANTHROPIC_VERTEX_BASE_URL: `${api.url}/v1`,
  };
  const run = place.warm(["--print", "--output-format", "json", "hi"], { env });
  expect(await run.ended).toMatchObject({ code: 0 });
  // 10 tokens in and 5 out, at 4 and 20 dollars a million
  expect(JSON.parse(run.stdout())).toMatchObject({ result: "Hello.", cost_usd: expect.closeTo(1.1 * (40e-6 + 100e-6), 9) });
  const doctor = place.warm(["doctor"], { env });
  await doctor.ended;
  expect(doctor.stdout()).toContain(
    `the credentials come from GOOGLE_APPLICATION_CREDENTIALS, for Vertex AI in europe-west1 and project own-project, through ${api.url}; they were not tried`,
  );
});

it("a proxy with a password leads to a server whose certificate an own authority signed; what is wrong with either is said", async () => {
  const api = await provider({ tool: [text("Hello.")] });
  const { key, cert } = localhostCertificate("provider.test");
  const way = await startProxy({
    host: "provider.test:443",
    to: api.env["ANTHROPIC_BASE_URL"] ?? "",
    tls: { key, cert },
    password: "ada:s3cret",
  });
  onTestFinished(way.close);
  const place = withSettings({ apiBaseUrl: "https://provider.test" });
  const env = {
    ANTHROPIC_API_KEY: "sk-own",
    HTTPS_PROXY: way.url.replace("//", "//ada:s3cret@"),
    NODE_EXTRA_CA_CERTS: place.write("authority.pem", cert),
  };
  const run = async (more: Record<string, string>) => {
    const program = place.piped(["--print", "hi"], { env: { ...env, ...more }, input: "" });
    await program.ended;
    return program.stdout() + program.stderr();
  };
  expect(await run({})).toMatch(/^Hello\.\n/);
  expect(way.asked).toEqual(["provider.test:443"]);
  expect(await run({ NODE_EXTRA_CA_CERTS: "" })).toContain("set NODE_EXTRA_CA_CERTS to its certificate");
  expect(await run({ HTTPS_PROXY: way.url })).toContain(
    `no connection to https://provider.test through the proxy ${way.url} (407). It wants a name and a password: http://name:password@host in HTTPS_PROXY.`,
  );
});

it("a repository's settings choose neither the provider nor what its models are called", async () => {
  const api = await startClouds({ reply: [] });
  onTestFinished(api.close);
  const place = withSettings({});
  mkdirSync(join(place.repository, ".tool"));
  const chosen = { provider: "bedrock", modelIds: { "claude-sonnet-5-5": "arn:aws:bedrock:eu-west-1:1:x/y" } };
  writeFileSync(join(place.repository, ".tool/settings.json"), JSON.stringify(chosen));
  const env = { ANTHROPIC_BEDROCK_BASE_URL: api.url, AWS_REGION: "eu-west-1", AWS_BEARER_TOKEN_BEDROCK: "ABSKx" };
  const run = place.warm(["--print", "hi"], { env });
  expect(await run.ended).toMatchObject({ code: 2 });
  expect(run.stderr()).toContain("no key for the model provider");
  expect(api.requests).toEqual([]);
});

it("a machine without Google credentials says so alone, whatever the service of a cloud's machines answers", async () => {
  const metadata = createServer((_request, response) => response.writeHead(500).end());
  await once(metadata.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void metadata.close());
  const { port } = metadata.address() as AddressInfo;
  const place = withSettings({ provider: "vertex", model: "opus" });
  const run = place.tool(["--print", "hello"], {
    env: { GCE_METADATA_HOST: `127.0.0.1:${port}`, GOOGLE_CLOUD_PROJECT: "own-project", CLOUD_ML_REGION: "global" },
  });
  await run.ended;
  expect(run.output()).not.toContain("Warning");
  expect(run.output()).toContain("no Google credentials for Vertex AI");
});
