import type { Clause, Reading } from '../clause.ts';
import { COURTESY } from '../words/courtesies.ts';
import { local } from '../words/dates.ts';
import { spelled } from '../words/day-typos.ts';
import { lengthOf } from '../words/durations.ts';
import { LIMITS } from '../words/limits.ts';
import { numericIn } from '../words/numeric-dates.ts';
import { CALL } from './calls.ts';
import { type Moment, once, type Timed, timing, timingFirst, timingIn, timingLast } from './when.ts';

const SOFTENERS = '(?:so|and|then|please|pls|plz|can you|could you|will you|would you|kindly|i want you to)';
const ME = CALL;
const LENGTH =
  '(?:about )?(?:an?|half an?|one|two|three|four|five|six|seven|ten|fifteen|twenty|thirty|\\d{1,3})(?: and a half)?[ -]?(?:minutes?|mins?|hours?|hrs?|h|days?|weeks?|months?)|the (?:day|week|night|evening|morning)';
const CLOCK = 'noon|midday|\\d{1,2}(?:[:.]\\d\\d)?(?: ?[ap]\\.?m\\b\\.?)?';
const END = `(?:,? (?:${COURTESY}|ok))*[.!?]*$`;
/** What takes place, and a length before it: "my passport runs out on 15 January, remind me two days ahead of that". */
const FORETOLD = new RegExp(
  `^(.{3,150}?)(?:[,;.:!]| [-–—])? (?:${SOFTENERS},? )*${ME} (?:(?:of|about) (?:it|that|this) )?(?:(?:at )?(${CLOCK}) )?(${LENGTH}) (before(?:hand)?|earlier|ahead|prior|in advance|after(?:wards)?|later)(?: of| to)?(?: (?:it|that|then|this|the (?:day|date|time|event)))?(?:,? (?:at )?(${CLOCK}))?(?:,? (?:to|about) (\\S.{1,200}?))?${END}`,
  'i',
);
/** What has to be done at a time, and that the sender wants to be reminded of it. */
const TO_DO = new RegExp(
  `^(?:(?:i|we)(?:['’]ve got| have got| need| have| must| should| want| ought|['’]m supposed| am supposed)(?: to)? )(\\S.{3,150}?)(?:[,;.!]| [-–—])? (?:${SOFTENERS},? )*(?:${ME}|(?:do not|don['’]?t) let me forget)(?: (?:of|about) (?:it|that|this))?${END}`,
  'i',
);
/** What takes place at a time of the day, and that the sender wants to be reminded then. */
const TIMED = new RegExp(
  `^((?!${ME}).{3,150}?\\bat (?:${CLOCK})(?: tomorrow| today| tonight)?)(?:[,;.!]| [-–—])? (?:${SOFTENERS},? )*${ME}(?: (?:of|about) (?:it|that|this))?${END}`,
  'i',
);
const DAY_PARTS: Readonly<Record<string, string>> = { night: '20:00', evening: '19:00', morning: '9:00' };
/** Questions and instructions. */
const NO_FACT =
  /^(?:what|when|which|how|who|is|are|do|does|don['’]?t|never|please do|can|if|whether|remind|e-?mail|send|tell|set|ping|nudge|wake)\b/i;

/** The time in a text; undefined where there is none or another one, or a word that limits it. */
function eventIn(text: string, clause: Clause): Timed | undefined {
  // A verb before a time would make it a part of what is said.
  const told = text.replace(/(?: is| are|['’]s| will be)(?= )/gi, ' comes');
  const last = timingLast(`x ${told}`, clause) ?? timingFirst(text, clause);
  const rest = last?.rest.replace(/^x ?/, '') ?? '';
  const limited = (rest.toLowerCase().match(/[\p{L}'’]+/gu) ?? []).some((word) => LIMITS.has(word));
  const both = /\b(?:and|or)$/i.test(rest.trim()) || timingLast(`x ${rest}`, clause) !== undefined;
  return last?.timing.at === undefined || last.refused === true || limited || both ? undefined : last;
}

/** A reminder at a length from what takes place, which is told first. */
export function foretold(clause: Clause): Reading | undefined {
  if (clause.data !== undefined) return undefined;
  const [words, fact = '', before, length = '', side = '', behind, about] = FORETOLD.exec(clause.text) ?? [];
  const event = words === undefined || NO_FACT.test(fact) ? undefined : eventIn(fact, clause);
  if (words === undefined || event?.timing.at === undefined) return undefined;
  const part = /^the (\w+)/i.exec(length)?.[1]?.toLowerCase();
  const by = lengthOf(part === undefined ? length.replace('-', ' ') : `1 ${part === 'week' ? 'week' : 'day'}`);
  const clock = before ?? behind ?? (part === undefined ? undefined : DAY_PARTS[part]);
  // Hours before a day without a time of its own name no time.
  if (by === undefined || by.business > 0 || (by.has_time && (!event.exact || clock !== undefined))) return undefined;
  const { time_zone } = event.timing;
  const start = Temporal.Instant.from(event.timing.at).toZonedDateTimeISO(time_zone);
  const due = /^(?:after|later)/i.test(side) ? start.add(by.duration) : start.subtract(by.duration);
  const at = clock === undefined ? undefined : once(`${due.toPlainDate()} at ${clock}`, { ...clause, time_zone });
  if (clock !== undefined && at === undefined) return undefined;
  const timing = at?.timing ?? { at: local(due.epochMilliseconds, time_zone), time_zone };
  // What follows the fact is when to remind of it.
  const accounts = [words, ...(about === undefined ? [words.slice(fact.length)] : [])];
  const numeric = numericIn(fact);
  return { sure: 0.95, input: { text: about ?? fact, ...timing, ...(numeric && { numeric }) }, accounts };
}

/** What has to be done, and when its sender wants to be reminded of it. */
const DUE = new RegExp(
  `^(.{2,200}?)([.!;:,]\\s+| ?[-–—]\\s+| and |\\s+)(?:${SOFTENERS},? )*${ME}(?: (?:of|about) (?:it|that|this))?,? (?:on |for )?(\\S.{2,80}?)${END}`,
  'is',
);
const TO_BE_DONE = /^(?:(?:i|we) )?(?:need|have|gotta|got|must|should|ought|want)\b/i;
/** What has to be done at a time, and that a reminder is to come then. */
const THEN_DUE = new RegExp(
  `^(.{3,60}?),? (?:i|we)(?:['’]ve got| have got| need| have| must| should|['’]m supposed)(?: to)? (\\S.{2,150}?)(?:[,;.!]| [-–—]) (?:${SOFTENERS},? )*${ME}(?: then)?${END}`,
  'i',
);

/**
 * The instruction of a message that tells what takes place, or what has to be done, and asks to be reminded of it. `isDone`:
 * whether an instruction is clear, so that it is nothing to be reminded of.
 */
export function foretoldIn(text: string, moment: Moment, isDone: (text: string) => boolean): string | undefined {
  if (text.length > 500) return undefined;
  const [, about = '', joint = '', when = ''] = DUE.exec(text) ?? [];
  const [, start = '', task = ''] = THEN_DUE.exec(text) ?? [];
  const isTold =
    joint.trim() !== '' || joint.includes('\n') || (TO_BE_DONE.test(about) && !/\b(?:to|not|will)$/i.test(about));
  for (const [fact, time] of [[isTold ? about : '', when] as const, [task, start] as const]) {
    const found = fact === '' || NO_FACT.test(fact) ? undefined : timing(spelled(time), moment);
    const { at } = found?.timing ?? {};
    if (found === undefined || found.refused === true || /\b(?:before|earlier|ahead|after|later)\b/i.test(time))
      continue;
    // "Pills at 7, remind me daily" has its hour elsewhere.
    if (!found.exact && timingIn(fact, moment) !== undefined) continue;
    if ((at === undefined || Date.parse(at) > moment.now) && !isDone(fact))
      return `remind me ${spelled(time)}: ${fact.replace(/^that (?=\S)/i, '')}`;
  }
  if (text.includes('\n')) return undefined;
  const what = (TO_DO.exec(text) ?? TIMED.exec(text))?.[1];
  return what === undefined ? (FORETOLD.test(text) ? text : undefined) : `remind me to ${what}`;
}
