// Programs that run their arguments as a command only after a certain word. One a line. Source: the manual pages.
import { byEachName } from "./by-each-name.ts";
import type { Wrapper } from "./wrappers.ts";

/** Programs whose second word makes them a wrapper: `git bisect run`, `docker exec`. */
const byNames: Record<string, Wrapper> = {
  "git bisect run, asdf exec, rbenv exec, pyenv exec, nodenv exec": { options: "" },
  "git submodule foreach": { options: "--recursive -q --quiet", joined: true },
  "npm exec, npm x": {
    options: "-y --yes --no -p: --package= -c: --call= -w: --workspace= --workspaces -ws",
    text: ["-c", "--call"],
  },
  "yarn exec": { options: "-T --top-level" },
  "yarn dlx": { options: "-p: --package= -q --quiet" },
  "pnpm exec": { options: "-r --recursive -c --shell-mode --parallel --no-reporter-hide-prefix" },
  "pnpm dlx": { options: "-p: --package= -c --shell-mode --silent" },
  "bun x": { options: "--bun -p: --package= --silent --verbose" },
  "bundle exec": { options: "--keep-file-descriptors --gemfile=" },
  "poetry run, pipenv run, pdm run, hatch run, rye run": { options: "" },
  "uv run": {
    options:
      "--with= --python= -p: --no-sync --frozen --locked --isolated --extra= --group= --dev --no-dev --env-file= --project= --directory= -q --quiet --active --all-extras",
  },
  "docker exec, docker container exec": {
    options: "-d --detach --detach-keys= -e: --env= --env-file= -i --interactive --privileged -t --tty -u: --user= -w: --workdir=",
    operands: 1,
    elsewhere: true,
  },
  "podman exec": {
    options: "-d --detach --detach-keys= -e: --env= --env-file= -i --interactive --privileged -t --tty -u: --user= -w: --workdir= -l",
    operands: 1,
    elsewhere: true,
  },
  "kubectl exec": {
    options: "-c: --container= -i --stdin -t --tty -q --quiet -f: --filename= -n: --namespace=",
    operands: 1,
    elsewhere: true,
  },
  "tmux new-session, tmux new": { options: "-A -d -D -E -P -X -c: -e: -f: -F: -n: -s: -t: -x: -y:", joined: true },
  "tmux new-window": { options: "-a -b -d -k -P -S -c: -e: -F: -n: -t:", joined: true },
  "tmux split-window": { options: "-b -d -f -h -I -v -P -Z -c: -e: -l: -p: -F: -t:", joined: true },
  "tmux run-shell": { options: "-b -C -c: -d: -t:", joined: true },
  "docker compose exec": {
    options: "-d --detach -e: --env= --index= -T --no-TTY --privileged -u: --user= -w: --workdir=",
    operands: 1,
    elsewhere: true,
  },
};

export const subWrappers = byEachName(byNames);
