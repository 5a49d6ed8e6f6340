import { withoutTrailing } from '@mailroom/behavior/values/trailing';

const NOTED =
  '(?:noted|saved|stored|kept|remembered|recorded|filed|logged|memori[sz]ed|written down|on file|jotted down)';
/** What the sender did so that it is known. */
const TOLD = `(?:(?:i|we)(?:['’]ve| have| had)? (?:told|given|gave|asked|had|said to|left with|saved with)(?: to)? ?you(?: to (?:remember|note|keep|write down|save|store))?(?: (?:write down|note|keep|remember|save|store))?|you(?:['’]ve| have)? ${NOTED}(?: down)?|(?:i|we)(?:['’]ve| have)? ${NOTED}(?: with you)?)`;
const NOTES = '(?:my|the|your|our) (?:notes?|memory|notebook)';
/** Ways to ask about notes or to delete one, and how the rules say it. */
const WAYS: readonly (readonly [written: RegExp, meant: string])[] = [
  [new RegExp(`^(?:from|according to|going by|in) (?:what ${TOLD}|${NOTES})[:,]? (?=\\S)`, 'i'), ''],
  [
    /,? (?:the|its|just the) [\p{L}\d ]{3,40} (?:is|are|will be|would be) (?:enough|fine|sufficient|plenty|ok(?:ay)?)$/iu,
    '',
  ],
  [
    new RegExp(
      `^(?:read|show|tell|give|list|send|repeat)(?: me)?(?: back)? (?:everything|all|all of it|whatever) (?:that )?${TOLD}(?: so far| for me| to date| until now)*$`,
      'i',
    ),
    'list my notes',
  ],
  [
    /^(?:do|have) you (?:still (?:have|got|know|keep|remember) (?=the )|(?:still |already )?(?:have|got|know|keep|remember) (?!the ))((?:my|our|the|\p{L}+['’]s) .{2,80})$/iu,
    'recall $1',
  ],
  [
    new RegExp(`^(?:look|bring|pull|dig|read)(?: me)? (?:up|out) (.{3,80}) (?:in|from|out of) ${NOTES}$`, 'i'),
    'recall $1',
  ],
  [
    /^(.{3,60}?),? (?:-|–|—|:) ?what did (?:i|we) (?:say|tell you|note|write|save)(?: that)? (?:mine|ours|it|that|they) (?:was|is|were|are)$/i,
    'recall $1',
  ],
  [
    new RegExp(`\\b(?:what|everything|all|anything)(?: that)? ${TOLD} (?:about|on|for|of|regarding) `, 'i'),
    'the note about ',
  ],
  [
    /^(?:.{3,80}, so )?(?:the|my|your) (?:note|memo) (?:on|about|for|of|regarding) (.{2,80}) (?:can|may|should|could) (?:now )?be (?:deleted|removed|erased|thrown away|forgotten|scrapped|dropped)$/i,
    'forget the note about $1',
  ],
  [/^(?:i|we) no longer need (?:the|my|your) (?:note|memo) (?:on|about|for|of|regarding) /i, 'forget the note about '],
];
const MAX_TEXT = 200;

/** An instruction about notes in the words of the rules; undefined where it is in them or about something else. */
export function inPlainWords(text: string): string | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const plain = WAYS.reduce((said, [written, meant]) => said.replace(written, meant), text).trim();
  return plain === text || plain === '' ? undefined : plain;
}

/** Words of questions, which no note needs to have. */
const ASKING = new Set(
  `what which where when who whose whom how was were is are did do does have has had the a an my mine our ours your i we you me us it its
again of for in on at to from with and or by about that this these those please tell say said put left leave got get called note
notes still much many kind there`.split(/\s+/),
);
/** Kinds of things, which notes often leave out: the number of a plumber is there without the word. */
const KINDS = new Set(
  'number phone telephone mobile code address password email mail name size value date time info details'.split(' '),
);
const SAME = 4;

const wordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? []).map((word) =>
    withoutTrailing(word.replace(/['’]s$/, ''), "'’").replace(/s$/, ''),
  );
/** Whether two words are forms of one: "park" and "parked", "nuts" and "walnuts". */
const isForm = (word: string, other: string): boolean =>
  word === other ||
  (word.length >= SAME && other.startsWith(word)) ||
  (word.length >= SAME - 1 && other.endsWith(word)) ||
  (other.length >= SAME && word.startsWith(other) && word.length - other.length < SAME);

/** Whether a note has all words of a question that say what it is about; `query` needs one that is no kind of thing. */
export function answersTo(query: string, note: string): boolean {
  const asked = wordsOf(query).filter((word) => !ASKING.has(word));
  const telling = asked.filter((word) => !KINDS.has(word));
  const told = wordsOf(note);
  return telling.length > 0 && telling.every((word) => told.some((other) => isForm(word, other)));
}

const KIN =
  'aunt|uncle|mum|mom|mother|dad|father|sister|brother|gran|grandma|grandpa|grandmother|grandfather|wife|husband|son|daughter|boss|landlord|neighbou?r|colleague|friend';
/** A question about what belongs to its sender, in whatever words. */
const PERSONAL = new RegExp(
  `^(?:(?:on|in|at|for|to|with|by|under) )?(?:what|which(?! of)|where|when|who|whose|whom)\\b(?!.*(?:[\\d"“:@]|\\b(?:today|tomorrow|tonight|now|opens?|closes?)\\b))(?=.*\\b(?:(?:did|do|have|had) (?:i|we)|my|our|mine|${KIN})\\b)`,
  'i',
);
const MIN_WORDS = 2;
const isPersonal = (text: string): boolean =>
  text.length < 120 && PERSONAL.test(text) && wordsOf(text).filter((word) => !ASKING.has(word)).length >= MIN_WORDS;

const BARE =
  /^(?!(?:what|which|where|when|who|how|why|is|are|was|can|could|do|does|did|will|would|should|shall|may|any|you|i|we|it|and|or|so|but|really|not|no|yes|hi|hello|hey|ok|thanks?)\b)\p{L}[\p{L}'’-]*(?: [\p{L}'’-]+){1,4}\?{1,4}$/iu;
/** What a message asks that only a note may answer: "which hotel did I book?", "staging database port?". */
export function askedThing(text: string): string | undefined {
  const thing = withoutTrailing(text, '?!. ');
  return isPersonal(thing) || BARE.test(text) ? thing : undefined;
}
