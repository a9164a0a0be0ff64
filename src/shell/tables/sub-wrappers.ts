// Programs that run their arguments as a command only after a certain word. One a line. Source: the manual pages.
import { byEachName } from "./by-each-name.ts";
import type { Wrapper } from "./wrapper.ts";

/** Programs whose second word makes them a wrapper: `git bisect run`, `docker exec`. */
const byNames: Record<string, Wrapper> = {
  "git bisect run, asdf exec, rbenv exec, pyenv exec, nodenv exec": { options: "" },
  "git submodule foreach": { options: "--recursive -q --quiet", joined: true },
  "git for-each-repo": { options: "--config=" },
  "npm exec, npm x": {
    packages: true,
    options: "-y --yes --no -p: --package= -c: --call= -w: --workspace= --workspaces -ws",
    text: ["-c", "--call"],
  },
  "yarn exec": { packages: true, options: "-T --top-level" },
  "yarn dlx": { options: "-p: --package= -q --quiet" },
  "pnpm exec": { packages: true, options: "-r --recursive -c --shell-mode --parallel --no-reporter-hide-prefix" },
  "pnpm dlx": { options: "-p: --package= -c --shell-mode --silent" },
  "bun x": { packages: true, options: "--bun -p: --package= --silent --verbose" },
  "bundle exec": { options: "--keep-file-descriptors --gemfile=", runner: true },
  "poetry run, pipenv run, pdm run, hatch run, rye run": { options: "", runner: true },
  "uv run": {
    runner: true,
    options:
      "--with= --python= -p: --no-sync --frozen --locked --isolated --extra= --group= --dev --no-dev --env-file= --project= --directory= -q --quiet --active --all-extras",
  },
  "conda run": { options: "-n: --name= -p: --prefix= --cwd= --no-capture-output --live-stream -v" },
  "mamba run": { options: "-n: --name= -p: --prefix= --cwd=" },
  "rustup run": { options: "--install", operands: 1 },
  "mise exec, mise x": { options: "-C: --cd= -j: --jobs= -c: --command= -q", text: ["-c", "--command"] },
  "volta run": { options: "--node= --npm= --yarn= --pnpm= --bundled-npm --no-yarn --env=" },
  "direnv exec": { options: "", operands: 1 },
  "perf stat": { options: "-e: -r: -o: -a -d -v -p: -t: -C: -I: --" },
  "perf record": { options: "-e: -F: -o: -g -a -p: -t: -c: --call-graph= --" },
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
  "nx exec, stack exec, cabal exec": { options: "--" },
  "lerna exec": { options: "--scope= --parallel --stream --concurrency= --no-bail --", joined: true },
  "opam exec": { options: "--switch= --set-switch --set-root --" },
  "dune exec": { options: "--root= --profile= --" },
};

export const subWrappers = byEachName(byNames);
