import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { until } from './until.ts';

const WAIT_MS = 15_000;
const CODE = /^([A-Z0-9]{4}-[A-Z0-9]{4})$/m;

const read = new Map<string, Promise<Email>>();

/** The mails in this folder, by the path of their file in the order of names; each is parsed once, since it never changes. */
export async function mailsIn(folder: string): Promise<ReadonlyMap<string, Email>> {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.eml')) : [];
  const mails = new Map<string, Email>();
  for (const path of files.sort().map((file) => join(folder, file)))
    mails.set(path, await read.getOrInsertComputed(path, () => PostalMime.parse(readFileSync(path))));
  return mails;
}

/** The content of a mail with a code. */
export interface CodeMail {
  readonly code: string;
  readonly link: URL;
  readonly mail: Email;
}

/** Mail that a service without a mail server wrote into `folder`. */
export class Outbox {
  readonly #folder: string;
  readonly #read = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The code of the next unread mail to the address that has one: notices come between. */
  async code(address: string): Promise<CodeMail> {
    return codeIn(await this.mail(address, (mail) => CODE.test(plainText(mail))));
  }

  /** The next unread mail to the address that passes. */
  async mail(address: string, passes: (mail: Email) => boolean = () => true): Promise<Email> {
    const { seen } = await until(
      WAIT_MS,
      () => this.#next(address, passes),
      (mail) => mail !== undefined,
    );
    return seen as Email;
  }

  async #next(address: string, passes: (mail: Email) => boolean): Promise<Email | undefined> {
    for (const [file, mail] of await mailsIn(this.#folder)) {
      if (this.#read.has(file) || mail.to?.[0]?.address !== address || !passes(mail)) continue;
      this.#read.add(file);
      return mail;
    }
    return undefined;
  }
}

/** The code and the link in the plain text of a mail. */
export function codeIn(mail: Email): CodeMail {
  const text = plainText(mail);
  const code = CODE.exec(text)?.[1];
  const link = /^(https?:\/\/\S+\/link\?\S+)$/m.exec(text)?.[1];
  assert.ok(code !== undefined && link !== undefined, text);
  return { code, link: new URL(link), mail };
}

function plainText(mail: Email): string {
  return (mail.text ?? '').replaceAll('\r', '');
}
