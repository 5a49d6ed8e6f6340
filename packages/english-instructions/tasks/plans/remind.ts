import { reminderBody } from '@mailroom/behavior/schedule';
import { rfc3339 } from '@mailroom/behavior/values/clock';
import { closed } from '@mailroom/behavior/values/closed';
import { BLANKS, withoutTrailing } from '@mailroom/behavior/values/trailing';
import { Type } from 'typebox';
import { behindThat, type Clause, placeholder, type Reading, unquote, wording } from '../clause.ts';
import { INSTRUCTION_LENGTH } from '../notes/name.ts';
import { TaskError, task } from '../task.ts';
import { isCourtesy } from '../words/courtesies.ts';
import { local } from '../words/dates.ts';
import { spelled } from '../words/day-typos.ts';
import { isFigure } from '../words/named-figures.ts';
import { numericIn, numericSaid } from '../words/numeric-dates.ts';
import { spelledToDigits } from '../words/spelled-numbers.ts';
import { aheadOf, areAhead, isAhead } from './before.ts';
import { CALL, LET_KNOW } from './calls.ts';
import { foretold } from './foretold.ts';
import { planned, reminderData, saidWhen } from './planned.ts';
import { severalFirst, severalLast } from './several.ts';
import {
  atClock,
  dayFor,
  impossibleIn,
  Numeric,
  oftenIn,
  strayOf,
  type Timed,
  timing,
  timingFirst,
  timingLast,
  together,
  warm,
  withoutRuledOut,
} from './when.ts';

const Input = closed({
  text: Type.String({ minLength: 1, description: 'What to be reminded of, up to 8 KiB.' }),
  'at?': Type.String({ description: 'Once: RFC 3339, or words as “tomorrow at 9”. Up to five years ahead.' }),
  'rule?': Type.String({
    description: 'Again and again: a cron expression of five fields, or words as “every Friday at 17:00”.',
  }),
  'time_zone?': Type.String({ description: 'IANA name; that of the mailbox by default.' }),
  'hour?': Type.Integer({
    minimum: 1,
    maximum: 6,
    description: 'An hour that was said without am or pm and taken as one of the morning: the answer says so.',
  }),
  numeric: Numeric,
});
const Output = closed({
  result: Type.String({ description: 'A sentence that says when.' }),
  id: Type.String({ description: '`sch_…`, to cancel it by.' }),
  next_at: Type.String({ description: 'RFC 3339: the first time.' }),
  rule: Type.Union([Type.String(), Type.Null()]),
  time_zone: Type.String(),
});

const MAX_TEXT = 8_192;
const HEAD = new RegExp(
  String.raw`^(?:(?:hey|hi|hello|ok|okay|and|then|also|so),? )?(?:(?:do not|don['’]?t|never) forget to |(?:remember|make sure|be sure) to )?${CALL}(?=$|[\s,])[\s,]*`,
  'i',
);
const BEFORE = new RegExp(`^((?:[^:]|:\\d){1,120}?)[,:]? (?:please )?(${CALL})(?=$|[\\s,])[\\s,]*`, 'i');
const QUOTATION = /"[^"]*"|“[^”]*”/g;
/** Questions about stored notes. */
const RECALL = /^(?:again )?(?:what|who|where|when|which|how|why|whether)\b/i;
const TIMER =
  /^((?:set|start|create|make|give me)(?: up)?) an? (\S{1,8})[ -](second|minute|min|hour)s? (timer|alarm|reminder)\b/i;
const LINK =
  /^[\s,;:–-]*(?:(?:too?|that|about|abt|of|re:?|regarding|saying|called|named|labell?ed|with(?: the)? text|with(?= (?:it|that|the (?:result|answer|total|sum|count))\b)|(?<!: )for)\s+)?/i;
/** "Not to forget the keys" is a text as a whole. */
const NEGATED = /^[\s,]*(?:not|never) to \S/i;
/** A courtesy behind a time. */
const COURTESY = /,? (?:please|pls|plz|thanks|thank you|thx|for me|if you can|(?:would|will|could) you)[.!?,]*$/i;
const isLinked = (rest: string): boolean => (LINK.exec(rest)?.[0] ?? '') !== '' || NEGATED.test(rest);
/** The words behind what links them to the time; a quotation without its marks. */
function wordsBehind(rest: string): string {
  const plain = rest.trim();
  if (isCourtesy(`,${plain}`)) return '';
  const words = /^that /i.test(plain) ? behindThat(plain) : plain.replace(LINK, '');
  return unquote(words);
}
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\btimer\b/i, 'Time is up!'],
  [/\balarm\b/i, 'This is your alarm.'],
  [/\bwake\b/i, 'Wake up!'],
];

/** "At 5" may be morning or afternoon; "at 05:00" and "at 9" are taken as written. */
const HALF_SAID =
  /(?:^|\b(?:at|by|around|about) )(?:half past |(?:a )?quarter (?:past|to) )?([1-6])(?:[:.][0-5]\d)?(?: o['’]?clock)?(?=$|,| (?:on|in|every|each|today|tomorrow|this|next)\b)/i;
const PART =
  /\b(?:mornings?|afternoons?|evenings?|nights?|tonight|noon|[ap]\.?m\.?)\b|\d ?[ap]\.?m|\b[1-6] (?:second|minute|hour|day|week|month|year)/i;

/** An hour of today without am or pm that is over was meant as one of the afternoon. */
function afternoonOf(found: Timed, { now }: Clause): Timed {
  const { at } = found.timing;
  const words = spelledToDigits(found.words);
  const isToday = /\btoday\b/i.test(words) && !PART.test(words) && HALF_SAID.test(words.replace(/^today /i, ''));
  if (at === undefined || !isToday || Date.parse(at) > now) return found;
  const later = Temporal.Instant.from(at).add({ hours: 12 });
  return later.epochMilliseconds <= now
    ? found
    : { ...found, timing: { ...found.timing, at: local(later.epochMilliseconds, found.timing.time_zone) } };
}

function halfSaid({ words }: Timed, { text }: Clause): { readonly hour?: number } {
  // A time to wake up is in the morning.
  const hour =
    PART.test(words) || /\b(?:alarm|wake)\b/i.test(text.slice(0, 40)) ? undefined : HALF_SAID.exec(words)?.[1];
  return hour === undefined ? {} : { hour: Number(hour) };
}

/** Asks for the time and shows the words that could not be read. */
const when = (why: string, text: string): Reading => ({
  sure: 0.9,
  ask: `${why} When exactly should I remind you, once or by which rule?`,
  answered: (answer) => `remind me ${withoutTrailing(answer.trim(), '.:')}: ${text}`,
});

const CONDITIONS = [
  'if|unless|except|excluding|provided|in case|only (?:if|when|on|at|after|before|once)|but (?:not|only)|until',
  'till|starting|beginning|twice|thrice|later',
  String.raw`(?:every|each) (?:\d|other|second|third|few|single|half|day|night|morning|afternoon|evening|week|weekday|weekend|month|quarter|year|hour|minute|(?:mon|tues|wednes|thurs|fri|satur|sun)day)`,
  String.raw`(?:\d{1,3}|an?|half an?|one|two|three|five|ten) (?:minute|min|hour|day|week)s? (?:before(?:hand)?|earlier|ahead|prior|in advance)$`,
  String.raw`(?:before|after|than) (?:the )?(?:\d|noon|midnight|tomorrow|tonight|today|next|(?:mon|tues|wednes|thurs|fri|satur|sun)day|one|two|three|half)`,
];
/** Words in a reminder about whether, when or how often it is sent; quoted words are its text. */
const CONDITION = new RegExp(
  String.raw`(?<!\b(?:ask|see|know|check|find out|wonder|tell \S{1,30}) )\b(?:${CONDITIONS.join('|')})(?![\p{L}])`,
  'iu',
);

/** Behind a time it corrects that, and is no text: "at 9, no, at 10". */
const TAKEN_BACK =
  /^(?:(?:oh|no|nope|wait|sorry|actually|correction),|(?:i mean(?:t)?|scratch that|make (?:it|that)|no wait|or rather)\b)/i;

/** A number behind a time, as in "at 3, 4 and 5pm". */
const FIGURE = /^\d{1,2}(?::\d\d)?(?: ?[ap]\.?m\.?)?$/i;

const reading = (found: Timed | undefined, text: string, clause: Clause, sure = 0.95, linked = true): Reading => {
  const content = isCourtesy(text) ? '' : wording(text, clause);
  const { data = '' } = clause;
  const mine = data !== '' && text.endsWith(data) ? text.slice(0, -data.length) : data.includes(text) ? '' : text;
  if (TAKEN_BACK.test(text)) return when('You corrected something.', text);
  const condition = CONDITION.exec(mine.replace(QUOTATION, ''));
  if (condition !== null && found?.refused !== true && !isFigure(text)) {
    const from = text.slice(text.indexOf(condition[0]));
    return when(
      `I remind at a time and nothing else decides it, so I cannot take “${from.slice(0, 60)}” into account.`,
      text,
    );
  }
  if (found !== undefined && data === '' && FIGURE.test(text))
    return when(`“${text}” may be another time, or what to remind you of.`, text);
  const more = found === undefined || found.refused === true ? null : /^(?:and|or|&) (?:again )?(.+)$/i.exec(text);
  // In "at 9 and at 11 to stretch" the second time is no part of the text.
  if (more !== null && timingFirst(more[1] as string, clause) !== undefined)
    return {
      sure: 0.95,
      ask: 'A reminder is for one time or one rule. Which one shall I set first?',
      answered: (answer) =>
        `remind me ${answer.trim()}: ${timingFirst(more[1] as string, clause)?.rest.replace(LINK, '') ?? text}`,
    };
  if (found !== undefined && found.refused !== true && content === '')
    return {
      sure: 0.85,
      ask: 'What should I remind you of?',
      answered: (answer) => `remind me ${found.words}: ${answer}`,
    };
  const often = found && oftenIn(found);
  if (often !== undefined) return when(`“${often}” says how often, and not at which times.`, text);
  if (found !== undefined) {
    const numeric = numericIn(found.words);
    const accounts = [found.words, ...(linked ? [text] : [])];
    const due = afternoonOf(found, clause);
    const hour = due === found ? halfSaid(found, clause) : {};
    const input = { text: content, ...due.timing, ...hour, ...(numeric && { numeric }) };
    return { sure, input, accounts };
  }
  const about = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return {
    sure: 0.7,
    ask: `When should I remind you: “${about}”?`,
    answered: (answer) => `remind me ${withoutTrailing(answer.trim(), '.:')}: ${text}`,
  };
};

/** The text behind several times, where nothing else stands between. */
function severalText(rest: string, data: string | undefined): string | undefined {
  if (data !== undefined) return rest.trim() === '' && data.length <= MAX_TEXT ? data : undefined;
  return isLinked(rest) && strayOf(rest) === undefined ? wordsBehind(rest) : undefined;
}

/** Several reminders of one text, or the first question about one of them. */
function allOf(readings: readonly Reading[]): Reading | undefined {
  const last = readings.find((one) => 'ask' in one) ?? readings.at(-1);
  if (last === undefined || 'ask' in last) return last;
  const steps = readings.flatMap((one) => ('ask' in one ? [] : [{ task: 'remind', input: one.input }]));
  return { ...last, steps, accounts: readings.flatMap((one) => ('ask' in one ? [] : (one.accounts ?? []))) };
}

/** Asks whether a day in the text belongs to the reminder, as in "at 9 to call Ann on Friday". */
function ofWhichDay(found: Timed, text: string, day: string): Reading {
  const without = text
    .replace(day, '')
    .replace(/\s{2,}/g, ' ')
    .trim();
  const clock = found.words.trim();
  return {
    sure: 0.95,
    ask: `Shall I remind you ${day}, ${clock}: “${without}”? Or at the next time that it is ${clock.replace(/^(?:at|by|around) /i, '')}: “${text}”? Answer “first” or “second”, or say the day.`,
    answered: (answer) => {
      const reply = withoutTrailing(answer.trim(), '.:!');
      if (/^(?:the )?(?:second|2|latter|next)\b/i.test(reply)) return `remind me ${clock}: ${text}`;
      if (/^(?:(?:the )?(?:first|1|former)|y|yes)\b/i.test(reply) || day.toLowerCase().endsWith(reply.toLowerCase()))
        return `remind me ${day} ${clock}: ${without}`;
      return `remind me ${reply}${/\d|noon|midnight/i.test(reply) ? '' : ` ${clock}`}: ${text}`;
    },
  };
}

function read(said: Clause): Reading | undefined {
  const clause = { ...said, text: spelled(said.text) };
  const { data, it } = clause;
  if (clause.text.length > INSTRUCTION_LENGTH) return undefined;
  const told = foretold(clause);
  if (told !== undefined) return told;
  const text = clause.text.replace(TIMER, '$1 a $4 in $2 $3s').replace(LET_KNOW, 'remind me ');
  const head = HEAD.exec(text);
  const leadTiming = head === null ? BEFORE.exec(text) : null;
  if (head === null && leadTiming === null) return undefined;
  const [, before = ''] = leadTiming ?? [];
  let start = leadTiming === null ? undefined : (timing(before, clause) ?? aheadOf(before, clause));
  if (leadTiming !== null && start === undefined) return undefined;
  const lead = (head ?? leadTiming)?.[0] ?? '';
  const kind = KINDS.find(([word]) => word.test(lead))?.[1];
  let rest = text
    .slice(lead.length)
    .trim()
    .replace(/^[-–—] +/, '');
  if (RECALL.test(rest)) return undefined;
  const impossible = impossibleIn(timeOf(rest));
  if (impossible !== undefined) return when(`“${impossible}” is no time of the day.`, rest);
  const bare = /\btimer\b/i.test(lead) ? /^for (\d{1,3})$/i.exec(rest)?.[1] : undefined;
  if (bare !== undefined)
    return {
      sure: 0.9,
      ask: `Is “${bare}” a number of minutes, or a time of the day? Say “in ${bare} minutes” or “at ${bare}”.`,
      answered: (answer) => `remind me ${withoutTrailing(answer.trim(), '.:')}: ${kind}`,
    };
  // "A timer for 10 minutes", "an alarm for 7".
  if (
    /^(?:for|of) (?:\d+|an?|half an?|one|two|three|five|ten) ?(?:s|m|h|sec|min|hour)/i.test(rest) &&
    kind !== undefined
  )
    rest = rest.replace(/^(?:for|of)/i, 'in');
  else if (/^for \d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?\b/i.test(rest)) rest = rest.replace(/^for/i, 'at');
  else if (!/^for (?:the )?(?:next|coming|rest|\d{1,3}(?!\d|st|nd|rd|th)|an? |one|two|three|half)/i.test(rest))
    rest = rest.replace(/^for (?=\S)/i, '');
  rest = withoutRuledOut(rest, clause);
  const both = start === undefined || start.exact ? undefined : atClock(before, rest, clause);
  if (both !== undefined) ({ start, rest } = both);
  const several = start === undefined ? severalFirst(rest, clause) : undefined;
  const about = several && severalText(several.rest, data);
  if (several !== undefined && about !== undefined)
    return allOf(several.timings.map((one) => reading(one, about, clause)));
  if (areAhead(rest)) return reading(undefined, rest, clause);
  const first = start ?? timingFirst(rest, clause) ?? aheadOf(rest, clause);
  if (first === undefined && isAhead(rest)) return reading(undefined, rest, clause);
  const pasted = data !== undefined && data.length <= MAX_TEXT ? data : undefined;
  if (first !== undefined) {
    const stray = first.refused === true ? undefined : strayOf(start === undefined ? first.rest : rest);
    const again = /^[\s,]*(?:and|or|&) (?:again )?(.+)$/i.exec(first.rest)?.[1];
    if (stray !== undefined && together(first, first.rest.trim(), clause).words === first.words) {
      const two = again !== undefined && timingFirst(again, clause) !== undefined;
      if (!two) return when(`I read “${first.words}”, and not “${stray}” behind it.`, first.rest.trim());
    }
    const linked = isLinked(start === undefined ? first.rest : rest);
    const behind = start === undefined ? first.rest : rest;
    const found = together(first, wordsBehind(behind), clause);
    if (found.words !== first.words && / and /i.test(found.rest))
      return when(
        `I cannot tell whether “${behind.trim().slice(-20)}” says when to remind you or belongs to what comes last.`,
        wordsBehind(behind),
      );
    const day = linked && !/^[\s,]*that\b/i.test(behind) ? dayFor(first, found.rest, clause) : undefined;
    if (day !== undefined && pasted === undefined) return ofWhichDay(first, found.rest, day);
    const own = [found.rest, ...(pasted === undefined ? [] : [pasted])].filter((one) => one !== '').join(': ');
    if (own !== '') return reading(found, own, clause, 0.95, linked);
    // A refused time is reported when it runs, whatever the text is.
    if (found.refused === true) return reading(found, found.words, clause);
    if (kind !== undefined) return reading(found, kind, clause);
    if (it !== undefined) return reading(found, placeholder(it), clause, 0.7);
    return reading(found, '', clause);
  }
  const linked = isLinked(rest);
  const body = wordsBehind(rest);
  // "Between 9 and 10" and "before my meeting" say when, but not as a time.
  const stray = linked || kind !== undefined ? undefined : strayOf(rest);
  if (stray !== undefined && timingLast(body, clause) === undefined)
    return when(`I cannot read “${stray}” as one time.`, body);
  const line =
    pasted !== undefined && !pasted.includes('\n') && pasted.length <= INSTRUCTION_LENGTH ? pasted : undefined;
  if (body === '') {
    if (line === undefined)
      return {
        sure: 0.85,
        ask: 'Of what, and when, should I remind you?',
        answered: (answer) => `remind me to ${answer}`,
      };
    const front = timingFirst(line, clause);
    const day = front && dayFor(front, front.rest, clause);
    if (front !== undefined && day !== undefined) return ofWhichDay(front, wordsBehind(front.rest), day);
    if (front !== undefined && timingLast(front.rest, clause) !== undefined)
      return when('A reminder is for one time, and there are several.', line);
    if (front !== undefined && front.rest.trim() !== '') return reading(front, wordsBehind(front.rest), clause);
    const back = timingLast(line, clause);
    return reading(back, back === undefined ? line : withoutTrailing(back.rest, `${BLANKS},;–—-`), clause);
  }
  // "Remind me to call Ann: tomorrow at 9".
  const after = line === undefined ? undefined : timing(line, clause);
  if (after !== undefined) return reading(after, body, clause);
  const days = line === undefined ? severalLast(body, clause) : undefined;
  if (days !== undefined && !/[\s,](?:for|by|of|between|from|until|till)$/i.test(days.rest))
    return allOf(days.timings.map((one) => reading({ ...one, rest: days.rest }, days.rest, clause)));
  const last = timingLast(body, clause) ?? timingLast(body.replace(COURTESY, ''), clause);
  const content = withoutTrailing(last?.rest ?? body, `${BLANKS},–—-`);
  // In "to book a table for Friday" the day is not when to send the reminder.
  if (
    last !== undefined &&
    /\b(?:at|in) \d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?| ?min(?:ute)?s?| ?h(?:ou)?rs?)?,? (?:and|or)\b/i.test(
      content.replace(QUOTATION, ''),
    )
  )
    return when('A reminder is for one time, and there are several.', body);
  const link = last === undefined ? '' : body.slice(content.length, body.length - last.words.length).trim();
  const due = last === undefined ? '' : `${link} ${last.words}`.trim();
  if (linked && /\bremind (?:me|us|myself)\b/i.test(lead) && /^(?:for|by)\b/i.test(due))
    return when(`I cannot tell whether “${due}” is when to remind you or what it is about.`, body);
  return reading(last, pasted === undefined ? content : `${content}: ${pasted}`, clause, 0.95, linked);
}

/** A second reminder that begins with its own time. */
const BEHIND =
  /^,? (?:and|&) (?:(?:(?:on|at|next|every) )*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|tonight|\d{1,2}[:.]\d\d|\d{1,2} ?[ap]m)\b|(?:at|in|by|every|each) [^\n]{0,60}? (?:to|that|about) \S)/i;

/** The part that may contain the time, up to the text of the reminder. */
const timeOf = (rest: string): string =>
  /^(?:to|that|about)\b/i.test(rest)
    ? (/ (?:at|by) \S+(?: \S+)?$/i.exec(rest)?.[0] ?? '')
    : (rest.split(/ (?:to|that|about) |: /i)[0] ?? '');

/** Plans a reminder, which sends its text at a time or by a rule. */
export const remind = task({
  name: 'remind',
  description: 'Reminds the sender of something by a message, once or by a rule.',
  input: Input,
  output: Output,
  effects: 'writes',
  words: { input: 'text', behind: BEHIND, own: KINDS.map(([, text]) => text) },
  repeatable: true,
  examples: [
    'remind me tomorrow at 9 to call Ann',
    'remind me in 20 minutes: check the oven',
    'remind me every Friday at 17:00 to send the report',
  ],
  read,
  async run(input, context) {
    const text = input.text.trim();
    if (text === '') throw new TaskError('The reminder has no text.');
    if (Buffer.byteLength(text) > MAX_TEXT) throw new TaskError('The text of a reminder can be up to 8 KiB.');
    const plan = planned(input, context);
    const instructions = reminderBody(text);
    const entry = await context.agenda.add({
      name: text.replace(/\s+/g, ' ').slice(0, 100),
      instructions,
      rule: plan.rule,
      time_zone: plan.time_zone,
      next_at: plan.next_at,
      data: reminderData(instructions) ?? null,
    });
    const { hour, numeric } = input;
    const taken = hour === undefined ? '' : ` (I took “${hour}” as the morning: for the afternoon, say “${hour} pm”.)`;
    const read = numeric === undefined ? '' : ` (${numericSaid(numeric)})`;
    return {
      result: `I will remind you ${plan.said}: ${text.length > 200 ? `${text.slice(0, 200)}…` : text}${taken}${read}`,
      id: entry.id,
      next_at: rfc3339(entry.next_at),
      rule: entry.rule,
      time_zone: entry.time_zone,
    };
  },
  says: ({ text, ...when }, time_zone) => ({ does: `Remind you ${saidWhen(when, time_zone)}`, text }),
  show: ({ result }) => result,
  prepare: warm,
});
