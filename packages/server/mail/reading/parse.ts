import { wellFormed } from '@mailroom/behavior/values/well-formed';
import PostalMime, { type Email, type PostalMimeOptions } from 'postal-mime';
import { ANY_TYPE, cleanFilename } from '../../core/entities/attachment.ts';
import { mailAttachment } from './attachments.ts';
import { endOfHeaders } from './header-block.ts';
import type { Hidden } from './hidden-text.ts';
import { htmlText } from './mail-html.ts';
import { changePostalMime } from './mail-parts.ts';
import type { PartTree } from './part-tree.ts';
import type { MailAttachment, MailWarning } from './read-mail.ts';
import { readTnef, type Tnef } from './tnef.ts';
import { withoutEncoded } from './uuencode.ts';

changePostalMime();

/** Parts within parts; real mails have fewer than ten. */
const MAX_DEPTH = 100;
const MAX_HEADERS = 4 * 1024 * 1024;
/** Characters of the text. */
const MAX_TEXT = 4 * 1024 * 1024;
export interface ParsedMail {
  readonly email: Email;
  readonly tree: PartTree;
  /** With `\n` at the ends of lines. */
  readonly text: string;
  /** What the HTML hides from its reader. */
  readonly hidden: Hidden;
  /** What the HTML shows; null where the text is made from it, and where it hides nothing and the text is long. */
  readonly shown: string | null;
  readonly attachments: readonly MailAttachment[];
  readonly warnings: readonly MailWarning[];
}

const NOTHING: Hidden = { text: '', why: [] };
/** Characters of a text beside which the HTML is always read: as short as one that may decide something. */
const MAX_SHORT = 5_000;
/** What HTML that hides something has in it. */
const MAY_HIDE = /hidden|style\s*=|<font\b/i;

const file = (name: string, content_type: string, bytes: Uint8Array<ArrayBuffer>): MailAttachment => ({
  name,
  content_type,
  bytes,
  inline: false,
  content_id: null,
});

/**
 * Lines end with a line feed, also where a lone carriage return ended them. Apple's programs put an object replacement
 * character where a picture stands in the text.
 */
const withLineFeeds = (text: string): string => wellFormed(text.replaceAll('\ufffc', '').replace(/\r\n?/g, '\n'));

const isTnef = ({ name, content_type }: MailAttachment): boolean =>
  /^application\/(?:vnd\.)?ms-tnef$/.test(content_type) || /^win\s?mail\.dat$/i.test(name);

/**
 * The files with those within `winmail.dat` of Outlook for it, and what it says. It stays where it has no files, or only
 * it says something that is not read.
 */
function opened(files: readonly MailAttachment[], hasText: boolean) {
  let found: Tnef | undefined;
  const attachments = files.flatMap((one) => {
    const tnef = isTnef(one) ? readTnef(one.bytes) : undefined;
    if (tnef === undefined) return [one];
    found ??= tnef;
    const within = tnef.files.map(({ name, content_type, bytes }) =>
      mailAttachment({ filename: name, mimeType: content_type ?? '', disposition: 'attachment', content: bytes }),
    );
    const isRead = within.length > 0 && (hasText || tnef.text !== '' || tnef.html !== '');
    return isRead ? within : [one, ...within];
  });
  return { attachments, tnef: found };
}

/** Whether anything but blanks is below the headers. */
const hasBody = (raw: Buffer): boolean => {
  for (let at = endOfHeaders(raw); at < raw.length; at += 1) if ((raw[at] as number) > 0x20) return true;
  return false;
};

/** The mail by the library, which keeps its parts to itself. */
async function read(raw: Buffer, options: PostalMimeOptions): Promise<Pick<ParsedMail, 'email' | 'tree'>> {
  const parser = new PostalMime(options);
  const email = await parser.parse(raw);
  return { email, tree: (parser as unknown as { readonly root: PartTree }).root };
}

async function parse(
  raw: Buffer,
  tooLong: boolean,
): Promise<Pick<ParsedMail, 'email' | 'tree'> & { readonly readable: boolean }> {
  if (!tooLong) {
    try {
      const options = { forceRfc822Attachments: true, maxNestingDepth: MAX_DEPTH, maxHeadersSize: MAX_HEADERS };
      return { ...(await read(raw, options)), readable: true };
    } catch {
      // Its parts are nested too deep, or have too many headers.
    }
  }
  const end = raw.indexOf('\n\r\n');
  const bare = raw.indexOf('\n\n');
  const ends = [end < 0 ? raw.length : end + 1, bare < 0 ? raw.length : bare + 1];
  return { ...(await read(raw.subarray(0, Math.min(...ends)), {})), readable: false };
}

/**
 * Reads the parts of a mail: its text, made from HTML when it has no other, and everything else as files. A forwarded mail
 * is a file. When its parts cannot be read or found, or it is too long to try, the whole mail is one file, so that nothing is lost.
 */
export async function parseMail(raw: Buffer, tooLong: boolean): Promise<ParsedMail> {
  const { email, tree, readable } = await parse(raw, tooLong);
  const lost = email.attachments.length === 0 && !email.text && !email.html && hasBody(raw);
  if (!readable || lost) {
    const whole = file('message.eml', 'message/rfc822', new Uint8Array(raw));
    return { email, tree, text: '', hidden: NOTHING, shown: null, attachments: [whole], warnings: ['unreadable'] };
  }
  const hasText = Boolean(email.text?.trim() || email.html);
  const { attachments: listed, tnef } = opened(email.attachments.map(mailAttachment), hasText);
  const { text: content = '', html = '' } = hasText ? email : (tnef ?? email);
  const { text: plain, files } = withoutEncoded(content);
  const attachments = [...listed, ...files.map(({ name, bytes }) => file(cleanFilename(name), ANY_TYPE, bytes))];
  const isHtml = plain.trim() === '' && html !== '';
  const isRead = html !== '' && (isHtml || plain.length <= MAX_SHORT || MAY_HIDE.test(html));
  const read = isRead ? htmlText(html) : undefined;
  const { text, cut } = isHtml && read !== undefined ? read : { text: plain, cut: false };
  const hidden = read?.hidden ?? NOTHING;
  const seen = { hidden, shown: isHtml || read === undefined ? null : withLineFeeds(read.text) };
  if (!cut && text.length <= MAX_TEXT)
    return { email, tree, text: withLineFeeds(text), ...seen, attachments, warnings: [] };
  const whole = isHtml
    ? file('text.html', 'text/html', new Uint8Array(Buffer.from(html)))
    : file('text.txt', 'text/plain', new Uint8Array(Buffer.from(plain)));
  const kept = withLineFeeds(text.slice(0, MAX_TEXT));
  return { email, tree, text: kept, ...seen, attachments: [...attachments, whole], warnings: ['text_cut'] };
}
