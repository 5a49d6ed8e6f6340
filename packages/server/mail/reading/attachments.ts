import type { Attachment } from 'postal-mime';
import { ANY_TYPE, cleanFilename, isMediaType } from '../../core/entities/attachment.ts';
import { oneLine } from './addresses.ts';
import type { MailAttachment } from './read-mail.ts';

/** Names of files that a mail does not name, by type. */
const NAMES: Readonly<Record<string, string>> = {
  'text/calendar': 'invitation.ics',
  'text/html': 'text.html',
  'text/plain': 'text.txt',
  'text/rfc822-headers': 'headers.txt',
  'message/rfc822': 'message.eml',
  'message/delivery-status': 'delivery-status.txt',
  'application/ms-tnef': 'winmail.dat',
  'application/pdf': 'file.pdf',
  'image/jpeg': 'image.jpg',
  'image/png': 'image.png',
  'image/gif': 'image.gif',
  'image/svg+xml': 'image.svg',
};
/** Characters of a name that are looked at, and of a mail that was forwarded. */
const MAX_NAME = 4_000;
const MAX_HEADERS = 16_384;

/** The subject of a forwarded mail, by which its file is named. */
function forwardedSubject(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_HEADERS)).toString('utf8');
  const [, subject = ''] = /^subject:[ \t]*([^\r\n]{1,200})/im.exec(head.split(/\r?\n\r?\n/)[0] ?? '') ?? [];
  return subject.includes('=?') ? '' : oneLine(subject.replace(/[/\\:*?"<>|]/g, ' '));
}

function nameOf(filename: string | null, type: string, bytes: Uint8Array): string {
  if (filename !== null && filename.trim() !== '')
    return cleanFilename(filename.slice(-MAX_NAME).replace(/^'([^']+)'$/, '$1'));
  const subject = type === 'message/rfc822' ? forwardedSubject(bytes) : '';
  return subject === '' ? (NAMES[type] ?? 'file') : cleanFilename(`${subject}.eml`);
}

export function mailAttachment({
  filename,
  mimeType,
  disposition,
  related,
  contentId,
  content,
}: Attachment): MailAttachment {
  const bytes = content instanceof ArrayBuffer ? new Uint8Array(content) : new Uint8Array(Buffer.from(content));
  const type = mimeType.trim().toLowerCase();
  const id = oneLine((contentId ?? '').slice(0, 1_000)).replace(/^<|>$/g, '');
  return {
    name: nameOf(filename, type, bytes),
    content_type: isMediaType(type) ? type : ANY_TYPE,
    bytes,
    inline: related === true || disposition === 'inline',
    content_id: id === '' ? null : id,
  };
}
