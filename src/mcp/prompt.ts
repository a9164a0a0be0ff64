// What a model is told about servers.

export const searchDescription = (servers: readonly string[]) =>
  `Find tools of MCP servers by words; there are: ${servers.join(", ")}. Answers with names, descriptions and input schemas, which the servers wrote.`;

export const callDescription = "Call a tool that McpSearch has found, by its full name.";

export const changedNote = (server: string, { added, gone }: { added: string[]; gone: string[] }) =>
  [
    `The server "${server}" says that its tools have changed.`,
    ...(gone.length > 0 ? [`Gone: ${listed(gone)}.`] : []),
    ...(added.length > 0 ? [`New: ${listed(added)}.`] : []),
  ].join(" ");

const mostListed = 20;
const listed = (names: string[]) =>
  names.length > mostListed ? `${names.slice(0, mostListed).join(", ")} and ${names.length - mostListed} more` : names.join(", ");

/** After a failure of which it is not known how far it got. */
export const unknownOutcome = "Whether the call had an effect is not known: look before you repeat it.";
