// How a wrapper, a program that runs its arguments as a command, reads its own words.

export type Wrapper = {
  /** The options that it has; see `readOptions`. */
  options: string;
  /** How many operands precede the command. */
  operands?: number;
  /** Assignments may precede the command. */
  assigns?: true;
  /** The command is shell text: its words joined by spaces. */
  joined?: true;
  /** Options whose value is shell text. */
  text?: string[];
  /** Options that set the folder in which the command runs. */
  folder?: string[];
  /** Options that name the shell to start. */
  shell?: string[];
  /** It does not change what the command may do, and needs no rule of its own. */
  light?: true;
  /** With one of these options it does not run the command. */
  idle?: string[];
  /** It appends words that are not known before it runs. */
  appends?: true;
  /** It runs programs of the project's own environment: a wildcard rule for it covers what it runs. */
  runner?: true;
  /** The same, if the command is a known test, lint or build tool: those run the code of the working tree. */
  packages?: true;
  /** The command runs elsewhere: on another host, in a container, under another root. */
  elsewhere?: true;
};
