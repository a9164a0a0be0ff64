// Secret places of the home, which the sandbox hides wherever commands work.
import { join } from "node:path";
import type { Policy } from "../../permissions/policy.ts";

/** Where people keep credentials: keys, sessions, histories, and the memory of other agents. */
export function secretPlaces({ home, configDir }: Pick<Policy, "home" | "configDir">): string[] {
  return [configDir, ...homeSecrets.map((name) => join(home, name))];
}

/** Whether programs put a new file there each time that they are used: what was typed, where one was, and the state of another agent. */
export const isChanging = (place: string): boolean => /_history$|\/\.(?:viminfo|lesshst|Xauthority|ICEauthority|claude\.json)$/.test(place);

const homeSecrets = [
  ".ssh .aws .azure .gnupg .kube .docker .oci .fly .terraform.d .password-store .vault-token",
  ".netrc .pgpass .my.cnf .pypirc .git-credentials .s3cfg .boto .cargo/credentials .cargo/credentials.toml .gem/credentials",
  ".config/gcloud .config/gh .config/glab-cli .config/hub .config/git/credentials .config/rclone .config/op .config/doctl",
  ".npmrc .yarnrc.yml .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .composer/auth.json .terraformrc .env",
  ".config/sops .config/helm .config/hcloud .config/1Password .cache/huggingface/token .cache/huggingface/stored_tokens .huggingface .mylogin.cnf .subversion/auth",
  ".Xauthority .ICEauthority .local/share/keyrings .config/google-chrome .config/chromium .mozilla .thunderbird .config/BraveSoftware",
  ".bash_history .zsh_history .local/share/fish/fish_history .python_history .node_repl_history .psql_history .mysql_history",
  // sockets of agents and services that may have their own network namespace, so that the kernel does not list them here
  ".1password/agent.sock .bitwarden-ssh-agent.sock .colima .emacs.d/server .lima .orbstack/run .rd/docker.sock",
  ".local/share/containers/podman/machine/podman.sock",
  ".pulumi/credentials.json .kaggle .config/solana .config/stripe .local/share/opencode/auth.json .sbt/.credentials .ivy2/.credentials",
  ".ollama/id_ed25519 .config/microsoft-edge .msmtprc .hgrc .bundle/config .viminfo .lesshst .irb_history .sqlite_history",
  ".rediscli_history .dockercfg .databrickscfg .config/containers/auth.json",
  ".claude .claude.json .codex .cursor .gemini .config/github-copilot",
].flatMap((line) => line.split(" "));
