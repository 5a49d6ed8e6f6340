import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import type { FormatCallback, HtmlToTextOptions } from 'html-to-text';

/** Elements deeper than this are left out. */
export const MAX_HTML_DEPTH = 400;

/** Joins the cells of a row, which suits tables for layout as well as for data. */
const cell: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder);
  builder.addInline(' ');
};

/**
 * How a person reads HTML without its looks: lists with dashes, rows as lines, headings as written. Slow for large or
 * hostile documents, so what uses it must run on a thread that can be ended.
 */
export const htmlOptions = (skipped: readonly string[]): HtmlToTextOptions => ({
  wordwrap: false,
  limits: { maxDepth: MAX_HTML_DEPTH, ellipsis: '…' },
  formatters: { cell },
  selectors: [
    ...['title', 'script', 'style', 'template', 'svg', ...skipped].map((selector) => ({ selector, format: 'skip' })),
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'ul', options: { itemPrefix: '- ' } },
    { selector: 'table', format: 'block', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
  ],
});

/** The text with at most one empty line in a row, without blanks at the ends of lines. */
export const tidyLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => withoutTrailing(line, ' \t\u00a0'))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
