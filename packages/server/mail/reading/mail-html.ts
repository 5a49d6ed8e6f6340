import { htmlOptions, tidyLines } from '@mailroom/workers/html-text';
import { compile, type FormatCallback } from 'html-to-text';
import { type Hidden, HiddenText } from './hidden-text.ts';
import { QUOTING } from './quoting-html.ts';
import { SEEN } from './styled-html.ts';

/** Images that stand for a character, as Gmail and Outlook send emoji, are read as it. */
const alt: FormatCallback = (element, _walk, builder) => {
  const { alt: text = '' } = (element.attribs ?? {}) as { readonly alt?: string };
  if (text.length <= 8 && /\p{Extended_Pictographic}/u.test(text)) builder.addInline(text);
};

const base = htmlOptions([]);
/** The types leave out the metadata that each formatter is given. */
const toText = compile({
  ...base,
  formatters: { ...base.formatters, ...SEEN.formatters, ...QUOTING.formatters, alt },
  selectors: [
    ...(base.selectors ?? []),
    ...SEEN.selectors,
    ...QUOTING.selectors,
    { selector: 'img', format: 'alt' },
    { selector: 'a', options: { linkBrackets: ['<', '>'], hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
    // Outlook writes each line as a paragraph without space around it.
    ...['p.MsoNormal', 'p[class^="MsoListParagraph"]'].map((selector) => ({
      selector,
      format: 'paragraph',
      options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
    })),
  ],
}) as (html: string, hidden: HiddenText) => string;

/** Characters of HTML that are read, and elements within each other: turning more into text takes seconds. */
const MAX_HTML = 2 * 1024 * 1024;
const MAX_OPEN = 3_000;
/** Elements that end without a tag of their own. */
const OPEN_END =
  /^(?:p|li|td|th|tr|thead|tbody|tfoot|dd|dt|option|br|img|hr|input|meta|link|col|area|base|wbr|source|track|embed|param)$/;

/** How much of the HTML can be read without taking too long. */
export function readableLength(html: string): number {
  let open = 0;
  for (const { 1: slash, 2: name = '', index } of html.slice(0, MAX_HTML).matchAll(/<(\/?)([a-z][a-z0-9]{0,20})/gi)) {
    if (OPEN_END.test(name.toLowerCase())) continue;
    open += slash === '' ? 1 : -1;
    if (open > MAX_OPEN) return index;
  }
  return MAX_HTML;
}

/** The text of an HTML mail: quoted parts with `>`, links with their addresses. `cut`: it has more than can be read. */
export function htmlText(html: string): { readonly text: string; readonly cut: boolean; readonly hidden: Hidden } {
  const length = readableLength(html);
  const hidden = new HiddenText(html);
  const text = tidyLines(toText(html.slice(0, length), hidden));
  return { text, cut: html.length > length, hidden: hidden.found };
}
