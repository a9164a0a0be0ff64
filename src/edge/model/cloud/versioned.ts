// The clouds' clients take a request as text, and the version of the API in it.

/** Without a version, the client names its own. */
export function versioned(request: Uint8Array, version: string | undefined): string {
  const text = Buffer.from(request).toString();
  return version === undefined ? text : `{"anthropic_version":${JSON.stringify(version)},${text.slice(1)}`;
}
