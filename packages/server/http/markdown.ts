import type MarkdownIt from 'markdown-it';
import type Sanitize from 'sanitize-html';
import { Html, html, type Part } from './html.ts';

/** Longer texts, and those with more markup characters, are shown as plain text: see `isCostly`. */
const MAX_LENGTH = 64 * 1024;
const MAX_LINE_MARKS = 4_000;
const MAX_MARKS = 12_000;
/** Nested quotes and lists. */
const MAX_DEPTH = 12;

const BLOCKS = ['p', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'ul', 'ol', 'li', 'pre', 'table', 'th', 'td'] as const;
const TAGS = [...BLOCKS, 'thead', 'tbody', 'tr', 'strong', 'em', 's', 'code', 'br', 'hr', 'a'] as const;
/** The schemes that a link may have. */
const SCHEMES = ['http', 'https', 'mailto'];
const LINK = /^(?:https?:\/\/|mailto:)[^\s\p{Cc}]/iu;
const REL = 'nofollow noopener noreferrer ugc';

/** The only elements that rendered Markdown contains, with the attributes of each. */
export const MARKDOWN_ALLOWS = {
  tags: TAGS as readonly string[],
  attributes: {
    ...Object.fromEntries(BLOCKS.map((tag) => [tag, ['dir']])),
    a: ['href', 'rel'],
    ol: ['dir', 'start'],
  } as Readonly<Record<string, readonly string[]>>,
  schemes: SCHEMES,
} as const;

interface Tools {
  readonly markdown: InstanceType<typeof MarkdownIt>;
  readonly sanitize: typeof Sanitize;
}
let tools: Promise<Tools> | undefined;

/** Loads both libraries at the first rendering, so that the service starts faster. */
async function load(): Promise<Tools> {
  const [{ default: Markdown }, { default: sanitize }] = await Promise.all([
    import('markdown-it'),
    import('sanitize-html'),
  ]);
  const markdown = new Markdown('default', { html: false, linkify: true, typographer: false, maxNesting: 40 });
  markdown.linkify.set({ fuzzyLink: false, fuzzyIP: false, fuzzyEmail: true });
  markdown.linkify.add('ftp:', null).add('//', null);
  markdown.validateLink = (url) => LINK.test(url);
  // Nothing is loaded from elsewhere: an image becomes a link with its alternative text.
  markdown.renderer.rules.image = (tokens, at) => {
    const token = tokens[at];
    const label = token?.content || 'image';
    return html`<a href="${token?.attrGet('src') ?? ''}">${label}</a>`.text;
  };
  // The page itself uses h1 and h2.
  const demoted = (tag: string): string => `h${Math.min(6, Number(tag.slice(1)) + 2)}`;
  markdown.core.ruler.push('demote', ({ tokens }) => {
    for (const token of tokens) if (/^heading_/.test(token.type)) token.tag = demoted(token.tag);
  });
  return { markdown, sanitize };
}

const withDir = (tagName: string, attribs: Sanitize.Attributes) => ({ tagName, attribs: { ...attribs, dir: 'auto' } });

const RULES: Sanitize.IOptions = {
  allowedTags: [...TAGS],
  allowedAttributes: Object.fromEntries(
    Object.entries(MARKDOWN_ALLOWS.attributes).map(([tag, list]) => [tag, [...list]]),
  ),
  allowedSchemes: SCHEMES,
  allowedSchemesAppliedToAttributes: ['href'],
  allowProtocolRelative: false,
  nestingLimit: 60,
  transformTags: {
    ...Object.fromEntries(BLOCKS.map((tag) => [tag, withDir])),
    a: (tagName, { href = '' }) => ({ tagName, attribs: LINK.test(href) ? { href, rel: REL } : {} }),
    ol: (tagName, { start }) => ({
      tagName,
      attribs: { dir: 'auto', ...(start !== undefined && /^\d{1,9}$/.test(start) ? { start } : {}) },
    }),
  },
};

/**
 * Renders untrusted Markdown (CommonMark 0.31 with tables and strikethrough) as markup for our pages: no HTML, images
 * or styles; links to http, https and mailto only, marked `rel="ugc"`. A text that would take too long is rendered by
 * `plainText`.
 */
export async function renderMarkdown(text: string): Promise<Html> {
  const known = rendered.get(text);
  if (known !== undefined) return known;
  if (isCostly(text)) return plainText(text);
  tools ??= load();
  const { markdown, sanitize } = await tools;
  const html = new Html(sanitize(markdown.render(text), RULES));
  if (rendered.size >= MAX_RENDERED) rendered.clear();
  if (html.text.length <= MAX_KEPT_LENGTH) rendered.set(text, html);
  return html;
}

/** Caches rendered texts, since many mailboxes give the same answer repeatedly; at most 10 MB. */
const rendered = new Map<string, Html>();
const MAX_RENDERED = 200;
const MAX_KEPT_LENGTH = 50_000;

/**
 * Whether a text is too costly: Markdown parsers backtrack, so the time may grow with the square of the number of
 * markup characters.
 */
function isCostly(text: string): boolean {
  if (text.length > MAX_LENGTH) return true;
  let marks = 0;
  for (const line of text.split('\n')) {
    const inLine = line.match(/[[\]()<>*_`~!\\|&#@:"']/g)?.length ?? 0;
    const depth = depthOf(line);
    // Every line may be a block, and every quote or list item on it opens another.
    marks += inLine + 2 + 4 * depth;
    if (inLine > MAX_LINE_MARKS || marks > MAX_MARKS || depth > MAX_DEPTH) return true;
  }
  return false;
}

/** The nesting depth at the start of a line: quotes, list items and indentation. */
function depthOf(line: string): number {
  const start = /^(?:[ \t]|>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))*/.exec(line)?.[0] ?? '';
  const markers = start.match(/>|[-+*]|\d{1,9}[.)]/g)?.length ?? 0;
  return Math.max(markers, Math.floor((start.match(/[ \t]/g)?.length ?? 0) / 8));
}

/**
 * A text as it was written: blank lines separate paragraphs, line breaks are kept; web addresses are links, marked
 * `rel="ugc"`.
 */
export const plainText = (text: string): Html => {
  // Escaped as a whole, since a template for each of many short paragraphs is slow.
  const paragraphs = withLinks(text.replace(/\r\n?/g, '\n'))
    .text.split(/\n{2,}/)
    .filter((one) => one.trim() !== '');
  return new Html(paragraphs.map((one) => `<p dir="auto">${one.replaceAll('\n', '<br>')}</p>`).join(''));
};

/** Characters of a web address that is made a link. */
const MAX_URL = 2_048;
/** What may be a web address in a text: up to a space, a quotation mark, or punctuation of scripts without spaces. */
const WEB_ADDRESS = /(?<![a-z0-9])https?:\/\/[^\s\p{C}<>"“”„«»「」『』【】《》（）。、，；：！？]+/giu;
const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** The text, escaped, with its web addresses as links. */
function withLinks(text: string): Html {
  if (!text.includes('://')) return html`${text}`;
  const parts: Part[] = [];
  let offset = 0;
  for (const { 0: found, index } of text.matchAll(WEB_ADDRESS)) {
    const url = found.length > MAX_URL ? '' : withoutPunctuation(found);
    const parsed = URL.parse(url);
    // A name and a password in front of the host make it look like another.
    if (parsed === null || parsed.username !== '' || parsed.password !== '') continue;
    parts.push(text.slice(offset, index), html`<a href="${url}" rel="${REL}">${url}</a>`);
    offset = index + url.length;
  }
  parts.push(text.slice(offset));
  return html`${parts}`;
}

/** Without the punctuation of the sentence that it stands in; a bracket that it opens itself is part of it. */
function withoutPunctuation(url: string): string {
  const count = (one: string): number => url.split(one).length - 1;
  const open = Object.fromEntries(Object.entries(OPENING).map(([close, one]) => [close, count(close) - count(one)]));
  let end = url.length;
  for (; end > 0; end--) {
    const last = url.charAt(end - 1);
    if (Object.hasOwn(OPENING, last)) {
      if ((open[last] ?? 0) <= 0) break;
      open[last] = (open[last] ?? 0) - 1;
    } else if (!".,;:!?'’*_~…|".includes(last)) break;
  }
  return url.slice(0, end);
}
