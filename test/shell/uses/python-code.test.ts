// Python code that only looks, with the files that it reads, and code that may do more.
import { describe, expect, it } from "vitest";
import { readByPython } from "../../../src/shell/uses/python-code.ts";

describe("readByPython()", () => {
  it.each<[string, string[]]>([
    ["import json; d=json.load(open('package.json')); print(d['name'])", ["package.json"]],
    ["import json,sys; print([x['id'] for x in json.load(sys.stdin)['items']])", []],
    ["import tomllib\nwith open('a.toml', 'rb') as f:\n    print(tomllib.load(f)['project']['name'])", ["a.toml"]],
    [
      "import ast\ntree = ast.parse(open('app/a.py').read())\nprint([n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)])",
      ["app/a.py"],
    ],
    ["from pathlib import Path\np = 'a.md'\ntext = Path(p).read_text()\nprint(f'{len(text)} {text.count(\"x\"):>4}')", ["a.md"]],
    ["import csv; print(sum(1 for _ in csv.reader(open('a.csv', encoding='utf-8'))))", ["a.csv"]],
    ["import importlib.metadata as m; print(m.version('pydantic'))", []],
    ["from decimal import Decimal, ROUND_HALF_UP\nprint(Decimal('2.6').quantize(Decimal('0.1'), ROUND_HALF_UP))", []],
    ["import app; print(app.__file__)", []],
    ["import sys\n# the version\nprint(sys.version_info, sys.executable)", []],
    ["for line in open('a.log'):\n    if 'x' in line: print(line.strip().split(',')[0])", ["a.log"]],
  ])("%j reads %j", (code, files) => {
    expect(readByPython(code)).toEqual(files);
  });

  it.each([
    "",
    "print(open('a', 'w'))",
    "print(open('a', mode='w'))",
    "print(open(input()))",
    "p = 'a'; p = p + '/../../x'; print(open(p).read())",
    "p = 'a' + '../x'; print(open(p).read())",
    "for p in ['/etc/passwd']: print(open(p).read())",
    "p = 'a'\nfor p in x: pass\nprint(open(p).read())",
    "o = open; print(o('a', 'w'))",
    "print(list(map(open, ['a'])))",
    "import io; print(io.open('a', 'w'))",
    "import json; print(json.codecs.open('a', 'w'))",
    "import os; print(os.environ)",
    "import os as json; print(json.load(open('a')))",
    "from os import system as print; print('id')",
    "import subprocess; print(subprocess.run('id'))",
    "import sys; print(sys.modules['os'].system('id'))",
    "print(__import__('os').system('id'))",
    "print(getattr(1, 'x'))",
    "print(eval('1'))",
    "exec('x'); print(1)",
    "import a; print(a.main())",
    "import a; print(a.__file__, a.b)",
    "from a import load; print(load())",
    "from json import *; print(1)",
    "import json, antigravity; print(antigravity.__file__)",
    "from pathlib import Path; print(Path('a').replace('../b'))",
    "from pathlib import Path; print((Path('a') / '../../x').read_text())",
    "from pathlib import Path; print(Path('a').unlink())",
    "from pathlib import Path; print(Path('a').write_text('x'))",
    "from pathlib import Path; print(Path.home())",
    "from pathlib import Path as P; print(P('/etc/passwd').read_text())",
    "from pathlib import PosixPath; print(PosixPath('/etc/passwd').read_text())",
    "import pathlib; print(pathlib.PosixPath('/etc/passwd').read_text())",
    "from pathlib import Path; print(Path(f'{1}').read_text())",
    "print(().__class__.__base__.__subclasses__())",
    'print(f\'{__import__("os").system("id")}\')',
    'print(f\'{open("a", "w")}\')',
    "print(f'{ {1: 2}[1] }')",
    "class A: pass\nprint(1)",
    "def print(x): import os\nprint(1)",
    "@open\nprint('a')",
    "(len := open); print(len)",
    "print = open; print('a', 'w')",
    "print(1, file=open('a', 'w'))",
    "import sys; sys.path.insert(0, '/tmp'); print(1)",
    "import sys; sys.stdin.buffer.raw.__init__('a'); print(1)",
    "print('unterminated",
    "print(\"a' + open('x', 'w') + '\")'",
  ])("%j may do more than read", (code) => {
    expect(readByPython(code)).toBeUndefined();
  });
});
