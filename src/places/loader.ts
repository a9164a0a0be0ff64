// The first step at a place: all that is on the command line. It prints a marker with the version of Node, then runs the program that
// comes over its standard input, whose length is the first line. It waits for a minute: an engine whose command was killed may leave it its input.

/**
 * For `node -e`, followed by a word. Old versions of Node must understand it, and every shell must leave it alone between single quotes: it
 * has no quote of that kind, no backslash, no line break and no exclamation mark. The marker is the word turned round, because a shell that
 * prints what it runs prints the word itself.
 */
export const loader = [
  'var p=process,w=setTimeout,t=w(function(){p.exit(0)},6e4),i=p.stdin,n=String.fromCharCode(10),c=[],b,f=function(d){c.push(d);b=Buffer.concat(c);var s=b.toString("latin1"),k=s.indexOf(n);',
  "if(k<0)return;var z=k+1+Number(s.slice(0,k));if(b.length<z)return;clearTimeout(t);",
  'i.removeListener("data",f);i.removeListener("end",e);i.pause();',
  'new Function("require","process","rest",b.slice(k+1,z).toString())(require,p,b.slice(z))},e=function(){p.exit(0)};',
  'i.on("data",f);i.on("end",e);',
  'p.stdout.write(n+p.argv[1].split("").reverse().join("")+" "+JSON.stringify({node:p.versions.node,terminal:Boolean(i.isTTY||p.stdout.isTTY)})+n)',
].join("");

/** The bytes that make the loader run this source. */
export function asFirstInput(source: string): Buffer {
  const bytes = Buffer.from(source);
  return Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes]);
}

export const markerOf = (word: string) => `\n${word.split("").toReversed().join("")} `;
