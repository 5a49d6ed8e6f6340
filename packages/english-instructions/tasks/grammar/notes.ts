import type { Domain } from '../../language/grammar.ts';
import { rule } from './rules.ts';
import { asks, type Free, type Request } from './setting.ts';

const isName = (text: string): boolean => /^[\p{L}'’ -]{0,60}$/u.test(text) && text.split(' ').length <= 3;
const nameOf = ({ text }: Free, kind: string): string | undefined =>
  isName(text) ? `${text} ${kind}`.trim().toLowerCase() : undefined;

/** What is added, one item a line; nothing that refers to something else or continues. */
function added({ text }: Free, name: string | undefined): Request | undefined {
  const items = text.split(/, (?:and )?| and /).map((one) => one.trim());
  if (name === undefined || text.length > 500 || items.includes('') || NO_ITEM.test(text)) return undefined;
  return asks('remember', { name, text: items.join('\n'), append: true });
}
const NO_ITEM = /\b(?:it|this|that|these|those|them|then|if|unless|when|tomorrow|every)\b|[:{[\n]/i;

const recalled = (name: string | undefined): Request | undefined =>
  name === undefined ? undefined : asks('recall', { query: name });

/** Lists that are kept as notes. */
export const NOTES: Domain = {
  lexicon: {
    kept: { list: 'list' },
    APPEND: 'add|put|append|write|include|also add|please add',
    ONTO: 'to my|on my|onto my|to our|on our|onto our|in my|on to my|to my own',
    WHATSON:
      "what is on|what's on|whats on|show me|show|read|read me|what is in|what's in|whats in|what do i have on|tell me what is on",
    NOTED: 'note|notes|memo',
  },
  rules: [
    rule('request -0.3 = APPEND … ONTO … <kept>', ([item, name, kind]) => added(item, nameOf(name, kind))),
    rule('request -0.3 = WHATSON (my|our) … <kept>', ([name, kind]) => recalled(nameOf(name, kind))),
    rule('request -0.3 = (what does|what did|what do) my … NOTED (say|says|contain|tell me)', ([{ text }]) =>
      isName(text) && text !== '' ? asks('recall', { query: text.toLowerCase() }) : undefined,
    ),
  ],
};
