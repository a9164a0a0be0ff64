// How the result of a call that started an agent says that the agent has ended: written for the model, and read again by the screen, which has
// shown the end already.

/** The note behind the report of agent `id`. `how`: its state, and what its tests showed. */
export const endedNote = (id: string, how: string) => `\n\n[agent ${id}, ${how}]`;

export const hasEndedNote = (text: string) => /\n\n\[agent \S+, [^\n]*\]$/.test(text);
