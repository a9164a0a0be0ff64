// What `tmux capture-pane -e` printed, as SVG: one <text> for each row, one <tspan> for each run of one colour.

const cell = { width: 8, height: 17, margin: 14 };
const ground = "#14171c";
const ink = "#d6dae0";
/** The sixteen colours of a terminal, as a dark theme has them. */
const palette =
  "#3b4048 #e06c75 #8fc379 #e5c07b #61afef #c678dd #56b6c2 #d6dae0 #7d8590 #ff8a93 #a8e08c #ffd892 #82c4ff #dd97f5 #74d3de #ffffff".split(
    " ",
  );

/** @param {string} captured @param {{ columns: number, rows: number }} size */
export function svgOf(captured, { columns, rows }) {
  const width = columns * cell.width + 2 * cell.margin;
  const height = rows * cell.height + 2 * cell.margin;
  let style = {};
  const lines = captured
    .split("\n")
    .slice(0, rows)
    .map((line, row) => {
      const read = runsOf(line, style);
      style = read.style;
      return textOf(read.runs, row);
    });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13">
<title>A team at work: the lead above, three teammates below it</title>
<rect width="100%" height="100%" rx="8" fill="${ground}"/>
${lines.filter(Boolean).join("\n")}
</svg>
`;
}

/** A line as runs of one style each; the style at its end continues in the next line. */
function runsOf(line, before) {
  const runs = [];
  let style = before;
  let column = 0;
  for (const [index, part] of line.split("\x1b[").entries()) {
    const end = index === 0 ? 0 : part.indexOf("m") + 1;
    if (index > 0) style = styled(style, part.slice(0, end - 1));
    const text = part.slice(end);
    const length = [...text].length;
    if (length > 0) runs.push({ column, length, text, style });
    column += length;
  }
  return { runs, style };
}

/** The style after one SGR sequence: those that the program uses. */
function styled(style, codes) {
  const numbers = (codes || "0").split(";").map(Number);
  if (numbers[0] === 38 && numbers[1] === 5) return { ...style, colour: indexed(numbers[2]) };
  const since = numbers.lastIndexOf(0) + 1; // what a reset clears is gone
  return Object.assign(since > 0 ? {} : { ...style }, ...numbers.slice(since).map(changeOf));
}

function changeOf(code) {
  if (code === 1) return { bold: true };
  if (code === 2) return { dim: true };
  if (code === 7) return { reverse: true };
  if (code === 22) return { bold: false, dim: false };
  if (code === 27) return { reverse: false };
  if (code === 39) return { colour: undefined };
  if (code >= 30 && code <= 37) return { colour: palette[code - 30] };
  return code >= 90 && code <= 97 ? { colour: palette[code - 82] } : {};
}

function indexed(index) {
  if (index < 16) return palette[index];
  if (index >= 232)
    return `rgb(${Array(3)
      .fill(8 + 10 * (index - 232))
      .join(",")})`;
  const level = (part) => (part === 0 ? 0 : 55 + 40 * part);
  const at = index - 16;
  return `rgb(${[Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map(level).join(",")})`;
}

function textOf(runs, row) {
  const y = cell.margin + (row + 0.78) * cell.height;
  const shown = runs.filter(({ text, style }) => text.trim() !== "" || style.reverse);
  const blocks = shown
    .filter(({ style }) => style.reverse)
    .map(
      ({ column, length, style }) =>
        `<rect x="${x(column)}" y="${cell.margin + row * cell.height}" width="${length * cell.width}" height="${cell.height}" fill="${style.colour ?? ink}"/>`,
    );
  const spans = shown.map(({ column, length, text, style }) => {
    const fill = style.reverse ? ground : style.colour;
    const looks = `${fill ? ` fill="${fill}"` : ""}${style.bold ? ' font-weight="bold"' : ""}${style.dim ? ' fill-opacity=".6"' : ""}`;
    return `<tspan x="${x(column)}" textLength="${length * cell.width}"${looks}>${escaped(text)}</tspan>`;
  });
  return spans.length === 0
    ? ""
    : `${blocks.join("")}<text y="${y.toFixed(1)}" fill="${ink}" xml:space="preserve">${spans.join("")}</text>`;
}

function x(column) {
  return cell.margin + column * cell.width;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
