import { closed } from '@mailroom/behavior/values/closed';
import { BLANKS, withoutTrailing } from '@mailroom/behavior/values/trailing';
import { Type } from 'typebox';
import { type Clause, type Reading, unquote } from '../clause.ts';
import { INSTRUCTION_LENGTH } from '../notes/name.ts';
import { ADDRESS } from '../send-doubts.ts';
import { type ScheduleView, TaskError, task } from '../task.ts';
import { withoutCourtesy } from '../words/courtesies.ts';
import { spelled } from '../words/day-typos.ts';
import { numericIn, numericSaid } from '../words/numeric-dates.ts';
import { chosenOf, kept, One, onDay, shortly, view } from './agenda.ts';
import { CALL } from './calls.ts';
import { cancel, PLANS, reminders } from './cancel.ts';
import { aboutPlanned } from './changed.ts';
import { planned, reminderData, saidWhen, spoken } from './planned.ts';
import { sentLater, timedMail } from './sent-later.ts';
import { ENDED, Numeric, oftenIn, type Timed, timing, timingFirst, timingLast, together, warm } from './when.ts';

const Input = closed({
  op: Type.Enum(['add', 'list', 'cancel', 'change'], {
    description: 'What to do with schedules and reminders; `list` takes only `on` and `only`.',
  }),
  'instructions?': Type.String({
    minLength: 1,
    description: 'For `add`: what to run, in plain English, up to 16 KiB.',
  }),
  'at?': Type.String({
    description: 'For `add` and `change`, once: RFC 3339, or words as “tomorrow at noon”. Up to five years ahead.',
  }),
  'rule?': Type.String({
    description:
      'For `add` and `change`, again and again: a cron expression of five fields, or words as “every weekday at 9”.',
  }),
  'time_zone?': Type.String({ description: 'IANA name; that of the mailbox by default.' }),
  numeric: Numeric,
  'id?': Type.String({ description: 'For `cancel` and `change`: `sch_…`.' }),
  'query?': Type.String({
    minLength: 1,
    description: 'For `cancel`: words in its name or instructions that fit one alone.',
  }),
  'all?': Type.Boolean({ description: 'For `cancel`: all of them.' }),
  'on?': Type.String({ description: 'For `list`: what comes on this day, as “tomorrow”.' }),
  'only?': Type.Enum(['reminders'], { description: 'For `list` and `cancel`: reminders alone.' }),
});

const Output = closed({
  result: Type.String({ description: 'A sentence that says what was done, or the list for people.' }),
  schedules: Type.Array(One, { description: 'What was added, found or canceled.' }),
});

const MAX_INSTRUCTIONS = 16_384;

const LIST = new RegExp(
  `^(?:(?:list|show|see|view|get|give|display|print|check)(?: me)?(?: all)?(?: of)?(?: my| the| your| our)?(?: active| current| open| upcoming)? (${PLANS})(?: i have| you have| again)?|(?:what|which)(?: are| is)?(?: all)?(?: my| the)?(?: active| current| open| upcoming)? (${PLANS})(?: do i have| are (?:there|set|active|planned)| have i (?:set|planned|got))*|what(?: is|['’]s)? (?:scheduled|planned|coming up|on (?:my|the) (?:agenda|schedule))|what (?:have (?:i|you)(?: got)?|did i|do (?:i|you) have) (?:scheduled?|planned?|coming up)|(?:(?:do|have) (?:i|you) (?:have|got)(?: any| some)?|(?:are|is) there(?: any| some| an?)?|any) (?:active |current |open |upcoming )?(${PLANS})(?: set| planned| active| running| left| for me)*|(?:my )?(schedules|reminders)|when (?:is|are) my next (${PLANS})|(?:what|which)(?: is|['’]s) my next (${PLANS})|how many (${PLANS}) (?:do i have|have i (?:got|set)|are there)(?: left)?)$`,
  'i',
);
/** "My reminders for tomorrow". */
const ON_DAY =
  /^(\S.{3,100}?)(?: (?:for|on|due|due on|coming up|coming))? (today|tomorrow|(?:(?:next|this|on) )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)$/i;

const ADDING_VERBS = [
  'schedule|plan|run|do|execute|set up (?:a |an )?(?:schedule|recurring task|cron ?job|job|task)',
  '(?:create|add|make) (?:a |an )?(?:new )?(?:schedule|recurring task|cron ?job|scheduled task)',
];
const ADD = new RegExp(
  String.raw`^(?:(?:can|could|would|will) you )?(?:please )?(?:${ADDING_VERBS.join('|')})\b(?: (?:this|it|the following))?(?: (?:to|that|for|which))?[\s,]*`,
  'i',
);
const RUN =
  /^(?:[\s,;:–-]|\b(?:please|then)\b)*(?:(?:run|do|execute|perform)(?: (?:this|it|the following))?(?=$|:|\s)[:\s]*)?/i;
const INSTRUCTION_VERBS =
  'run|do|execute|fetch|get|send|snd|email|e-mail|mail|message|inform|notify|let(?= \\S+@)|calculate|compute|ask|check|write|tell|say|forward|post|download|give|show|count|convert|generate|pick|roll|flip|summari[sz]e|look up|list|recall|proofread|translate|greet'.split(
    '|',
  );
const VERB = new RegExp(String.raw`^(?:${INSTRUCTION_VERBS.join('|')})\b`, 'i');
/** A wish rather than an instruction: "I would like a new password every Monday". */
const WISH =
  /^(?:i|we)(?: would|['’]d)? (?:like|want|need|wish|love)(?: you)?(?: to (?:get|have|receive|see|know|be (?:sent|given|told)))?(?: for)? (?=\S)/i;
const SENDS = /^(?:send|e-?mail|mail|write|message|tell|ask)\b[^"“”]* ?\S@\S/i;
/** A mail to one address without a word to write. */
const WORDLESS = new RegExp(
  `^(?:send|e-?mail|mail|write|message|tell|ask|notify|inform)(?: to)?(?: an? (?:new )?(?:e-?mail|mail|message|note))?(?: to)? (${ADDRESS.source})$`,
  'iu',
);
/** Instructions that end with words of their sender. */
const TELLS = /^(?:(?:send|e-?mail|mail|write|message|tell|ask|forward)\b.*\S@|remember\b|note\b)/i;
const QUESTION = /^(?:what|which|who|whom|when|where|why|how|is|are|was|were|will|it|does|do i|did|can|the|there)\b/i;
const REMIND = new RegExp(`^(?:please )?${CALL}(?=$|[\\s,:])`, 'i');

const LASTS =
  /\s(?:for (?:the )?(?:next |coming |following )?(?:an?|\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|several|some|a few)? ?(?:minute|hour|day|week|month|year)s?|(?:until|till) \S+(?: \S+)?)$/i;

/** The clause's text and the pasted text as one text of instructions. */
function instructionsOf(rest: string, { data, language }: Clause): string {
  const words = rest
    .replace(RUN, (lead) => (/^[\s,;:–-]*(?:please|then)?[\s,:]*do (?=my|your)/i.test(lead) ? lead : ''))
    .trim()
    .replace(/^(?=(?:an?|this|the) (?:e-?mail|mail|message|note) to \S+@)/i, 'send ');
  if (data === undefined) return /^["“][^"“”]+["”]$/.test(words) ? unquote(words) : words;
  const pasted = language === undefined ? data : `\`\`\`${language}\n${data}\n\`\`\``;
  if (words === '') return pasted;
  return `${words}:${pasted.includes('\n') ? '\n' : ' '}${pasted}`;
}

const add = (found: Timed, rest: string, clause: Clause, sure: number): Reading | undefined => {
  const instructions = instructionsOf(rest, clause);
  // Without a word it is a sum and not a time.
  if (instructions === '' && !/[a-z]{2}/i.test(found.words ?? clause.text)) return undefined;
  const often = oftenIn(found);
  if (often !== undefined) {
    const said = `${found.words.replace(often, '')} ${instructions}`.trim();
    const ask = `“${often}” says how often, and not at which times. When exactly: “${said}”?`;
    return { sure, ask, answered: (answer) => `${answer}, ${said}` };
  }
  // A refused time is reported when it runs, whatever the instructions are.
  if (instructions === '' && found.refused === true)
    return { sure, input: { op: 'add', instructions: found.words, ...found.timing } };
  // A rule cannot express how long it lasts.
  const span = found.timing.rule === undefined || clause.data !== undefined ? undefined : LASTS.exec(instructions)?.[0];
  if (span !== undefined)
    return {
      sure,
      ask: `I repeat until you cancel it, and cannot take “${span.trim()}” into account. What shall I do ${found.words.trim()}?`,
      answered: (answer) => `${found.words.trim()}, ${answer}`,
    };
  const [, to] = WORDLESS.exec(withoutCourtesy(instructions)) ?? [];
  if (to !== undefined)
    return {
      sure,
      ask: `What should I write to ${to} ${found.words.trim()}?`,
      answered: (answer) => `${found.words.trim()}, send ${to}: ${answer}`,
    };
  const numeric = numericIn(found.words);
  // The scheduled instructions are read on their own.
  const accounts = [found.words, rest];
  if (instructions !== '')
    return { sure, input: { op: 'add', instructions, ...found.timing, ...(numeric && { numeric }) }, accounts };
  return { sure: 0.6, ask: `What should I do ${found.words}?`, answered: (answer) => `${found.words}, ${answer}` };
};

function read(said: Clause): Reading | undefined {
  const clause = { ...said, text: spelled(said.text) };
  const { text, data } = clause;
  // Arithmetic has no words, so most sums end here.
  if (text.length > INSTRUCTION_LENGTH || (data === undefined && !/[a-z]{2}/i.test(text))) return undefined;
  if (data === undefined) {
    const plain = withoutTrailing(text, `${BLANKS}?!.`);
    const [, asked = plain, on] = ON_DAY.exec(plain) ?? [];
    const list = LIST.exec(asked);
    if (list !== null) {
      const only = reminders(list.slice(1).find((one) => one !== undefined));
      return { sure: 0.95, input: { op: 'list', ...only, ...(on !== undefined && { on }) } };
    }
    const about = aboutPlanned({ ...clause, text: plain });
    if (about !== undefined) return about;
    const stop = cancel(plain);
    if (stop !== undefined) return stop;
  }
  const mail = sentLater(clause);
  if (mail !== undefined) return mail;
  if (REMIND.test(text)) return undefined;
  const head = ADD.exec(text);
  if (head !== null) {
    const rest = text.slice(head[0].length).trim();
    // "Schedule: calculate 2+2 every day at 9".
    if (rest === '' && data !== undefined && data.length <= INSTRUCTION_LENGTH && !data.includes('\n')) {
      const found = timingFirst(data, clause) ?? timingLast(data, clause);
      return found === undefined || found.rest === ''
        ? undefined
        : add(found, found.rest, { ...clause, data: undefined }, 0.9);
    }
    const named = /\b(?:schedule|plan|set|create|add|make)\b/i.test(head[0]);
    const first = timingFirst(rest, clause);
    const found = first ?? (rest === '' && data === undefined ? undefined : timingLast(` ${rest}`, clause));
    if (found !== undefined)
      return add(found, found.rest, clause, named || found.timing.rule !== undefined ? 0.95 : 0.85);
    // "Schedule a report: every day at 9".
    const after = data === undefined || rest === '' || !named ? undefined : timing(data, clause);
    if (after !== undefined) return add(after, rest, { ...clause, data: undefined }, 0.85);
    if (!named || rest === '' || !VERB.test(rest)) return undefined;
    return { sure: 0.6, ask: `When should I ${rest}?`, answered: (answer) => `schedule ${answer}: ${rest}` };
  }
  const first = timingFirst(text, clause);
  if (first !== undefined) {
    const rest = first.rest
      .replace(/^[\s,;:–-]+/, '')
      .replace(/^(?:(?:please|pls|kindly|can you|could you|would you),? )+/i, '');
    const mail = timedMail(first, rest, clause);
    if (mail !== undefined) return mail;
    // What goes on with "and" is another time that was not read.
    if (REMIND.test(rest) || /^(?:and|n|&|or)\b/i.test(rest)) return undefined;
    const again = first.timing.rule !== undefined;
    const cut =
      /^[\s]*[,;:–-]/.test(first.rest) || (rest === '' && data !== undefined) || /^(?:run|do|execute)\b/i.test(rest);
    if (again) {
      if (rest === '' && data === undefined && !first.exact && first.refused !== true) return undefined;
      // "Monthly payment", "daily calories".
      if (/^[a-z]+$/i.test(first.words) && !cut && !VERB.test(rest)) return undefined;
      const found = together(first, rest, clause);
      return add(found, found.rest, clause, cut || VERB.test(rest) || first.exact ? 0.95 : 0.6);
    }
    if (rest === '' && data === undefined) return undefined;
    if (QUESTION.test(rest)) return first.exact && cut ? add(first, rest, clause, 0.6) : undefined;
    if (!cut && !VERB.test(rest)) return undefined;
    if (rest === '' && !first.exact) return add(first, rest, clause, 0.6);
    return add(first, rest, clause, cut && (VERB.test(rest) || rest === '') ? 0.9 : 0.75);
  }
  const wish = WISH.exec(text);
  if (wish !== null) {
    const wanted = timingLast(text.slice(wish[0].length), clause);
    return wanted?.timing.rule === undefined || wanted.rest === '' || !wanted.exact
      ? undefined
      : add(wanted, wanted.rest.replace(/^to (?=\S)/i, ''), clause, 0.9);
  }
  if (!VERB.test(text)) return undefined;
  const last = timingLast(text, clause);
  if (last === undefined || last.rest === '') return undefined;
  // In "tell a@b.c that we meet every Monday" the time may be a part of the message.
  if (data === undefined && TELLS.test(text) && !ENDED.test(last.rest))
    return last.timing.rule === undefined
      ? undefined
      : {
          sure: 0.95,
          ask: `Is “${last.words.trim()}” when to do it, or part of the text? For the first, begin with it: “${last.words.trim()}, ${last.rest.slice(0, 60)}…”; for the second, put the text in quotation marks.`,
          answered: (answer) => answer,
        };
  if (last.timing.rule !== undefined) {
    // "List every Monday" asks for dates, and "calculate 5% of 200 monthly" for a number.
    if (/^(?:list|count|show|get|pick|convert|give me)(?: \S+)?$/i.test(last.rest)) return undefined;
    return add(
      last,
      last.rest,
      clause,
      !last.exact && /^(?:calculate|compute|convert|count)\b/i.test(text) ? 0.5 : 0.85,
    );
  }
  if (!last.exact) return undefined;
  if (
    ENDED.test(last.rest) ||
    (data !== undefined && SENDS.test(last.rest) && /\b(?:message|note|line|e-?mail|mail|text)$/i.test(last.rest))
  )
    return add(last, last.rest, clause, 0.9);
  // A single time may also belong to the instruction.
  const own = /^(?:convert|count|list|calculate|translate|check|get|show|give)\b/i.test(last.rest);
  return own || !last.rest.includes(' ') ? undefined : add(last, last.rest, clause, 0.6);
}

/** Runs instructions later, once or by a rule; lists and cancels planned messages, reminders included. */
export const schedule = task({
  name: 'schedule',
  description: 'Runs instructions later, once or by a rule; lists and cancels schedules and reminders.',
  input: Input,
  output: Output,
  effects: 'writes',
  words: { input: 'instructions' },
  repeatable: true,
  examples: [
    'every weekday at 9 in Berlin, calculate 2+2',
    'tomorrow at noon run: fetch https://example.com/',
    'list my schedules',
    'cancel the reminder about Ann',
  ],
  read,
  async loses(input, context) {
    // An id names what goes already, as the last thing that a thread planned does.
    if (input.op !== 'cancel') return [];
    const gone = (await chosenOf(input, context)).map(view);
    return gone.map(({ name, instructions, when }) => `${shortly({ name, instructions })}, ${when}`);
  },
  async run(input, context) {
    const { op, only } = input;
    const what = only === undefined ? '' : ' reminder';
    if (op === 'list') {
      const all = await kept(context, only);
      const { on } = input;
      const schedules = (on === undefined ? all : onDay(all, on, context)).map(view);
      const lines = schedules.map((one) => `- ${one.name || one.instructions} — ${one.when}; \`${one.id}\``);
      return {
        result:
          lines.length === 0
            ? `No${what || 'thing'} is planned${on === undefined ? '' : ` for ${on}`}.`
            : lines.join('\n'),
        schedules,
      };
    }
    if (op === 'cancel') {
      const gone = await chosenOf(input, context);
      for (const one of gone) await context.agenda.remove(one.id);
      const result =
        gone.length === 0
          ? `No${what || 'thing'} was planned.`
          : `Canceled: ${gone.slice(0, 20).map(shortly).join(', ')}${gone.length > 20 ? ` and ${gone.length - 20} more` : ''}.`;
      return { result, schedules: gone.map(view) };
    }
    if (op === 'change') {
      const [schedule] = await chosenOf({ id: input.id ?? '' }, context);
      const { name, instructions } = schedule as ScheduleView;
      const { said: timeText, ...plan } = planned(input, context);
      await context.agenda.remove((schedule as ScheduleView).id);
      const data = reminderData(instructions);
      const moved = await context.agenda.add({ name, instructions, ...plan, ...(data && { data }) });
      const read = input.numeric === undefined ? '' : ` ${numericSaid(input.numeric)}`;
      return { result: `Changed: ${shortly(moved)} is ${timeText} now.${read}`, schedules: [view(moved)] };
    }
    const instructions = input.instructions?.trim() ?? '';
    if (instructions === '') throw new TaskError('Say what is to run: “every weekday at 9, calculate 2+2”.');
    if (Buffer.byteLength(instructions) > MAX_INSTRUCTIONS)
      throw new TaskError('The instructions of a schedule can be up to 16 KiB.');
    await context.checkLater?.(instructions);
    const { said: timeText, ...plan } = planned(input, context);
    const name = instructions.replace(/\s+/g, ' ').slice(0, 100);
    const schedule = await context.agenda.add({ name, instructions, ...plan });
    const next = plan.rule === null ? '' : ` The first time is ${spoken(plan.next_at, plan.time_zone)}.`;
    const read = input.numeric === undefined ? '' : ` ${numericSaid(input.numeric)}`;
    return { result: `Planned ${timeText}: ${shortly(schedule)}.${next}${read}`, schedules: [view(schedule)] };
  },
  says({ op, instructions = '', id, query, all, only, ...when }, time_zone) {
    const what = only === undefined ? 'schedule' : 'reminder';
    if (op === 'add') return { does: `Do this ${saidWhen(when, time_zone)}`, text: instructions };
    if (op === 'change') return { does: `Move the ${what} ${id ?? ''} to this time: ${saidWhen(when, time_zone)}` };
    if (op === 'list') {
      const which = only === undefined ? 'all schedules and reminders' : 'all reminders';
      return { does: `List ${which}${when.on === undefined ? '' : ` of ${when.on}`}` };
    }
    if (all === true)
      return { does: only === undefined ? 'Cancel all schedules and reminders' : 'Cancel all reminders' };
    return {
      does: id === undefined ? `Cancel the ${what} about` : `Cancel the ${what} ${id}`,
      ...(query !== undefined && { text: query }),
    };
  },
  show: ({ result }) => result,
  prepare: warm,
});
