import { isDeadAddress, STATUS } from '../../core/mail-out/dead-address.ts';
import { oneLine } from './addresses.ts';

/** Lines and characters of a notice that are read: it says what happened first. */
const MAX_LINES = 300;
const MAX_TEXT = 20_000;
const MAX_WORDS = 500;

/** A reply of a server, by its code. */
const REPLY = /(?:^|[^\d.])([45])\d\d(?=[ -]|$)/;

/** The status that a diagnostic names; else the one of its SMTP code. */
export function statusIn(text: string): string | null {
  const head = text.slice(0, 2_000);
  const code = REPLY.exec(head)?.[1];
  return STATUS.exec(head)?.[1] ?? (code === undefined ? null : `${code}.0.0`);
}

export const diagnosticOf = (text: string): string | null =>
  oneLine(text.slice(0, 4 * MAX_WORDS)).slice(0, MAX_WORDS) || null;

const COPY_HEADINGS = [
  String.raw`^[-=_*# \t]{0,80}(?:below (?:this line )?is a copy|this is a copy of|original (?:message|mail)\b|(?:the )?(?:message )?headers? (?:of the (?:original )?message|follow)|unsent message|returned message|included is a copy)`,
  '^(?:received|return-path|x-received|dkim-signature|message-id):',
];
/** Where the mail that came back begins, with or without words of the server above it. */
const COPY = new RegExp(`${COPY_HEADINGS.join('|')}`, 'i');
/** The line that says what happened, where none has a code. */
const TELLING =
  /unknown|not (?:be )?(?:found|listed|recognized|delivered)|no such|invalid|does(?: ?n.?t| not)|rejected|expired|timed? ?out|timeout|giving up|exceed|\bfull\b|quota|disabled|denied|refused|error\b.{0,20}:|reason\b.{0,20}:/i;
const DELAYS = [
  String.raw`\bdelayed\b`,
  'has not yet been delivered',
  String.raw`\bwill be retried`,
  'still (?:trying|being)',
  'will (?:keep|continue) (?:trying|to (?:try|retry))',
  'delivery attempts will continue',
  'temporary failure report',
  'warning message only',
  'could not send (?:mail|message) for (?:the )?past',
  'need to re-?send',
];
/** A server's words that it has not given up. */
const DELAY = new RegExp(`${DELAYS.join('|')}`, 'i');
const FAILURES = [
  'undeliver',
  '(?:could not|couldn.?t|cannot|can.?t|not) be delivered',
  '(?:was|were|been) not delivered',
  'delivery (?:status|has failed|fail)',
  '(?:mail|message) delivery',
  'failed (?:to deliver|permanently|recipient)',
  'unable to deliver',
  'returned (?:mail|to sender)',
  'failure notice',
  'failed delivery',
  'did not reach',
  'permanent (?:fatal )?(?:error|failure)',
  String.raw`(?:error|trouble) (?:\w+ )?(?:sending|delivering) your`,
  String.raw`^[ \t]{0,9}[45]\d\d[ -][45]\.\d`,
];
/** Words of notices of failures, of which an automatic answer to the mail has none. */
const FAILURE = new RegExp(`${FAILURES.join('|')}`, 'im');
/** Who writes notices (RFC 5321, section 6.1). */
const DAEMON = /^(?:mailer-?daemon|post[-_]?master)$/;

export const isDaemon = (address: string): boolean =>
  DAEMON.test(address.slice(0, Math.max(address.lastIndexOf('@'), 0) || undefined).toLowerCase());

/** In reply to which command a server refused, in the words of other servers and in transcripts. */
const OF_RECIPIENT =
  /in reply to rcpt to|after rcpt|>>> rcpt to|our rcpt|does not like recipient|rcpt to response|smtp:rcpt|<<< rcpt|server has rejected address/i;
const OF_CONTENT = /end of data|final data|>>> data|smtp command data|data send|after i sent the message/i;
/** What a server says above a refusal that blames the address, though the mailbox exists. */
const EXISTS = /disk space|over quota|(?:mailbox|folder) (?:is )?full|account is disabled/i;

/** Tells of each failure that a notice names whether it is one of the address itself; `text`: of the notice. */
export function deadAddresses(text: string): (failure: Pick<Notice, 'status' | 'diagnostic'>) => boolean {
  const said = oneLine(linesOf(text).join(' '));
  if (EXISTS.test(said)) return () => false;
  const of_recipient = OF_RECIPIENT.test(said) && !OF_CONTENT.test(said);
  return ({ status, diagnostic }) => isDeadAddress({ status, words: diagnostic ?? '', of_recipient });
}

/** What a notice says in its own words. */
export interface Notice {
  readonly action: 'failed' | 'delayed';
  readonly status: string | null;
  readonly diagnostic: string | null;
}

/** The lines of a notice above the mail that came back. */
function linesOf(text: string): string[] {
  const lines = text.slice(0, MAX_TEXT).split('\n', MAX_LINES);
  const copy = lines.findIndex((line) => COPY.test(line));
  return copy < 0 ? lines : lines.slice(0, copy);
}

/** The words of a notice that say why, from the line with the code on. */
function reasonIn(lines: readonly string[]): string {
  const coded = lines.findIndex((line) => STATUS.test(line) || REPLY.test(line));
  const at = coded < 0 ? lines.findIndex((line) => TELLING.test(line)) : coded;
  const below = lines.slice(Math.max(at, 0));
  const end = coded < 0 ? -1 : below.findIndex((line) => line.trim() === '');
  return (end < 0 ? below : below.slice(0, end)).join('\n');
}

/** What a text says about a failure that a report beside it does not explain. */
export function reasonOf(text: string): Pick<Notice, 'status' | 'diagnostic'> {
  const reason = reasonIn(linesOf(text));
  return { status: statusIn(reason), diagnostic: diagnosticOf(reason) };
}

/** Whether it is by a server, or says that a mail was not delivered. */
export function isNotice(author: string | null, subject: string, text: string): boolean {
  if (author === null || isDaemon(author)) return true;
  return FAILURE.test(`${subject.slice(0, 1_000)}\n${linesOf(text).join('\n')}`);
}

/** Reads a notice that has no report (RFC 3464) or whose report names none of its recipients. */
export function noticeOf(subject: string, text: string): Notice {
  const lines = linesOf(text);
  const delayed = DELAY.test(`${subject.slice(0, 1_000)}\n${lines.join('\n')}`);
  return { action: delayed ? 'delayed' : 'failed', ...reasonOf(text) };
}
