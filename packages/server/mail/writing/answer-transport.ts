import type { Clock } from '@mailroom/behavior/values/clock';
import type { EmailTransport, OutgoingEmail } from '../../core/ports/email-transport.ts';
import { failureOf } from './failure.ts';
import { replySubject } from './headers.ts';
import { marksOf } from './marks.ts';
import { returnPath } from './return-path.ts';
import type { OutgoingMail } from './session.ts';
import type { Signing } from './signing.ts';
import type { MailOut } from './transport.ts';
import type { MailWriter } from './writer.ts';

interface AnswerParts {
  readonly mail: MailOut;
  readonly writer: Pick<MailWriter, 'compose' | 'sign'>;
  readonly signing: Pick<Signing, 'answer'>;
  readonly baseUrl: () => string;
  readonly mailDomain: string;
  readonly clock: Clock;
  /** The key of the return paths. */
  readonly secret: string;
}

/** Sends answers to e-mail by `mail`, signed, with a return path that names the delivery. */
export const answerTransport = ({
  mail,
  writer,
  signing,
  baseUrl,
  mailDomain,
  clock,
  secret,
}: AnswerParts): EmailTransport => ({
  async send(email, signal) {
    const composed = async (one: OutgoingEmail): Promise<OutgoingMail> => {
      const { id, to, subject, body: text } = one;
      const { raw, keep } = await one.kept();
      const path = raw === undefined && keep === undefined ? mail.fileOf?.(id) : undefined;
      const message = raw ?? (await writer.compose(mailOf(one, baseUrl()), { sign: await signing.answer(one), path }));
      if (raw === undefined) await keep?.(message);
      const return_path = returnPath(id, one.return_domain ?? mailDomain, secret);
      return { id, return_path, to, message, stored: path !== undefined, subject, text };
    };
    try {
      if (mail.offer === undefined) return await mail.send(await composed(email), signal);
      const offered = {
        ...{ email, compose: () => composed(email), signing: () => signing.answer(email) },
        async sign(message: Buffer) {
          const options = await signing.answer(email);
          return options === undefined ? message : writer.sign(message, { ...options, now: new Date(clock()) });
        },
      };
      return await mail.offer(offered, signal);
    } catch (error) {
      return failureOf(error);
    }
  },
});

/** How an answer is written as a mail. */
const mailOf = (email: OutgoingEmail, baseUrl: string) => ({
  id: email.rfc_id,
  from: email.from,
  to: email.to,
  recipients: email.recipients,
  reply_to: email.mail?.reply_to,
  headers: email.mail?.headers,
  html: email.mail?.html,
  subject: email.answers === null && email.in_reply_to === null ? email.subject : replySubject(email.subject),
  in_reply_to: email.in_reply_to,
  references: email.references,
  markdown: email.body,
  marks: email.answers === null ? undefined : marksOf(email, email.answers),
  signature: { name: email.from.name, url: `${baseUrl}/${email.from.address}` },
  attachments: email.files.map(({ filename, content_type, bytes }) => ({
    name: filename,
    type: content_type,
    content: bytes,
  })),
  automatic: email.automatic,
  date: new Date(email.created_at),
});
