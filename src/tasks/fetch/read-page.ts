import { compile, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';
import { withoutTrailing } from '../../core/values/trailing.ts';

export interface Link {
  readonly text: string;
  /** Absolute, http or https. */
  readonly url: string;
}

/** The visible content of a page. */
export interface Page {
  /** '' when it has none. */
  readonly title: string;
  readonly text: string;
  readonly links: readonly Link[];
}

const MAX_LINKS = 2_000;
const MAX_DEPTH = 400;
const SKIPPED = [
  'title',
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'img',
  'iframe',
  'object',
  'nav',
  'button',
  'select',
  'form',
];

/** Joins the cells of a row, which suits tables for layout as well as for data. */
const cell: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder);
  builder.addInline(' ');
};

const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth: MAX_DEPTH, ellipsis: '…' },
  formatters: { cell },
  selectors: [
    ...SKIPPED.map((selector) => ({ selector, format: 'skip' })),
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'ul', options: { itemPrefix: '- ' } },
    { selector: 'table', format: 'block', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
  ],
};

const textOf = compile(OPTIONS);
const inline = compile({
  ...OPTIONS,
  selectors: [{ selector: '*', format: 'inline' }],
  baseElements: { selectors: [] },
});

/** Maximum characters within which a page's title ends, tags included. */
const TITLE_MAX = 2_200;

/**
 * Reads a page. Slow for large or hostile pages, so it must run on a thread that can be ended. `url`: the base of relative
 * links.
 */
export function readPage(html: string, url: string): Page {
  const at = html.search(/<title[\s>]/i);
  const head = at < 0 ? '' : html.slice(at, at + TITLE_MAX);
  const title = /^<title(?:\s[^>]{0,200})?>([\s\S]*?)<\/title/i.exec(head)?.[1] ?? '';
  return {
    title: inline(title).replace(/\s+/g, ' ').trim().toWellFormed(),
    text: tidy(textOf(html)),
    links: linksOf(html, url),
  };
}

const tidy = (text: string): string =>
  text
    .split('\n')
    .map((line) => withoutTrailing(line, ' \t\u00a0'))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replaceAll('\0', '\ufffd')
    .trim()
    .toWellFormed();

function linksOf(html: string, url: string): Link[] {
  const found = new Map<string, Link>();
  const collect: FormatCallback = (element, walk, builder) => {
    walk(element.children, builder);
    const href = (element.attribs as { readonly href?: string } | undefined)?.href;
    const to = href === undefined || href.startsWith('#') ? null : URL.parse(href, url);
    if (to === null || !/^https?:$/.test(to.protocol) || found.size >= MAX_LINKS || found.has(to.href)) return;
    found.set(to.href, { text: labelOf(element), url: to.href });
  };
  compile({
    wordwrap: false,
    limits: { maxDepth: MAX_DEPTH },
    formatters: { collect },
    selectors: [
      { selector: 'a', format: 'collect' },
      ...['script', 'style', 'template'].map((selector) => ({ selector, format: 'skip' })),
    ],
  })(html);
  return [...found.values()];
}

interface Node {
  readonly type?: string | undefined;
  readonly data?: string | undefined;
  readonly children?: readonly Node[] | undefined;
}

function labelOf(element: Node, depth = 0): string {
  if (element.type === 'text') return element.data ?? '';
  if (depth > 20) return '';
  const text = (element.children ?? []).map((child) => labelOf(child, depth + 1)).join('');
  return depth > 0 ? text : text.replace(/\s+/g, ' ').trim().slice(0, 200).toWellFormed();
}
