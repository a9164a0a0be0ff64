// The text of `tool help modes`: when to work with one agent, with sub-agents, and with a team.

export const modesHelp = `When to use what

  one agent     The work is sequential, small (1 to 3 files, under about 2 hours), or you want to look at each step.
                  tool "Why does the parser's test fail?"
                  tool --print "Explain this project"

  sub-agents    The work falls into 2 or 3 pieces that need little of each other; no shared list of tasks is needed.
                Each has a context of its own, and its report comes back into yours.
                  tool "Look at the API, the database and the screens side by side, then plan the change"
                  in a session: /tasks shows them, Ctrl-B sends one to the background, tool tasks lists them elsewhere
                For the same change in several components there is a coordinator, which starts a worker for each, in phases.
                  tool --agent coordinator "Move every module to the new logger"
                  tool demo coordinator

  a team        There is one backlog (about 20 tasks or more) with many hand-offs, in a large project (9 files or more, several
                subsystems, about 4 hours or more), and you want to watch. Also when one piece runs for very long or needs
                more context than one window holds. 2 to 4 teammates; a team of 4 may cost about 4 times one agent.
                  TOOL_EXPERIMENTAL_AGENT_TEAMS=1 tool team "Port the report module to the new parser"
                  TOOL_EXPERIMENTAL_AGENT_TEAMS=1 tool team --teammates 3 --print "Fix the failing tests"

Work side by side only what is independent: other files, no output that the other needs, to be reviewed apart. The rest goes one
after the other, or in phases: shared code first, what uses it next, its tests last.
`;
