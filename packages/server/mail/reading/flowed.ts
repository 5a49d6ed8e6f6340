/** A line of `format=flowed` without its quote marks and stuffing. */
interface Line {
  readonly depth: number;
  readonly text: string;
}

function lineOf(line: string): Line {
  let depth = 0;
  while (line[depth] === '>') depth++;
  return { depth, text: line.slice(line[depth] === ' ' ? depth + 1 : depth) };
}

/**
 * Joins the lines of paragraphs (RFC 3676, section 4). A line of another quote depth never continues a paragraph
 * (section 4.5), so an answer below a quoted line stays a line of its own.
 */
export function unfoldFlowed(text: string, deleteSpace: boolean): string {
  const lines: string[] = [];
  let pieces: string[] = [];
  let depth = 0;
  const flush = (): void => {
    if (pieces.length === 0) return;
    const paragraph = pieces.join('');
    lines.push(depth === 0 ? paragraph : `${'>'.repeat(depth)} ${paragraph}`);
    pieces = [];
  };
  for (const line of text.split(/\r?\n/).map(lineOf)) {
    if (line.depth !== depth || line.text === '-- ') flush();
    depth = line.depth;
    const flows = line.text.endsWith(' ') && line.text !== '-- ';
    pieces.push(flows && deleteSpace ? line.text.slice(0, -1) : line.text);
    if (!flows) flush();
  }
  flush();
  return lines.join('\n');
}
