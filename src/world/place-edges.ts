// Places: the processes that lead there, and at a place what its hands find on their machine.
import type { Edges } from "../app/world.ts";

type Setup = { packageDir: string; sandboxTrial: Edges["sandboxTrial"] };

export function placeEdges({
  packageDir,
  sandboxTrial,
}: Setup): Pick<Edges, "placePorts" | "meetings" | "works" | "handsFindings" | "travel" | "demoPlaces"> {
  return {
    async placePorts(env) {
      const [{ placeProcess }, { programPack }, { secondStep }, { personsEnvironment }, { randomBytes }] = await Promise.all([
        import("../edge/places/place-process.ts"),
        import("../edge/places/program-pack.ts"),
        import("../edge/places/second-step.ts"),
        import("../secrets/environment.ts"),
        import("node:crypto"),
      ]);
      return {
        run: (argv) => placeProcess(argv, personsEnvironment(env)),
        program: () => programPack(packageDir),
        secondStep: secondStep(),
        newWord: () => `tool-${randomBytes(9).toString("hex")}`,
        monotonicMs: () => performance.now(),
        sleep: (ms) => new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref()),
        pause: (ms) => new Promise((resolve) => setTimeout(() => resolve(undefined), ms)),
      };
    },
    async demoPlaces(folder, names) {
      const [{ demoPlaces }, { personsEnvironment }] = await Promise.all([
        import("../edge/places/demo-places.ts"),
        import("../secrets/environment.ts"),
      ]);
      return demoPlaces(folder, { names, env: personsEnvironment(process.env) });
    },
    meetings: async () => (await import("../edge/places/meeting.ts")).meetings,
    works: async (folder) => (await import("../edge/places/works.ts")).worksIn(folder),
    travel: async () => (await import("./git-edges.ts")).openTravel(),
    async handsFindings(folder) {
      const [{ gitMissing }, trial] = await Promise.all([import("../edge/git/own-git.ts"), sandboxTrial([folder])]);
      const git = gitMissing();
      return {
        node: process.versions.node,
        platform: process.platform,
        git: git === undefined ? "found" : { missing: git },
        sandbox: trial.kind === "works" ? "works" : { missing: trial.why },
      };
    },
  };
}
