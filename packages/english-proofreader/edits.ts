/** Kinds of mistakes. `docs` and the OpenAPI document show this list, so values are only added. */
export const KINDS = [
  'spelling',
  'capitalization',
  'punctuation',
  'spacing',
  'agreement',
  'verb_form',
  'article',
  'plural',
  'preposition',
  'pronoun',
  'confused_word',
  'word_choice',
  'repetition',
  'negation',
  'grammar',
] as const;
export type Kind = (typeof KINDS)[number];

/** A correction in a reply. Offsets and lengths are UTF-16 code units of the original text. */
export interface Edit {
  readonly offset: number;
  readonly length: number;
  readonly original: string;
  readonly replacement: string;
  readonly kind: Kind;
  /** One plain statement or several. */
  readonly explanation: string;
  /** Possible replacements, best first; the first is `replacement`. */
  readonly suggestions: readonly string[];
  /** The id of the rule that found it; of edits that became one, of the first. */
  readonly rule: string;
}

/** What may be a mistake: shown, and never corrected. Offsets and lengths are UTF-16 code units of the original text. */
export interface Doubt {
  readonly offset: number;
  readonly length: number;
  readonly original: string;
  /** What may be meant, best first; at least one. */
  readonly suggestions: readonly string[];
  readonly explanation: string;
  /** The id of the rule that found it. */
  readonly rule: string;
}

/** A correction proposed by a rule: replace `[start, end)`. */
export interface Proposal {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly kind: Kind;
  readonly explanation: string;
  readonly suggestions?: readonly string[];
  /** The id of the rule. */
  readonly rule: string;
  /** It is shown to the writer rather than corrected. */
  readonly doubt?: boolean;
}

/** Applies sorted, non-overlapping edits. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let offset = 0;
  for (const edit of edits) {
    parts.push(text.slice(offset, edit.offset), edit.replacement);
    offset = edit.offset + edit.length;
  }
  parts.push(text.slice(offset));
  return parts.join('');
}

/** Rejects corrections that join, add or move lines, because line breaks and tabs belong to the writer. */
const keepsLines = (original: string, replacement: string): boolean =>
  !/[\n\r\t]/.test(original + replacement) || lineSigns(original) === lineSigns(replacement);
const lineSigns = (text: string): string => text.replace(/[^\n\r\t]+/g, '');

/**
 * The proposals as edits in text order. Leaves out those that change nothing, change line breaks or tabs, or overlap an
 * earlier proposal.
 */
export function settle(text: string, proposals: readonly Proposal[]): Edit[] {
  const edits: Edit[] = [];
  for (const { start, end, replacement, kind, explanation, suggestions, rule, doubt } of proposals) {
    const original = text.slice(start, end);
    if (doubt || original === replacement || !keepsLines(original, replacement)) continue;
    const index = edits.findIndex((edit) => edit.offset + edit.length >= start);
    const next = index < 0 ? undefined : edits[index];
    if (next !== undefined && collides(next, start, end)) continue;
    const after = index < 0 ? undefined : edits[index + 1];
    if (
      next !== undefined &&
      next.offset + next.length === start &&
      after !== undefined &&
      collides(after, start, end)
    ) {
      continue;
    }
    const place = index < 0 ? edits.length : next !== undefined && next.offset < start ? index + 1 : index;
    edits.splice(place, 0, {
      offset: start,
      length: end - start,
      original,
      replacement,
      kind,
      explanation,
      suggestions: suggestions ?? [replacement],
      rule,
    });
  }
  return edits;
}

/** The doubts among proposals about `applyEdits(text, edits)`, with their places in `text`; none touches an edit. */
export function doubtsOf(text: string, edits: readonly Edit[], proposals: readonly Proposal[]): Doubt[] {
  const doubts: Doubt[] = [];
  for (const { start, end, replacement, explanation, suggestions, rule, doubt } of proposals) {
    const offset = doubt === true ? originalPlace(edits, start, end) : undefined;
    if (offset === undefined) continue;
    const original = text.slice(offset, offset + end - start);
    if (original === replacement || !keepsLines(original, replacement)) continue;
    doubts.push({
      offset,
      length: end - start,
      original,
      suggestions: suggestions ?? [replacement],
      explanation,
      rule,
    });
  }
  return doubts;
}

/** Where a range of the corrected text stands in the original one; undefined where an edit touches it. */
function originalPlace(edits: readonly Edit[], start: number, end: number): number | undefined {
  let shift = 0;
  for (const { offset, length, replacement } of edits) {
    const at = offset + shift;
    if (at > end) break;
    if (at + replacement.length >= start) return undefined;
    shift += replacement.length - length;
  }
  return start - shift;
}

/** Whether two edits overlap; where one only inserts, touching counts too, because the order would be unclear. */
function collides(edit: Edit, start: number, end: number): boolean {
  const editEnd = edit.offset + edit.length;
  if (edit.length === 0 || start === end) return edit.offset <= end && start <= editEnd;
  return edit.offset < end && start < editEnd;
}

/** One list of edits with the effect of `first` on `text` and then `second` on its result. Edits that meet become one. */
export function compose(text: string, first: readonly Edit[], second: readonly Edit[]): Edit[] {
  if (first.length === 0) return [...second];
  if (second.length === 0) return [...first];
  const middle = applyEdits(text, first);
  const edits: Edit[] = [];
  let shift = 0; // middle position minus text position, behind the edits of `first` taken so far
  let i = 0;
  let j = 0;
  while (i < first.length || j < second.length) {
    // A group of edits of both lists that meet, as a range of the intermediate text.
    let a = first[i];
    let b = second[j];
    const aStart = a === undefined ? Infinity : a.offset + shift;
    const bStart = b === undefined ? Infinity : b.offset;
    const start = Math.min(aStart, bStart);
    const textStart = start - shift;
    let end = start;
    const members: Edit[] = [];
    const parts: string[] = [];
    let copied = start;
    for (;;) {
      a = first[i];
      b = second[j];
      if (
        a !== undefined &&
        (members.length === 0
          ? aStart <= bStart
          : parts.length > 0 && meets(a.offset + shift, a.replacement.length, start, end))
      ) {
        end = Math.max(end, a.offset + shift + a.replacement.length);
        shift += a.replacement.length - a.length;
        members.push(a);
        i += 1;
      } else if (b !== undefined && (members.length === 0 || meets(b.offset, b.length, start, end))) {
        end = Math.max(end, b.offset + b.length);
        parts.push(middle.slice(copied, b.offset), b.replacement);
        copied = b.offset + b.length;
        members.push(b);
        j += 1;
      } else break;
    }
    parts.push(middle.slice(copied, end));
    const edit = merge(members, text, textStart, end - shift, parts.join(''));
    if (edit.original !== edit.replacement) edits.push(edit);
  }
  return edits;
}

/** Whether an edit touches the group so far; neighbors that both replace something stay separate. */
function meets(start: number, length: number, groupStart: number, groupEnd: number): boolean {
  if (length === 0 || groupStart === groupEnd) return start <= groupEnd;
  return start < groupEnd;
}

function merge(members: readonly Edit[], text: string, start: number, end: number, replacement: string): Edit {
  const only = members[0] as Edit;
  const original = text.slice(start, end);
  const base = { offset: start, length: end - start, original, replacement };
  if (members.length === 1) return { ...only, ...base };
  // Text that a later edit replaced again needs no explanation.
  const standing = members.filter((member) => replacement.includes(member.replacement.trim()));
  const explained = standing.length > 0 ? standing : members;
  const explanation = [...new Set(explained.map((member) => member.explanation))].join(' ');
  return { ...base, kind: only.kind, explanation, suggestions: [replacement], rule: only.rule };
}

/** Edits with the least text: what only deletes has an empty replacement, and an inserted word stands before the next one. */
export function leastText(text: string, edits: readonly Edit[]): Edit[] {
  return edits.map((edit, index) => {
    const { offset, original, replacement, suggestions } = edit;
    if (suggestions.length > 1 || edit.kind === 'repetition') return edit;
    const place = (from: number, to: number, put: string): Edit => ({
      ...edit,
      offset: from,
      length: to - from,
      original: text.slice(from, to),
      replacement: put,
      suggestions: [put],
    });
    const end = offset + original.length;
    // "to finish" → "finish"
    if (replacement !== '' && original.endsWith(` ${replacement}`)) return place(offset, end - replacement.length, '');
    if (!replacement.startsWith(`${original} `) || original === '') return edit;
    // "arrived" → "arrived at"
    const next = /^ ([A-Za-z]+)(?![-'’\w])/.exec(text.slice(end, end + 60))?.[1];
    const after = edits[index + 1];
    if (next === undefined || (after !== undefined && after.offset <= end + 1 + next.length)) return edit;
    return place(end + 1, end + 1 + next.length, `${replacement.slice(original.length + 1)} ${next}`);
  });
}
