// The AWS files of the person: where they are, and the region of their profile. Loaded where no variable names a region.
import { loadSharedConfigFiles } from "@smithy/shared-ini-file-loader";

type Environment = Record<string, string | undefined>;

/** Where AWS's own programs look. */
export function awsFiles(env: Environment): { filepath: string; configFilepath: string } {
  return {
    filepath: env["AWS_SHARED_CREDENTIALS_FILE"]?.trim() || `${env["HOME"]}/.aws/credentials`,
    configFilepath: env["AWS_CONFIG_FILE"]?.trim() || `${env["HOME"]}/.aws/config`,
  };
}

/** Undefined if no file names one, or none can be read. */
export async function regionOfProfile(env: Environment): Promise<string | undefined> {
  const { configFile, credentialsFile } = await loadSharedConfigFiles({ ...awsFiles(env), ignoreCache: true });
  const profile = env["AWS_PROFILE"]?.trim() || "default";
  return configFile[profile]?.["region"] ?? credentialsFile[profile]?.["region"];
}
