// Sockets of the user's other programs, as far as the environment names them: a service in its own network namespace is not in the kernel's
// list, which edge/shell/sandbox/unix-sockets.ts reads. Access to a tmux server, an ssh agent or a container service would break out of the
// sandbox.

/**
 * Absolute paths that may be sockets, in any variable. `/path` is SSH_AUTH_SOCK, `unix:///path` DOCKER_HOST, `unix:path=/path,guid=…`
 * (several with `;`) DBUS_SESSION_BUS_ADDRESS, `/path,pid,n` TMUX.
 */
export function socketsNamedIn(env: Record<string, string | undefined>): string[] {
  const named = Object.values(env).flatMap((value) => (value ?? "").split(";").flatMap((part) => address.exec(part)?.[1] ?? []));
  return [...new Set(named)];
}

const address = /^(?:unix:(?:path=|\/\/)?)?(\/[^,\0]*)/;
