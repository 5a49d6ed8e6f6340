import { AppError } from '@mailroom/behavior/values/error';
import type { Caller } from '../../core/access/caller.ts';
import type { Key } from '../../core/entities/key.ts';
import type { EmailUser, SubmittedEmail, SubmittedTo } from '../../core/mail-in/submitted-email.ts';
import type { Limiter } from '../../core/values/limits.ts';
import { SmtpFailure } from './failure.ts';
import type { Login, MailUser } from './options.ts';

interface LoginParts {
  readonly submitted: SubmittedEmail;
  readonly authenticator: { caller(authorization: string, ip: string): Caller | Promise<Caller> };
  readonly networkOf: (ip: string) => string;
  /** Failed logins of a network; undefined: no limit. */
  readonly limiter: Limiter | undefined;
}

/** How mail programs log in: with an address, and a key that may send as it for the password. */
export function loginOf(parts: LoginParts): (login: Login) => Promise<MailUser> {
  const { submitted, authenticator, networkOf, limiter } = parts;
  return async ({ username, password, ip }) => {
    const network = networkOf(ip);
    // Taken before the check, so that logins at the same time are counted too.
    if (limiter !== undefined && !(await limiter.take(network)).allowed)
      throw new SmtpFailure(421, '4.7.0', 'Too many logins from this network failed. Try again later.');
    const key = await keyOf(authenticator, password, ip);
    const user = await submitted.user(key, username).catch((error: unknown) => {
      throw error instanceof AppError && error.code !== 'unavailable' ? refused(error) : error;
    });
    limiter?.refund(network);
    return mailUser(submitted, user);
  };
}

/** The holder of a valid key is told what it lacks. */
const refused = (error: AppError): SmtpFailure => new SmtpFailure(535, '5.7.8', error.message);

/** The key, before anything is looked up by the address, so that the time to refuse a wrong key tells nothing about addresses. */
async function keyOf(authenticator: LoginParts['authenticator'], secret: string, ip: string): Promise<Key> {
  try {
    const caller = await authenticator.caller(`Bearer ${secret}`, ip);
    if (caller.kind === 'key') return caller.key;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_key') throw error;
  }
  throw new SmtpFailure(535, '5.7.8', 'The address or the key is not right, or the key was revoked.');
}

function mailUser(submitted: SubmittedEmail, user: EmailUser): MailUser {
  let named: SubmittedTo[] = [];
  return {
    begin(from) {
      named = [];
      return submitted.begin(user, from);
    },
    async recipient(text) {
      const to = await submitted.recipient(user, text);
      const address = text.toLowerCase();
      const all = named;
      all.push({ to, address });
      return {
        address,
        async file(mail) {
          if ('refused' in mail) throw new SmtpFailure(550, '5.7.1', mail.refused);
          return `2.0.0 Sent as ${(await submitted.accept(mail.email, user, all, address)).id}`;
        },
      };
    },
  };
}
