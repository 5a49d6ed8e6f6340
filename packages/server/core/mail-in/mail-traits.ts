import type { ReceivedEmail } from '../ports/email-transport.ts';
import type { MailTraits } from '../review/evidence.ts';

/** What only a mail has, as evidence. */
export const traitsOf = ({ from, reply_to, hidden, files, to, cc, headers, spam }: ReceivedEmail): MailTraits => ({
  from,
  reply_to,
  hidden,
  files: files.map(({ filename, content_type }) => ({ filename, content_type: content_type ?? '' })),
  recipients: [...to, ...cc].map(({ address }) => address),
  is_list: headers.some(({ name }) => name.toLowerCase() === 'list-id'),
  spam: spam?.why,
});
