import MailComposer from 'nodemailer/lib/mail-composer';
import { chance } from '../../../../../tests/harness/chance.ts';
import type { Wordings } from './wordings.ts';
import { EAST } from './wordings-east.ts';
import { WEST } from './wordings-west.ts';

/** A mail of a service, and what a reader finds in it. */
export interface ServiceMail {
  readonly language: string;
  readonly format: Format;
  readonly subject: string;
  /** Null where it has none. */
  readonly code: string | null;
  readonly link: string | null;
  readonly extract: 'code' | 'link';
  /** The whole mail, as a library that many services use writes it. */
  compose(): Promise<string>;
}

const FORMATS = ['plain', 'html', 'both', 'cells', 'gmail', 'outlook', 'apple'] as const;
type Format = (typeof FORMATS)[number];
const ALL: readonly (readonly [string, Wordings])[] = [...Object.entries(WEST), ...Object.entries(EAST)];
const WORDS = 'violet anchor meadow copper lantern harbor pebble saffron timber willow canyon marble'.split(' ');

interface Content {
  readonly subject: string;
  readonly text: string;
  /** What the button says, and where it leads. */
  readonly button?: readonly [label: string, url: string];
}

/** Mails as services send them and people hand them on: the same ones for the same seed. */
export function* serviceMails(count: number, seed: number): Generator<ServiceMail> {
  const random = chance(seed);
  const below = (max: number): number => Math.floor(random() * max);
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  const signs = (length: number, alphabet: string): string =>
    Array.from({ length }, () => alphabet[below(alphabet.length)]).join('');
  const digits = (length: number): string => String(1 + below(9)) + signs(length - 1, '0123456789');
  const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
  /** A code as it is written, and as it is typed. */
  const newCode = (block: boolean): readonly [written: string, typed: string] => {
    const words = [pick(WORDS), pick(WORDS), pick(WORDS)];
    const shapes: (() => readonly [string, string])[] = [
      () => same(digits(6)),
      () => same(digits(6)),
      () => same(digits(6)),
      () => same(digits(4)),
      () => same(digits(pick([5, 7, 8]))),
      () => spaced(digits(3), ' ', digits(3)),
      () => spaced(digits(3), '-', digits(3)),
      () => same(`${pick(['G', 'FB', 'N'])}-${digits(6)}`),
      () => same(`${signs(4, LETTERS)}-${signs(4, LETTERS)}`),
      () => same(`${signs(3, LETTERS)}-${signs(3, `${LETTERS}23456789`)}`),
      () => same(`${signs(2, LETTERS)}${digits(2)}${signs(2, `${LETTERS}23456789`)}`),
      () => same(words.join('-')),
      () => (block ? same(words.join(' ')) : same(digits(6))),
    ];
    return pick(shapes)();
  };
  const newLink = (): string => {
    const token = signs(40, 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEF_-');
    return pick([
      `https://accounts.northwind.example/verify?token=${token}`,
      `https://northwind.example/auth/callback?type=signup&code=${token}`,
      `https://click.mail.northwind.example/ls/click?upn=u001.${token}${token}`,
      `https://northwind.example/users/password/edit?reset_password_token=${token.slice(0, 20)}`,
      `https://go.northwind.example/c/eJx${token}`,
      `https://app.northwind.example/i/${token.slice(0, 22)}`,
    ]);
  };
  for (let nr = 0; nr < count; nr++) {
    const [language, wordings] = ALL[nr % ALL.length] as (typeof ALL)[number];
    const kind = Math.floor(nr / ALL.length) % 10;
    let format = pick(FORMATS);
    let content: Content;
    let code: string | null = null;
    let link: string | null = null;
    if (kind === 9) {
      const [subject, text] = pick(wordings.none);
      content = { subject, text };
    } else if (kind % 3 === 2) {
      const [subject, text, label] = pick(wordings.links);
      link = newLink();
      content = { subject, text, button: [label, link] };
    } else {
      const [subject, text] = pick(wordings.codes);
      const [written, typed] = newCode(text.includes('\n\n{code}\n\n'));
      const put = (given: string): string => given.replace('{code}', written);
      code = typed;
      content = { subject: put(subject), text: put(text) };
    }
    if (format === 'cells' && (code === null || !/^\d+$/.test(code) || !content.text.includes(`\n\n${code}\n\n`)))
      format = 'html';
    const footer = `${wordings.footer}\n${pick(['', `#${digits(7)}`, `Ref: ${digits(8)}`])}`.trim();
    yield {
      language,
      format,
      subject: subjectOf(content, format),
      compose: () => rawOf(content, footer, wordings, format, code, nr),
      ...{ code, link },
      extract: kind % 3 === 2 ? 'link' : kind === 9 && nr % 2 === 0 ? 'link' : 'code',
    };
  }
}

const same = (code: string): readonly [string, string] => [code, code];
const spaced = (one: string, sign: string, other: string): readonly [string, string] => [
  `${one}${sign}${other}`,
  `${one}${other}`,
];

const subjectOf = ({ subject }: Content, format: Format): string =>
  format === 'gmail' || format === 'apple' ? `Fwd: ${subject}` : format === 'outlook' ? `WG: ${subject}` : subject;

const UNSUBSCRIBE = 'https://northwind.example/unsubscribe?u=88120443&h=0f9e8d7c6b5a49382716';

function plainOf({ text, button }: Content, footer: string, { unsubscribe }: Wordings): string {
  const call = button === undefined ? '' : `\n\n${button[0]}:\n${button[1]}`;
  return `${text}${call}\n\n--\n${footer}\n${unsubscribe}: ${UNSUBSCRIBE}\n`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>');

function htmlOf({ subject, text, button }: Content, footer: string, { unsubscribe }: Wordings, cells?: string): string {
  const paragraphs = text.split('\n\n').map((paragraph) => {
    if (cells === paragraph)
      return `<table role="presentation"><tr>${Array.from(paragraph, (sign) => `<td style="border:1px solid #ccc;padding:8px;font-size:28px">${sign}</td>`).join('')}</tr></table>`;
    return /^[\w -]{4,40}$/.test(paragraph)
      ? `<div style="font-size:32px;letter-spacing:6px;font-weight:700;background:#f4f4f4;padding:16px">${escaped(paragraph)}</div>`
      : `<p style="margin:0 0 16px">${escaped(paragraph)}</p>`;
  });
  const call =
    button === undefined
      ? ''
      : `<table role="presentation"><tr><td style="background:#1a56db;border-radius:6px"><a href="${escaped(button[1])}" target="_blank" style="display:inline-block;padding:12px 24px;color:#fff;text-decoration:none">${escaped(button[0])}</a></td></tr></table>`;
  return `<!doctype html><html><head><meta charset="utf-8"><title>${escaped(subject)}</title><style>.p{color:#555}</style></head><body>
<div style="display:none;max-height:0;overflow:hidden">${escaped(subject)} 1234 5678 &zwnj;&nbsp;&zwnj;&nbsp;</div>
<table role="presentation" width="100%"><tr><td align="center"><a href="https://northwind.example/?utm_source=mail"><img src="https://cdn.northwind.example/logo-600x120.png" alt="Northwind" width="600"></a></td></tr>
<tr><td>${paragraphs.join('\n')}${call}</td></tr>
<tr><td class="p" style="font-size:12px">${escaped(footer)}<br><a href="https://northwind.example/help/4471203">Help</a> | <a href="https://northwind.example/privacy">Privacy</a> | <a href="${escaped(UNSUBSCRIBE)}">${escaped(unsubscribe)}</a>
<a href="https://www.instagram.com/northwind"><img src="https://cdn.northwind.example/ig.png" alt=""></a><img src="https://click.mail.northwind.example/open/1182044.gif" width="1" height="1"></td></tr></table></body></html>`;
}

function forwardedOf(content: Content, plain: string, { forwarded }: Wordings, format: Format): string {
  const { subject } = content;
  const [from, sent, to, title] = forwarded;
  if (format === 'gmail')
    return `FYI\n\n---------- Forwarded message ---------\nFrom: Northwind <no-reply@northwind.example>\nDate: Sat, Nov 28, 2026 at 9:14 AM\nSubject: ${subject}\nTo: <ada1815@mail.example>\n\n\n${plain}`;
  if (format === 'outlook')
    return `________________________________\n${from}: Northwind <no-reply@northwind.example>\n${sent}: 28.11.2026 09:14:52\n${to}: Ada Lovelace <ada1815@mail.example>\n${title}: ${subject}\n\n${plain}`;
  const quoted = plain.replaceAll(/^/gm, '> ');
  return `Begin forwarded message:\n\n> From: Northwind <no-reply@northwind.example>\n> Subject: ${subject}\n> Date: 28 November 2026 at 09:14:52 CET\n> To: ada1815@mail.example\n> \n${quoted}`;
}

const forwardedHtml = ({ subject }: Content, html: string): string =>
  `<div dir="ltr">FYI<br><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">---------- Forwarded message ---------<br>From: <strong class="gmail_sendername" dir="auto">Northwind</strong> <span dir="auto">&lt;<a href="mailto:no-reply@northwind.example">no-reply@northwind.example</a>&gt;</span><br>Date: Sat, Nov 28, 2026 at 9:14 AM<br>Subject: ${escaped(subject)}<br>To: &lt;<a href="mailto:ada1815@mail.example">ada1815@mail.example</a>&gt;<br></div><br><br>${html}</div></div>`;

async function rawOf(
  content: Content,
  footer: string,
  wordings: Wordings,
  format: Format,
  code: string | null,
  nr: number,
): Promise<string> {
  const plain = plainOf(content, footer, wordings);
  const isForward = format === 'gmail' || format === 'outlook' || format === 'apple';
  const html = htmlOf(content, footer, wordings, format === 'cells' ? (code ?? undefined) : undefined);
  const composer = new MailComposer({
    from: isForward ? 'Ada Lovelace <ada1815@mail.example>' : 'Northwind <no-reply@northwind.example>',
    to: 'inbox@agents.example',
    subject: subjectOf(content, format),
    messageId: `<${nr}.4471.20261128@northwind.example>`,
    textEncoding: nr % 2 === 0 ? 'base64' : 'quoted-printable',
    ...(isForward && { text: forwardedOf(content, plain, wordings, format) }),
    ...(format === 'gmail' && nr % 3 > 0 && { html: forwardedHtml(content, html) }),
    ...((format === 'plain' || format === 'both') && { text: plain }),
    ...((format === 'html' || format === 'both' || format === 'cells') && { html }),
  });
  return String(await composer.compile().build());
}
