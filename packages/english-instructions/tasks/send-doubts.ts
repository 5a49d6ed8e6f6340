import type { Json } from '@mailroom/behavior/values/json';
import type { Clause } from './clause.ts';
import { timingFirst, timingIn } from './plans/when.ts';
import { withoutCourtesy } from './words/courtesies.ts';

export const ADDRESS = /[\p{L}\p{N}._%+=-]{1,130}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/giu;
const SENDING_VERBS =
  'send snd e-?mail mail write message ask tell forward drop shoot pass deliver ping contact notify inform reply let submit hand post consult relay query'.split(
    ' ',
  );
export const VERB = new RegExp(
  String.raw`^(?:(?:then|and|also|now|next) )?(?:(?:can you |could you )?(${SENDING_VERBS.join('|')}))\b(?: (?:off|over|on|up|out))?\s*`,
  'i',
);
const ADDRESS_ONE = new RegExp(ADDRESS.source, 'iu');
/** Words that a message itself follows. */
const SPEECH =
  /\b(?:that|saying|says?|to say|reading|containing|with (?:the )?(?:text|body|message|content|words?)|know)\b/i;
export const QUOTED =
  /["“«]([^"“”«»]{1,1000})["”»]|(?<![\p{L}\p{N}])['‘]((?:[^'‘’]|['’](?=\p{L})){1,1000})['’](?!\p{L})/u;

/** Words that ask for the answer, which is given anyway. */
export const GIVE_BACK =
  /,? and (?:then )?(?:(?:give|tell|show|send|forward)(?: it)?(?: to)? ?(?:me|us)?|let (?:me|us) know|report)(?: back)? (?:(?:the|its|their|his|her|any) (?:reply|answer|response)|what (?:it|they|he|she|the (?:reply|answer|response)) (?:says?|answers?|repl(?:y|ies)|is))$/i;
/** Advice on how to write such a message without ambiguity. */
const PLAINLY = 'Put the message in quotation marks or behind a colon, as in “send a@b.example: …”';
const CONDITIONS = [
  String.raw`\b(?:if|unless|except|excluding|provided|in case|otherwise|but (?:not|only)|only (?:if|when|on|at|after|before|once)|until|till|as soon as|but (?:do not|don['’]?t|never))\b`,
  String.raw`\b(?:twice|thrice|(?:two|three|four|five|\d{1,4}) times|separately|one by one)[.!]?$`,
];
/** Words about whether something is sent at all; "ask a@b.c if …" is a question. */
const CONDITION = new RegExp(`${CONDITIONS.join('|')}`, 'i');
/** Such words without a "that" before the message: "know once the build passes". */
const EVENT =
  /\b(?:when(?:ever)?|once) (?=(?:the|i|we|he|she|it|they|my|our|your|his|her|their|everyone|everybody|\p{Lu}\p{L}*)\b)/u;
const MANNERS = [
  '(?:(?:very|quite|rather|a (?:bit|little)) )?[a-z]{2,20}ly|asap|(?:right )?now|at once|again|first|then',
  'once more|later|instead',
  String.raw`(?:in|as|by|without|on|for|with) (?!(?:the |an? )?(?:subject|title|text|body|message|content|words?|following)\b)[^,:"]{1,40}?`,
];
/** Words before the message about its style. */
const MANNER = new RegExp(String.raw`^(?:know )?(${MANNERS.join('|')}),? ?(?:\b(?:that|to)\b|$)`, 'i');
const LANGUAGE = /\bin (?:[A-Z][a-z]+(?:man|ian|ish|ese)|French|Dutch|Czech|Hindi|Arabic|Latin|Greek)\b/;
/** A language or a form at the end of a message: "hello in spanish", "hi in uppercase". */
const FORM =
  /\bin (?:spanish|french|german|italian|portuguese|dutch|polish|russian|chinese|japanese|korean|arabic|turkish|hindi|greek|latin|swedish|(?:all )?(?:upper|lower|title)[ -]?case|(?:all )?caps|capitals|bold|italics|base ?64|morse(?: code)?|binary|hex)[.!]?$/i;
/** Words after a quotation, which is the whole message, that add nothing to it. */
const QUOTED_MORE =
  /^(?:know |say(?:ing|s)? |that says? |with the (?:text|message|words?) )?""\s+(?!(?:and|to|with|subject|now|right now|please|at once|immediately|today)\b)[\p{L}\d]/iu;
const ALSO_TO = new RegExp(`\\b(?:cc|bcc|copy|not|and|also|except)[\\s:]+(?:to )?(?:${ADDRESS.source})`, 'iu');
const WITH_ANSWER =
  /\band (?:then )?\p{L}{2,15} (?:me |us )?(?:the|its|their|his|her|your) (?:answer|reply|response)\b|\band (?:then )?(?:tell|show|give) me\b|\band (?:then )?(?:convert|translate|count|sort|reverse|round|multiply|uppercase|lowercase|remember|save|note) (?:it|that|them)\b/iu;
const WRITTEN_VERBS = 'is are was were has have will would can could must should lot bit'.split(' ');
/** A counted thing without a verb, which is to be written and is not the text. */
const UNWRITTEN = new RegExp(
  String.raw`^(?:an?|some|another|two|three|\d{1,3}) (?!(?:${WRITTEN_VERBS.join('|')})\b)\p{L}[\p{L}'’-]*(?: (?!(?:is|are|was|were|has|have|will|would|can|could|must|should|for)\b)\p{L}[\p{L}'’-]*){0,4}$`,
  'u',
);
const MAILS = /^(?:send|e-?mail|mail|forward|write|drop|shoot)\b/i;
/** The topic of a mail rather than its text. */
const TOPIC = /^(?:about|regarding|concerning|asking|requesting|inviting|thanking|reminding|telling|informing) /i;

/** Words directly behind a "that", where a time may say when to send. */
const THAT = /^(?:know )?that (.+)$/is;

const inDoubt = (words: string): string =>
  `I cannot tell whether “${words.trim()}” is part of the message, or says how or to whom to send it. ${PLAINLY}.`;

/** The question about words that may limit whether, when, how or to whom `body` is sent; undefined when there are none. */
export function doubtIn(clause: Clause, body: Json | undefined): string | undefined {
  const { text, data } = clause;
  const index = text.search(ADDRESS_ONE);
  const lead = VERB.exec(text)?.[0].length ?? 0;
  const quoted = (part: string): string => part.replace(new RegExp(QUOTED.source, 'gu'), '""');
  const object = quoted(text.slice(lead, index)).replace(/ (?:on|to|with|at)? *$/i, '');
  const behind = quoted(text.slice(index)).replace(ADDRESS_ONE, '').trim();
  const asks = /^ask\b/i.test(text);
  const condition = CONDITION.exec(
    `${object} ${asks ? behind.replace(/^(?:them |him |her )?(?:if|whether) /i, '') : behind}`,
  );
  // After these words everything is the message, times included.
  const [free = '', ...speech] = behind.split(SPEECH);
  const event = condition ?? (asks || /\bthat\b/i.test(behind) || behind.startsWith('""') ? null : EVENT.exec(behind));
  if (event !== null)
    return `I cannot tell whether “${event[0].trim()}” is part of the message or says when to send it. ${PLAINLY}, and say “tomorrow at 9, send …” for later.`;
  const manner = data === undefined && !/\bthat\b/i.test(behind) ? null : MANNER.exec(behind);
  const words =
    manner?.[1] ??
    LANGUAGE.exec(behind)?.[0] ??
    FORM.exec(behind)?.[0] ??
    ALSO_TO.exec(behind)?.[0] ??
    WITH_ANSWER.exec(behind.replace(GIVE_BACK, ''))?.[0];
  if (words !== undefined) return inDoubt(words);
  const more = QUOTED_MORE.test(behind) ? behind : QUOTED_MORE.test(object) ? object : undefined;
  if (more !== undefined) return inDoubt(more.slice(more.indexOf('""') + 2));
  if (data === undefined && typeof body === 'string' && isUnwritten(text, body))
    return `I cannot tell whether “${body}” is the message or what it is to be about. ${PLAINLY}.`;
  const isSpeech =
    speech.length > 0 ||
    (/^(?:ask|tell)\b/i.test(text) && /^(?:to|what|who|where|when|why|how|if|whether|which)\b/i.test(behind));
  const told = THAT.exec(behind)?.[1];
  const when =
    timingIn(isSpeech && speech.length === 0 ? object : `${object} ${free}`, clause)?.trim() ??
    (told === undefined ? undefined : timingFirst(told, clause)?.words);
  return when === undefined ? undefined : whenSent(when);
}

/** The question about a message that may be for a later time. */
export const whenSent = (when: string): string =>
  `Shall I send it now? I cannot tell whether “${when}” is part of the message. ${PLAINLY}, and begin with the time to send it later: “${when}, send …”`;

/** Whether the text only names a message: "a poem", "nothing". */
const isUnwritten = (text: string, body: string): boolean =>
  text.includes(body) &&
  !/["“'‘«]/.test(text[text.indexOf(body) - 1] ?? '') &&
  (/^(?:nothing|anything|something|everything(?: (?:above|below|else))?)$/i.test(withoutCourtesy(body)) ||
    (MAILS.test(text) && (UNWRITTEN.test(body) || TOPIC.test(body))));
