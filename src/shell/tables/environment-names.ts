// Variables that change what programs do. Set before a command, they may turn an allowed program into another one.

/** Variables that only change verbosity, language, or a mode of the project itself. */
export function isHarmlessInEnvironment(name: string, value?: string): boolean {
  if (isHijacking(name)) return false;
  return harmless.test(name) || (value !== undefined && /^(\d{1,9}|true|false|yes|no|on|off)$/i.test(value));
}

const harmless =
  /^(NODE_ENV|CI|DEBUG|VERBOSE|QUIET|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLOR|LANG|LANGUAGE|LC_[A-Z]+|TZ|PORT|HOST|TERM|COLUMNS|LINES|LOG_LEVEL|LOGLEVEL|RUST_LOG|RUST_BACKTRACE|CARGO_TERM_COLOR|CARGO_INCREMENTAL|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONHASHSEED|PYTHONIOENCODING|PYTHONUTF8|PYTHONWARNINGS|RAILS_ENV|RACK_ENV|APP_ENV|FLASK_ENV|FLASK_DEBUG|DJANGO_DEBUG|MIX_ENV|ENVIRONMENT|BABEL_ENV|GO111MODULE|CGO_ENABLED|GOOS|GOARCH|DEBIAN_FRONTEND|HUSKY|SKIP|BROWSERSLIST_IGNORE_OLD_DATA|NODE_NO_WARNINGS|TS_NODE_TRANSPILE_ONLY|VITEST|TEST|TESTS|SEED|UPDATE_SNAPSHOTS?|[a-z]|FOO|BAR|BAZ|QUX|DATABASE_URL|REDIS_URL|API_URL|BASE_URL|GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS|DOCKER_BUILDKIT|AWS_REGION|AWS_DEFAULT_REGION|NPM_CONFIG_(FUND|AUDIT|LOGLEVEL)|(TEST|JEST|VITEST|VITE|NEXT_PUBLIC|REACT_APP|APP)_[A-Z0-9_]+)$/;

/**
 * For a program that runs code of the working tree anyway, these variables add nothing that a file of the tree could not do: they say where
 * modules are and how to build them. A variable that names another place, an address or another program does not qualify.
 */
export function staysInTree(name: string, value: string | undefined): boolean {
  if (value === undefined || leadsElsewhere.test(value)) return false;
  return !isHijacking(name) || (tellsHow.find(([names]) => names.test(name))?.[1].test(value) ?? false);
}

const leadsElsewhere = /(?:^|[\s:=,])(?:~?\/|\.\.(?:\/|$))|:\/\/|[`$;|&<>]|exec|linker|plugin|wrapper|vettool/i;

const tellsHow: [names: RegExp, values: RegExp][] = [
  [/^(?:PYTHONPATH|NODE_PATH)$/, /^[\w./:-]*$/],
  [
    /^NODE_OPTIONS$/,
    /^(?:--(?:max-old-space-size=\d+|max_old_space_size=\d+|experimental-[\w-]+|no-warnings|no-deprecation|trace-[\w-]+)\s*)+$/,
  ],
  [/^(?:RUSTFLAGS|RUSTDOCFLAGS|GOFLAGS|CFLAGS|CXXFLAGS|CPPFLAGS|LDFLAGS)$/, /^[\w ./=,:+-]*$/],
  [
    /^CARGO_(?:TARGET_DIR|BUILD_JOBS|PROFILE_\w+)$|^GO(?:MAXPROCS|GC|MEMLIMIT|TRACEBACK|EXPERIMENT|CACHE|DEBUG|WORK|ARM|AMD64)$/,
    /^[\w./,=-]*$/,
  ],
  [/^MAKEFLAGS$/, /^-?j ?\d+$/],
  [/^(?:JAVA|MAVEN|GRADLE)_OPTS$/, /^(?:-X\w+\s*)+$/],
];

/** Exceptions to the prefixes. */
const switches = /^(GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS|DOCKER_BUILDKIT|AWS_(DEFAULT_)?REGION|NPM_CONFIG_(FUND|AUDIT|LOGLEVEL))$/;

/** The harmless values of pager variables; any other value runs a program. */
export const harmlessPagers = ["cat", ""];

/** Variables by which programs or the shell find what to run. Even a plain assignment counts, because the name may be exported already. */
export function isHijacking(name: string): boolean {
  if (switches.test(name)) return false;
  return (
    /^(PATH|HOME|IFS|ENV|SHELL|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS[0-4]|CDPATH|FPATH|GLOBIGNORE|FIGNORE|HISTFILE|HISTCONTROL|INPUTRC|TMPDIR|TMP|TEMP|POSIXLY_CORRECT|EXECIGNORE|EMACS|TIMEFORMAT|BASH.*|LD_.*|DYLD_.*|GIT_.*|SSH_.*|GCONV_PATH|LOCPATH|NLSPATH|HOSTALIASES|RESOLV_HOST_CONF|RES_OPTIONS|MALLOC_.*|GLIBC_TUNABLES|TERMINFO.*|TERMCAP)$/.test(
      name,
    ) ||
    /^(NODE_(?!ENV$|NO_WARNINGS$).*|NPM_.*|npm_.*|YARN_.*|PNPM_.*|BUN_.*|DENO_.*|PYTHON(?!UNBUFFERED$|DONTWRITEBYTECODE$|HASHSEED$|IOENCODING$|UTF8$|WARNINGS$).*|PIP_.*|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|JAVA_.*|_JAVA_.*|JDK_.*|MAVEN_.*|GRADLE_.*|ANT_.*|GO(?!OS$|ARCH$|111MODULE$).*|CARGO_(?!TERM_COLOR$|INCREMENTAL$).*|RUSTC.*|RUSTFLAGS|RUSTDOC.*|RUSTUP_.*|CC|CXX|CPP|LD|AS|AR|MAKE.*|CMAKE_.*|CONFIG_.*|DOCKER_.*|KUBE.*|AWS_.*|TAR_OPTIONS|GZIP|ZIPOPT|UNZIP|RSYNC_.*|LESS.*|MORE|MAN.*|PAGER|EDITOR|VISUAL|BROWSER|DISPLAY|XDG_.*|DBUS_.*|TMUX.*|TOOL_.*|SUDO_.*|GNUPGHOME|OPENSSL_.*|SSL_.*|CURL_.*|WGETRC|.*_PROXY|.*_proxy|PHP.*|LUA_.*|TCL.*|R_.*|JULIA_.*|ERL_.*|ELIXIR_.*|AWKPATH|AWKLIBPATH|RIPGREP_CONFIG_PATH|FZF_.*|BAT_.*|EXINIT|VIM.*|MYVIMRC|.*_OPTIONS|.*_OPTS|.*FLAGS|.*_COMMAND|.*_CONFIG|.*_PRELOAD|.*_WRAPPER|.*ASKPASS.*|.*_EDITOR|.*_PAGER|.*_SHELL)$/.test(
      name,
    )
  );
}
