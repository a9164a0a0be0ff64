// The person's home folder, also where the environment does not name one, as in some containers.
import { userInfo } from "node:os";

/** The root folder if the system has none for this user either. */
export function homeFolder({ HOME }: NodeJS.ProcessEnv = process.env): string {
  return HOME || homeOfUser() || "/";
}

/** Empty for a user whom the system does not know. */
function homeOfUser(): string {
  try {
    return userInfo().homedir;
  } catch {
    return "";
  }
}
