// Variables that change what programs do. Set before a command, they may turn an allowed program into another one.

/** Variables that only change verbosity, language, or a mode of the project itself, with a value that no shell or program takes for more. */
export function isHarmlessInEnvironment(name: string, value = " "): boolean {
  if (isHijacking(name)) return false;
  const isAddress = name.endsWith("_URL") && /^(?!file:|.*\.\.)[a-z][a-z\d+]*:\/\/[\w.@:+,=%/?-]+$/.test(value);
  return isListed(name) ? isAddress || /^(?!-)[\w.@:+,=*%-]*$/.test(value) : /^(\d{1,9}|true|false|yes|no|on|off)$/i.test(value);
}

/** Other names are left to programs that need a rule: one that only looks may take a number for the name of a file. */
export const isListed = (name: string): boolean => common.test(name) || ofProjects.test(name);

/** Names that some machine has in its environment: a shell passes on what is assigned to them, without an export. */
export const isCommon = (name: string): boolean => common.test(name);

const common =
  /^(NODE_ENV|CI|DEBUG|VERBOSE|QUIET|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLOR|PORT|HOST|COLUMNS|LINES|LOG_LEVEL|LOGLEVEL|RUST_LOG|RUST_BACKTRACE|CARGO_TERM_COLOR|CARGO_INCREMENTAL|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONHASHSEED|PYTHONIOENCODING|PYTHONUTF8|RAILS_ENV|RACK_ENV|APP_ENV|FLASK_ENV|FLASK_DEBUG|DJANGO_DEBUG|MIX_ENV|ENVIRONMENT|BABEL_ENV|GO111MODULE|CGO_ENABLED|GOOS|GOARCH|DEBIAN_FRONTEND|HUSKY|SKIP|BROWSERSLIST_IGNORE_OLD_DATA|NODE_NO_WARNINGS|TS_NODE_TRANSPILE_ONLY|VITEST|TEST|TESTS|SEED|UPDATE_SNAPSHOTS?|DATABASE_URL|REDIS_URL|API_URL|BASE_URL|GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS|DOCKER_BUILDKIT|AWS_REGION|AWS_DEFAULT_REGION|NPM_CONFIG_(FUND|AUDIT|LOGLEVEL)|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM)$/;
const ofProjects = /^([a-z]|FOO|BAR|BAZ|QUX|(TEST|JEST|VITEST|VITE|NEXT_PUBLIC|REACT_APP|APP)_[A-Z0-9_]+)$/;

const ofShell =
  /^(PATH|HOME|IFS|ENV|SHELL|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS[0-4]|CDPATH|OLDPWD|PWD|FPATH|GLOBIGNORE|FIGNORE|HISTFILE|HISTCONTROL|INPUTRC|TMPDIR|TMP|TEMP|POSIXLY_CORRECT|EXECIGNORE|EMACS|TIMEFORMAT|S?RANDOM|HISTCMD|OPTIND|LINENO|E?UID|PPID|DIRSTACK|FUNCNAME|GROUPS|PIPESTATUS|BASH.*|LD_.*|DYLD_.*|GIT_.*|SSH_.*|GCONV_PATH|LOCPATH|NLSPATH|HOSTALIASES|RESOLV_HOST_CONF|RES_OPTIONS|MAGIC|MALLOC_.*|GLIBC_TUNABLES|TERMINFO.*|TERMCAP)$/;
const ofPrograms =
  /^(NODE_.*|NPM_.*|npm_.*|YARN_.*|PNPM_.*|BUN_.*|DENO_.*|PYTHON.*|PIP_.*|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|JAVA_.*|_JAVA_.*|JDK_.*|MAVEN_.*|GRADLE_.*|ANT_.*|GO.*|CARGO_.*|RUSTC.*|RUSTFLAGS|RUSTDOC.*|RUSTUP_.*|CC|CXX|CPP|LD|AS|AR|MAKE.*|CMAKE_.*|CONFIG_.*|DOCKER_.*|KUBE.*|AWS_.*|TAR_OPTIONS|GZIP|ZIPOPT|UNZIP|RSYNC_.*|LESS.*|MORE|MAN.*|PAGER|EDITOR|VISUAL|BROWSER|DISPLAY|XDG_.*|DBUS_.*|TMUX.*|TOOL_.*|SUDO_.*|GNUPGHOME|OPENSSL_.*|SSL_.*|CURL_.*|WGETRC|.*_PROXY|.*_proxy|PHP.*|LUA_.*|TCL.*|R_.*|JULIA_.*|ERL_.*|ELIXIR_.*|AWKPATH|AWKLIBPATH|RIPGREP_CONFIG_PATH|FZF_.*|BAT_.*|EXINIT|VIM.*|MYVIMRC|.*_OPTIONS|.*_OPTS|.*FLAGS|.*_COMMAND|.*_CONFIG|.*_PRELOAD|.*_WRAPPER|.*ASKPASS.*|.*_EDITOR|.*_PAGER|.*_SHELL|.*_(?:OPT|DEFAULTS|ROOT|HOME|DIR|PREFIX|COMPILER|LOGFILE|PATH|FILE)|ZDOTDIR|GEMRC|TEXTDOMAINDIR|UNZIPOPT|ZIPINFO)$/;

/** Variables that say what programs or the shell run, or that the shell evaluates. A plain assignment counts: the name may be exported already. */
export const isHijacking = (name: string): boolean => !common.test(name) && (ofShell.test(name) || ofPrograms.test(name));
