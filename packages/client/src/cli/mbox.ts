import { createReadStream } from 'node:fs';
import { UsageError } from './command.ts';

/** A mail of a file or folder, or why it is none. */
export interface FoundMail {
  /** Where it is, for a person. */
  readonly place: string;
  /** When it came, in RFC 3339, as far as that is known beside its own date. */
  readonly received_at?: string | undefined;
  readonly mail: { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly problem: string };
}

/** Larger mails are taken by no service. */
export const MAX_MAIL = 256 * 1024 * 1024;
/** A longer line is read in parts. */
const MAX_LINE = 1024 * 1024;
const LF = 10;

/** The line before a mail (RFC 4155): its month, day, time, zone and year. */
const SEPARATOR =
  /^From .*\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +(\d{1,2}) +(\d{1,2}:\d{2}(?::\d{2})?)(?: +([+-]\d{4}|[A-Z]{1,5}))? +(\d{4})\b/;
/** A header field, or one that another program put before it. */
const FIELD = /^(?:[!-9;-~]{1,100}[ \t]*:|>From )/;
const QUOTED = /^>+From /;

/** A part of a file up to the end of a line. */
interface Line {
  readonly bytes: Buffer;
  /** It begins where a line begins. */
  readonly begins: boolean;
}

async function* linesOf(path: string): AsyncGenerator<Line> {
  let rest: Buffer = Buffer.alloc(0);
  let begins = true;
  const whole = (bytes: Buffer): Line => {
    const line = { bytes, begins };
    begins = bytes.at(-1) === LF;
    return line;
  };
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    const text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = text.indexOf(LF); end >= 0; end = text.indexOf(LF, from)) {
      yield whole(text.subarray(from, end + 1));
      from = end + 1;
    }
    rest = text.subarray(from);
    if (rest.length < MAX_LINE) continue;
    yield whole(rest);
    rest = Buffer.alloc(0);
  }
  if (rest.length > 0) yield whole(rest);
}

const isBlank = ({ bytes }: Line): boolean => bytes.length <= 2 && /^\r?\n$/.test(bytes.toString('latin1'));
const startOf = ({ bytes }: Line): string => bytes.toString('latin1', 0, 300);

/** A mail as its lines come. */
class Mail {
  readonly #place: string;
  readonly #separator: string;
  #parts: Buffer[] = [];
  #size = 0;
  #last: Line | undefined;

  constructor(number: number, line: number, separator: string) {
    this.#place = `mail ${number} (line ${line})`;
    this.#separator = separator;
  }

  add(line: Line): void {
    const isQuoted = line.begins && QUOTED.test(startOf(line));
    const bytes = isQuoted ? line.bytes.subarray(1) : line.bytes;
    this.#last = line;
    this.#size += bytes.length;
    // A copy, since the line is a part of a large buffer.
    if (this.#size <= MAX_MAIL) this.#parts.push(Buffer.from(bytes));
    else this.#parts = [];
  }

  get #endsBlank(): boolean {
    return this.#last?.begins === true && isBlank(this.#last);
  }

  /** Without the empty line that ends it. `others`: whether the file has others, which all end with one. */
  found(isLast: boolean, others: boolean): FoundMail {
    if (this.#size > MAX_MAIL) return this.#problem(`It has more than ${MAX_MAIL} bytes.`);
    const all = Buffer.concat(this.#parts);
    const end = this.#endsBlank ? (this.#last?.bytes.length ?? 0) : 0;
    const bytes = new Uint8Array(all.subarray(0, all.length - end));
    if (isLast && (all.at(-1) !== LF || (others && end === 0) || !isWhole(bytes)))
      return this.#problem(
        'The file ends within it. Import the whole file: mails that are there already are not added twice.',
      );
    return { place: this.#place, received_at: timeOf(this.#separator), mail: { bytes } };
  }

  #problem(problem: string): FoundMail {
    return { place: this.#place, mail: { problem } };
  }
}

/** The time of a separator, in RFC 3339. */
function timeOf(separator: string): string | undefined {
  const [, month, day, time, zone = 'UTC', year] = SEPARATOR.exec(separator) ?? [];
  const at = new Date(`${month} ${day} ${year} ${time} ${zone}`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** Whether the header ends, and where it names parts also the last of them. */
function isWhole(bytes: Uint8Array<ArrayBuffer>): boolean {
  const text = Buffer.from(bytes.buffer).toString('latin1');
  const end = /\r?\n\r?\n/.exec(text);
  if (end === null) return false;
  const head = text.slice(0, end.index).replace(/\r?\n[ \t]+/g, ' ');
  const [, quoted, plain] =
    /^content-type:[ \t]*multipart\/.*?;[ \t]*boundary=(?:"([^"]+)"|([^\s;]+))/im.exec(head) ?? [];
  const boundary = quoted ?? plain;
  return boundary === undefined || text.includes(`--${boundary}--`, end.index);
}

/** The mails of an mbox file, one at a time. UsageError for a file that is none. */
export async function* mailsOfMbox(path: string): AsyncGenerator<FoundMail> {
  let current: Mail | undefined;
  /** A line that may begin a mail, which the next line decides. */
  let separator: Line | undefined;
  let afterBlank = true;
  let [number, at] = [0, 0];
  for await (const line of linesOf(path)) {
    if (line.begins) at++;
    const from: Line | undefined = separator;
    separator = undefined;
    if (from !== undefined && FIELD.test(startOf(line))) {
      if (current !== undefined) yield current.found(false, true);
      current = new Mail(++number, at - 1, startOf(from));
    } else if (from !== undefined) current?.add(from);
    if (afterBlank && line.begins && SEPARATOR.test(startOf(line))) separator = line;
    else if (current !== undefined) current.add(line);
    else if (!isBlank(line))
      throw new UsageError(
        `${path} is no mbox file: it does not begin with a line such as "From ada@example.com Mon Mar  2 10:00:00 2026".`,
      );
    afterBlank = line.begins && isBlank(line);
  }
  if (current !== undefined) yield current.found(separator === undefined, number > 1);
  if (current !== undefined && separator !== undefined) yield new Mail(++number, at, '').found(true, true);
  if (current === undefined && (separator !== undefined || at === 0)) throw new UsageError(`${path} has no mails.`);
}
