import { parseWhere } from '@mailroom/findings/finding';
import { diffArrays } from 'diff';
import type { Finding } from '../../../core/entities/finding.ts';
import { type Html, html } from '../../../http/html.ts';

/** Comparing two texts takes at most this long; then one stands whole for the other. */
const DIFF_MS = 200;

/** Findings that say something about the recipients, not of a text that should not leave. */
const MILD: ReadonlySet<string> = new Set(['first_contact', 'many_recipients']);
const hueOf = ({ kind }: Finding): string => (MILD.has(kind) ? ' w' : '');

/** The number of a finding, in a text or in the list of reasons. */
export const findingNumber = (finding: Finding, at: number): Html =>
  html`<span class="no${hueOf(finding)}">${at + 1}</span>`;

/** “Hidden text”, of the kind `hidden_text`. */
export const kindWords = ({ kind }: Finding): string =>
  kind === 'iban' ? 'IBAN' : `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll('_', ' ')}`;

/** What is marked in a message. */
export interface Marks {
  readonly findings: readonly Finding[];
  /** Keeps ids unique on a page with several messages. */
  readonly key: string;
}

/** A field of a message with what was found in it marked; each mark leads to its reason. No letter of it is changed. */
export function markedField(text: string, field: string, { findings, key }: Marks): Html {
  const spans = findings
    .flatMap((finding, at) => {
      const place = parseWhere(finding.where);
      return place?.field === field && place.span !== undefined ? [{ finding, at, ...place.span }] : [];
    })
    .sort((a, b) => a.start - b.start);
  const pieces: Html[] = [];
  let end = 0;
  for (const { finding, at, start, length } of spans) {
    // Of two that overlap, the later is marked as far as it is beyond the earlier.
    const from = Math.max(start, end);
    pieces.push(
      html`${text.slice(end, from)}<a class="find${hueOf(finding)}" id="found-${key}${at + 1}" href="#why-${key}${at + 1}" aria-describedby="why-${key}${at + 1}"><mark>${text.slice(from, start + length)}</mark>${findingNumber(finding, at)}</a>`,
    );
    end = Math.max(from, start + length);
  }
  return html`${pieces}${text.slice(end)}`;
}

/** Words and the blanks between them: together they are the text. */
const wordsIn = (text: string): string[] => text.split(/(\s+)/);

/** Two texts as one, with the words that went and those that came marked. */
export function wordChanges(before: string, after: string): Html {
  const [old, current] = [wordsIn(before), wordsIn(after)];
  const changes = diffArrays(old, current, { timeout: DIFF_MS }) ?? [
    { value: old, added: false, removed: true },
    { value: current, added: true, removed: false },
  ];
  return html`${changes.map(({ value: words, added, removed }) => {
    const value = words.join('');
    if (removed) return html`<del><span class="sr">delete </span>${value}</del>`;
    return added ? html`<ins><span class="sr">insert </span>${value}</ins>` : value;
  })}`;
}
