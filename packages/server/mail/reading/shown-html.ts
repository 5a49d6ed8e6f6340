import type { Email } from 'postal-mime';
import sanitize from 'sanitize-html';
import { isTooLong, withBoundedHeaders, withUtf8Headers } from './header-block.ts';
import { readableLength } from './mail-html.ts';
import { parseMail } from './parse.ts';

/** A picture of a mail: where it is, or its bytes where the mail has it. */
export type ShownImage = { readonly url: string } | { readonly bytes: Uint8Array };

/** HTML that runs nothing and loads nothing. */
export interface ShownHtml {
  /** A whole document. In place of the picture `n` is `IMAGE` with `n`. */
  readonly html: string;
  readonly images: readonly ShownImage[];
}

/** Pictures of a mail that are shown. */
const MAX_IMAGES = 20;
/** Stands for the address of a picture; no other address of the document begins with it. */
const IMAGE = 'mailroom-image:';
const LINK = /^(?:https?:\/\/|mailto:)[^\s\p{Cc}]/iu;

/** Without functions, addresses, escapes and comments. */
const PLAIN = /^(?!.{201})[\w\s#%.,'"-]+$/s;
const COLOR = /^(?:#[0-9a-f]{3,8}|[a-z]{3,30}|rgba?\([\d\s,.%]{1,40}\))$/i;
const STYLES = {
  ...Object.fromEntries(
    [
      'font',
      'font-family',
      'font-size',
      'font-style',
      'font-weight',
      'line-height',
      'letter-spacing',
      'text-align',
    ].map((name) => [name, [PLAIN]]),
  ),
  ...Object.fromEntries(
    ['text-decoration', 'text-indent', 'text-transform', 'vertical-align', 'white-space', 'direction', 'width'].map(
      (name) => [name, [PLAIN]],
    ),
  ),
  ...Object.fromEntries(
    ['height', 'max-width', 'max-height', 'min-width', 'overflow', 'opacity', 'visibility', 'padding', 'margin'].map(
      (name) => [name, [PLAIN]],
    ),
  ),
  ...Object.fromEntries(
    ['top', 'right', 'bottom', 'left'].flatMap((side) => [
      [`padding-${side}`, [PLAIN]],
      [`margin-${side}`, [PLAIN]],
      [`border-${side}`, [PLAIN]],
    ]),
  ),
  ...Object.fromEntries(
    ['border', 'border-radius', 'border-collapse', 'border-spacing'].map((name) => [name, [PLAIN]]),
  ),
  color: [COLOR],
  'background-color': [COLOR],
  background: [COLOR],
  display: [/^(?:none|block|inline|inline-block|table|table-cell|table-row)$/],
};

const TAGS = [
  ...['a', 'abbr', 'address', 'article', 'b', 'bdi', 'bdo', 'big', 'blockquote', 'br', 'caption', 'center', 'cite'],
  ...['code', 'col', 'colgroup', 'dd', 'del', 'dfn', 'div', 'dl', 'dt', 'em', 'figcaption', 'figure', 'font', 'footer'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'hr', 'i', 'img', 'ins', 'kbd', 'li', 'main', 'mark', 'ol', 'p'],
  ...['pre', 'q', 's', 'samp', 'section', 'small', 'span', 'strike', 'strong', 'sub', 'sup', 'table', 'tbody', 'td'],
  ...['tfoot', 'th', 'thead', 'time', 'tr', 'tt', 'u', 'ul', 'var', 'wbr'],
];

/** Pictures that no reader sees tell their sender that the mail was opened. */
const isPixel = ({ width = '', height = '', style = '' }: sanitize.Attributes): boolean =>
  /^\s*[01](?:px)?\s*$/.test(width) ||
  /^\s*[01](?:px)?\s*$/.test(height) ||
  /(?:^|[;\s])(?:max-)?(?:width|height)\s*:\s*[01](?:px)?\s*(?:!important\s*)?(?:;|$)|display\s*:\s*none/i.test(style);

/**
 * The HTML of a mail as a document: without scripts, forms, frames, style sheets and all that loads something; links go to
 * http, https and mailto alone. Pictures are their alternative texts unless `images` is set.
 */
export async function shownHtml(bytes: Uint8Array, images: boolean): Promise<ShownHtml> {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { raw } = withBoundedHeaders(whole);
  const { email, text } = await parseMail(withUtf8Headers(raw), isTooLong(raw));
  const html = email.html ?? '';
  if (html === '') return { html: documentOf(`<div style="white-space:pre-wrap">${escaped(text)}</div>`), images: [] };
  const found: ShownImage[] = [];
  const body = sanitize(html.slice(0, readableLength(html)), rulesOf(email, images ? found : undefined));
  return { html: documentOf(body), images: found };
}

function rulesOf(email: Email, found: ShownImage[] | undefined): sanitize.IOptions {
  return {
    allowedTags: TAGS,
    // What is within these is no text.
    nonTextTags: [
      'script',
      'style',
      'textarea',
      'option',
      'noscript',
      'template',
      'title',
      'xmp',
      'noembed',
      'noframes',
    ],
    allowedAttributes: {
      '*': ['align', 'bgcolor', 'dir', 'height', 'hidden', 'lang', 'style', 'title', 'valign', 'width'],
      a: ['href', 'rel', 'target'],
      font: ['color', 'face', 'size'],
      img: ['alt', 'src'],
      ol: ['start', 'type'],
      table: ['border', 'cellpadding', 'cellspacing'],
      td: ['colspan', 'rowspan'],
      th: ['colspan', 'rowspan'],
    },
    allowedStyles: { '*': STYLES },
    allowedSchemes: ['http', 'https', 'mailto', IMAGE.slice(0, -1)],
    allowedSchemesAppliedToAttributes: ['href', 'src'],
    allowProtocolRelative: false,
    nestingLimit: 100,
    transformTags: {
      a: (tagName, { href = '', ...rest }) => ({
        tagName,
        attribs: LINK.test(href) ? { ...rest, href, rel: 'noopener noreferrer nofollow', target: '_blank' } : {},
      }),
      img(_tagName, attribs) {
        const { src = '', alt = '' } = attribs;
        const image = isPixel(attribs) ? undefined : imageOf(src.trim(), email);
        if (found === undefined || image === undefined || found.length === MAX_IMAGES)
          return { tagName: 'span', attribs: {}, text: isPixel(attribs) ? '' : alt };
        found.push(image);
        return { tagName: 'img', attribs: { ...attribs, src: `${IMAGE}${found.length - 1}` } };
      },
    },
  };
}

/** A picture of the web, or of the mail itself (RFC 2392). */
function imageOf(src: string, { attachments }: Email): ShownImage | undefined {
  if (/^https?:\/\//i.test(src)) return { url: src };
  const [, id] = /^cid:(.{1,500})$/i.exec(src) ?? [];
  if (id === undefined) return undefined;
  const wanted = `<${decoded(id)}>`;
  const content = attachments.find(({ contentId }) => contentId === wanted)?.content;
  return content === undefined || typeof content === 'string' ? undefined : { bytes: new Uint8Array(content) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one] as string);

const documentOf = (body: string): string =>
  `<!doctype html>\n<html><head><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Mail</title></head><body>\n${body}\n</body></html>\n`;
