import type { DomNode, FormatCallback } from 'html-to-text';

/** Characters that are read of what an element says. */
const MAX_BEGINNING = 200;

/** The beginning of what an element says. */
function beginningOf(element: DomNode): string {
  let text = '';
  const stack = [element];
  for (let node = stack.pop(); node !== undefined && text.length < MAX_BEGINNING; node = stack.pop())
    if (node.type === 'text') text += (node.data ?? '').slice(0, MAX_BEGINNING);
    else stack.push(...(node.children ?? []).slice(0, MAX_BEGINNING).reverse());
  return text.trim();
}

/** The line that Outlook draws above what it quotes, in its plain texts. */
export const ruled: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 });
  builder.addInline('_'.repeat(32));
  builder.closeBlock({ trailingLineBreaks: 1 });
  builder.openBlock({ leadingLineBreaks: 1 });
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 1 });
};

/** Quotes within each other that are marked; those of long threads would make the text many times as long. */
const MAX_QUOTED = 12;
const UNMARKED = new RegExp(`^(?!(?:> ){${MAX_QUOTED}})`, 'gm');
const marked = (text: string): string => text.trim().replace(UNMARKED, '> ');

/** An element of HTML for quotes. */
const blockquote: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2, reservedLineLength: 2 });
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 2, blockTransform: marked });
};

/** Marked by `>` as a quote; a forwarded mail is what it is sent for, and quotes nothing. */
const quoted: FormatCallback = (element, walk, builder) => {
  const isForwarded = /^[-=*_]{3}/.test(beginningOf(element));
  builder.openBlock({ leadingLineBreaks: isForwarded ? 1 : 2, reservedLineLength: isForwarded ? 0 : 2 });
  walk(element.children, builder);
  builder.closeBlock({
    trailingLineBreaks: isForwarded ? 1 : 2,
    blockTransform: (text) => (isForwarded ? text : marked(text)),
  });
};

/** Outlook's border above the headers of what it quotes, by a style in small letters. */
export const isOutlookBorder = (style: string): boolean =>
  /(?:^|[;\s])border(?:-top)? ?: ?(?:none ?; ?border-top ?: ?)?solid #(?:e1e1e1|b5c4df) 1\.0pt/.test(style);

/** What stands above the headers of what is quoted: of Outlook on all systems, and of Zimbra. */
const RULED = [
  'div#divRplyFwdMsg',
  'div#mail-editor-reference-message-container',
  'span#OLK_SRC_BODY_SECTION',
  'div[data-marker="__HEADERS__"]',
];
/** What is quoted, or says who wrote it: of Gmail, Yahoo, Zoho, GMX, Thunderbird, Proton Mail, Roundcube, Airmail and Mailspring. */
const QUOTED = [
  'div.gmail_attr',
  'div.yahoo_quoted',
  'div.zmail_extra',
  'div[name="quote"]',
  'div[name="quoted-content"]',
  'div.moz-cite-prefix',
  'div.protonmail_quote',
  'p#reply-intro',
  'p.airmail_on',
  'div.gmail_quote_attribution',
];

/** How programs mark in HTML what they quote. */
export const QUOTING = {
  formatters: { quoted, ruled, quote: blockquote },
  selectors: [
    { selector: 'blockquote', format: 'quote' },
    ...RULED.map((selector) => ({ selector, format: 'ruled' })),
    ...QUOTED.map((selector) => ({ selector, format: 'quoted' })),
  ],
};
