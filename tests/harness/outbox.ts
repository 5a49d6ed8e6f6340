import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Email } from 'postal-mime';
import PostalMime from 'postal-mime';
import { until } from './until.ts';

const WAIT_MS = 15_000;

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

  /** The code of the next unread mail to the address. */
  async code(address: string): Promise<CodeMail> {
    return codeIn(await this.mail(address));
  }

  /** The next mail to the address. */
  async mail(address: string): Promise<Email> {
    const { seen } = await until(
      WAIT_MS,
      () => this.#next(address),
      (mail) => mail !== undefined,
    );
    return seen as Email;
  }

  async #next(address: string): Promise<Email | undefined> {
    for (const file of existsSync(this.#folder) ? readdirSync(this.#folder) : []) {
      if (this.#read.has(file) || !file.endsWith('.eml')) continue;
      const mail = await PostalMime.parse(readFileSync(join(this.#folder, file)));
      if (mail.to?.[0]?.address !== address) continue;
      this.#read.add(file);
      return mail;
    }
    return undefined;
  }
}

/** The code and the link in the plain text of a mail. */
export function codeIn(mail: Email): CodeMail {
  const text = (mail.text ?? '').replaceAll('\r', '');
  const code = /^([A-Z0-9]{4}-[A-Z0-9]{4})$/m.exec(text)?.[1];
  const link = /^(https?:\/\/\S+\/link\?\S+)$/m.exec(text)?.[1];
  assert.ok(code !== undefined && link !== undefined, text);
  return { code, link: new URL(link), mail };
}
