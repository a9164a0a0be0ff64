// What a session needs from the editor that shows it. The editor is the other side of the Agent Client Protocol; serve-acp.ts connects both.
import type {
  ClientCapabilities,
  CreateElicitationRequest,
  CreateElicitationResponse,
  ReadTextFileRequest,
  ReadTextFileResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
  WriteTextFileRequest,
  WriteTextFileResponse,
} from "@agentclientprotocol/sdk";

/** Requests reject if the editor refuses them, if it goes, or once their signal aborts. */
export type Client = {
  can: ClientCapabilities;
  update(session: string, update: SessionUpdate): Promise<void>;
  permission(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse>;
  elicit(request: CreateElicitationRequest, signal: AbortSignal): Promise<CreateElicitationResponse>;
  readText(request: ReadTextFileRequest, signal: AbortSignal): Promise<ReadTextFileResponse>;
  writeText(request: WriteTextFileRequest, signal: AbortSignal): Promise<WriteTextFileResponse>;
};

/** A request that cannot be carried out, as the protocol names it. The message is for the person. */
export class AcpRefusal extends Error {
  override name = "AcpRefusal";
  readonly kind: "invalid_params" | "invalid_request" | "auth_required" | "no_session" | "internal";
  constructor(kind: AcpRefusal["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}
