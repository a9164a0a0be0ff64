// Programs with subcommands: finds the word that says what they do (`push` in `git -C x push`).
import type { Word } from "./analysis.ts";
import { readOptions } from "./options.ts";

/** Options that may precede the subcommand. */
const globalOptions: Record<string, string> = {
  git: "-v --version -h --help -C: -c: --exec-path? --html-path --man-path --info-path -p --paginate -P --no-pager --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --bare --git-dir= --work-tree= --namespace= --super-prefix= --config-env= --attr-source= --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --list-cmds=",
  hg: "-R: --repository= --cwd= -y -q -v --config= --debug --noninteractive --quiet --verbose --color= --pager=",
  npm: "-C: --prefix= -w: --workspace= --workspaces -ws -g --global --silent -s -q --quiet --loglevel= --registry= --userconfig= --globalconfig= --cache= --script-shell= --node-options= --if-present --include-workspace-root --no-audit --no-fund --json -d -dd -ddd --verbose --offline --prefer-offline --ignore-scripts --legacy-peer-deps --force -f --color= --no-color --tag=",
  pnpm: "-C: --dir= -w --workspace-root -r --recursive --filter= -F: --silent -s --reporter= --loglevel= --color --no-color --use-stderr --aggregate-output --stream --parallel",
  yarn: "--cwd= --silent -s --verbose --json --offline --non-interactive --no-progress",
  bun: "--cwd= --silent --bun -b --watch --hot --filter= -F: --config= -c: --env-file=",
  docker:
    "-H: --host= -c: --context= --config= -D --debug -l: --log-level= --tls --tlscacert= --tlscert= --tlskey= --tlsverify -v --version",
  podman:
    "-r --remote --url= --connection= -c: --identity= --log-level= --root= --runroot= --storage-driver= --cgroup-manager= --conmon= --network-cmd-path= --runtime= --tmpdir= --volumepath= --noout",
  kubectl:
    "-n: --namespace= --context= --cluster= --kubeconfig= -s: --server= --user= --token= --as= --as-group= --request-timeout= --insecure-skip-tls-verify --certificate-authority= --client-key= --client-certificate= -v: --v= --cache-dir= --tls-server-name=",
  helm: "-n: --namespace= --kube-context= --kubeconfig= --debug --kube-apiserver= --kube-token= --registry-config= --repository-cache= --repository-config=",
  gh: "-R: --repo= --help --version",
  cargo: "-C: --config= -Z: --color= -v -vv -q --verbose --quiet --frozen --locked --offline --explain= --list -V --version",
  go: "-C:",
  tmux: "-2 -C -CC -D -l -N -u -V -v -c: -f: -L: -S: -T:",
  systemctl:
    "-H: --host= -M: --machine= --user --system --no-pager -q --quiet -t: --type= --state= -p: --property= -a --all -l --full --no-legend --plain -n: --lines= -o: --output= --now --runtime --root= --no-block --no-ask-password -f --force",
  aws: "--profile= --region= --output= --endpoint-url= --no-verify-ssl --no-paginate --no-sign-request --ca-bundle= --cli-read-timeout= --cli-connect-timeout= --query= --debug --color= --no-cli-pager --version",
  gcloud: "--project= --account= --configuration= --format= --quiet -q --verbosity= --impersonate-service-account= --region= --zone=",
  az: "--subscription= --output= -o: --query= --verbose --debug --only-show-errors",
  terraform: "-chdir=",
  tofu: "-chdir=",
  pip: "--proxy= --timeout= --retries= --cert= --client-cert= --cache-dir= --log= --python= --isolated --require-virtualenv -v -q --quiet --verbose --no-cache-dir --disable-pip-version-check --no-input --no-color",
  uv: "--directory= --project= --config-file= --cache-dir= --color= -q -v --quiet --verbose --offline --no-cache -n --no-config --native-tls --no-progress --python-preference=",
  poetry: "-C: --directory= -P: --project= -q -v -vv -vvv --quiet --verbose --no-interaction -n --ansi --no-ansi --no-cache --no-plugins",
  conda: "",
  bundle: "--no-color --verbose -r: --retry=",
  gem: "--config-file= --norc --silent --verbose --backtrace --debug -q",
  composer: "-d: --working-dir= -n --no-interaction -q --quiet -v -vv -vvv --ansi --no-ansi --no-plugins --no-scripts --no-cache --profile",
  rustup: "-v -q --verbose --quiet",
  dotnet: "-d --diagnostics --info --list-sdks --list-runtimes --version",
  brew: "-v -q -d --verbose --quiet --debug",
  apt: "-y --yes --assume-yes -q -qq -o: --option= -c: --config-file= -t: --target-release= -s --simulate -d --download-only --no-install-recommends",
  "apt-get":
    "-y --yes --assume-yes -q -qq -o: --option= -c: --config-file= -t: --target-release= -s --simulate -d --download-only --no-install-recommends",
  svn: "--username= --password= --config-dir= --config-option= --non-interactive --no-auth-cache -q",
  tool: "--team=",
  make: "-C: -f: --directory= --file= --makefile= -j? --jobs? -k -s -B -n -i -e -w -r -R -q -t -l? -O? -I: -o: -W: --keep-going --silent --quiet --always-make --dry-run --no-print-directory --print-directory",
};

/** Under every name of the program. */
const linesOf = new Map(Object.entries(globalOptions));
for (const [other, program] of Object.entries({
  pip2: "pip",
  pip3: "pip",
  nerdctl: "docker",
  oc: "kubectl",
  mamba: "conda",
  yarnpkg: "yarn",
}))
  linesOf.set(other, globalOptions[program]!);

export const subcommandPrograms = new Set(Object.keys(globalOptions));

/** The index of the subcommand; undefined for programs without subcommands, or if there is none. */
export function subcommandAt(program: string, words: Word[]): number | undefined {
  const line = linesOf.get(program);
  if (line === undefined || program === "make") return undefined;
  const from = program === "cargo" && words[1]?.value?.startsWith("+") ? 2 : 1;
  return readOptions(words, line, { from, leading: true }).operands[0];
}
