// A coordinator's order to start a worker. Every part is required, so that no worker starts without it.
import { z } from "zod";
import type { Aliases } from "../../tools/arguments.ts";

/** A text that must not be blank; `what` completes "it is missing: …". */
const required = (what: string) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? `it is missing: ${what}` : `it must be a string: ${what}`) })
    .refine((text) => text.trim() !== "", { error: `it is blank: ${what}` });

const requiredList = (what: string) =>
  z
    .array(required(what), {
      error: (issue) => (issue.input === undefined ? `it is missing: ${what}` : `it must be a list: ${what}`),
    })
    .min(1, { error: `it is empty: ${what}` });

export const workerOrder = z.strictObject({
  component: required("the component's name").describe("the component, in one to three words; the worker is called so"),
  files: requiredList("every file that the worker may change").describe(
    "every file that it may change, its tests and new files too: exact paths below the working directory, no patterns or folders",
  ),
  framework: required("the framework or library that the component is to use").describe("the framework or library to use"),
  version: required("the version of the framework").describe("its version, as the repository has it"),
  patterns: required("the patterns to follow").describe("the patterns to follow, with a file that shows them"),
  instructions: required("what is to be done").describe("what to change, with all that the worker cannot know"),
  testCommand: required("the command that runs the component's tests").describe("the exact command that runs the component's tests"),
  reportFields: requiredList("what the worker's report holds").describe("what its report holds, one item each"),
  phase: z
    .int({ error: "it must be a whole number from 1" })
    .min(1, { error: "it must be a whole number from 1" })
    .default(1)
    .describe("a worker waits until all of earlier phases have ended"),
  after: z.array(z.string()).default([]).describe("components whose output it needs: it begins only once these are completed"),
});

export type WorkerOrder = z.infer<typeof workerOrder>;

export const workerAliases: Aliases = {
  test_command: "testCommand",
  report_fields: "reportFields",
  report: "reportFields",
  framework_version: "version",
};

/** The part of the order that is kept in the worker's record. */
export const workerSchema = z.lazy(() =>
  z.object({
    component: z.string(),
    /** Relative to the working directory, with symbolic links resolved. */
    files: z.array(z.string()),
    /** The files that did not exist when the worker was started. */
    newFiles: z.array(z.string()),
    phase: z.number(),
    after: z.array(z.string()),
    testCommand: z.string(),
  }),
);

export type Worker = z.infer<typeof workerSchema>;
