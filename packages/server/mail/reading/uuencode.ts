/** A file within a text. */
interface EncodedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const BEGIN = /^begin(?:-base64)? [0-7]{3,4} (\S.{0,254})$/;
const LINE = /^[ -`]{1,62}$/;
const six = (line: string, at: number): number => ((line.charCodeAt(at) || 32) - 32) & 63;

/** The bytes of a line, whose first character says how many they are; undefined for another line. */
function lineBytes(line: string): Buffer | undefined {
  const length = six(line, 0);
  // Blanks at its end may have been cut off on the way.
  if (!LINE.test(line) || line.length > 1 + 4 * Math.ceil(length / 3) + 1) return undefined;
  const bytes: number[] = [];
  for (let at = 1; bytes.length < length; at += 4) {
    const [a, b, c, d] = [six(line, at), six(line, at + 1), six(line, at + 2), six(line, at + 3)];
    bytes.push((a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2), ((c & 3) << 6) | d);
  }
  return Buffer.from(bytes.slice(0, length));
}

/** As `fileAt`, of one in base64. */
function base64At(lines: readonly string[], start: number): ReturnType<typeof fileAt> {
  let end = start + 1;
  while (/^[A-Za-z0-9+/]{1,100}={0,2}$/.test(lines[end] ?? '')) end += 1;
  if (lines[end] !== '====') return undefined;
  return { bytes: Buffer.from(lines.slice(start + 1, end).join(''), 'base64'), end };
}

/** The file that begins at a line, and the line where it ends; undefined for none that is whole. */
function fileAt(lines: readonly string[], start: number): { readonly bytes: Buffer; readonly end: number } | undefined {
  const all: Buffer[] = [];
  if (lines[start]?.startsWith('begin-')) return base64At(lines, start);
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = lines[at] as string;
    if (line === 'end' && at > start + 1) return { bytes: Buffer.concat(all), end: at };
    const bytes = lineBytes(line === '' ? ' ' : line);
    if (bytes === undefined) return undefined;
    all.push(bytes);
  }
  return undefined;
}

/** A text without the files that old programs put into it by uuencode (POSIX.1-2017, uuencode), and these. */
export function withoutEncoded(text: string): { readonly text: string; readonly files: readonly EncodedFile[] } {
  if (!/^begin[ -]/m.test(text)) return { text, files: [] };
  const lines = text.split('\n');
  const kept: string[] = [];
  const files: EncodedFile[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as string;
    const [, name] = BEGIN.exec(line) ?? [];
    const file = name === undefined ? undefined : fileAt(lines, index);
    if (name === undefined || file === undefined) kept.push(line);
    else {
      files.push({ name, bytes: new Uint8Array(file.bytes) });
      index = file.end;
    }
  }
  return { text: kept.join('\n'), files };
}
