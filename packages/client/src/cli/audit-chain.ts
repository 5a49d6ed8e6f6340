import { createHash } from 'node:crypto';

/** What is wrong with a line of an export. */
export interface AuditFault {
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** What an export of an audit log proves. */
export interface AuditReport {
  readonly namespace: string | null;
  readonly entries: number;
  /** When the first entry was written; null where there is none. */
  readonly since: string | null;
  /** Whether it begins with the first entry that the namespace ever had. */
  readonly complete: boolean;
  /** The hash of the last entry, to compare with that of another export. */
  readonly head: string | null;
  readonly faults: readonly AuditFault[];
}

type Fields = { readonly [name: string]: unknown };

const GENESIS = '0'.repeat(64);
/** Faults that are reported; a file with more is not an export. */
const MAX_FAULTS = 100;

/** JSON with sorted names and no spaces (RFC 8785). */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const fields = value as Fields;
  const names = Object.keys(fields).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(fields[name])}`).join(',')}}`;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const PEOPLE: ReadonlySet<unknown> = new Set(['member', 'account', 'invitation']);
const HASHED = /^\(text [0-9a-f]{12}\)$/;

/** An actor or target as it was hashed: the address of a person by its own hash, which stays when the account is gone. */
function chained(named: unknown): unknown {
  const { kind, name } = (named ?? {}) as Fields;
  if (!PEOPLE.has(kind) || typeof name !== 'string' || HASHED.test(name)) return named;
  return { ...(named as Fields), name: `(text ${sha256(name).slice(0, 12)})` };
}

const hashOf = (line: Fields): string => {
  const fields = Object.entries(line).filter(([name]) => name !== 'type' && name !== 'hash');
  const entry = fields.map(([name, value]) => [name, name === 'actor' || name === 'target' ? chained(value) : value]);
  return sha256(canonical(Object.fromEntries(entry)));
};

function parsed(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** An entry that does not follow the line before it. */
interface Gap {
  readonly line: number;
  readonly previous: unknown;
}

/** Checks the lines of an export: that each entry is as it was written, and follows the one before it. */
export async function verifyAudit(lines: AsyncIterable<string> | Iterable<string>): Promise<AuditReport> {
  const faults: AuditFault[] = [];
  const gaps: Gap[] = [];
  /** The lines of entries by their hashes. */
  const places = new Map<string, number>();
  const fault = (line: number, message: string): void => void faults.push({ line, message });
  let line = 0;
  let start: Fields | undefined;
  let end: Fields | undefined;
  let entries = 0;
  let since: string | null = null;
  let last: unknown;

  const entry = (fields: Fields): void => {
    entries++;
    since ??= String(fields.at);
    const { hash, previous_hash: previous } = fields;
    if (hash !== hashOf(fields)) fault(line, `The entry ${fields.id} was changed: its hash is not that of its fields.`);
    if (previous !== last) gaps.push({ line, previous });
    const earlier = places.get(String(hash));
    if (earlier !== undefined) fault(line, `The entry ${fields.id} is there twice: on line ${earlier} too.`);
    else places.set(String(hash), line);
    last = hash;
  };

  for await (const text of lines) {
    line++;
    const fields = parsed(text);
    if (fields === undefined) fault(line, 'The line is no JSON object: it is cut, or damaged.');
    else if (end !== undefined) fault(line, 'Something follows the last line of the export.');
    else if (line === 1) {
      start = fields;
      last = fields.previous_hash;
      if (fields.type !== 'audit') fault(1, 'The export does not begin with a line of the type "audit".');
    } else if (fields.type === 'entry') entry(fields);
    else if (fields.type === 'end') end = fields;
    else fault(line, `There is no line of the type ${JSON.stringify(fields.type)} in an export.`);
    if (faults.length + gaps.length >= MAX_FAULTS) break;
  }

  for (const gap of gaps) fault(gap.line, gapText(gap, places));
  if (faults.length < MAX_FAULTS) {
    if (end === undefined) fault(line + 1, 'The export is cut: its last line, of the type "end", is missing.');
    else if (end.entries !== entries) fault(line, `The export had ${end.entries} entries, and ${entries} are left.`);
    else if (end.head !== last) fault(line, 'The last entry is another one than the export ended with.');
  }
  return {
    namespace: typeof start?.namespace === 'string' ? start.namespace : null,
    entries,
    since,
    complete: start?.previous_hash === GENESIS,
    head: typeof last === 'string' ? last : null,
    faults: faults.sort((a, b) => a.line - b.line),
  };
}

/** Why an entry does not follow the line before it. */
function gapText({ line, previous }: Gap, places: ReadonlyMap<string, number>): string {
  const place = places.get(String(previous));
  if (place !== undefined) return `The entry was moved: it follows the one on line ${place}, not the line before it.`;
  return line === 2
    ? 'Entries are missing before the first one, or it was changed.'
    : 'An entry is missing before this one, or the line before it was changed and hashed again.';
}
