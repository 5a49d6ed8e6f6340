import type { Deliver } from '../../core/outgoing/service-mail.ts';
import { composeMail } from './compose.ts';
import { failureOf, NO_ADDRESS } from './failure.ts';
import { domainOf, type Party, wireAddress } from './headers.ts';
import type { MailOut } from './transport.ts';

/** Sends mail of the service by `out`, from one address, signed by `sign`. */
export const serviceMailBy =
  (out: MailOut, from: Party, sign: (message: Buffer) => Promise<Buffer> = async (message) => message): Deliver =>
  async (mail, signal) => {
    if (wireAddress(mail.to) === undefined) return NO_ADDRESS;
    try {
      const message = await composeMail({
        // A mail may be sent twice when the first delivery is uncertain; the id identifies the duplicate (RFC 5322,
        // section 3.6.4).
        id: `<${mail.id}@${domainOf(wireAddress(from.address) ?? from.address)}>`,
        from,
        to: mail.to,
        subject: mail.subject,
        in_reply_to: mail.in_reply_to ?? null,
        references: [],
        ...(mail.reply_to !== undefined && { reply_to: [mail.reply_to] }),
        markdown: mail.text,
        html: mail.html,
        automatic: 'auto-generated',
        date: new Date(),
      });
      const { id, to, subject, text } = mail;
      return await out.send({ id, return_path: from.address, to, message: await sign(message), subject, text }, signal);
    } catch (error) {
      return failureOf(error);
    }
  };
