// A program with its arguments, and the word that says what it does (`push` in `git -C x push`), found once for all tables that need it.
import type { Word } from "./analysis.ts";
import { readOptions } from "./options.ts";

export type Invocation = {
  program: string;
  words: Word[];
  /** The index of the subcommand; undefined for programs without subcommands, or if there is none. */
  sub: number | undefined;
  verb: string | undefined;
};

/** The name of a program without its folder. */
export const nameOf = (program: string) => program.slice(program.lastIndexOf("/") + 1);

export function invocationOf(program: string, words: Word[]): Invocation {
  const sub = subcommandAt(program, words);
  return { program, words, sub, verb: sub === undefined ? undefined : words[sub]!.value };
}

/** Options that may precede the subcommand and take a value. */
const globalOptions: Record<string, string> = {
  git: "-C: -c: --exec-path? --git-dir= --work-tree= --namespace= --super-prefix= --config-env= --attr-source= --list-cmds=",
  hg: "-R: --repository= --cwd= --config= --color= --pager=",
  npm: "-C: --prefix= -w: --workspace= --loglevel= --registry= --userconfig= --globalconfig= --cache= --script-shell= --node-options= --color= --tag=",
  pnpm: "-C: --dir= --filter= -F: --reporter= --loglevel=",
  "yarn, yarnpkg": "--cwd=",
  bun: "--cwd= --filter= -F: --config= -c: --env-file=",
  "docker, nerdctl": "--tls -H: --host= -c: --context= --config= -l: --log-level= --tlscacert= --tlscert= --tlskey=",
  podman:
    "--url= --connection= -c: --identity= --log-level= --root= --runroot= --storage-driver= --cgroup-manager= --conmon= --network-cmd-path= --runtime= --tmpdir= --volumepath=",
  "kubectl, oc":
    "-n: --namespace= --context= --cluster= --kubeconfig= -s: --server= --user= --token= --as= --as-group= --request-timeout= --certificate-authority= --client-key= --client-certificate= -v: --v= --cache-dir= --tls-server-name=",
  helm: "-n: --namespace= --kube-context= --kubeconfig= --kube-apiserver= --kube-token= --registry-config= --repository-cache= --repository-config=",
  gh: "-R: --repo=",
  cargo: "-C: --config= -Z: --color= --explain=",
  go: "-C:",
  tmux: "-c: -f: -L: -S: -T:",
  systemctl: "-H: --host= -M: --machine= -t: --type= --state= -p: --property= -n: --lines= -o: --output= --root=",
  aws: "--profile= --region= --output= --endpoint-url= --ca-bundle= --cli-read-timeout= --cli-connect-timeout= --query= --color=",
  gcloud: "--project= --account= --configuration= --format= --verbosity= --impersonate-service-account= --region= --zone=",
  az: "--subscription= --output= -o: --query=",
  "terraform, tofu": "-chdir=",
  "pip, pip2, pip3": "--proxy= --timeout= --retries= --cert= --client-cert= --cache-dir= --log= --python=",
  uv: "--directory= --project= --config-file= --cache-dir= --color= --python-preference=",
  poetry: "-C: --directory= -P: --project=",
  "conda, mamba, rustup, dotnet, brew": "",
  bundle: "-r: --retry=",
  gem: "--config-file=",
  composer: "-d: --working-dir=",
  "apt, apt-get": "-o: --option= -c: --config-file= -t: --target-release=",
  svn: "--username= --password= --config-dir= --config-option=",
  tool: "--team=",
  make: "-C: -f: --directory= --file= --makefile= -j? --jobs? -l? -O? -I: -o: -W:",
};

const linesOf = new Map(Object.entries(globalOptions).flatMap(([names, line]) => names.split(", ").map((name) => [name, line] as const)));

export const subcommandPrograms = new Set(linesOf.keys());

/** The index of the subcommand; undefined for programs without subcommands, or if there is none. */
export function subcommandAt(program: string, words: Word[]): number | undefined {
  const line = linesOf.get(program);
  if (line === undefined || program === "make") return undefined;
  const from = program === "cargo" && words[1]?.value?.startsWith("+") ? 2 : 1;
  return readOptions(words, line, { from, leading: true }).operands[0];
}

/** Without the options before the subcommand that only say where it works, which is judged as a file, or make it quiet. */
export function withoutPlace(words: Word[]): Word[] {
  const line = places.get(words[0]?.value ?? "");
  if (line === undefined) return words;
  const from = words[1]?.value?.startsWith("+") ? 2 : 1; // cargo +nightly test
  const { operands, unknown, given } = readOptions(words, line, { from, leading: true, exact: true });
  const isMore = given.some(({ name, value }) => name === "-c" && !ofPrinting.test(value?.value ?? ""));
  return unknown || isMore ? words : [words[0]!, ...words.slice(operands[0] ?? words.length)];
}

/** Settings of git for one command that say how it prints. */
const ofPrinting = /^(?:color\.[\w.]+|core\.quotepath|log\.date)=[\w:-]*$|^core\.pager=cat$/i;

const places = new Map(
  Object.entries({
    git: "-C: -c: --no-pager -P --no-optional-locks --literal-pathspecs",
    npm: "--prefix= -C: -w: --workspace= -ws --workspaces --if-present -s --silent --loglevel=",
    pnpm: "-C: --dir= -F: --filter= -r --recursive -w -s --silent",
    yarn: "--cwd= -s --silent",
    cargo: "-q --quiet -v -vv --verbose --locked --offline --frozen --color=",
    make: "-C: --directory= -j? -s --silent -k --keep-going --no-print-directory",
    go: "-C:",
  }),
);
