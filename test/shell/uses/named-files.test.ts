import { describe, expect, it } from "vitest";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

/** Each use once: `r` or `w`, `*` with everything below, the path, and how sure that is. */
function filesOf(text: string): string[] {
  const uses = analyseCommand(text)
    .commands.flatMap(({ files }) => files)
    .map(({ access, recursive, path, mention, pattern }) =>
      [access === "read" ? "r" : "w", recursive && "*", ` ${path ?? "?"}`, mention && ` (${mention})`, pattern && " glob"]
        .filter(Boolean)
        .join(""),
    );
  return [...new Set(uses)];
}

describe("filesOf()", () => {
  it.each([
    ["cat a b", ["r a", "r b"]],
    ["head -n 5 a", ["r a"]],
    ["cat < a > b", ["r a", "w b"]],
    ["echo x >> log", ["w log"]],
    ["cp a b", ["r a", "w b", "w b/a"]],
    ["cp -t dir a b", ["w dir", "r a", "r b", "w dir/a", "w dir/b"]],
    ["cp -r src dst", ["r* src", "w dst", "w dst/src"]],
    ["mv a b", ["r a", "w* a", "w b", "w b/a"]],
    ["ln -s a b", ["w b", "w b/a", "r ./a", "w ./a (possible)", "r b/a", "w b/a (possible)"]],
    ["ln a b", ["r a", "w a (possible)", "w b", "w b/a"]],
    ["rm -rf a", ["w* a"]],
    ["touch -r ref a", ["r ref", "w a"]],
    ["tee a b", ["w a", "w b"]],
    ["sed -n 1p f", ["r f"]],
    ["sed -i.bak s/a/b/ f", ["w f.bak", "w f"]],
    ["sed -i'../y/*' s/a/b/ d/f", ["w d/../y/f", "w d/f"]],
    ["sed -e s/a/b/ f", ["r f"]],
    ["awk -f prog data", ["r prog", "r data"]],
    ["grep -r foo src", ["r* src"]],
    ["grep -e foo a b", ["r a", "r b"]],
    ["rg foo", ["r* ."]],
    ["rg -f pats", ["r pats", "r* ."]],
    ["rg -f pats foo dir", ["r pats", "r* foo", "r* dir"]],
    ["find src -name x", ["r* src", "r src/x (named)"]],
    ["sort -o out in", ["w out", "r in"]],
    ["uniq in out", ["r in", "w out"]],
    ["dd if=a of=b", ["r a", "w b"]],
    ["tar czf out.tgz src", ["w out.tgz", "r* src"]],
    ["tar xzf in.tgz -C dst", ["r in.tgz", "w dst"]],
    ["tar tf in.tgz", ["r in.tgz"]],
    ["tar -cvzf/out.tgz src", ["w /out.tgz", "r* src"]],
    ["tar cCf .. out.tgz src", ["r ..", "w out.tgz", "r* src"]],
    ["tar --dir ../x -xf in.tgz a", ["w ../x", "r in.tgz"]],
    ["tar -cf out --owner-map=/o -X /x @/old", ["w out", "r /o", "r /x", "r* @/old", "r* /old"]],
    ["rsync -a a/ b/", ["r* a/", "w* b/"]],
    ["rsync --link-dest=../old --copy-dest=/etc a b", ["r* a", "w* b", "r* b/../old", "r* /etc"]],
    ["rsync --partial-dir=../p a b", ["r* a", "w* b", "w* b/../p"]],
    ["rsync --filter='merge /m' -f'. /n' --exclude-from=/e a b", ["r* a", "w* b", "r /m", "r /n", "r /e"]],
    ["tree --infofile=/i", ["r /i", "r* ."]],
    ["echo ~/.s* /etc/* ../x/?a * src/*", ["r ~/", "r /etc/", "r ../x/"]],
    ["rsync a host:b", ["r* a"]],
    ["curl -o out https://x.example", ["w out"]],
    ["curl -d @body https://x.example", ["r body (named)"]],
    ["curl file:///etc/passwd", ["r /etc/passwd (named)"]],
    ["wget -O out https://x.example", ["w out"]],
    ["git config user.name", ["r .git/config"]],
    ["git config user.name x", ["w .git/config"]],
    ["git config --global a.b c", ["w ~/.gitconfig"]],
    ["git config -f other x.y z", ["w other"]],
    ["go build -o bin/x .", ["w bin/x", "r bin/x (named)", "w bin/x (possible)", "r . (named)", "w . (possible)"]],
    ["gcc -o prog main.c", ["w prog", "r prog (possible)", "w prog (possible)", "r main.c (named)", "w main.c (possible)"]],
    ["cd sub && cat a", ["r sub", "r sub/a"]],
    ["cd .. && cat a", ["r ..", "r ../a"]],
    ["cat ~/a", ["r ~/a"]],
    ['cat "$HOME/a"', ["r ~/a"]],
    ["cat $x", ["r ?"]],
    ["cat *.ts", ["r *.ts glob"]],
    ["cat src/{a,b}.ts", ["r src/a.ts", "r src/b.ts"]],
    ["(cd sub; touch a); cat b", ["r sub", "w a", "w sub/a", "r b"]],
    ["ls | xargs cat", ["r cat (possible)", "r* ."]],
    ["find . -name '*.ts' | xargs rm", ["r* .", "r rm (possible)", "w* ."]],
    ["while read f; do cat $f; done < list", ["r list", "r ?"]],
    ["diff <(cat a) b", ["r b", "r a"]],
    ["chmod +x a", ["w a"]],
    ["zip out.zip a b", ["w out.zip", "r a", "r b"]],
    ["unzip in.zip -d dst", ["w dst", "r in.zip"]],
    ["patch -p1 < fix.diff", ["r fix.diff"]],
    ["install -d a", ["w a"]],
    ["cat .ssh/x", ["r .ssh/x"]],
    ["cat .ssh", ["r .ssh", "r .ssh/id_rsa (named)"]],
    ["python3 tool.py data.csv", ["r tool.py (named)", "w tool.py (possible)", "r data.csv (named)", "w data.csv (possible)"]],
    ["node a.js", ["r a.js (named)", "w a.js (possible)"]],
    ["xargs -a list cat", ["r list (possible)", "r cat (possible)", "r ?"]],
    ["source env.sh", ["r env.sh"]],
    ["jq .a f", ["r f"]],
    ["tree -o out src", ["w out", "r* src"]],
    ["diff -r a b", ["r* a", "r* b"]],
    ["cat -- -x", ["r -x"]],
    ["mkdir -p a/b", ["w a/b"]],
    ["split big part", ["r big", "w part"]],
  ])("finds of %j %j", (text, files) => {
    expect(filesOf(text)).toEqual(files);
  });
});
