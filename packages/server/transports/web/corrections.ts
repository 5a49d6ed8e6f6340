import {
  type Correction,
  type Corrections,
  countedCorrections,
  type Doubt,
  passedOver,
  trimmedCorrection,
} from '../../core/values/corrections.ts';
import { Html, html } from '../../http/html.ts';
import { copyButton } from './pieces.ts';

/** More reasons than this are folded away. */
const MAX_REASONS = 15;

/**
 * The text with its corrections marked as deleted and inserted and its doubts underlined, each linked to its reason, and the
 * lists of reasons. `key` keeps ids unique on the page.
 */
export function correctedText(body: string, corrections: Corrections, key: string): Html {
  const { edits, doubts = [], corrected_text } = corrections;
  const marks = [
    ...edits.map((edit, index) => ({ place: edit, shown: mark(edit, `${key}-${index + 1}`) })),
    ...doubts.map((doubt, index) => ({ place: doubt, shown: dotted(doubt, `${key}-d${index + 1}`) })),
  ].sort((a, b) => a.place.offset - b.place.offset);
  const pieces: Html[] = [];
  let offset = 0;
  for (const { place, shown } of marks) {
    pieces.push(html`${body.slice(offset, place.offset)}${shown}`);
    offset = place.offset + place.length;
  }
  pieces.push(html`${body.slice(offset)}`);
  const reasons = edits.map((edit, index) => reason(edit, `${key}-${index + 1}`));
  const questions = doubts.map((doubt, index) => question(doubt, `${key}-d${index + 1}`));
  const unread = passedOver(corrections);
  return html`${edits.length > 0 && html`<div class="row">${copyButton('Copy corrected text', { text: corrected_text })}</div>`}
<p class="marked" dir="auto">${pieces}</p>
${
  edits.length > 0 &&
  html`<details class="why"><summary class="meta">${countedCorrections(corrections)}, with reasons</summary>${list(reasons, 'Reasons')}</details>`
}${
  doubts.length > 0 &&
  html`<details class="why"${edits.length === 0 && new Html(' open')}><summary class="meta">${doubts.length} worth a look, left as ${doubts.length === 1 ? 'it is' : 'they are'}</summary>${list(questions, 'Worth a look')}</details>`
}${unread !== undefined && html`<p class="meta">${unread}</p>`}`;
}

const list = (items: readonly Html[], label: string): Html =>
  html`<ol class="reasons" aria-label="${label}">${items.slice(0, MAX_REASONS)}${
    items.length > MAX_REASONS &&
    html`<li class="more"><details><summary>Show all ${items.length}</summary><ol>${items.slice(MAX_REASONS)}</ol></details></li>`
  }</ol>`;

const HIDDEN = { delete: html`<span class="sr">delete </span>`, insert: html`<span class="sr"> insert </span>` };

function mark(edit: Correction, key: string): Html {
  const { before, gone, come, after } = trimmedCorrection(edit);
  return html`${before}<a class="edit${gone === '' && ' add'}" href="#why-${key}" aria-describedby="why-${key}">${
    gone !== '' && html`${HIDDEN.delete}<del>${gone}</del>`
  }${come !== '' && html`${HIDDEN.insert}<ins>${come}</ins>`}</a>${after}`;
}

/** A sign that can be seen and clicked where a word may be missing. */
const GAP = '‸';

const dotted = ({ original }: Doubt, key: string): Html =>
  html`<a class="edit doubt" href="#why-${key}" aria-describedby="why-${key}">${original.trim() === '' ? `${original}${GAP}` : original}</a>`;

function question({ original, suggestions, explanation }: Doubt, key: string): Html {
  const meant = suggestions.map((text) => text.trim()).filter((text) => text !== '');
  return html`<li id="why-${key}"><span>${original.trim() !== '' && html`${original.trim()} `}${
    meant.length > 0 ? html`<b>${meant.join(', ')}?</b>` : html`<b>left out?</b>`
  }</span><span dir="auto">${explanation}</span></li>`;
}

function reason(edit: Correction, key: string): Html {
  const { gone, come } = trimmedCorrection(edit);
  return html`<li id="why-${key}"><span>${gone.trim() !== '' && html`<del>${gone.trim()}</del> `}${
    come.trim() !== '' && html`<b>${come.trim()}</b>`
  }</span><span dir="auto">${edit.explanation}</span></li>`;
}
