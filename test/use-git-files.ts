// Before each test file: our git keeps its files in the folder of git-files.ts.
import { inject } from "vitest";
import { keepGitFilesIn } from "../src/edge/git/own-folder.ts";

keepGitFilesIn(inject("gitFiles"));
