import type { ReceivedEmail } from '../../core/ports/email-transport.ts';
import type { SpamFilter, SpamVerdict } from '../../core/ports/spam-filter.ts';
import type { MailSource } from './reader.ts';

/** Symbols that a person is told of. */
const MAX_NAMED = 5;

type Judged = Extract<SpamVerdict, { kind: 'judged' }>;

const whyOf = ({ action, score, symbols }: Judged): string => {
  const named = symbols.slice(0, MAX_NAMED).map(({ name }) => name);
  return `The filter would ${action} it (${score}${named.length === 0 ? '' : `: ${named.join(', ')}`}).`;
};

/** Has a filter judge a mail of a stranger while `read` reads it. One that the filter does not judge in time is no spam. */
export async function readJudged<Read extends { readonly email: ReceivedEmail } | { readonly refused: string }>(
  source: MailSource,
  read: Promise<Read>,
  { filter, signal, onUnknown }: { filter: SpamFilter; signal: AbortSignal; onUnknown: (reason: string) => void },
): Promise<Read> {
  const { raw, from, ip, helo } = source;
  const judging = filter.judge({ raw, from, ip, helo, recipients: [] }, signal);
  const [found, verdict] = await Promise.all([read, judging]);
  if (verdict.kind === 'unknown') onUnknown(verdict.reason);
  if (verdict.kind === 'unknown' || !verdict.spam || 'refused' in found) return found;
  return { ...found, email: { ...found.email, spam: { why: whyOf(verdict) } } };
}
