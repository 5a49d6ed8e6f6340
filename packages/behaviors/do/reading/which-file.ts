import type { AttachedFile } from '@mailroom/behavior/message';

type Named = Pick<AttachedFile, 'id' | 'filename'>;

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
/** Words before the name of a file that only say that it is one, with a space behind each. */
const CALLED =
  /(?:^|[\s(])(?:the|my|our|this|that|attached|csv|json|text|file|document|table|spreadsheet|attachment|called|named) ?$/i;
/** A name with an extension that is read; part of an address or a path it names no attachment. */
const FILE = /(?:^|[\s"'“‘`(])([\w.()-]{1,100}\.(?:csv|tsv|json|txt|md|markdown))(?=$|[\s"'”’`),;:?!]|\.(?:\s|$))/giu;
const QUOTES = '"\'“”‘’`';

interface Mention {
  readonly file: Named;
  readonly from: number;
  readonly to: number;
}

/** The first place where a text names the file as a word of its own. */
function mentionOf(text: string, file: Named): Mention | undefined {
  const [plain, name] = [text.toLowerCase(), file.filename.toLowerCase()];
  for (let from = plain.indexOf(name); from >= 0; from = plain.indexOf(name, from + 1)) {
    const to = from + name.length;
    if (/[\w/.@-]$/.test(plain.slice(Math.max(0, from - 1), from)) || /^(?:[\w/@-]|\.\w)/.test(plain.slice(to, to + 2)))
      continue;
    return { file, from, to };
  }
  return undefined;
}

/** The files that an instruction names, and names of files that are not attached. */
export function filesNamed<F extends Named>(
  text: string,
  files: readonly F[],
): { readonly named: readonly F[]; readonly missing: readonly string[] } {
  const named = files.filter((file) => mentionOf(text, file) !== undefined);
  // A name that is a part of another named one is not meant: "prices.csv" within "old prices.csv".
  const alone = named.filter(
    (file) =>
      !named.some((other) => other !== file && other.filename.toLowerCase().includes(file.filename.toLowerCase())),
  );
  const isNamed = (name: string): boolean =>
    files.some(({ filename }) => filename.toLowerCase().includes(name.toLowerCase()));
  const missing = [...text.slice(0, MAX_INSTRUCTIONS).matchAll(FILE)]
    .map(([, name = '']) => name)
    .filter((name) => !isNamed(name));
  return { named: alone, missing };
}

const MAX_INSTRUCTIONS = 4_000;

/** The instruction with "this csv" in place of the name of the file, so that it is read as one about a pasted text. */
export function withoutName(text: string, file: Named, kind: string): string {
  const mention = mentionOf(text, file);
  if (mention === undefined) return text;
  let { from, to } = mention;
  while (from > 0 && QUOTES.includes(text[from - 1] as string)) from--;
  while (to < text.length && QUOTES.includes(text[to] as string)) to++;
  for (let words = 0; words < 8; words++) {
    const before = CALLED.exec(text.slice(Math.max(0, from - 20), from));
    if (before === null) break;
    from -= before[0].replace(/^[\s(]/, '').length;
  }
  const [head, rest] = [text.slice(0, from), text.slice(to)];
  // In "orders.csv: sum the price" and "in orders.csv, sum the price" the name only says where.
  if (/^\s*(?:(?:in|for|from|with|on|of|using) )?$/i.test(head) && /^\s*[,:-]\s*\S/.test(rest))
    return rest.replace(/^\s*[,:-]\s*/, '');
  return `${head}this ${kind}${rest}`;
}

const stem = (name: string): string => (name.lastIndexOf('.') > 0 ? name.slice(0, name.lastIndexOf('.')) : name);

/** The file that an answer chooses: by its name, its place or its kind. `none`: the answer means a file that is not there. */
export function fileChosen<F extends Named>(answer: string, files: readonly F[]): F | 'none' | undefined {
  const text = answer
    .trim()
    .toLowerCase()
    .replace(/^(?:(?:use|take|in|from|it is|it's|i mean|i meant|please use) )?(?:the )?/, '')
    .replace(/[.!?]$/, '')
    .replace(/,? please$/, '')
    .replace(/^["“'`]|["”'`]$/g, '');
  const number = /^(?:(?:number|no\.?|file|option|#) ?)?(\d{1,3})[.)]?$/.exec(text)?.[1];
  const [, ordinal] = /^([a-z]+)(?: (?:one|file))?$/.exec(text) ?? [];
  if (number !== undefined) return files[Number(number) - 1] ?? 'none';
  if (ordinal === 'last') return files.at(-1);
  if (ordinal !== undefined && ORDINALS.includes(ordinal)) return files[ORDINALS.indexOf(ordinal)] ?? 'none';
  const name = text.replace(/^(?:file|attachment) /, '').replace(/ (?:one|file)$/, '');
  for (const is of [
    (one: string) => one === text,
    (one: string) => one === name,
    (one: string) => stem(one) === name,
    (one: string) => one.endsWith(`.${name}`),
  ]) {
    const found = files.filter(({ filename }) => is(filename.toLowerCase()));
    if (found.length === 1) return found[0];
    if (found.length > 1) return 'none';
  }
  return /^\S+\.[a-z]{2,8}$/.test(name) ? 'none' : undefined;
}
