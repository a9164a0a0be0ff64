// What the tables say of a program that runs what its arguments say.

export type Wrapper = {
  /** The options that it has; see `readOptions`. */
  options: string;
  /** So many operands stand before the command. */
  operands?: number;
  /** Assignments may stand before the command. */
  assigns?: true;
  /** The command is text for a shell, its words joined by blanks. */
  joined?: true;
  /** These options take text for a shell. */
  text?: string[];
  /** These options name the folder in which it runs the command. */
  folder?: string[];
  /** These options name the shell that it starts. */
  shell?: string[];
  /** It changes nothing about the command that matters here, and needs no rule of its own. */
  light?: true;
  /** With one of these options it runs nothing, or something else. */
  idle?: string[];
  /** It appends words to the command that are not known before it runs. */
  appends?: true;
  /** It runs programs of the project's own environment: a rule that names it with a wildcard covers what it runs. */
  runner?: true;
  /** So it is where the command is one of the packages that test, check and build: it runs what the working tree holds. */
  packages?: true;
  /** The command runs somewhere else: on another host, in a container, under another root. */
  elsewhere?: true;
};
