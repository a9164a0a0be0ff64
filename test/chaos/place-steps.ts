// The calls that are counted: each appends a line of its own to a file, and says so.

export const stepProgram = `import { appendFileSync } from "node:fs";
const [, , id, step] = process.argv;
appendFileSync(\`steps-\${id}.txt\`, \`\${id}-\${step}\\n\`);
setTimeout(() => console.log(\`did \${id}-\${step}\`), 300);
`;

/** Those whose results are in a text. */
export const stepsDone = (text: string): string[] => [...text.matchAll(/did ([a-z]+-?\d+-\d+)/g)].map(([, step]) => step!);

/** What is wrong with the lines of one file. `seen`: the steps whose results the model has got; `deaths`: so many turns may be lost. */
export function judgeSteps(name: string, { lines, seen, deaths }: { lines: string[]; seen: string[]; deaths: number }) {
  const doubled = lines.length - new Set(lines).size;
  const missing = seen.filter((step) => !lines.includes(step));
  const violations = [
    ...(doubled > 0 ? [`${name} has done a call twice: ${lines.join(" ")}`] : []),
    ...(missing.length > deaths ? [`${name} lacks ${missing.join(" ")} after ${deaths} deaths`] : []),
  ];
  return { steps: seen.length, doubled, lost: missing.length, violations };
}
