import type { Reading } from '../clause.ts';

/** Words for schedules and reminders, as a part of regular expressions. */
export const PLANS =
  '(?:(?:scheduled |planned |recurring |repeating )?(?:schedules?|reminders?|alarms?|timers?|cron ?jobs?|plans|agenda)|(?:scheduled|planned|recurring) (?:tasks?|jobs?|things|messages?|instructions?|runs?))';

const CANCEL =
  /^(?:cancel|delete|remove|stop|drop|unschedule|clear|kill|turn off|switch off|end|abort|disable|unset|get rid of)\b(?: with)?/i;
const ID = /\b(sch_[A-Za-z0-9]{1,64})\b/;
const CANCEL_ALL = new RegExp(
  `^(?:all|every|each)(?: of)?(?: my| the| your)?(?: active| current)? (${PLANS})$|^(?:my|the) ((?:schedule|reminder|alarm|timer|cron ?job)s|agenda|(?:scheduled|planned) (?:tasks|jobs))$|^(?:everything|all)(?: that is| that['’]s| i have)? (?:scheduled|planned)$`,
  'i',
);
const CANCEL_ONE = new RegExp(
  `^(?:(?:my|the|that|this|a) )?(?:(?:daily|weekly|monthly|yearly|hourly|nightly|morning|evening|recurring|(?:mon|tues|wednes|thurs|fri|satur|sun)day) )?(${PLANS})(?: (?:about|for|to|of|called|named|that|on|with|which|at))* (.+)$`,
  'i',
);
const CANCEL_NAMED = new RegExp(`^(?:(?:my|the|that|this) )?(.{1,100}?) (${PLANS})$`, 'i');
const STOP_REMINDING = /^stop reminding me(?: (?:about|to|of|that))? (.+)$/i;

/** Limits a question to reminders, where it names them. */
export const reminders = (word: string | undefined): { readonly only?: 'reminders' } =>
  /^(?:reminder|alarm|timer)/i.test(word ?? '') ? { only: 'reminders' } : {};

/** Reads “cancel the reminder about the dentist”. */
export function cancel(text: string): Reading | undefined {
  const stop = STOP_REMINDING.exec(text);
  if (stop !== null) return { sure: 0.95, input: { op: 'cancel', query: stop[1] as string, only: 'reminders' } };
  const off = /^unschedule (?:the |my )?(.+)$/i.exec(text);
  if (off !== null && !ID.test(text)) return { sure: 0.9, input: { op: 'cancel', query: off[1] as string } };
  const verb = CANCEL.exec(text);
  if (verb === null) return undefined;
  const rest = text.slice(verb[0].length).trim();
  const id = ID.exec(rest)?.[1];
  if (id !== undefined) return { sure: 1, input: { op: 'cancel', id } };
  const all = CANCEL_ALL.exec(rest);
  if (all !== null) return { sure: 1, input: { op: 'cancel', all: true, ...reminders(all[1] ?? all[2]) } };
  if (new RegExp(`^(?:my |the |that |this |a )?${PLANS}$`, 'i').test(rest)) {
    return {
      sure: 0.9,
      ask: 'Which one shall I cancel?',
      answered: (answer) => `cancel the ${/reminder/i.test(rest) ? 'reminder' : 'schedule'} about ${answer}`,
    };
  }
  if (/^(?:everything|them all|all of them)$/i.test(rest) && /^cancel/i.test(text)) {
    return {
      sure: 0.7,
      ask: 'Shall I cancel all schedules and reminders?',
      answered: (answer) =>
        /^(?:y|sure|ok|all|do\b)/i.test(answer.trim()) ? 'cancel all schedules' : `cancel the schedule about ${answer}`,
    };
  }
  const one = CANCEL_ONE.exec(rest);
  if (one !== null) return { sure: 0.95, input: { op: 'cancel', query: one[2] as string, ...reminders(one[1]) } };
  const named = CANCEL_NAMED.exec(rest);
  if (named !== null) return { sure: 0.95, input: { op: 'cancel', query: named[1] as string, ...reminders(named[2]) } };
  return undefined;
}
