import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import type { Domain } from '../../language/grammar.ts';
import { NAMED_KINDS, spokenName } from '../notes/name.ts';
import { isOfWorld } from '../words/world.ts';
import { GOES_ON } from './listed.ts';
import { rule } from './rules.ts';
import { asks, type Free, question, type Request } from './setting.ts';

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

const ALL = /^(?:everything|all|all (?:of )?it|me|anything)$/i;
/** The note about something; all notes about "everything". */
function recalled(name: string | undefined): Request | undefined {
  const query =
    name === undefined || ALL.test(name.trim()) ? '' : spokenName(name).replace(/ (?:notes?|memo|called|named)$/, '');
  return name === undefined ? undefined : asks('recall', query === '' ? {} : { query });
}
const about = ({ text }: Free): Request | undefined =>
  GOES_ON.test(text) || /^up |[.?!]["”]? \S/i.test(text) || /, (?:the|its) .+ (?:is|are) /i.test(text)
    ? undefined
    : recalled(text.replace(/ again$/i, ''));

/** What the sender owns, beside what other tasks know or no note says. */
const NOT_NOTED =
  /^(?:(?:next|last|upcoming|first) )?(?:name|age|ip|time ?zone|bmi|schedules?|reminders?|alarms?|timers?|agenda|plans?)\b|\b(?:and|then|or)\b|["“:\d]/i;
/** A thing that belongs to someone, or that people write down, and neither the world's nor a fact. */
const OF_SOMEONE =
  /^(?!(?:today|yesterday|tomorrow|it|that|there|what|who|world)['’])(?:(?:the )?[\p{L}-]+['’]s )(.+)$/iu;
const OF_FACT =
  /^(?:the )?(?:weather|forecast|news|temperature|time|date|point|matter|difference|best|worst|most|latest|current|meaning|world)\b/i;
const LINKED = /\b(?:of|in|on|at|for|from|to|with|between|by|about|like|today|tomorrow|now)\b/i;
const GIVEN = / (?:(?:that )?i (?:gave|told|sent|mentioned|showed)(?: to)? you(?: [\p{L} ]{2,30})?)$/iu;

/** A name of something that may have been noted: "the door code", "Ann's number", "the key to the shed". */
export function thingOf(text: string): string | undefined {
  const plain = text.replace(/ again$/i, '').replace(GIVEN, '');
  const own = OF_SOMEONE.exec(plain)?.[1] ?? /^the (.+)$/i.exec(plain)?.[1];
  const isThing = own !== undefined && !OF_FACT.test(plain) && !LINKED.test(own) && own.split(' ').length <= 4;
  const words = /^[\p{L}'’ -]{2,80}$/u.test(plain) && !/\b(?:and|or|then)\b/i.test(plain);
  return words && !isOfWorld(`what is ${plain}`) && (isThing || NAMED_KINDS.test(plain)) ? plain : undefined;
}

/** Why something is to be deleted, behind it. */
const REASON = /, (?:i|we|it|they|he|she)\b(?! (?:is|was) called).*$/i;
const WITHDRAWN = /^(?:(?:it|that|this|them)(?:[,;:.!].*)?|(?:to|how|you|i)\b.*)$/i;
/** "Drop a@b.c a note" writes one. */
const MAILED = /^[^\s@]+@[^\s@]+ (?:an? |the )?(?:note|memo|line|message|e-?mail)\b/i;
const IS = /^(?:that )?(.{1,100}?) (?:is|are|was|were) (?!.*\b(?:not|only|until|unless|except|twice|if)\b).+$/i;
/** The note to delete: "the door code is 4711" names its subject. */
function forgotten({ text }: Free): Request | undefined {
  const plain = withoutTrailing(text.replace(REASON, ''), '.! ').replace(/ (?:now|again|please)$|^about /gi, '');
  const name =
    WITHDRAWN.test(plain) ||
    MAILED.test(plain) ||
    /\b(?:except|but|unless|apart from|other than)\b/i.test(plain) ||
    GOES_ON.test(plain) ||
    /, /.test(plain)
      ? ''
      : spokenName(IS.exec(plain)?.[1] ?? plain);
  return name === '' ? undefined : asks('forget', { name });
}
const WHICH = question('forget', 'Which note shall I forget?', 'forget {}');

/** Notes: what was kept and is asked for or deleted, and lists that are kept. */
export const NOTES: Domain = {
  lexicon: {
    kept: { list: 'list' },
    APPEND: 'add|put|append|write|include|also add|please add',
    ONTO: 'to my|on my|onto my|to our|on our|onto our|in my|on to my|to my own',
    WHATSON:
      "what is on|what's on|whats on|show me|show|read|read me|what is in|what's in|whats in|what do i have on|tell me what is on",
    NOTED: 'note|notes|memo|memos|memory|memories',
    MINE: 'my|the|your|our|all|all my|all of my|all the|any|a|some|every|each|that|all my saved|my saved|my stored|any of my|the whole',
    ALLMINE: 'all|all my|all of my|all the|my|your|every|each|the whole|all your',
    LOOKS:
      'recall|list|show|show me|read|read me|tell me|give me|print|get|get me|see|display|view|open|find|find me|read out|look up|pull up|bring up|fetch',
    SEARCHES:
      'search|search in|search through|look in|look through|look|find|find in|check|query|look up|look for|search for|find for',
    INNOTES: 'about|on|for|called|named|titled|of|regarding|with|with the name',
    ASKEDALL:
      'what did i ask you to remember|what have i asked you to remember|what did i tell you|what did i tell you to remember|what have i saved|what did i save|what have i stored|what have i noted|what do you remember|what have you saved|what have you remembered|what have you stored|what do you know about me|tell me everything you remember|tell me all you remember|tell me everything you know about me|show me everything you remember|list everything you remember|tell me everything i asked you to remember|show me everything i saved|tell me what you remember|recall everything|list everything|show everything|what have i told you|what did i note|what all did i save|what else do you remember',
    TOLD: 'what did i tell you|what have i told you|what did i say|what did i note|what have i noted|what did i note down|what did i save|what have i saved|what did i write|what did i write down|what did i mention|what did i store|what did i ask you to remember|what do i remember|what do you know|what do you remember|what do you recall|what do you have|what do you have saved|what can you tell me|what did you save|what did you note',
    RECALLS:
      'do you remember|can you remember|do you still remember|do you recall|can you recall|do you know what|do you remember what|can you recall what|recall what|recall',
    WHATISMY:
      "what is my|what's my|whats my|what was my|what are my|what were my|who is my|who's my|where is my|where's my|where are my|when is my|when's my|when was my|tell me my|give me my|show me my",
    DELETES:
      'forget|delete|remove|erase|drop|discard|clear|wipe|destroy|trash|get rid of|throw away|scrap|you can forget|you may forget|you can delete|now forget',
    ALLOFIT:
      'forget everything|forget all|forget all of it|forget it all|forget me|forget about everything|forget all you know|forget all you know about me|forget everything about me|forget everything you know|forget everything you know about me|delete everything about me|erase everything about me|wipe everything about me|delete everything you know about me|erase all you know about me|forget everything i told you|forget everything i asked you to remember',
    SAIDABOUT:
      'about|what i told you about|everything i told you about|what i said about|everything i said about|everything about|all i told you about|anything i told you about|what you know about|everything you know about|what i asked you to remember about|what you remember about|everything i noted about|what i wrote about|everything i saved about|all you know about',
  },
  tests: {
    owned: ({ text }: Free) => text.length > 1 && text.length <= 60 && !NOT_NOTED.test(text),
    'noted-again': ({ text }: Free) => / again$/i.test(text) && !NOT_NOTED.test(text),
  },
  rules: [
    rule('request -0.3 = APPEND … ONTO … <kept>', ([item, name, kind]) => added(item, nameOf(name, kind))),
    rule('request -0.3 = WHATSON (my|our) … <kept>', ([name, kind]) => recalled(nameOf(name, kind))),
    rule('request -0.3 = (what does|what did|what do) my … NOTED (say|says|contain|tell me)', ([{ text }]) =>
      isName(text) && text !== '' ? recalled(text) : undefined,
    ),
    // All notes.
    rule(
      'request -0.3 = LOOKS MINE? NOTED (again|so far|to me|you have|i have|i have so far)?',
      '(what|which|what are|which are) MINE? NOTED (do i have|did i have|are there|have i|have i saved|have i stored|so far|saved|stored|do you have|do you have from me|have you got|do you have of mine|do you keep)?',
      'ASKEDALL (so far|again|for me)?',
      '-0.4 = recall',
      () => asks('recall', {}),
    ),
    // Notes about something.
    rule(
      'request -0.3 = LOOKS MINE? NOTED (i have|i made|i took|i saved)? INNOTES …',
      'SEARCHES MINE? NOTED (for|about|on) …',
      'SEARCHES … (in|from) MINE? NOTED',
      '(do i have|do you have|have i got|have you got|is there|are there|did i make|did i save|did i take) (anything|something)? (in)? MINE? NOTED INNOTES …',
      '(anything|something|any) in? MINE? NOTED INNOTES …',
      '(what|which|any) NOTED (do i have|did i make|do you have) INNOTES …',
      'TOLD (about|on|for|of|regarding|under|as) …',
      'RECALLS SAIDABOUT …',
      'recall : …',
      '-0.4 = recall …',
      '-0.4 = LOOKS (my|the) … NOTED',
      '-0.5 = RECALLS …:owned (is|was|are)?',
      '-0.5 = remind me again? (what|who|where|when) …:owned (is|was|are|were)',
      '-0.5 = WHATISMY …:owned',
      '-0.5 = (what was|what were) …:noted-again',
      ([free]) => about(free),
    ),
    rule("request -0.6 = (what is|what are|what's|whats|what was) …:owned", ([free], { after }) =>
      after === 'remember' || after === 'forget' ? about(free) : undefined,
    ),
    // What is deleted.
    rule('request -0.3 = DELETES out? ALLMINE NOTED (about everything|about me)?', 'ALLOFIT (now|again|please)?', () =>
      asks('forget', { all: true }),
    ),
    rule('request -0.4 = DELETES (a|the|that|this|my) (note|memo)', 'forget', () => WHICH),
    rule(
      'request -0.4 = DELETES MINE? NOTED INNOTES …',
      '-0.5 = DELETES (my|the|that|your|a)? NOTED …',
      'DELETES (my|the|that|your)? … (note|memo) now?',
      '-0.5 = DELETES all? … from (my notes|your memory|memory|the notes)',
      'DELETES SAIDABOUT … from (my notes|your memory|memory|the notes)',
      'DELETES (from|in|out of) (my|your|the) NOTED ,? SAIDABOUT …',
      '-0.5 = DELETES (from|in|out of) (my|your|the) NOTED ,? …',
      '-0.5 = (forget|you can forget|you may forget|now forget) SAIDABOUT …',
      '-0.6 = (forget|you can forget|you may forget|now forget) …',
      ([free]) => forgotten(free),
    ),
  ],
};
