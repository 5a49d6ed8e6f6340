/** What is found in a message that leaves, in the order of the contract; `first_contact` is found by the service, which knows the addresses. */
export type OutgoingKind = 'secret' | 'card' | 'iban' | 'many_recipients';
/** What is found in a message that comes in; `spam` is the verdict of a filter. */
export type IncomingKind =
  | 'hidden_text'
  | 'reply_to_differs'
  | 'lookalike_sender'
  | 'instructions'
  | 'dangerous_attachment';

/** Evidence on a message, which changes nothing of it. */
export interface Finding<Kind extends string = OutgoingKind | IncomingKind> {
  readonly kind: Kind;
  /**
   * The field, with the span in it where there is one: `FIELD` or `FIELD:START+LENGTH`, both in UTF-16 code units.
   * FIELD is `subject`, `body`, `html`, `data`, `hidden`, `from`, `reply_to/N`, `recipients`, `attachments/N` (its text)
   * or `attachments/N/filename`, counted from 0. `parseWhere` reads it.
   */
  readonly where: string;
  /** One sentence for people, without what was found where that is a secret. */
  readonly why: string;
}

/** A part of a text, in UTF-16 code units. */
export interface Span {
  readonly start: number;
  readonly length: number;
}

/** A part of a text, with the sentence that says what it is. */
export interface Match extends Span {
  readonly why: string;
}

/** Findings of one kind on one message; more would tell a reader nothing new. */
export const MAX_FINDINGS = 50;

const WHERE =
  /^(subject|body|html|data|hidden|from|recipients|reply_to\/\d{1,4}|attachments\/\d{1,4}(?:\/filename)?)(?::(\d{1,9})\+(\d{1,9}))?$/;

/** The field of a finding and its span; undefined for a text that is no `where`. */
export function parseWhere(where: string): { readonly field: string; readonly span: Span | undefined } | undefined {
  const [, field, start, length] = WHERE.exec(where) ?? [];
  if (field === undefined) return undefined;
  return { field, span: start === undefined ? undefined : { start: Number(start), length: Number(length) } };
}

/** What was found in a field, in the order of the text, without those that overlap an earlier one. */
export function findingsAt<Kind extends string>(kind: Kind, field: string, matches: readonly Match[]): Finding<Kind>[] {
  return distinct(matches).map(({ start, length, why }) => ({ kind, where: `${field}:${start}+${length}`, why }));
}

/** Without those that overlap an earlier and longer one. */
export function distinct(matches: readonly Match[]): Match[] {
  const found: Match[] = [];
  let end = -1;
  for (const match of matches.toSorted((a, b) => a.start - b.start || b.length - a.length)) {
    if (match.start < end) continue;
    found.push(match);
    end = match.start + match.length;
  }
  return found;
}
