import { closed } from '@mailroom/behavior/values/closed';
import { Type } from 'typebox';
import { behindThat, type Clause, placeholder, type Reading, unquote, wording, subject as workedOn } from './clause.ts';
import { INSTRUCTION_LENGTH } from './notes/name.ts';
import { asMail } from './plans/sent-later.ts';
import { ENDED, timingLast } from './plans/when.ts';
import { answersWithin, answerText, notDone, Output, unanswered } from './send-answers.ts';
import { ADDRESS, doubtIn, GIVE_BACK, QUOTED, VERB, whenSent } from './send-doubts.ts';
import { isReading, recipientsIn, recipientsText, toAll } from './send-recipients.ts';
import { withoutSubject } from './send-subject.ts';
import { TaskError, task } from './task.ts';
import { isCourtesy } from './words/courtesies.ts';

/** The limit of the service, in `to` and `cc` together. */
const MAX_RECIPIENTS = 50;
const Address = Type.String({ minLength: 3, maxLength: 400 });
const Input = closed({
  to: Type.Union([Address, Type.Array(Address, { minItems: 1, maxItems: MAX_RECIPIENTS })], {
    description: 'The address of a mailbox, `name@namespace.example`, or a list: one message to all of them.',
  }),
  'cc?': Type.Array(Address, {
    maxItems: MAX_RECIPIENTS,
    description: `Those that get a copy and are not waited for; up to ${MAX_RECIPIENTS} addresses with \`to\`.`,
  }),
  body: Type.String({ minLength: 1, description: 'The message.' }),
  'subject?': Type.String({ maxLength: 200, description: 'Up to 200 characters.' }),
});
const MAX_SUBJECT = 200;
const MAX_SHOWN = 500;
/** "The mailbox a@b.c" is that address. */
const BOX =
  /(^|\b(?:to|with|at) )(?:the |my |our )?(?:mailbox|mail address|e-?mail address|address|agent|bot|inbox|user) (?=[^\s@"“]{1,130}@[^\s@]{3})/i;
/** "The word "tree"": what is sent is in the quotation marks. */
const WORD_QUOTED =
  /^(?:the|this|these) (?:words?|text|message|sentence|phrase|line|note|question|command) (?=["“«][^"“”«»]*["”»]$)/i;
const MESSAGE =
  /^(?:an?|the|this|my|one)?\s*(?:new |quick |short |little )?(?:e-?mail|mail|message|msg|letter|note|line|question|request|reply|word)s?$/i;
const ITSELF =
  /^(?:it|this|that|these|those|them|(?:the |this )(?:following|text|message|result|output|answer|list|above|below|code|data|reply|last (?:result|answer)|(?:[a-z]+ed|final|new) (?:list|text|words?|lines?|numbers?|names?)|count|total|sum|average|number|outcome)(?: (?:below|above|text|message))?)$/i;
/** A word for a message behind its recipient, as in "send a@b.c a note". */
const LABEL =
  /^(?:(an?|the|this|my|our|one) )?(?:(?:new|quick|short|little|brief|following|simple) )*(?:e-?mail|mail|message|msg|letter|note|line|text|words?|body|content|question|request|reply)\b(?: (?:below|above))?/i;
/** Signs between a recipient and the words for it; in "-5" and ":)" they are a part of the words. */
const GAP = String.raw`(?:[\s,]|;(?![-)])|:+(?=[\s\p{L}"“'‘«]|$)|[–-]+(?=[\s"“'‘«]|$))*`;
const SIGNS = new RegExp(`^${GAP}`, 'u');
/** Words that a message follows. */
const SPEECH = new RegExp(
  String.raw`^[\s,;:–-]*(?:saying|(?:that|which) (?:says|reads)|(?:and )?with (?:the )?(?:text|body|message|content|words?)(?: of)?|and (?:the )?(?:text|body|message|content)|and (?:say|tell (?:them|him|her|it)|ask (?:them|him|her|it)|write))(?=$|[\s:,"“'‘«])${GAP}`,
  'iu',
);
/** Words that a message follows where a word for it stands before them. */
const LABELED = new RegExp(
  String.raw`^[\s,;:–-]*(?:(?:reading|containing|says?)(?=$|[\s:,"“'‘«])${GAP}|(?=["“'‘«]|$))`,
  'iu',
);
/** "The word ping": one word behind its name. */
const ONE_WORD = /^the (?:text|word|message) ([\p{L}\p{N}]+)$/iu;
/** Several messages, of which only one would be sent. */
const COUNTED =
  /^(?:\d{1,4}|two|three|four|five|six|seven|eight|nine|ten|several|some|a few|many) (?:\p{L}+ )?(?:e-?mails|mails|messages|letters|notes|texts|copies|times)\b/iu;

const KNOW = new RegExp(String.raw`^know\b${GAP}`, 'iu');

interface Said {
  readonly text: string;
  /** Whether words announced it. */
  readonly announced: boolean;
}

/** The words of a message behind its recipient; undefined when its first words may only announce it. */
function saidIn(behind: string, verb: string): Said | undefined {
  const text = behind.replace(SIGNS, '').trim();
  const speech = SPEECH.exec(text);
  if (speech !== null) return { text: text.slice(speech[0].length), announced: true };
  const toSay = MAILS_TO.test(verb) ? /^to say(?: that)?(?=$|[\s:,"“'‘«])[\s,:]*/i.exec(text) : null;
  if (toSay !== null) return { text: text.slice(toSay[0].length), announced: true };
  if (verb === 'let') return { text: text.replace(KNOW, ''), announced: false };
  const word = MAILS_TO.test(verb) ? ONE_WORD.exec(text)?.[1] : undefined;
  if (word !== undefined) return { text: word, announced: true };
  if (MAILS_TO.test(verb) && COUNTED.test(text)) return undefined;
  const label = LABEL.exec(text);
  const rest = label === null ? '' : text.slice(label[0].length);
  const announces = SPEECH.exec(rest) ?? LABELED.exec(rest);
  if (announces !== null && label !== null) return { text: rest.slice(announces[0].length), announced: rest !== '' };
  if (label !== null && label[1] !== undefined && MAILS_TO.test(verb)) {
    if (/^ (?:about|regarding|concerning)\b/i.test(rest)) return { text: rest.trim(), announced: false };
    if (!/^ (?:is|are|was|were|has|have|will|can|must|should)\b/i.test(rest)) return undefined;
  }
  return { text: text.replace(/^with (?=["“'‘«])/i, ''), announced: false };
}
/** Words such as "to check" that ask a mailbox to do its work on the text. */
const LOOK =
  /^(?:to |for |please )*(?:please )?(?:check|proofread|proof-read|correct|review|read|look at|look|go|see|fix|answer|handle|process|reply to|take)(?: over| through| into)?(?: (?:this|it|that|the following|my text|the text|this text|this sentence|the sentence))?(?: for (?:me|us|mistakes|errors))?$/i;
/** "The message I am late": what follows is its text. */
const OWN_TEXT =
  /^(?:the |this |a |my )?(?:message|text|words?|line|note|sentence|greeting)s? (?!(?:of|from|about|in|on|for|that|which|below|above|we|you|step)\b)(?=\S)/i;
/** Names of something to send rather than its text. */
const NAMED_THING =
  /^(?!.*\b(?:is|are|was|were|has|have|had|will|would|can|could|must|should|do|does|did|says?|works?|arrives?|arrived|came|comes|went|goes)\b)(?:the|my|our|your|his|her|their|today['’]s) [\p{L}\d'’-]+(?: [\p{L}\d'’-]+){0,7} ?$/iu;
const MAILS = /^(?:send|e-?mail|mail|forward)$/i;
/** Verbs that take a word for the message beside its recipient. */
const MAILS_TO = /^(?:send|e-?mail|mail|write|message|drop|shoot|pass|deliver|submit|hand|post)$/;
const AND_MORE =
  /^,? ?and (?!(?:say|tell (?:them|him|her|it)|ask (?:them|him|her|it)|write|with)\b)(?:then |also |please )*[a-z]/i;
const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** The words of a message behind the "that" or "to" that links them to their recipient. */
function linkedTo(words: string, verb: string): string {
  if (verb === 'ask') return words.replace(/^(?:to|for) (?=\S)/i, '');
  if (verb === 'tell' && /^to (?=\S)/i.test(words)) return words.slice(3);
  return behindThat(words.replace(/^to tell (?:him|her|them) (?=that )/i, ''));
}

/** `says`: the words of the message as they stand in the instruction, where it announced them. */
const written = (to: string, body: string, subject: string | undefined, sure: number, says?: string): Reading => ({
  sure,
  input: { to, body, ...(subject === undefined || subject === '' ? {} : { subject: subject.slice(0, MAX_SUBJECT) }) },
  ...(says !== undefined && { accounts: [says] }),
});

/** Without an address it is a message only when it names a recipient or a mail. */
function lacking(verb: string, rest: string, clause: Clause): Reading | undefined {
  if (
    !/^(?:send|e-?mail|mail|forward)$/i.test(verb) ||
    /^(?:me|us)\b|\bto (?:me|us)$/i.test(rest) ||
    /https?:/.test(rest)
  )
    return undefined;
  const to = /^(.{0,400}?)\s?\bto ([\p{L}][\p{L}\p{N} .'’-]{0,60})$/iu.exec(rest);
  const what = (to?.[1] ?? rest).trim();
  const has = clause.it !== undefined || clause.data !== undefined;
  const named =
    to !== null &&
    (/^(?:\p{Lu}|(?:my|him|her|them|the)\b)/u.test(to[2] as string) || ITSELF.test(what) || MESSAGE.test(what));
  if (to !== null && !named && verb.toLowerCase() === 'forward') return undefined;
  if (to !== null) {
    return {
      sure: named ? 0.7 : 0.5,
      ask: `What is the address of ${to[2]}?`,
      answered: (answer) => `${verb} ${what || 'it'} to ${answer.trim()}`,
    };
  }
  const meant = what === '' || ITSELF.test(what) || MESSAGE.test(what) || (/^e-?mail$/i.test(verb) && has);
  if (!meant) return undefined;
  return { sure: 0.6, ask: 'To which address?', answered: (answer) => `${verb} ${what || 'it'} to ${answer.trim()}` };
}

/** Undoes a cut at a colon within quotation marks. */
function corrected(clause: Clause): Clause {
  const { text, data } = clause;
  const open =
    data !== undefined &&
    data.length <= INSTRUCTION_LENGTH &&
    !data.includes('\n') &&
    (text.split('"').length % 2 === 0 || text.split('“').length > text.split('”').length);
  return open ? { ...clause, text: `${text}: ${data}`, data: undefined } : clause;
}

/** "Send x@y.z "hi" every Monday" is a schedule rather than a message with these words. */
function readToOne(clause: Clause): Reading | undefined {
  const reading = atOnce(clause);
  if (reading === undefined) return undefined;
  const later = timingLast(clause.text, clause);
  if ('ask' in reading)
    return later?.timing.rule === undefined ? reading : { ...reading, sure: Math.min(reading.sure, 0.5) };
  const ended = clause.data !== undefined || (later !== undefined && ENDED.test(later.rest));
  const planned = later !== undefined && (later.timing.rule !== undefined || ended) ? later.words : undefined;
  const doubt = planned === undefined ? doubtIn(clause, reading.input.body) : whenSent(planned);
  if (doubt === undefined) return reading;
  const { to, body } = reading.input;
  const answered = (answer: string): string =>
    /^(?:y|now|yes|ok|send)\b/i.test(answer) ? `send ${to as string}: ${body as string}` : answer;
  return { sure: planned === undefined ? reading.sure : 0.5, ask: doubt, answered };
}

function read(given: Clause): Reading | undefined {
  const clause = { ...given, text: asMail(given.text) };
  if (clause.text.length > INSTRUCTION_LENGTH || !VERB.test(clause.text)) return undefined;
  // Other words may have slips too, where nothing shows the message.
  if (/^snd\b/i.test(clause.text) && clause.data === undefined && !/["“]/.test(clause.text)) return undefined;
  const recipients = recipientsIn(clause);
  if (recipients === undefined) return readToOne(clause);
  if (isReading(recipients)) return recipients;
  const reading = readToOne(recipients.clause);
  return reading && toAll(reading, recipients);
}

function atOnce(given: Clause): Reading | undefined {
  if (given.text.length > INSTRUCTION_LENGTH || !VERB.test(given.text)) return undefined;
  const clause = corrected(given);
  const { text, data, it } = clause;
  const head = VERB.exec(text);
  if (head === null) return undefined;
  const verb = (head[1] as string).toLowerCase();
  const whole = text
    .slice(head[0].length)
    .replace(/<([^<>\s]+@[^<>\s]+)>/g, '$1')
    .replace(BOX, '$1');
  // Quoted text names no recipient.
  const bare = whole.replace(new RegExp(QUOTED.source, 'gu'), (quoted) => ' '.repeat(quoted.length));
  const [first] = bare.matchAll(ADDRESS);
  if (first === undefined) return lacking(verb, whole, clause);
  const to = first[0];
  // In "a@b.c's number" nothing is written to that address.
  if (/^['’]s\b/i.test(whole.slice(first.index + to.length))) return undefined;
  // "Write a poem about a@b.c" is no message to that address.
  const lead = whole.slice(0, first.index);
  if (!/(?:^|\bto\s*|\bwith\s*|\bat\s*|:\s*)$/i.test(lead) && lead.trim() !== '') return undefined;
  if (/^(?:write|post|hand|query)$/.test(verb) && lead.trim() !== '' && !/\bto\s*$/i.test(lead)) return undefined;
  const object = withoutSubject(
    lead
      .trimEnd()
      .replace(/(?:\b(?:on|along|over|off)\s+)?\b(?:to|with|at)$/i, '')
      .trim(),
  );
  const tail = withoutSubject(
    whole
      .slice(first.index + to.length)
      .replace(/^\s*[.?!](?=\s|$)/, '')
      .trim(),
  );
  let subject = object.subject ?? tail.subject;
  // In "that the mail with subject Hi came" the words on both sides are one text.
  if (tail.above !== undefined && tail.above.replace(LABEL, '').trim() !== '')
    return {
      sure: 0.9,
      ask: `I cannot tell whether “${short(tail.subject ?? '')}” is the subject or a part of the message. What should I write to ${to}?`,
      answered: (answer) => `send ${to}: ${answer}`,
    };
  const lacks = (ask: string): Reading => {
    const titled = subject === undefined ? '' : ` with the subject "${subject}" and the text`;
    return {
      sure: 0.9,
      ask,
      answered: (answer) => (titled === '' ? `send ${to}: ${answer}` : `send ${to} a message${titled} "${answer}"`),
    };
  };
  let pasted = data;
  // "With subject: Hello".
  if (subject === undefined && data !== undefined && /\bsubject$/i.test(tail.text)) {
    const both = /^(.{1,200}?)[,;]? ?\b(?:and )?(?:with )?(?:the )?(?:body|text|message):? (.+)$/i.exec(data);
    if (both !== null) return written(to, unquote(both[2] as string), unquote(both[1] as string), 0.95);
    const [line = '', ...more] = data.split('\n');
    return more.length === 0 && it === undefined
      ? {
          sure: 0.9,
          ask: `What should I write to ${to}?`,
          answered: (answer) => `send ${to} a message with the subject "${line}" and the text "${answer}"`,
        }
      : written(to, more.length === 0 ? placeholder(it as number) : more.join('\n').trim(), line, 0.9);
  }
  if (subject === '' && pasted !== undefined) {
    subject = pasted.split('\n')[0];
    pasted = pasted.includes('\n') ? pasted.slice(pasted.indexOf('\n') + 1).trim() : undefined;
  }
  const objectText = ITSELF.test(object.text) || MESSAGE.test(object.text) || object.text === '' ? '' : object.text;
  // In "message a@b.c "on my way" and remind me …" the rest is another instruction.
  const behind = tail.text.replace(GIVE_BACK, '');
  const closed = /^(?:"[^"]*"|“[^”]*”)/.exec(behind)?.[0];
  if (closed !== undefined && data === undefined && AND_MORE.test(behind.slice(closed.length))) return undefined;
  const spoken = saidIn(isCourtesy(behind.replace(/^know\b/i, '')) ? '' : behind.replace(WORD_QUOTED, ''), verb);
  if (spoken === undefined && (pasted === undefined || COUNTED.test(behind)))
    return lacks(`I cannot tell where the message in “${short(behind)}” begins. What should I write to ${to}?`);
  let words = spoken?.text ?? behind.trim().replace(LABEL, '').trim();
  if (/^(?:reply|reply to)$/.test(verb)) words = words.replace(/^with (?=\S)/i, '');
  // "a message about the invoice: …".
  const about = spoken?.announced === true ? null : /^(?:about|regarding|re|concerning) (.{1,200})$/i.exec(words);
  if (about !== null && pasted !== undefined && subject === undefined && verb !== 'ask' && verb !== 'tell') {
    subject = about[1];
    words = '';
  }
  // "Write it to a@b.c together with the word "average"" sends more than those words.
  if (
    pasted === undefined &&
    words !== '' &&
    spoken?.announced !== true &&
    ITSELF.test(object.text) &&
    !LOOK.test(words)
  )
    return lacks(`What is “${short(words)}” beside “${object.text}”? What should I write to ${to}?`);
  if (pasted !== undefined) {
    // "The kebab-case version of this title: …" is made of what stands behind the colon.
    if (/^(?:the|an?) .*\b(?:of|from|in|for) (?:this|these|those|the following)\b/i.test(words))
      return lacks(`What is “${short(words)}”? What should I write to ${to}?`);
    if (words !== '' && !LOOK.test(words) && !ITSELF.test(words))
      return written(to, `${linkedTo(words, verb)}:${pasted.includes('\n') ? '\n' : ' '}${pasted}`, subject, 0.95);
    if (objectText !== '' && !/^(?:that|the|this)\b/i.test(objectText))
      return lacks(`Is “${short(objectText)}” a part of the message? What should I write to ${to}?`);
    return written(to, pasted, subject, 1);
  }
  // In "send "hi" to a@b.c and remind me …" the rest is no part of the message.
  if (objectText !== '' && pasted === undefined && words !== '' && AND_MORE.test(tail.text)) return undefined;
  if (objectText !== '' && words === '') {
    const word = ONE_WORD.exec(objectText)?.[1];
    if (word !== undefined) return written(to, word, subject, 0.95);
    const message = objectText.replace(OWN_TEXT, '');
    if (message !== objectText && !/^["“'‘«]/.test(message))
      return lacks(`I cannot tell where the message in “${short(objectText)}” begins. What should I write to ${to}?`);
    // "Send the report to a@b.c" does not say which text that is.
    if (NAMED_THING.test(message) && wording(message, clause) === message)
      return lacks(`What is “${short(objectText)}”? What should I write to ${to}?`);
    return written(to, unquote(wording(message, clause)), subject, 0.95);
  }
  if (
    words !== '' &&
    words === tail.text &&
    objectText === '' &&
    MAILS.test(verb) &&
    NAMED_THING.test(words) &&
    !ITSELF.test(words)
  )
    return lacks(`What is “${short(words)}”? What should I write to ${to}?`);
  if (words !== '' && !ITSELF.test(words)) {
    const plain = linkedTo(words, verb);
    if (it !== undefined && LOOK.test(plain)) return written(to, placeholder(it), subject, 0.95);
    if (objectText !== '')
      return lacks(`What is “${short(objectText)}” beside “${short(plain)}”? What should I write to ${to}?`);
    const speech = words !== behind.trim() || /^(?:ask|tell|inform|notify|let|message|ping)$/.test(verb);
    return written(to, unquote(wording(plain, clause)), subject, 0.95, speech ? words : undefined);
  }
  const reference = workedOn(undefined, clause);
  if (
    reference !== undefined &&
    (ITSELF.test(object.text) || ITSELF.test(words) || MESSAGE.test(object.text) || object.text === '')
  ) {
    return written(to, reference, subject, 0.9);
  }
  return lacks(`What should I write to ${to}?`);
}

/** Writes to other mailboxes and waits for its answer. */
export const send = task({
  name: 'send',
  description:
    'Writes to another mailbox of this service, or one message to several, and gives the answers; when none comes in time, says so.',
  input: Input,
  output: Output,
  effects: 'writes',
  words: { input: 'body', behind: /^["”»'’]?\s*(?:(?:on|along|over|off)\s+)?(?:to|with|at)\s[^@]{0,80}@/iu },
  // Its idempotency key makes a repeated step ask once.
  repeatable: true,
  examples: [
    'send hello@agents.mailroom.localhost: Who are you?',
    'ask proofread@acme.example.com to check: She have two cats',
    'write to ann@acme.example.com saying "The report is done"',
    'send ann@acme.example.com and bob@acme.example.com, cc desk@acme.example.com: The report is done',
  ],
  read,
  async run({ to, cc, body, subject }, { ask, limits }) {
    const addresses = [to].flat().map((address) => address.trim());
    const [first = ''] = addresses;
    const all = recipientsText(addresses);
    if (body.trim() === '') throw new TaskError(`There is nothing to write to ${all}: the message is empty.`);
    const answer = await ask({
      to: addresses.length === 1 ? first : addresses,
      ...(cc !== undefined && cc.length > 0 && { cc: cc.map((address) => address.trim()) }),
      body,
      subject: subject?.trim() || null,
    });
    const { message_id, status, from, data, answers = [] } = answer;
    if (status === 'failed' || status === 'rejected')
      throw new TaskError(answers.length > 1 ? answers.map(answerText).join('\n') : notDone(answer, all));
    if (answers.length < 2) return { result: answer.body ?? unanswered(status, all), message_id, status, from, data };
    return { message_id, status, from, data: null, ...answersWithin(limits.output_bytes, answers) };
  },
  says: ({ to, cc, body, subject }) => ({
    does: `Send to ${recipientsText([to].flat(), cc)}${subject === undefined ? '' : `, with the subject “${subject}”`}`,
    text: body,
  }),
  show: ({ result }, { to, cc, body, subject }) => {
    const text = body.length > MAX_SHOWN ? `${body.slice(0, MAX_SHOWN)}…` : body;
    const titled = subject === undefined ? '' : ` (${subject.trim()})`;
    return `To ${recipientsText([to].flat(), cc)}${titled}:\n\n${text.trim().replace(/^/gm, '> ')}\n\n${result}`;
  },
});
