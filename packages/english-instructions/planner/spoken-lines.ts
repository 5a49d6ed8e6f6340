import { isAddedLine } from '@mailroom/behavior/values/added-line';
import { isClosing, isGreeting, isPolite, plain } from './courtesy.ts';
import { type Item, isLine, isName, type Line } from './lines.ts';
import { hasWords, type Judge, pieceOf, shows } from './pieces.ts';

const GREETS = /^(?:hi|hello|hey|hallo|dear|good (?:morning|afternoon|evening|day))\b/i;
/** Whether a line is a courtesy and no greeting. */
export const isThanks = (text: string): boolean => isPolite(text) && !GREETS.test(text);

const REMINDERS =
  /^(?:please )?(?:(?:can|could|would) you )?(?:please )?(?:remind me|(?:(?:i|we)(?:[’']d like| need| want| have) |(?:(?:set|add|create|make|schedule|plan)(?: me| up)? )?)(?:(?:these|the following|some|my|a few|those) )?(?:(?<count>two|three|four|five|six|seven|eight|nine|ten|[2-9]) )?reminders(?: for me)?(?: please)?)(?: (?:of|to|about|for))?(?: (?:these|this|the following)(?: things)?)?:$/i;
/** How many reminders are set, of which day, and each with its time: "two reminders for tomorrow: 9:30 …, and 15:00 …". */
const COUNTED_REMINDERS =
  /^(?:please )?(?:set|create|add|make)(?: me)? (two|three|four|five|[2-5]) reminders(?: for| on)?(?: (today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day))?: (.+)$/i;
const COUNTS = ['', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
/** A line with several reminders as one line each, if there are as many as it says. */
function eachReminder(line: Line): readonly Line[] {
  const [, count = '', day = '', all = ''] = COUNTED_REMINDERS.exec(line.text) ?? [];
  const each = all.split(/[,;]? (?:and )?(?=(?:at )?\d{1,2}[:.]\d\d )/).filter((one) => one !== '');
  return each.length !== (COUNTS.indexOf(count.toLowerCase()) + 1 || Number(count))
    ? [line]
    : each.map((one) => {
        const [, clock = '', text = ''] = /^(?:at )?(\S+) (.*)$/.exec(one) ?? [];
        return { ...line, mark: '-', text: `remind me ${day}${day === '' ? '' : ' '}at ${clock}: ${text}` };
      });
}
const MAX_REMINDERS = 50;

/** Each line below a heading such as "Remind me:" as a reminder, where each says when and of what. */
export function underReminders(items: readonly Item[], judge: Judge): readonly Item[] {
  const [head, ...below] = items.filter((item) => item !== 'gap');
  if (head === undefined || !isLine(head)) return items;
  const [one, ...more] = eachReminder(head);
  if (one !== undefined && more.length > 0) return [one, ...more, ...items.slice(items.indexOf(head) + 1)];
  const { count } = REMINDERS.exec(head.text)?.groups ?? {};
  if (!REMINDERS.test(head.text)) return items;
  const lines = below.filter((item) => isLine(item) && !isPolite(item.text)) as readonly Line[];
  if (count !== undefined && lines.length !== (COUNTS.indexOf(count.toLowerCase()) + 1 || Number(count))) return items;
  if (lines.length < 2 || lines.length > MAX_REMINDERS || below.some((item) => !isLine(item))) return items;
  const reminders = lines.map((line) => ({
    ...line,
    mark: line.mark ?? '-',
    text: `remind me${/:(?: |$)/.test(line.text) ? '' : ':'} ${line.text}`,
  }));
  const sure = reminders.every((line) => {
    const { text, data } = pieceOf(line);
    const seen = judge(plain(text), data?.[0]);
    return seen?.effects === true && !seen.asks && seen.sure >= 0.9;
  });
  return sure ? reminders : items;
}

const HEADER =
  /^(?:subject|betreff|re|fwd?|fyi|q|urgent|important|asap|quick|(?:[a-z]+ ){0,2}(?:question|homework|assignment|exercise|task|revision|project|problem|puzzle|quiz))(?::|$)\s*/i;
/**
 * Without the first line of a mail that names its subject or only announces it, where an instruction without effects
 * follows; a subject that is one itself is about what follows.
 */
export function withoutHeaders(items: readonly Item[], judge: Judge): readonly Item[] {
  const [first, next] = items.filter((item) => item !== 'gap');
  if (first === undefined || !isLine(first) || !HEADER.test(first.text)) return items;
  const rest = items.slice(items.indexOf(first) + 1);
  const clear = (line: Line, below: boolean | string): boolean => {
    const { text, data } = pieceOf(line);
    const seen = judge(plain(text), data?.[0] ?? below);
    return seen !== undefined && !seen.effects && !seen.asks && seen.sure >= 0.7;
  };
  const subjectLine = { ...first, text: first.text.replace(HEADER, '') };
  if (judge(plain(subjectLine.text))?.effects === true) return items;
  if (next !== undefined && isLine(next) && (clear(next, false) || clear(next, true))) return rest;
  const below = rest
    .map((item) => (isLine(item) ? item.text : ''))
    .join('\n')
    .trim();
  if (subjectLine.text === '' || !(clear(subjectLine, below !== '') || clear(subjectLine, below))) return items;
  return [
    next === undefined || subjectLine.text.endsWith(':')
      ? subjectLine
      : { ...subjectLine, text: `${subjectLine.text}:` },
    ...rest,
  ];
}

const WROTE = /^(?:on|am|le) .{4,150}(?:wrote|schrieb|a écrit) ?:$/i;
/** Without the mail that is quoted below an answer, unless what is said above is about it. */
export function withoutQuoted(items: readonly Item[], judge: Judge): readonly Item[] {
  const index = items.findIndex((item) => isLine(item) && WROTE.test(item.text));
  const above = items.slice(0, Math.max(0, index)).filter((item) => item !== 'gap');
  const quoted = items.slice(index + 1).every((item) => item === 'gap' || (isLine(item) && item.text.startsWith('>')));
  const alone = above.every((item) => {
    const seen = isLine(item) && !shows(item.text) ? judge(plain(item.text)) : undefined;
    return (seen !== undefined && !seen.asks && seen.sure >= 0.7) || (isLine(item) && isPolite(item.text));
  });
  return above.length > 0 && quoted && alone ? items.slice(0, index) : items;
}

/** Without what a phone or a program adds below a mail. */
export function withoutAdded(items: readonly Item[]): readonly Item[] {
  const end = items.findLastIndex((item) => item !== 'gap' && !(isLine(item) && isAddedLine(item.text)));
  return end < 0 ? items : items.slice(0, end + 1);
}

/** Maximum lines of a signature, and of one its length. */
const MAX_SIGNATURE = 8;
const MAX_SIGNED = 80;
/** A name, a firm, a number, an address; no question and no sentence. */
const CONTACT = /^(?:\p{Lu}|\d|[+(@]|(?:www\.|https?:|tel|phone|mobile|mob|fax|e-?mail|web|sent from)\b)[^?!]*$/iu;

/**
 * Without the sender's name and address under the closing of a mail, or under a line of two dashes (RFC 3676, section
 * 4.3). A mail that is itself the text to work on keeps them, and so does one whose last lines may say more.
 */
export function withoutSignature(items: readonly Item[], judge: Judge): readonly Item[] {
  const dashes = items.findLastIndex((item) => isLine(item) && /^--$/.test(item.text));
  const index = dashes > 0 ? dashes : items.findLastIndex((item) => isLine(item) && isClosing(item.text));
  const below = items.slice(index + 1).filter((item) => item !== 'gap');
  // A bare "Best" closes a mail where a name alone stands below it.
  const bare =
    dashes < 0 &&
    index > 1 &&
    items[index - 1] === 'gap' &&
    !isClosingLine(items[index] as Item) &&
    isName(below[0] ?? 'gap');
  if (index < 1 || below.length < (dashes > 0 ? 0 : bare ? 1 : 2) || below.length > MAX_SIGNATURE) return items;
  const pasted = items.slice(1).some((item) => isLine(item) && isGreeting(item.text));
  const signed = below.every(
    (item) =>
      isLine(item) &&
      item.text.length <= MAX_SIGNED &&
      CONTACT.test(item.text) &&
      (judge(plain(item.text))?.sure ?? 0) < 0.7,
  );
  if (signed && !pasted && !isSigned(items, index, below, judge)) return items;
  if (!signed || pasted) return items;
  return dashes > 0 ? withoutSignature(items.slice(0, index), judge) : items.slice(0, bare ? index : index + 1);
}

/** A number, an address or a firm, which are nothing that a message ends with. */
const REACHED =
  /^(?:[+(\d][\d ()./-]{5,30}|(?:tel|phone|mobile|mob|fax|e-?mail|web)\b\D*\d.*|(?:www\.|https?:)\S+|[^\s@]+@\S+|.{1,60} (?:ltd|inc|llc|gmbh|ag|corp|plc|s\.?a\.?|b\.?v\.?)\.?|sent from .{1,40})$/i;

/** Whether what stands below the words of a sender is a signature beyond doubt; other instructions have no words to lose. */
function isSigned(items: readonly Item[], index: number, below: readonly Item[], judge: Judge): boolean {
  const pieces = items.slice(0, index).filter(isLine).map(pieceOf);
  const last = pieces.findLast((piece) => hasWords(piece, judge));
  if (last === undefined) return true;
  if (pieces.some(({ all, inline }) => all || inline)) return false;
  const [line, first] = [items[index] as Line, below[0]];
  if (line.text === '--') return line.signs === true;
  return (
    items[index - 1] === 'gap' &&
    isName(first ?? 'gap') &&
    below.slice(1).every((one) => REACHED.test((one as Line).text))
  );
}

/** Whether a line closes a mail. */
export const isClosingLine = (item: Item): boolean => isLine(item) && isThanks(item.text);
