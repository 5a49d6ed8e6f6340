import {
  type Correction,
  type Corrections,
  countedCorrections,
  type Doubt,
  passedOver,
  trimmedCorrection,
} from '../../core/values/corrections.ts';
import { Html, html } from '../../http/html.ts';
import { renderMarkdown } from '../../http/markdown.ts';

/** One step of an answer that is a list of steps. */
interface MailStep {
  /** Its name, such as that of a task. */
  readonly name: string;
  readonly status: 'completed' | 'failed' | 'unknown' | 'skipped';
  /** What it answered, in Markdown; why it did not, as plain text, where it was not completed. */
  readonly text: string;
}

/** What the HTML of an answer shows instead of its Markdown; the plain text stays the Markdown. */
export type AnswerMarks =
  /** `text`, the one that was corrected, with its deletions and insertions. */
  | { readonly kind: 'corrections'; readonly text: string; readonly corrections: Corrections }
  | { readonly kind: 'steps'; readonly steps: readonly MailStep[] };

export interface Signature {
  /** How the sender is called. */
  readonly name: string;
  /** The page of the sender's address. */
  readonly url: string;
}

/**
 * Colors are tints that show on a light and on a dark ground, and text has the color of the mail program: some programs
 * remove `color-scheme` and every style sheet, and invert the rest.
 */
const TINT = 'rgba(127,127,127,.14)';
export const EDGE = 'rgba(127,127,127,.45)';
const SANS = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const MONO = 'ui-monospace,Menlo,Consolas,monospace';
const CODE = `font-family:${MONO};font-size:14px`;

/** The styles of each element that rendered Markdown contains. */
export const STYLES: Readonly<Record<string, string>> = {
  p: 'margin:0 0 12px',
  h3: 'margin:20px 0 8px;font-size:20px;line-height:1.3',
  h4: 'margin:20px 0 8px;font-size:18px;line-height:1.3',
  h5: 'margin:16px 0 8px;font-size:16px;line-height:1.3',
  h6: 'margin:16px 0 8px;font-size:16px;line-height:1.3',
  blockquote: `margin:0 0 12px;padding:0 12px;border-inline-start:3px solid ${EDGE}`,
  ul: 'margin:0 0 12px;padding-inline-start:24px',
  ol: 'margin:0 0 12px;padding-inline-start:28px',
  li: 'margin:0 0 4px',
  pre: `margin:0 0 12px;padding:10px 12px;border-radius:6px;background:${TINT};white-space:pre-wrap;line-height:1.45;${CODE}`,
  code: CODE,
  table: 'border-collapse:collapse;margin:0 0 12px;overflow-wrap:normal',
  th: `border:1px solid ${EDGE};padding:4px 8px;text-align:start;vertical-align:top`,
  td: `border:1px solid ${EDGE};padding:4px 8px;vertical-align:top`,
  hr: `border:0;border-top:1px solid ${EDGE};margin:16px 0`,
};
const STYLED = new RegExp(`<(${Object.keys(STYLES).join('|')})(?=[ >])`, 'g');
export const QUIET = 'font-size:14px;opacity:.75';
const GONE = 'background:rgba(220,38,38,.18);text-decoration:line-through';
/** A border, because programs for mail draw no dotted underline. */
const DOUBT = 'border-bottom:2px dotted rgba(202,138,4,.9)';
const COME = 'background:rgba(22,163,74,.2);text-decoration:underline;text-underline-offset:2px';
/** Reasons of corrections that are listed; the plain text has all. */
const MAX_REASONS = 50;
const ENDS = { failed: 'failed', unknown: 'unknown', skipped: 'not done' } as const;

/** Markdown as markup with inline styles, which mail programs keep. */
async function styledMarkdown(text: string): Promise<Html> {
  const { text: markup } = await renderMarkdown(text);
  // Rendered Markdown is sanitized, so each `<` begins an element.
  return new Html(
    markup
      // A list has the direction of its items, on whose side its markers need space.
      .replaceAll('<li dir="auto">', '<li>')
      .replace(STYLED, (start, tag: string) => `${start} style="${STYLES[tag]}"`)
      .replaceAll('<table ', '<div style="overflow-x:auto"><table ')
      .replaceAll('</table>', '</table></div>'),
  );
}

/** The HTML of a mail: one column that fits a pane of 320 px, without anything that is loaded from elsewhere. */
export async function mailHtml(
  markdown: string,
  marks: AnswerMarks | undefined,
  signature: Signature | undefined,
): Promise<string> {
  return mailPage(html`${await content(markdown, marks)}${signature && signed(signature)}`);
}

/** A mail with this content, in the frame of all others. */
export const mailPage = (content: Html): string =>
  html`<!doctype html>
<html style="color-scheme:light dark"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"></head>
<body style="margin:0;padding:12px"><div style="max-width:640px;font:16px/1.5 ${new Html(SANS)};overflow-wrap:anywhere">
${content}
</div></body></html>
`.text;

async function content(markdown: string, marks: AnswerMarks | undefined): Promise<Html> {
  if (marks?.kind === 'corrections') return correctedText(marks.text, marks.corrections);
  return marks?.kind === 'steps' ? stepList(marks.steps) : await styledMarkdown(markdown);
}

/** The element is a paragraph of its own, so that quoting programs cut it with the rest. */
const signed = ({ name, url }: Signature): Html =>
  html`<p style="margin:24px 0 0;padding:8px 0 0;border-top:1px solid ${EDGE};font-size:14px"><span dir="auto">${name}</span> · <a href="${url}">${url.replace(/^https?:\/\//, '')}</a></p>`;

/** The text with its line breaks. */
export const withBreaks = (text: string): Html =>
  new Html(html`${text.replace(/\r\n?/g, '\n')}`.text.replaceAll('\n', '<br>'));

function correctedText(text: string, corrections: Corrections): Html {
  const { edits, doubts = [] } = corrections;
  const marks = [
    ...edits.map((edit) => ({ place: edit, shown: mark(edit) })),
    ...doubts.map((doubt) => ({ place: doubt, shown: dotted(doubt.original) })),
  ].sort((a, b) => a.place.offset - b.place.offset);
  const pieces: Html[] = [];
  let offset = 0;
  for (const { place, shown } of marks) {
    pieces.push(withBreaks(text.slice(offset, place.offset)), shown);
    offset = place.offset + place.length;
  }
  pieces.push(withBreaks(text.slice(offset)));
  const unread = passedOver(corrections);
  // Spaces at the start of a line are the structure of code and lists.
  return html`<p dir="auto" style="margin:0 0 16px;line-height:1.7;white-space:pre-wrap">${pieces}</p>
${reasons(
  countedCorrections(corrections),
  edits.map((edit) => html`${change(edit)}<span dir="auto">${edit.explanation}</span>`),
)}${doubts.length > 0 && reasons('Worth a look, left as written', doubts.map(question))}${
  unread !== undefined && html`<p style="${STYLES.p};${QUIET}">${unread}</p>`
}`;
}

function reasons(heading: string, items: readonly Html[]): Html {
  const more = items.length - MAX_REASONS;
  return html`<p style="margin:0 0 8px"><b>${heading}</b></p>
<ol style="${STYLES.ol}">${items
    .slice(0, MAX_REASONS)
    .map((item) => html`<li style="${STYLES.li}">${item}</li>`)}</ol>${
    more > 0 && html`<p style="${STYLES.p};${QUIET}">${more} more are in the plain text of this mail.</p>`
  }`;
}

const dotted = (text: string): Html => html`<span style="${DOUBT}">${withBreaks(text)}</span>`;

function question({ original, suggestions, explanation }: Doubt): Html {
  const meant = suggestions.filter((text) => text.trim() !== '').join(', ');
  const shown = original.trim() === '' ? '' : dotted(original.trim());
  return html`${shown} ${meant !== '' && html`<b>${meant}?</b> `}<span dir="auto">${explanation}</span>`;
}

const gone = (text: string): Html => html`<del style="${GONE}">${withBreaks(text)}</del>`;
const come = (text: string): Html => html`<ins style="${COME}">${withBreaks(text)}</ins>`;

function mark(edit: Correction): Html {
  const words = trimmedCorrection(edit);
  const both = words.gone !== '' && words.come !== '';
  return html`${withBreaks(words.before)}${words.gone !== '' && gone(words.gone)}${both && ' '}${
    words.come !== '' && come(words.come)
  }${withBreaks(words.after)}`;
}

/** A correction in the list of reasons; one of white space alone has its reason only. */
function change(edit: Correction): Html | false {
  const words = trimmedCorrection(edit);
  const [old, fresh] = [words.gone.trim(), words.come.trim()];
  if (old === '' && fresh === '') return false;
  return html`${old !== '' && gone(old)}${old !== '' && fresh !== '' && ' '}${fresh !== '' && come(fresh)}: `;
}

async function stepList(steps: readonly MailStep[]): Promise<Html> {
  const items: Html[] = [];
  for (const { name, status, text } of steps) {
    const content =
      status === 'completed'
        ? await styledMarkdown(text)
        : text !== '' && html`<p dir="auto" style="${STYLES.p}">${withBreaks(text)}</p>`;
    items.push(
      html`<li style="margin:0 0 12px"><b>${name}</b>${
        status !== 'completed' &&
        html` <span style="${QUIET};border:1px solid ${EDGE};border-radius:4px;padding:0 5px">${ENDS[status]}</span>`
      }<div style="margin:4px 0 0">${content}</div></li>`,
    );
  }
  return html`<ol style="${STYLES.ol}">${items}</ol>`;
}

/** A plain text as the HTML part of a mail. */
export const mailAsHtml = (text: string): string =>
  html`<!doctype html><meta charset="utf-8"><pre style="white-space:pre-wrap;font:inherit">${text}</pre>`.text;
