import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import type { Mailbox } from './mailbox.ts';

type Named = Pick<Mailbox, 'wake' | 'local_part' | 'namespace' | 'domains' | 'display_name'>;

/**
 * Whether a mailbox handles a message that it is one of Cc or Bcc of; `text` is new, without what it quotes, and `hops` is
 * the length of the chain of messages that caused it: addresses that all answer all would have one another answer without
 * end, so what another message caused wakes who is mentioned alone.
 */
export function wakesForCc(
  mailbox: Named,
  { text, hops }: { readonly text: string; readonly hops: number },
  mailDomain: string,
): boolean {
  if (mailbox.wake !== 'mention') return mailbox.wake === 'cc' && hops === 0;
  const { local_part: local, domains, display_name: name } = mailbox;
  const addresses = [
    fullAddress(addressOf(mailbox), mailDomain),
    addressOf(mailbox),
    ...domains.map((domain) => `${local}@${domain}`),
  ];
  const names = [...addresses, `@${local}`, ...(name === null ? [] : [`@${name}`])];
  // A line that quotes is another's.
  const lower = text.replace(/^>.*$/gm, '').toLowerCase();
  return names.some((one) => isNamed(lower, one.toLowerCase()));
}

/** Characters that continue a name or an address. */
const CONTINUES = /[\p{L}\p{N}_-]/u;

/** Whether a text has these words, and neither within other words nor within an address. */
function isNamed(text: string, words: string): boolean {
  for (let place = text.indexOf(words); place >= 0; place = text.indexOf(words, place + 1)) {
    const [before = '', after = '', beyond = ''] = [
      text[place - 1],
      text[place + words.length],
      text[place + words.length + 1],
    ];
    const isEnd = !CONTINUES.test(after) && after !== '@' && !(after === '.' && CONTINUES.test(beyond));
    if (isEnd && !CONTINUES.test(before) && before !== '.' && before !== '+') return true;
  }
  return false;
}
