import { open, readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { MailroomError } from '../../error.ts';
import type { ImportResult } from '../../types.generated.ts';
import { type Command, UsageError } from '../command.ts';
import { type FoundMail, MAX_MAIL, mailsOfMbox } from '../mbox.ts';
import { ownAddress } from './shared.ts';

/** Mails that are sent at the same time. */
const TOGETHER = 8;
/** Bytes of the mails that are sent at the same time, unless one alone has more. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Bytes in which the fields of a mail are looked for. */
const HEAD = 64 * 1024;

/** What is wrong with one mail alone. */
const OF_ONE_MAIL: ReadonlySet<string> = new Set(['validation_error', 'body_too_large']);

/** The value of a header field, on one line. */
function fieldOf(head: string, name: string): string {
  const [, value = ''] = new RegExp(`^${name}:((?:.*\\r?\\n(?=[ \\t]))*.*)`, 'im').exec(head) ?? [];
  return value.replace(/\s+/g, ' ').trim();
}

const headOf = (bytes: Uint8Array<ArrayBuffer>): string =>
  Buffer.from(bytes.buffer, 0, Math.min(HEAD, bytes.byteLength))
    .toString('latin1')
    .split(/\r?\n\r?\n/, 1)[0] ?? '';

const idsIn = (text: string): readonly string[] => text.match(/<[^<>\s]+>/g) ?? [];

/** The files of a Maildir, or with the extension .eml, of a folder: oldest first, so that answers follow what they answer. */
async function filesIn(folder: string): Promise<readonly { readonly path: string; readonly at: number }[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const isMaildir = names.some((entry) => entry.isDirectory() && entry.name === 'cur');
  const files: { readonly path: string; readonly at: number }[] = [];
  for (const entry of names) {
    if (!entry.isFile()) continue;
    const inMaildir = /(?:^|[/\\])(?:cur|new)$/.test(entry.parentPath);
    if (isMaildir ? !inMaildir : extname(entry.name).toLowerCase() !== '.eml') continue;
    const path = join(entry.parentPath, entry.name);
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    const date = Date.parse(fieldOf(buffer.toString('latin1', 0, bytesRead).split(/\r?\n\r?\n/, 1)[0] ?? '', 'date'));
    files.push({ path, at: Number.isNaN(date) ? (await file.stat()).mtimeMs : date });
  }
  return files.sort((one, other) => one.at - other.at);
}

async function* mailsOfFolder(folder: string): AsyncGenerator<FoundMail> {
  const files = await filesIn(folder);
  if (files.length === 0) throw new UsageError(`${folder} is no Maildir, and has no files named *.eml.`);
  for (const { path } of files) yield await mailOfFile(path);
}

async function mailOfFile(path: string): Promise<FoundMail> {
  const { size, mtime } = await stat(path);
  if (size > MAX_MAIL) return { place: path, mail: { problem: `It has more than ${MAX_MAIL} bytes.` } };
  const all = await readFile(path);
  // Some programs save a mail with the line of an mbox file.
  const from = /^>?From [^\n]*\n/.exec(all.toString('latin1', 0, 300))?.[0].length ?? 0;
  return { place: path, received_at: mtime.toISOString(), mail: { bytes: new Uint8Array(all.subarray(from)) } };
}

async function mailsIn(path: string): Promise<AsyncGenerator<FoundMail>> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new UsageError(`There is no file or folder ${path}.`);
  if (found.isDirectory()) return mailsOfFolder(path);
  if (extname(path).toLowerCase() !== '.eml') return mailsOfMbox(path);
  return (async function* () {
    yield await mailOfFile(path);
  })();
}

export const importMail: Command = {
  name: 'import',
  summary: 'File the mails of an mbox file, a Maildir or a folder of .eml files at an address, with their dates',
  args: 'ADDRESS FILE|FOLDER',
  count: [2, 2],
  examples: [['import ada archive.mbox', 'Nothing answers them; the same file again adds nothing']],
  async run({ client, positionals, terminal, json, signal }) {
    const [given = '', path = ''] = positionals;
    const mails = await mailsIn(path);
    const mailroom = client();
    const address = await ownAddress(mailroom, given, signal);
    const counts = { imported: 0, exists: 0 };
    const failed: { readonly at: number; readonly mail: string; readonly message: string }[] = [];
    let count = 0;
    const fail = (at: number, mail: string, message: string): void => {
      failed.push({ at, mail, message });
      if (!json) terminal.note(`${mail}: ${message}`);
    };
    /** What is being sent, by Message-ID: an answer to it follows it. */
    const sending = new Map<string, Promise<void>>();
    const active = new Set<Promise<void>>();
    const stop = new AbortController();
    let broken: unknown;
    let bytes = 0;

    const send = async ({ place, received_at, mail }: FoundMail, before: readonly Promise<void>[]): Promise<void> => {
      const at = count++;
      if ('problem' in mail) return fail(at, place, mail.problem);
      try {
        await Promise.all(before);
        if (stop.signal.aborted) return;
        const options = { signal: AbortSignal.any([signal, stop.signal]) };
        const { status }: ImportResult = await mailroom.mailboxes.importMail(
          address,
          mail.bytes,
          { received_at },
          options,
        );
        counts[status]++;
      } catch (error) {
        if (error instanceof MailroomError && OF_ONE_MAIL.has(error.code)) return fail(at, place, error.message);
        broken ??= error;
        stop.abort();
      }
    };
    const summary = (): string =>
      `${counts.imported} imported, ${counts.exists} there already, ${failed.length} not imported`;
    terminal.progress(summary);
    try {
      for await (const found of mails) {
        if (stop.signal.aborted) break;
        const size = 'bytes' in found.mail ? found.mail.bytes.length : 0;
        bytes += size;
        const head = 'bytes' in found.mail ? headOf(found.mail.bytes) : '';
        const named = idsIn(`${fieldOf(head, 'in-reply-to')} ${fieldOf(head, 'references')}`);
        const [id] = idsIn(fieldOf(head, 'message-id'));
        const sent = send(
          found,
          [...named, ...(id === undefined ? [] : [id])]
            .map((one) => sending.get(one))
            .filter((one) => one !== undefined),
        ).finally(() => {
          bytes -= size;
          active.delete(sent);
          if (id !== undefined && sending.get(id) === sent) sending.delete(id);
        });
        if (id !== undefined) sending.set(id, sent);
        active.add(sent);
        while (active.size >= TOGETHER || (bytes > MAX_BYTES && active.size > 1)) await Promise.race(active);
      }
    } finally {
      await Promise.all(active);
      terminal.done();
    }
    if (broken !== undefined) {
      terminal.note(`It broke off: ${summary()}. Run it again to go on; what is there already is not added twice.`);
      throw broken;
    }
    if (json) {
      const inOrder = failed.toSorted((one, other) => one.at - other.at);
      terminal.json({ ...counts, failed: inOrder.map(({ mail, message }) => ({ mail, message })) });
    } else terminal.line(summary());
    return failed.length === 0 ? 0 : 1;
  },
};
