import { type Clause, type Reading, unquote } from '../clause.ts';
import { ADDRESS } from '../send-doubts.ts';
import { type Timed, timing, timingFirst, timingIn, timingLast } from './when.ts';

const TO = ADDRESS.source;
const VERBS = '(?:send|snd|e-?mail|mail|write|message|tell|ask|inform|notify|drop|shoot)';
const A_MAIL = '(?:an?|the|this|my|our) (?:e-?mail|mail|message|note|line|text)';
/** Before the time of a mail: "to go out on Monday". */
const DUE =
  '(?:to (?:go(?: out)?|be (?:sent|delivered)|arrive)|going out|to be sent out|scheduled|timed|due|for delivery)(?: (?:for|at))?';
/** A mail with its time between the recipient and a word, a dash or a quotation mark that its text follows. */
const MAIL_AT = new RegExp(
  `^${VERBS}\\b[^"“@]{0,60}?(${TO}),? (?:${A_MAIL} )?(?:${DUE} )?(.{3,60}?),? (saying(?: that)?|to say(?: that)?|(?:that|which) (?:says|reads)|with the (?:text|message|words?)|reading|that|to(?= )|[-–—]|(?=["“]))(?: |$|(?=["“]))(.*)$`,
  'isu',
);
/** A mail with its time before a colon. */
const MAIL_DUE = new RegExp(
  `^(?:${VERBS}|note|an? (?:message|note|e-?mail))\\b[^"“@]{0,60}?(${TO}),? (?:${A_MAIL},? )?(${DUE} )?(.{3,60}?)(?:,? (?:saying|reading|wording|text|(?:with )?(?:this|the(?: following)?) (?:text|words?|wording|message|note)))?$`,
  'iu',
);
/** Who is to get a mail as the subject: "I'd like a@b.c to get a note". */
const GETS = new RegExp(
  `^(?:(?:i|we)(?:['’]d| would)? (?:like|want|need) )?(${TO}) (?:to|should|shall|must|is to) (?:get|have|receive|be sent)\\b(?: ${A_MAIL})?(?: from (?:me|us))?`,
  'iu',
);
const GOES = new RegExp(`^(?:have|get|let) ${A_MAIL} (?:go(?: out)?|sent|delivered|out) to (${TO})`, 'iu');
const DOES = new RegExp(
  `^(?:have|get|let) (${TO}) (?:to )?(?=(?:look|go|check|proof-?read|read|review|correct)\\b)`,
  'iu',
);

/** "To a@b.c: hello", "Message for a@b.c: hello". */
const ADDRESSED = /^(?:(?:an? )?(?:e-?mail|mail|message|note) for|to|for) (?=[^\s@]{1,130}@[^\s@]{1,200}$)/i;
const HAS = new RegExp(`^let (${TO}) have (?=\\S)`, 'iu');

/** A mail in which someone gets something as one that is sent: "let a@b.c check this" as "ask a@b.c to check this". */
export const asMail = (text: string): string =>
  text.includes('@')
    ? text
        .replace(GETS, 'send $1 a message')
        .replace(GOES, 'send $1 a message')
        .replace(ADDRESSED, 'send to ')
        .replace(DOES, 'ask $1 to ')
        .replace(HAS, 'send $1 ')
        .replace(/ 2 (?=[^\s@]{1,130}@)/, ' to ')
    : text;

/** Behind a time the words of a mail may name another: "every day at 9 send a@b.c stand-up in 5 minutes". */
const OPEN_MAIL = new RegExp(
  `^(?:send|snd|e-?mail|mail|message) (${TO}) (?!(?:to|with|an?|the|my|it|this|that|these|them|saying|and|about)\\b)([^"“:]{3,500})$`,
  'iu',
);
const MADE_MAIL = new RegExp(
  `^send (${TO}) a message,? (?:(?:saying|that (?:says|reads)|reading|with the (?:text|words?))(?: that)? )?(\\S.*)$`,
  'isu',
);
/** The mail that is sent at `found`, where its words would be taken for another time or someone gets it. */
export function timedMail(found: Timed, rest: string, clause: Clause): Reading | undefined {
  if (clause.data !== undefined) return undefined;
  const mail = asMail(rest);
  const [, whom = '', said = ''] = mail === rest ? [] : (MADE_MAIL.exec(mail) ?? []);
  if (whom !== '') return later(whom, unquote(said), found);
  const [, to = '', text = ''] = OPEN_MAIL.exec(rest) ?? [];
  return to === '' || /\b(?:subject|title|b?cc)\b/i.test(text) || timingIn(text, clause) === undefined
    ? undefined
    : later(to, text, found);
}

const REMINDED = new RegExp(`^remind (${TO}),? (.{3,500})$`, 'isu');
const SOMEONE =
  /^remind (?!(?:me|us|myself|you|him|her|them|it)\b)(\p{Lu}[\p{L}'’-]{1,30}) (.{0,60}?\b(?:to|that|about) .{3,300})$/u;
/** Between the time and the words of a reminder. */
const LINK = /^[\s,]*(?:(?:to|that|about|of)\s+|(?=(?:not|never) to\s))/i;

/** A mail whose words begin behind `head`. */
const later = (to: string, text: string, found: Timed, lead = '', head = `send ${to}: ${lead}`): Reading => {
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
  const { data } = clause;
  const text = asMail(clause.text);
  const [, addressee = '', due = '', day = ''] = data === undefined ? [] : (MAIL_DUE.exec(text) ?? []);
  const planned = addressee === '' ? undefined : timing(day, clause);
  if (planned !== undefined && planned.refused !== true && (planned.exact || due !== ''))
    return later(addressee, data ?? '', planned);
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
  const [verb = '', to = '', said = '', speech = '', own = ''] = MAIL_AT.exec(text) ?? [];
  const words = own.trim() === '' ? (data ?? '') : data === undefined ? unquote(own) : '';
  const found = to === '' || words === '' ? undefined : timing(said, clause);
  if (found === undefined || found.refused === true || /["“]/.test(said)) return undefined;
  // A day before a dash may be what the mail is about.
  if (/^[-–—]/.test(speech) && !found.exact) return undefined;
  if (speech.toLowerCase() === 'to')
    return /^(?:tell|ask)\b/i.test(verb) && found.exact
      ? later(to, words, found, '', `${verb.slice(0, 4)} ${to} to `)
      : undefined;
  return speech.toLowerCase() === 'that' && !text.includes(`${said}, ${speech}`)
    ? which(to, words, said)
    : later(to, words, found);
}
