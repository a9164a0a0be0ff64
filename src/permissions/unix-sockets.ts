// Where other programs of the person listen, as far as the environment tells: a service with a network of its own is not in the kernel's list,
// which edge/shell/sandbox/unix-sockets.ts reads. Who reaches a tmux server, an ssh agent or a container service has left the sandbox.

/**
 * Absolute paths that may be sockets, whatever their variable is called. `/path` is SSH_AUTH_SOCK, `unix:///path` DOCKER_HOST,
 * `unix:path=/path,guid=…` (several with `;`) DBUS_SESSION_BUS_ADDRESS, `/path,pid,n` TMUX.
 */
export function socketsNamedIn(env: Record<string, string | undefined>): string[] {
  const named = Object.values(env).flatMap((value) => (value ?? "").split(";").flatMap((part) => address.exec(part)?.[1] ?? []));
  return [...new Set(named)];
}

const address = /^(?:unix:(?:path=|\/\/)?)?(\/[^,\0]*)/;
