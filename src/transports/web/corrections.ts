import type { Html } from '../../http/html.ts';
import { html } from '../../http/html.ts';
import { copyButton, counted } from './pieces.ts';

/** One correction of `proofread`; offsets count UTF-16 code units of the text. */
interface Edit {
  readonly offset: number;
  readonly length: number;
  readonly original: string;
  readonly replacement: string;
  readonly explanation: string;
}

/** The fields of an answer's `data` that are needed to show its corrections in the text. */
export interface Corrections {
  readonly corrected_text: string;
  readonly dialect?: string;
  readonly edits: readonly Edit[];
}

/** More reasons than this are folded away. */
const MAX_REASONS = 15;
const DIALECTS: Readonly<Record<string, string>> = {
  american: 'American',
  british: 'British',
  australian: 'Australian',
  canadian: 'Canadian',
  indian: 'Indian',
};

/** Returns `data` if it holds corrections of exactly this text; any other data is not shown as corrections. */
export function asCorrections(data: unknown, body: string): Corrections | undefined {
  const { edits, corrected_text } = (data ?? {}) as Partial<Corrections>;
  if (!Array.isArray(edits) || edits.length === 0 || typeof corrected_text !== 'string') return undefined;
  let at = 0;
  for (const { offset, length, original, replacement, explanation } of edits as Partial<Edit>[]) {
    const whole = typeof offset === 'number' && typeof length === 'number' && offset >= at;
    if (!whole || typeof replacement !== 'string' || typeof explanation !== 'string') return undefined;
    if (body.slice(offset, offset + length) !== original) return undefined;
    at = offset + length;
  }
  return data as Corrections;
}

/**
 * The text with its corrections marked as deleted and inserted, each linked to its reason, and the list of reasons.
 * `key` keeps ids unique on the page.
 */
export function correctedText(body: string, { edits, corrected_text, dialect }: Corrections, key: string): Html {
  const pieces: Html[] = [];
  let at = 0;
  for (const [index, edit] of edits.entries()) {
    pieces.push(html`${body.slice(at, edit.offset)}${mark(edit, `${key}-${index + 1}`)}`);
    at = edit.offset + edit.length;
  }
  pieces.push(html`${body.slice(at)}`);
  const items = edits.map((edit, index) => reason(edit, `${key}-${index + 1}`));
  const count = `${counted(edits.length, 'correction')} in ${DIALECTS[dialect ?? ''] ?? 'American'} English`;
  const list = html`<ol class="reasons" aria-label="Reasons">${items.slice(0, MAX_REASONS)}${
    items.length > MAX_REASONS &&
    html`<li class="more"><details><summary>Show all ${items.length}</summary><ol>${items.slice(MAX_REASONS)}</ol></details></li>`
  }</ol>`;
  return html`<div class="row">${copyButton('Copy corrected text', { text: corrected_text })}</div>
<p class="marked" dir="auto">${pieces}</p>
<details class="why"><summary class="meta">${count}, with reasons</summary>${list}</details>`;
}

const HIDDEN = { delete: html`<span class="sr">delete </span>`, insert: html`<span class="sr"> insert </span>` };

function mark(edit: Edit, key: string): Html {
  const { before, gone, come, after } = trimmed(edit);
  return html`${before}<a class="edit${gone === '' && ' add'}" href="#why-${key}" aria-describedby="why-${key}">${
    gone !== '' && html`${HIDDEN.delete}<del>${gone}</del>`
  }${come !== '' && html`${HIDDEN.insert}<ins>${come}</ins>`}</a>${after}`;
}

function reason(edit: Edit, key: string): Html {
  const { gone, come } = trimmed(edit);
  return html`<li id="why-${key}"><span>${gone.trim() !== '' && html`<del>${gone.trim()}</del> `}${
    come.trim() !== '' && html`<b>${come.trim()}</b>`
  }</span><span dir="auto">${edit.explanation}</span></li>`;
}

/** A correction without the words that are equal at both ends. */
function trimmed({ original, replacement }: Pick<Edit, 'original' | 'replacement'>): {
  readonly before: string;
  readonly gone: string;
  readonly come: string;
  readonly after: string;
} {
  const old = words(original);
  const fresh = words(replacement);
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  while (
    end < old.length - start &&
    end < fresh.length - start &&
    old[old.length - 1 - end] === fresh[fresh.length - 1 - end]
  ) {
    end++;
  }
  return {
    before: old.slice(0, start).join(''),
    gone: old.slice(start, old.length - end).join(''),
    come: fresh.slice(start, fresh.length - end).join(''),
    after: end === 0 ? '' : old.slice(-end).join(''),
  };
}

const words = (text: string): string[] => text.match(/\s+|\S+/g) ?? [];
