import { AppError } from '@mailroom/behavior/values/error';
import type { ReceivedEmail } from '../../core/ports/email-transport.ts';
import type { MailReader } from './reader.ts';
import { readOrNone, receivedOf } from './received.ts';

/** Where a mail names no author: an address that never exists (RFC 2606, section 2). */
const NO_AUTHOR = { name: '', address: 'unknown@mailroom.invalid' };
const UNPROVEN = { spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none', verified: false } as const;

/** Reads mails of archives, of which nothing is proven and nothing is looked up. Its threads start with the first mail. */
export class ArchiveReader implements AsyncDisposable {
  #reader: Promise<MailReader> | undefined;

  /** AppError `validation_error` for a mail that cannot be read, `unavailable` when many are being read. */
  async read(raw: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<ReceivedEmail> {
    this.#reader ??= import('./reader.ts').then(({ MailReader }) => new MailReader({ mta: '', ours: () => false }));
    // Who logged in needs no proof, so name servers are not asked.
    const source = { raw, ip: null, helo: '', from: '', logged_in: true };
    const mail = await readOrNone(await this.#reader, source, signal);
    if (mail === undefined)
      throw new AppError('validation_error', 'The mail takes too much time or memory to read, so it is not imported.');
    return { ...receivedOf(mail, mail.from ?? NO_AUTHOR, source), authentication: UNPROVEN };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const reader = await this.#reader;
    await reader?.[Symbol.asyncDispose]();
  }
}
