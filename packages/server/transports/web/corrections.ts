import type { Correction, Corrections } from '../../core/values/corrections.ts';
import { countedCorrections, trimmedCorrection } from '../../core/values/corrections.ts';
import type { Html } from '../../http/html.ts';
import { html } from '../../http/html.ts';
import { copyButton } from './pieces.ts';

/** More reasons than this are folded away. */
const MAX_REASONS = 15;

/**
 * The text with its corrections marked as deleted and inserted, each linked to its reason, and the list of reasons.
 * `key` keeps ids unique on the page.
 */
export function correctedText(body: string, corrections: Corrections, key: string): Html {
  const { edits, corrected_text } = corrections;
  const pieces: Html[] = [];
  let offset = 0;
  for (const [index, edit] of edits.entries()) {
    pieces.push(html`${body.slice(offset, edit.offset)}${mark(edit, `${key}-${index + 1}`)}`);
    offset = edit.offset + edit.length;
  }
  pieces.push(html`${body.slice(offset)}`);
  const items = edits.map((edit, index) => reason(edit, `${key}-${index + 1}`));
  const list = html`<ol class="reasons" aria-label="Reasons">${items.slice(0, MAX_REASONS)}${
    items.length > MAX_REASONS &&
    html`<li class="more"><details><summary>Show all ${items.length}</summary><ol>${items.slice(MAX_REASONS)}</ol></details></li>`
  }</ol>`;
  return html`<div class="row">${copyButton('Copy corrected text', { text: corrected_text })}</div>
<p class="marked" dir="auto">${pieces}</p>
<details class="why"><summary class="meta">${countedCorrections(corrections)}, with reasons</summary>${list}</details>`;
}

const HIDDEN = { delete: html`<span class="sr">delete </span>`, insert: html`<span class="sr"> insert </span>` };

function mark(edit: Correction, key: string): Html {
  const { before, gone, come, after } = trimmedCorrection(edit);
  return html`${before}<a class="edit${gone === '' && ' add'}" href="#why-${key}" aria-describedby="why-${key}">${
    gone !== '' && html`${HIDDEN.delete}<del>${gone}</del>`
  }${come !== '' && html`${HIDDEN.insert}<ins>${come}</ins>`}</a>${after}`;
}

function reason(edit: Correction, key: string): Html {
  const { gone, come } = trimmedCorrection(edit);
  return html`<li id="why-${key}"><span>${gone.trim() !== '' && html`<del>${gone.trim()}</del> `}${
    come.trim() !== '' && html`<b>${come.trim()}</b>`
  }</span><span dir="auto">${edit.explanation}</span></li>`;
}
