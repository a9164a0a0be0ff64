"""Runs `tool` in the containers of Harbor, with which Terminal-Bench 2 and other public benchmarks are run.

    npm pack tool                                   # or the tarball of a build of your own
    export ANTHROPIC_API_KEY=... TOOL_TARBALL=$PWD/tool-0.1.0.tgz TOOL_BUDGET_USD=2
    PYTHONPATH=docs/examples harbor run --dataset terminal-bench@2.0 \
        --agent-import-path harbor_agent:ToolAgent --model anthropic/claude-sonnet-5-5

Everything that happened stays with the trial: the events in `events.jsonl`, and the transcripts and the ledger below `config`.
"""

import json
import os
import shlex

from harbor.agents.base import BaseAgent

LOGS = "/logs/agent"
TARBALL = "/tmp/tool.tgz"
NODE = "https://nodejs.org/dist/latest-v22.x"

# Containers of tasks have no Node, or one that is too old.
INSTALL = f"""set -e
if ! node -e 'const [major, minor] = process.versions.node.split("."); process.exit(+(+major < 20 || (major == 20 && minor < 19)))' 2>/dev/null; then
  command -v curl >/dev/null || (apt-get update -qq && apt-get install -qq --yes curl ca-certificates)
  case $(uname -m) in aarch64) machine=arm64 ;; *) machine=x64 ;; esac
  file=$(curl -fsSL {NODE}/SHASUMS256.txt | grep -o "node-.*-linux-$machine.tar.gz")
  curl -fsSL {NODE}/$file | tar -xz -C /usr/local --strip-components=1
fi
npm install --global --ignore-scripts {TARBALL}
"""

# The provider's variables, as docs/providers.md has them.
PASSED = (
    "ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY "
    "AWS_SESSION_TOKEN AWS_BEARER_TOKEN_BEDROCK HTTPS_PROXY NO_PROXY"
).split()


class ToolAgent(BaseAgent):
    @staticmethod
    def name() -> str:
        return "tool"

    def version(self) -> str | None:
        return None

    async def setup(self, environment) -> None:
        await environment.upload_file(os.environ["TOOL_TARBALL"], TARBALL)
        installed = await environment.exec(INSTALL, timeout_sec=600)
        if installed.return_code != 0:
            raise RuntimeError(f"tool could not be installed: {installed.stderr or installed.stdout}")

    async def run(self, instruction: str, environment, context) -> None:
        env = {name: os.environ[name] for name in PASSED if name in os.environ}
        env["TOOL_CONFIG_DIR"] = f"{LOGS}/config"
        ended = await environment.exec(f"{self.command(instruction)} > {LOGS}/events.jsonl 2> {LOGS}/errors.txt", env=env)
        last = await environment.exec(f"tail -n 1 {LOGS}/events.jsonl")
        result = json.loads(last.stdout) if last.stdout.strip() else {}
        usage = result.get("usage", {})
        cached = usage.get("cache_read_input_tokens", 0)
        context.n_input_tokens = usage.get("input_tokens", 0) + usage.get("cache_creation_input_tokens", 0) + cached
        context.n_cache_tokens = cached
        context.n_output_tokens = usage.get("output_tokens", 0)
        context.cost_usd = result.get("cost_usd")
        context.metadata = {"exit_code": ended.return_code, "ending": result.get("ending"), "turns": result.get("turns")}

    def command(self, instruction: str) -> str:
        """The container is the sandbox here: nothing in it is asked about."""
        words = ["tool", "--print", "--output-format", "stream-json", "--permission-mode", "bypassPermissions"]
        words += ["--budget-usd", os.environ.get("TOOL_BUDGET_USD", "2"), "--max-turns", os.environ.get("TOOL_MAX_TURNS", "200")]
        if self.model_name:
            words += ["--model", self.model_name.split("/")[-1]]
        words += shlex.split(os.environ.get("TOOL_FLAGS", ""))
        return shlex.join([*words, instruction])
