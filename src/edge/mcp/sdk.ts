// The protocol's own client, the one file that takes values from it. It is loaded with the first server that is started.
export {
  auth,
  Client,
  ProtocolError,
  ReadBuffer,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  serializeMessage,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
