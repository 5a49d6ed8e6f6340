import { wellFormed } from '@mailroom/behavior/values/well-formed';
import { htmlOptions, MAX_HTML_DEPTH, tidyLines } from '@mailroom/workers/html-text';
import { compile, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';

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
const SKIPPED = ['noscript', 'img', 'iframe', 'object', 'nav', 'button', 'select', 'form'];
const BASE = htmlOptions(SKIPPED);
const OPTIONS: HtmlToTextOptions = {
  ...BASE,
  selectors: [...(BASE.selectors ?? []), { selector: 'a', options: { ignoreHref: true } }],
};

const textOf = compile(OPTIONS);
const inline = compile({
  ...OPTIONS,
  selectors: [{ selector: '*', format: 'inline' }],
  baseElements: { selectors: [] },
});

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
    text: wellFormed(tidyLines(textOf(html))),
    links: linksOf(html, url),
  };
}

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
    limits: { maxDepth: MAX_HTML_DEPTH },
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
