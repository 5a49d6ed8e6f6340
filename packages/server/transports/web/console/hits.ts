import type { Message } from '../../../core/entities/message.ts';
import type { Spans } from '../../../core/reports/finding.ts';
import type { Highlight, Span } from '../../../core/reports/highlights.ts';
import { Html, html } from '../../../http/html.ts';

/** What a search found in a message of a list. */
export interface Hits {
  readonly spans: Spans;
  /** Where the texts of the message say it. */
  readonly highlights: readonly Highlight[];
}

/** What a search finds in a message that is not of its page. */
export const hitsIn = ({ body, reply }: Pick<Message, 'body' | 'reply'>, spans: Spans): Hits => ({
  spans,
  highlights: (['body', 'reply.body'] as const).flatMap((field) =>
    spans(field === 'body' ? body : (reply?.body ?? ''), field).map((span) => ({ field, ...span })),
  ),
});

const OPEN = '<mark class="hit">';
const CLOSE = '</mark>';

/** A text with its hits underlined. */
export function withHits(text: string, spans: readonly Span[]): Html {
  let place = 0;
  const parts = spans.map(({ offset, length }) => {
    const part = html`${text.slice(place, offset)}<mark class="hit">${text.slice(offset, offset + length)}</mark>`;
    place = offset + length;
    return part;
  });
  return html`${parts}${text.slice(place)}`;
}

/** Characters of a text before its first hit, and in all, that a row shows. */
const BEFORE = 24;
const MAX_SNIPPET = 160;

/** The part of a text around the first of its hits, on one line. */
export function snippetOf(text: string, { spans }: Hits, { offset }: Span): Html {
  const begin = Math.max(0, offset - BEFORE);
  const cut = text.slice(begin, begin + MAX_SNIPPET).toWellFormed();
  // Not from the middle of a word.
  const whole = (begin === 0 ? cut : cut.replace(/^\S+\s+(?=\S)/u, '')).replace(/\s+/g, ' ').trim();
  return html`${begin > 0 && '…'}${withHits(whole, spans(whole))}${begin + MAX_SNIPPET < text.length && '…'}`;
}

const TOKEN = /<\/?([a-z0-9]+)(?:[^a-z0-9<>][^<>]*)?>|&(?:amp|lt|gt|quot|#39);|[^<&]+|[<&]/gi;
const CHARACTERS: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" },
};
/** Elements within a line, which part no word. */
const INLINE = /^(?:a|b|strong|em|s|code|bdi|span|ins|del|i)$/i;

/** Markup with the hits in its text underlined, also where they are partly in another element. */
export function markupWithHits(markup: Html, spans: Spans): Html {
  let text = '';
  /** Each token, with where its text begins in the whole text; tags have none. */
  const tokens = Array.from(markup.text.matchAll(TOKEN), ([token, tag]) => {
    const at = text.length;
    if (tag === undefined) text += CHARACTERS[token.toLowerCase()] ?? token;
    else if (!INLINE.test(tag)) text += '\n';
    return { token, at: tag === undefined ? at : undefined };
  });
  const found = spans(text);
  if (found.length === 0) return markup;
  let written = '';
  let next = 0;
  for (const { token, at } of tokens) {
    if (at === undefined) {
      written += token;
      continue;
    }
    const length = CHARACTERS[token.toLowerCase()]?.length ?? token.length;
    while ((found[next]?.offset ?? text.length) + (found[next]?.length ?? 0) <= at && next < found.length) next++;
    written += tokenWithHits(token, at, length, found.slice(next));
  }
  return new Html(written);
}

/** A token of escaped text that begins at this place of the whole text. */
function tokenWithHits(token: string, at: number, length: number, found: readonly Span[]): string {
  let written = '';
  let place = at;
  for (const { offset, length: size } of found) {
    if (offset >= at + length) break;
    const [from, to] = [Math.max(offset, at), Math.min(offset + size, at + length)];
    // A character that is escaped is one token.
    const part = (begin: number, end: number): string =>
      length === token.length ? token.slice(begin - at, end - at) : token;
    if (from > place) written += part(place, from);
    written += OPEN + part(from, to) + CLOSE;
    place = to;
  }
  if (place < at + length) written += length === token.length ? token.slice(place - at) : token;
  return written;
}
