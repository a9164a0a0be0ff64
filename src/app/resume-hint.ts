// How to go on with a session that has ended: the same line after a session on a screen and after --print.

export const resumeHint = (id: string, command: string) => `Resume this session: ${command} --resume ${id}`;
