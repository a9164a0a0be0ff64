// Effects of commands that the user must not overlook, and uses that lose work or need the network. One use a line, with an example that a
// test runs. Every matching line counts.

/** `deletes`, `overwrites history` and `sends` are shown next to the command; the others decide what runs unasked in the sandbox. */
export type Effect =
  | "deletes"
  | "overwrites history"
  | "sends"
  /** It fails without a network. */
  | "network"
  /** Work that git has not stored may be lost. */
  | "loses work"
  /** The named files may be lost, if git has not stored them. */
  | "loses its files"
  /** The whole working tree, or the index, changes: also for others who work in it. */
  | "moves the tree"
  /** git writes the settings of the repository. */
  | "sets git";

export type MarkRow = [
  /** Programs, optionally followed by subcommands: `npm,pnpm publish,unpublish`. */
  command: string,
  /**
   * The row applies if any of these matches; empty: always. `--long` and `-s` are options, `=word` is an operand that is that word or
   * begins with that character, `host:` an operand on another machine, `url` an address, `paths` more than one operand, or one that can
   * only be a path; `none` is no operand. A leading `!` excludes the use.
   */
  uses: string,
  effects: Effect[],
  example: string,
];

const senders =
  "ssh,slogin,mosh,scp,sftp,rclone,croc,wormhole,ssh-copy-id,nc,ncat,netcat,socat,telnet,ftp,tftp,lftp,websocat,mail,mailx,sendmail,mutt,msmtp,swaks";
const services = "gh,glab,hub,twine,vsce,ovsx,aws,gcloud,gsutil,az,kubectl,helm,terraform,tofu,pulumi,flyctl,fly,heroku,vercel,netlify";
const publishing = "publish,unpublish,deprecate,dist-tag,owner,access,login,adduser,token,push,yank";
const publishers = "npm,pnpm,yarn,bun,cargo,poetry,uv,hatch,pdm,flit,gem,docker,podman,nerdctl";
const managers = "pip,pip2,pip3,uv,poetry,pdm,pipenv,hatch,conda,mamba,cargo,go,gem,bundle,bundler,composer,dotnet";
const fetching = "install,download,wheel,index,search,add,sync,update,lock,create,pip,fetch,get,require,outdated,restore,publish";
const installing = "install,i,ci,add,update,up,upgrade,outdated,audit,view,info,search,create,dlx,install-test,it,link";

/** Nothing is lost by them that git does not have, and the tree stays. What has no row at all is unknown: an alias, or a program of that name. */
const keeping =
  `add,annotate,archive,blame,bundle,cat-file,check-attr,check-ignore,check-mailmap,check-ref-format,cherry,column,commit,commit-graph,
  commit-tree,config,count-objects,describe,diff,diff-files,diff-index,diff-tree,difftool,fast-export,fmt-merge-msg,for-each-ref,format-patch,fsck,
  get-tar-commit-id,grep,hash-object,help,hook,index-pack,init,interpret-trailers,log,ls-files,ls-tree,mailinfo,mailsplit,maintenance,merge-base,
  merge-tree,mktag,mktree,multi-pack-index,name-rev,notes,pack-objects,pack-refs,patch-id,range-diff,replace,rerere,rev-list,rev-parse,shortlog,show,
  show-branch,show-index,show-ref,stage,status,stripspace,unpack-file,unpack-objects,var,verify-commit,verify-pack,verify-tag,version,whatchanged,
  write-tree`.replaceAll(/\s/g, "");

export const markRows: MarkRow[] = [
  ["rm,unlink,shred,srm,wipe,truncate", "", ["deletes", "loses its files"], "rm -rf src"],
  ["rmdir", "", ["deletes"], "rmdir build"],
  ["find,gfind", "-delete", ["deletes", "loses work"], "find . -name '*.log' -delete"],
  ["rsync", "--delete --delete-after --delete-before --remove-source-files", ["deletes", "loses work"], "rsync -a --delete a/ b/"],
  ["dropdb,mkfs,wipefs", "", ["deletes", "loses work"], "dropdb app"],
  ["tar,gtar,bsdtar", "--remove-files", ["deletes", "loses work"], "tar --remove-files -cf a.tar src"],
  [`git ${keeping}`, "", [], "git log"],
  ["git rm", "!--cached", ["deletes"], "git rm src/a.ts"],
  ["git rm,mv", "-f --force", ["loses its files"], "git rm -f src/a.ts"],
  ["git merge-file", "!-p !--stdout", ["loses its files"], "git merge-file a.ts base.ts b.ts"],
  ["git clean", "!-n !--dry-run", ["deletes", "loses work", "moves the tree"], "git clean -fd"],
  ["git reset", "--hard --merge", ["deletes", "overwrites history", "loses work"], "git reset --hard HEAD~1"],
  ["git checkout,switch", "-f --force -p --patch --pathspec-from-file --discard-changes", ["deletes", "loses work"], "git switch -f main"],
  ["git checkout", "paths", ["deletes", "loses its files"], "git checkout HEAD~1 src"],
  ["git checkout", "", ["loses its files"], "git checkout main"],
  ["git restore", "!--staged !-S", ["deletes", "loses its files", "moves the tree"], "git restore --source=HEAD~1 src/a.ts"],
  ["git restore", "--worktree -W", ["deletes", "loses its files", "moves the tree"], "git restore --staged --worktree src/a.ts"],
  ["git restore", "-p --patch --pathspec-from-file", ["loses work"], "git restore --pathspec-from-file=list"],
  ["git stash", "!=list !=show !=create !=store !=drop !=clear", ["moves the tree"], "git stash apply"],
  ["git sparse-checkout", "!=list", ["moves the tree"], "git sparse-checkout set src"],
  ["git checkout,switch,reset,rebase,merge,pull,cherry-pick,revert,am,bisect,read-tree", "", ["moves the tree"], "git merge main"],
  ["git checkout-index,mergetool,lfs", "", ["moves the tree"], "git checkout-index a.ts"],
  ["git merge,rebase,cherry-pick,revert,am", "--abort --quit --skip", ["loses work"], "git merge --abort"],
  ["git apply", "-R --reverse", ["loses work"], "git apply -R a.patch"],
  ["git checkout-index,submodule,worktree", "-f --force", ["loses work"], "git submodule deinit -f lib"],
  ["git read-tree,update-index", "--reset -u --assume-unchanged --skip-worktree", ["loses work"], "git read-tree -u --reset HEAD"],
  ["git stash", "!=list !=show !=apply !=create", ["loses work"], "git stash"],
  ["git stash,worktree", "=drop =clear =remove", ["deletes"], "git stash drop"],
  ["git branch", "-D", ["deletes", "loses work"], "git branch -D feature"],
  ["git branch,update-ref", "-d --delete --stdin", ["deletes"], "git branch -d feature"],
  ["git branch,fetch,pull", "-f --force =+", ["overwrites history", "loses work"], "git branch -f main HEAD~3"],
  ["git branch,checkout,switch,worktree", "-B -C -M --force-create", ["overwrites history", "loses work"], "git switch -C feature"],
  ["git tag", "-d --delete -f --force", ["deletes", "loses work"], "git tag -d v1"],
  ["git update-ref,fast-import,filter-branch,filter-repo", "", ["overwrites history", "loses work", "moves the tree"], "git filter-branch"],
  ["git symbolic-ref", "paths -d --delete", ["loses work"], "git symbolic-ref HEAD refs/heads/new"],
  ["git gc,repack", "--prune --aggressive -a", ["loses work"], "git gc --prune=now"],
  ["git prune", "", ["deletes", "loses work"], "git prune"],
  ["git reflog", "=expire =delete =drop", ["overwrites history", "loses work"], "git reflog expire --expire=now --all"],
  ["git rebase", "", ["overwrites history"], "git rebase main"],
  ["git commit", "--amend", ["overwrites history"], "git commit --amend --no-edit"],
  ["git push", "", ["sends", "network"], "git push origin main"],
  ["git push", "-f --force --force-with-lease --force-if-includes --mirror =+", ["overwrites history"], "git push --force origin main"],
  ["git push", "-d --delete --prune --mirror =:", ["deletes"], "git push origin :old"],
  ["git fetch,pull,ls-remote,lfs,send-email", "", ["network"], "git pull"],
  ["git send-email,request-pull", "", ["sends"], "git send-email 0001.patch"],
  ["git remote", "=update =prune =show", ["network"], "git remote update"],
  ["git submodule", "=update =add", ["network"], "git submodule update --init"],
  ["git clone", "host: url", ["network"], "git clone https://example.com/a.git"],
  ["git config", "!--global !--system !-f !--file", ["sets git"], "git config core.editor vim"],
  ["git remote", "=add =rename =remove =rm =set-url =set-branches", ["sets git"], "git remote add fork ../fork.git"],
  ["git branch", "-u --set-upstream-to --unset-upstream -m -M -c -C --move --copy --edit-description", ["sets git"], "git branch -m new"],
  ["git branch,checkout,switch,worktree", "-t --track", ["sets git"], "git switch --track origin/main"],
  ["git push", "-u --set-upstream", ["sets git"], "git push -u origin main"],
  ["git submodule", "=init =add =sync =deinit --init", ["sets git"], "git submodule init"],
  ["svn,hg commit,ci,push", "", ["sends"], "hg push"],
  ["svn,hg revert,purge,strip,rollback", "", ["deletes", "loses work"], "hg revert --all"],
  ["svn,hg update,up,checkout,co,pull,push,commit,ci,clone", "", ["network"], "hg pull"],
  ["curl,wget,wget2,aria2c,axel,http,https,httpie,xh,lynx", "", ["network"], "curl https://example.com"],
  ["curl", "-d --data --data-ascii --data-binary --data-raw --data-urlencode --json", ["sends"], "curl -d @a.txt https://example.com"],
  ["curl", "-F --form --form-string -T --upload-file -X --request -Q --quote", ["sends"], "curl -T a.txt https://example.com"],
  ["wget,wget2", "--post-data --post-file --body-data --body-file --method", ["sends"], "wget --post-file notes.txt https://example.com"],
  ["http,https,httpie,xh", "=POST =PUT =PATCH =DELETE", ["sends"], "http POST https://example.com a=b"],
  [`${senders},${services}`, "", ["sends", "network"], "scp notes.txt host:"],
  ["rsync", "host: url", ["sends", "network"], "rsync -a src/ host:src/"],
  ["ping,ping6,dig,host,nslookup,whois,traceroute,tracepath,mtr", "", ["network"], "ping example.com"],
  [`${publishers} ${publishing}`, "", ["sends", "network"], "npm publish"],
  ["docker,podman,nerdctl pull,search", "", ["network"], "docker pull app"],
  [`npm,pnpm,yarn,bun ${installing}`, "", ["network"], "npm install left-pad"],
  ["yarn", "none", ["network"], "yarn"],
  [`${managers} ${fetching}`, "", ["network"], "pip install requests"],
  ["go mod", "=download =tidy", ["network"], "go mod tidy"],
  ["rustup", "!=show !=which !=toolchain", ["network"], "rustup update"],
  ["rustup toolchain", "!=list", ["network"], "rustup toolchain install nightly"],
  ["apt,apt-get,dnf,yum,apk,pacman,zypper,brew,pipx,uvx", "", ["network"], "apt-get update"],
];
