import { type Clause, type Reading, unquote } from '../clause.ts';
import { ADDRESS } from '../send-doubts.ts';
import { type Timed, timing, timingFirst, timingLast } from './when.ts';

const TO = ADDRESS.source;
/** A mail with its time between the recipient and a word, a dash or a quotation mark that its text follows. */
const MAIL_AT = new RegExp(
  `^(?:send|e-?mail|mail|write|message|tell|ask|inform|notify|drop|shoot)\\b[^"“@]{0,60}?(${TO}),? (?:an? (?:e-?mail|mail|message|note|line) )?(.{3,60}?),? (saying(?: that)?|to say(?: that)?|(?:that|which) (?:says|reads)|with the (?:text|message|words?)|reading|that|[-–—]|(?=["“]))(?: |$|(?=["“]))(.*)$`,
  'isu',
);
const REMINDED = new RegExp(`^remind (${TO}),? (.{3,500})$`, 'isu');
const SOMEONE =
  /^remind (?!(?:me|us|myself|you|him|her|them|it)\b)(\p{Lu}[\p{L}'’-]{1,30}) (.{0,60}?\b(?:to|that|about) .{3,300})$/u;
/** Between the time and the words of a reminder. */
const LINK = /^[\s,]*(?:(?:to|that|about|of)\s+|(?=(?:not|never) to\s))/i;

/** A mail whose words begin behind `head`. */
const later = (to: string, text: string, found: Timed, lead = ''): Reading => {
  const head = `send ${to}: ${lead}`;
  return {
    sure: 0.97,
    input: { op: 'add', instructions: head + text, ...found.timing },
    accounts: [found.words, text],
    head,
  };
};

/** "That" also begins what is told: then the time may be a part of it. */
const which = (to: string, text: string, words: string): Reading => ({
  sure: 0.97,
  ask: `Shall I send ${to} “${text.slice(0, 60)}” ${words.trim()}, or now? Answer “later” or “now”.`,
  answered: (answer) =>
    /^(?:now|at once|immediately|the second)\b/i.test(answer.trim())
      ? `send ${to}: ${text}`
      : /^(?:later|then|y|yes|the first)\b/i.test(answer.trim()) ||
          words.toLowerCase().includes(answer.trim().toLowerCase())
        ? `${words.trim()}, send ${to}: ${text}`
        : answer,
});

function reminded(to: string, rest: string, clause: Clause): Reading | undefined {
  const first = timingFirst(rest, clause);
  const { data } = clause;
  if (data !== undefined)
    return first === undefined || first.rest.trim() !== '' ? undefined : later(to, data, first, 'Reminder: ');
  const linked = LINK.exec(first?.rest ?? rest);
  if (linked === null) return undefined;
  const said = (first?.rest ?? rest).slice(linked[0].length);
  const last = first === undefined ? timingLast(said, clause) : undefined;
  const found = first ?? last;
  if (found !== undefined && found.refused !== true) return later(to, last?.rest ?? said, found, 'Reminder: ');
  return {
    sure: 0.9,
    ask: `When shall I remind ${to}?`,
    answered: (answer) => `remind ${to} ${answer.trim()} ${rest}`,
  };
}

/** Reads a mail that is to be sent at a time: "email a@b.c tomorrow at 10 saying …", "remind a@b.c on Friday at 9 to …". */
export function sentLater(clause: Clause): Reading | undefined {
  const { text, data } = clause;
  if (data?.includes('\n')) return undefined;
  const [, name = '', what = ''] = SOMEONE.exec(text) ?? [];
  if (name !== '')
    return {
      sure: 0.9,
      ask: `What is the address of ${name}?`,
      answered: (answer) => `remind ${answer.trim()} ${what}`,
    };
  const [, whom = '', rest = ''] = REMINDED.exec(text) ?? [];
  if (whom !== '') return reminded(whom, rest, clause);
  const [, to = '', said = '', speech = '', own = ''] = MAIL_AT.exec(text) ?? [];
  const words = own.trim() === '' ? (data ?? '') : data === undefined ? unquote(own) : '';
  const found = to === '' || words === '' ? undefined : timing(said, clause);
  if (found === undefined || found.refused === true || /["“]/.test(said)) return undefined;
  // A day before a dash may be what the mail is about.
  if (/^[-–—]/.test(speech) && !found.exact) return undefined;
  return speech.toLowerCase() === 'that' ? which(to, words, said) : later(to, words, found);
}
