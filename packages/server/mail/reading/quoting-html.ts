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

/** Marked by `>` as a quote; a forwarded mail is what it is sent for, and quotes nothing. */
const quoted: FormatCallback = (element, walk, builder) => {
  const isForwarded = /^[-=*_]{3}/.test(beginningOf(element));
  builder.openBlock({ leadingLineBreaks: isForwarded ? 1 : 2, reservedLineLength: isForwarded ? 0 : 2 });
  walk(element.children, builder);
  builder.closeBlock({
    trailingLineBreaks: isForwarded ? 1 : 2,
    blockTransform: (text) => (isForwarded ? text : text.trim().replace(/^/gm, '> ')),
  });
};

/** Outlook's border above the headers of what it quotes, by a style in small letters. */
export const isOutlookBorder = (style: string): boolean =>
  /(?:^|[;\s])border(?:-top)? ?: ?(?:none ?; ?border-top ?: ?)?solid #(?:e1e1e1|b5c4df) 1\.0pt/.test(style);

/** How programs mark what they quote in HTML: Outlook by names and a border, Gmail, Yahoo and Zoho by classes, GMX by `name`. */
export const QUOTING = {
  formatters: { quoted, ruled },
  selectors: [
    ...['#divRplyFwdMsg', '#mail-editor-reference-message-container'].map((selector) => ({
      selector: `div${selector}`,
      format: 'ruled',
    })),
    ...['.gmail_attr', '.yahoo_quoted', '.zmail_extra', '[name="quote"]', '[name="quoted-content"]'].map((mark) => ({
      selector: `div${mark}`,
      format: 'quoted',
    })),
  ],
} as const;
