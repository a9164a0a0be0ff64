// The protocol's own client, the one file that takes values from it. It is loaded with the first server that is started.
export {
  auth,
  Client,
  ProtocolError,
  ReadBuffer,
  RegistrationRejectedError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  serializeMessage,
  UnauthorizedError,
} from "@modelcontextprotocol/client";

const { warn } = console;
/** The library tells of its own steps on standard error, where the screen is drawn; what comes of them is in the faults that we report. */
console.warn = (...said: unknown[]) => {
  if (!String(said[0]).startsWith("[mcp-sdk]")) warn(...said);
};
