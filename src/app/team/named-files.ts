// Checks the file names in the task tools: each must be a file of the working tree that agents may change, and gets its canonical name.
import { relative, resolve } from "node:path";
import type { Workspace } from "../../agent/workspace.ts";
import type { AnyTool } from "../../tools/tool.ts";

export function withNamedFiles(tools: AnyTool[], { fileInTree }: Pick<Workspace, "fileInTree">): AnyTool[] {
  return tools.map((tool): AnyTool => {
    if (tool.name !== "TaskCreate" && tool.name !== "TaskUpdate") return tool;
    return {
      ...tool,
      async run(input: { files?: string[] }, context) {
        const files: string[] = [];
        for (const path of input.files ?? []) {
          const found = await fileInTree(path);
          if (!found.ok) return { text: `Nothing was changed: the file "${path}" ${found.reason}.`, isError: true, summary: "refused" };
          files.push(found.path);
        }
        return tool.run(input.files ? { ...input, files } : input, context);
      },
    };
  });
}

/**
 * The names that a person gives to files, as the list has them: links followed, below `cwd`. What is no file there gets a name that the list refuses.
 */
export async function realNames(paths: readonly string[], cwd: string, real: (path: string) => Promise<string>): Promise<string[]> {
  const root = await real(cwd);
  const realName = async (path: string) => {
    if (path.endsWith("/")) return path; // a folder
    const name = relative(root, await real(resolve(root, path)).catch(() => resolve(root, path)));
    return name === "" ? path : name;
  };
  return Promise.all(paths.map(realName));
}
