import { createInterface } from 'node:readline/promises';
import { MailroomError } from '../../error.ts';
import type { Mailroom } from '../../mailroom.ts';
import type { Attachment, Message } from '../../types.generated.ts';
import { type Context, UsageError } from '../command.ts';
import type { Terminal } from '../terminal.ts';

/** Further failures within this time belong to the same interruption. */
const QUIET_MS = 30_000;

/** The name of the namespace of the key in use. */
export const namespaceOf = async (mailroom: Mailroom, signal: AbortSignal): Promise<string> =>
  (await mailroom.keys.me({ signal })).namespace.name;

/** The address as given, or the one of this name in the key's own namespace. MailroomError where there is none. */
export async function ownAddress(mailroom: Mailroom, given: string, signal: AbortSignal): Promise<string> {
  if (given === '' || given.includes('@')) return given;
  const namespace = await namespaceOf(mailroom, signal);
  for await (const { local_part, address } of mailroom.mailboxes.listOf(namespace, { limit: 200 }, { signal }))
    if (local_part === given.toLowerCase()) return address;
  throw new MailroomError(`There is no address "${given}" in ${namespace}. mailroom address list shows those it has.`, {
    code: 'mailbox_not_found',
    status: 404,
  });
}

/** As `ownAddress`; throws too when the service cannot be reached or the key does not work, before it is waited for. */
export async function reachable(mailroom: Mailroom, given: string, signal: AbortSignal): Promise<string> {
  if (given === '' || given.includes('@')) await mailroom.keys.me({ signal });
  return ownAddress(mailroom, given, signal);
}

/** Says once that a stream broke, and again after it was whole for some time. */
export function interruptions(terminal: Terminal): (error: MailroomError) => void {
  let noteTime = Number.NEGATIVE_INFINITY;
  return ({ message }) => {
    const now = performance.now();
    if (now - noteTime > QUIET_MS) terminal.note(`${message} Trying again; nothing is missed.`);
    noteTime = now;
  };
}

/** A time as a person says it: `12:05` today, else `20 Nov` or `2025-11-20`. */
export function shortTime(timestamp: string, now = new Date()): string {
  const time = new Date(timestamp);
  if (time.toDateString() === now.toDateString())
    return time.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (time.getFullYear() === now.getFullYear())
    return time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  return timestamp.slice(0, 10);
}

/** A number of bytes as a person says it. */
export function shortSize(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}

export const fileLine = ({ filename, size, id }: Attachment): string => `${filename} (${shortSize(size)}, ${id})`;

/** Who wrote a message, for a list. */
export const senderOf = ({ from, sender }: Message): string => from ?? `a ${sender.kind}`;

/** Asks before something that cannot be undone; `--yes` answers for programs. UsageError where no person is there. */
export async function confirm({ values, typed, signal }: Context, question: string): Promise<boolean> {
  if (values.yes === true) return true;
  if (!typed) throw new UsageError(`${question} Add --yes to confirm it.`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `, { signal })).trim());
  } finally {
    lines.close();
  }
}

export const YES = { type: 'boolean', short: 'y', help: 'do not ask' } as const;
