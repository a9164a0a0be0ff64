// `tool acp`: the agent side of the Agent Client Protocol on stdin and stdout, for an editor that started this process.
import type {
  AgentApp,
  AgentContext,
  AuthMethod,
  ClientCapabilities,
  InitializeResponse,
  RequestError as ProtocolError,
} from "@agentclientprotocol/sdk";
import { errorText } from "../../wording/error-text.ts";
import { type AgentFlags, settingsFlags } from "../agent-flags.ts";
import { checkModel } from "../agent-model.ts";
import { asTyped } from "../controls/as-typed.ts";
import { faultText } from "../disk-fault.ts";
import { openSettings } from "../settings/open-settings.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { AcpRefusal, type Client } from "./client.ts";
import type { EditorSession } from "./editor-session.ts";
import { type EditorSessions, editorSessions } from "./editor-sessions.ts";
import { lineStream } from "./stream.ts";

/** Serves until the editor closes its side, or a signal comes; then all sessions are ended. */
export async function serveAcp(world: World, flags: AgentFlags): Promise<ExitCode> {
  const sdk = await import("@agentclientprotocol/sdk");
  let isSignalled = false;
  const can: ClientCapabilities = {};
  const client = clientOver(() => connection.client, can);
  const sessions = editorSessions(world, { flags, client });
  const app = appOf({ sdk, world, flags, sessions, can });
  const connection = app.connect(lineStream(world, sdk.RequestError, () => connection.close()));
  const stop = world.onSignal(() => {
    isSignalled = true;
    connection.close();
  });
  await connection.closed;
  await sessions.closeAll();
  stop();
  return isSignalled ? 130 : 0;
}

type Sdk = typeof import("@agentclientprotocol/sdk");
type Served = { sdk: Sdk; world: World; flags: AgentFlags; sessions: EditorSessions; can: ClientCapabilities };

function appOf(served: Served): AgentApp {
  const app = served.sdk.agent({ name: "tool" });
  addBeginning(app, served);
  addSessions(app, served);
  addTurns(app, served);
  return app;
}

/** What keeps a request from being carried out is answered in the protocol's own form. */
function answering({ sdk, world }: Served) {
  return <Context, Response>(handle: (context: Context) => Promise<Response> | Response) =>
    async (context: Context): Promise<Response> => {
      try {
        return await handle(context);
      } catch (error) {
        throw errorOf(error, sdk.RequestError, world);
      }
    };
}

function addBeginning(app: AgentApp, served: Served): void {
  const { sdk, world, flags, can } = served;
  const answers = answering(served);
  app
    .onRequest(
      sdk.methods.agent.initialize,
      answers(({ params }) => {
        Object.assign(can, params.clientCapabilities);
        return opening(world, can, sdk.PROTOCOL_VERSION);
      }),
    )
    .onRequest(
      sdk.methods.agent.authenticate,
      answers(async ({ params }) => {
        if (params.methodId !== keyMethod) throw new AcpRefusal("invalid_params", `There is no method "${params.methodId}" here.`);
        await assertKey(world, flags);
        return {};
      }),
    );
}

function addSessions(app: AgentApp, served: Served): void {
  const { sdk, sessions } = served;
  const { session } = sdk.methods.agent;
  const answers = answering(served);
  /** The editor knows the session only once it has the response. */
  const introduced = ({ introduce, choices }: EditorSession) => {
    setImmediate(introduce);
    return choices();
  };
  app
    .onRequest(
      session.new,
      answers(async ({ params }) => {
        const { id, session: opened } = await sessions.create(params);
        return { sessionId: id, ...introduced(opened) };
      }),
    )
    .onRequest(
      session.load,
      answers(async ({ params }) => {
        const opened = await sessions.resume(params.sessionId, params);
        await opened.replay();
        return introduced(opened);
      }),
    )
    .onRequest(
      session.resume,
      answers(async ({ params }) => introduced(await sessions.resume(params.sessionId, params))),
    )
    .onRequest(
      session.list,
      answers(async ({ params }) => {
        if (params.cursor) throw new AcpRefusal("invalid_params", "There is no further page: a list has one.");
        return { sessions: await sessions.list(params.cwd ?? undefined) };
      }),
    )
    .onRequest(
      session.close,
      answers(async ({ params }) => {
        await sessions.close(params.sessionId);
        return {};
      }),
    );
}

function addTurns(app: AgentApp, served: Served): void {
  const { sdk, sessions } = served;
  const { session } = sdk.methods.agent;
  const answers = answering(served);
  app
    .onRequest(
      session.setMode,
      answers(({ params }) => {
        sessions.find(params.sessionId).choose("mode", params.modeId);
        return {};
      }),
    )
    .onRequest(
      session.setConfigOption,
      answers(({ params }) => {
        const opened = sessions.find(params.sessionId);
        opened.choose(params.configId, String(params.value));
        return { configOptions: opened.choices().configOptions };
      }),
    )
    .onRequest(
      session.prompt,
      answers(async ({ params, signal }) => {
        const opened = sessions.find(params.sessionId);
        return { stopReason: await opened.prompt(params.prompt, signal) };
      }),
    )
    .onNotification(
      session.cancel,
      answers(({ params }) => sessions.cancel(params.sessionId)),
    );
}

function opening(world: World, can: ClientCapabilities, protocolVersion: number): InitializeResponse {
  return {
    protocolVersion,
    agentInfo: { name: "tool", title: "tool", version: world.version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: false },
      sessionCapabilities: { list: {}, resume: {}, close: {}, additionalDirectories: {} },
    },
    authMethods: authMethods(world, can),
  };
}

const keyMethod = "key";

/** A terminal that the editor opens runs this program again, with the form of a first session. */
function authMethods({ command }: World, can: ClientCapabilities): AuthMethod[] {
  const form: AuthMethod = { type: "terminal", id: "setup", name: "Enter a key in a terminal", args: ["--setup"] };
  const description = `Run ${command} once in a terminal, which asks for a key and keeps it; or set ANTHROPIC_API_KEY where the editor starts.`;
  return [...(can.auth?.terminal ? [form] : []), { id: keyMethod, name: "A key for the provider", description }];
}

async function assertKey(world: World, flags: AgentFlags): Promise<void> {
  try {
    await checkModel(world, await openSettings(world, settingsFlags(flags)));
  } catch (error) {
    throw new AcpRefusal("auth_required", errorText(error));
  }
}

function clientOver(context: () => AgentContext, can: ClientCapabilities): Client {
  const options = (signal: AbortSignal) => ({ cancellationSignal: signal, stopWaitingOnCancel: true });
  return {
    can,
    update: (sessionId, update) => context().notify("session/update", { sessionId, update }),
    permission: (request, signal) => context().request("session/request_permission", request, options(signal)),
    elicit: (request, signal) => context().request("elicitation/create", request, options(signal)),
    readText: (request, signal) => context().request("fs/read_text_file", request, options(signal)),
    writeText: (request, signal) => context().request("fs/write_text_file", request, options(signal)),
  };
}

const codes = { invalid_params: -32_602, invalid_request: -32_600, auth_required: -32_000, no_session: -32_002, internal: -32_603 };

/** The message is for the person, whole: an editor shows it as it is. */
function errorOf(error: unknown, Protocol: typeof ProtocolError, world: World): ProtocolError {
  if (error instanceof Protocol) return error;
  if (error instanceof AcpRefusal && error.kind === "no_session") return Protocol.sessionNotFound(error.message);
  if (error instanceof AcpRefusal) return new Protocol(codes[error.kind], asTyped(error.message, world.command));
  if (error instanceof UsageError) return new Protocol(codes.invalid_request, asTyped(error.message, world.command));
  return new Protocol(codes.internal, faultText(error, world));
}
