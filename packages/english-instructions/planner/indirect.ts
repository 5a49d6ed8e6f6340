import { vocabulary } from '../tasks/grammar/index.ts';
import { LIMITS } from '../tasks/words/limits.ts';
import { isContext } from './context.ts';
import { isPolite, plain } from './courtesy.ts';
import { doneVerb, PARTICIPLES, VERBS } from './verbs.ts';

/**
 * What a noun phrase ends before: a link, a verb, or a word of an order. Shared by all instructions about a text that
 * stands elsewhere.
 */
const BOUND =
  'in|into|onto|by|from|with|without|to|at|on|for|of|as|so|and|but|or|that|which|who|where|when|if|because|while|whose|than|then|between|before|after|behind|around|through|all|both|each|every|only|just|not|one|ones|up|out|off|apart|together|alphabetically|numerically|ascending|descending|backwards|upside|line|once|twice|is|are|was|were|be|been|has|have|had|do|does|did|must|should|shall|can|could|will|would|may|might|needs?|ought|went|go|goes|become|becomes|look|looks|look like|start|starts|begin|begins|end|ends|contain|contains|the|these|those|this|my|our|its|their|a|an|it|them|they|i|we|you|me|us|here|below|above|like|using|minus|ordered|sorted|arranged|please|also|once|joined|split|spelled|spelt|written|reversed|separated|follow|following|appear|appears|read|sound|come|came|stand|stands|also|alphabetical|reverse';
const NOUN = String.raw`(?!(?:${BOUND})(?![\p{L}'’-]))\p{L}[\p{L}'’-]*`;
/** Behind these a name is what is looked for, and no text to work on. */
export const OPERATORS =
  'with|without|contains?|containing|mentions?|mentioning|include|includes|including|than|like|about|having';
const PLACE =
  '(?: (?:below|above|here|beneath|down here|that follows?|given(?: below| here)?|listed(?: below| here)?|underneath))';
const AT_PLACE = new RegExp(`${PLACE}$`, 'i');
const DETERMINED = String.raw`(?:all |both )?(?:of )?(?:the following|these|those|this|the|my|our|his|her|their|your)(?: (?:two|three|four|five|six|seven|eight|nine|ten|few|\d{1,3}))?`;
/** What stands elsewhere, by its name: "the guest list below", "these product codes", "this list of guests". */
const PHRASE = new RegExp(
  String.raw`\b(?<!\b(?:${OPERATORS}) )(?<det>${DETERMINED}) (?<named>${NOUN}(?: ${NOUN}){0,3}?(?: of (?:my |our |the |all )?${NOUN}(?: ${NOUN})?)?)${PLACE}?(?=,| (?:${BOUND})(?![\p{L}'’-])|$)(?! (?:from|in|of|out of|on|among|between) (?:this|these|those|it|them|the (?!(?:last|first|top|bottom|back|end|start|beginning|reverse|opposite)\b|\p{L}*(?:order|case)\b)))`,
  'giu',
);
const EACH = new RegExp(String.raw`\b(?:each|every)(?: single)? (${NOUN})(?=,| (?:${BOUND})(?![\p{L}'’-])|$)`, 'giu');
/** Signs, times and parts of words, which are no items of a list. */
const UNCOUNTED =
  /^(?:comma|dash|hyphen|dot|point|period|semicolon|colon|space|blank|tab|slash|underscore|pipe|bracket|quote|digit|vowel|consonant|capital|mark|sign|symbol|day|week|month|year|hour|minute|second|morning|evening|night|time|other|side|stop|half|part|piece|bit|link|date|email|amount|price)$/i;
const PLURAL = /(?:[^s]s|people|children|men|women|list|menu)(?: (?:of|for|from) .*)?$/i;
/** Parts of a text, and words for a text itself, which the grammar knows. */
const KNOWN =
  /\b(?:python|javascript|typescript|script|json|csv|tsv|html|xml|yaml|sql|markdown|code|base64|hex|morse|binary|regex|pattern|words?|letters?|lines?|sentences?|paragraphs?|characters?|numbers?|digits?|rows?|columns?|items?|entries|entry|texts?|strings?|vowels?|names? (?:first|last)|first|last|order|case|beginning|start|end|front|middle|rest|others?|string|phrase|list|header|key|keys|value|values)\b/i;

/** What the words in capitals of the forms stand for. */
const PARTS = {
  IT: '(?:this|these|those|it|them|that|they|both|each(?: (?:of (?:them|these|those|the)(?: (?!to|should|must|has|have|is|are)\\p{L}+)?|one|\\p{L}+))?|every(?: one| \\p{L}+)|all(?: of (?:them|these))?|(?:only |just )?(?:the )?(?:first|last|second|third|initial|final) (?:\\p{L}+ )?\\p{L}+(?: of each \\p{L}+)?|(?:the|these|those|this|my|our|all the|all)(?: (?!need|must|should|have|has|are|is|LIMIT)\\p{L}[\\p{L}-]*){1,2})'.replace(
    'LIMIT',
    [...LIMITS].join('|'),
  ),
  MODAL:
    '(?:must|should|has to|have to|needs? to|ought to|(?:is|are) (?:supposed |meant |going )?to|shall|had better|(?:has|have) got to)',
  AUX: '(?:could|can|may|might|should|would|shall|must)',
  DONE: `(?<done>${PARTICIPLES})(?= |$)`,
  WANT: "(?:(?:i|we)(?:['’]d| would)?(?: really| only| just)? )?(?:need|want|like|prefer|have to have|must have|require|am after|am looking for)(?: to (?:have|see|get))?",
  /** How a clause begins that may only say why, or what the text is. */
  TOLD: "(?:i|we|it|this|that|they|these|those|he|she|my|our|the|both|some|a|an|he's|i'm|i’m|we're|it's|it’s|that's|they're)",
  VERBS,
  PLACED: '(?:in front|at the (?:end|start|beginning|front))',
  UNTOUCHED:
    "(?:leave|leaving|keep|keeping)(?: (?:all|everything|any|the|of)){0,3} (?:(?:rest|others?|remainder|everything else)(?: (?:of it|of them|letters|words|lines|text))?|else)(?: (?:alone|untouched|unchanged|as (?:it|they) (?:is|are|was|were)|the same))?|(?:the rest|everything else|all else|the others?(?: (?:letters|words|lines|ones))?)(?: of it)? (?:stays?|remains?|can stay|should stay|is|are)(?: (?:as (?:it|they) (?:is|are|was|were)|the same|unchanged|untouched|fine))?|(?:and )?nothing else|(?:keep|leave) (?:the|any|all)(?: the)? \\p{L}+ (?:that|which) (?:are|is|were) (?:already )?(?:there|in place|capitals)|(?:without|not|don['’]t) (?:touch|touching|changing|change)(?: any of)? the (?:rest|others?)(?: \\p{L}+)?",
} as const;

type Form = readonly [written: RegExp, meant: string];
/** Patterns in which words in capitals stand for what is defined above. */
const forms = (...all: readonly (readonly [written: string, meant: string])[]): readonly Form[] =>
  all.map(([written, meant]) => [
    new RegExp(
      written.replace(/\b(?:IT|MODAL|AUX|DONE|WANT|TOLD|VERBS|UNTOUCHED|PLACED)\b/g, (name) => PARTS[name as 'IT']),
      'iu',
    ),
    meant,
  ]);

/** What an instruction is for, and why; `told` must say nothing else. */
const REASONS = forms(
  [
    "^(?:for|in|on|because of) (?<told>(?:my|our|the|a|an|this|his|her|their|some)(?: [\\p{L}'’-]+){1,6}?)(?:, ?| (?=(?:i|we|please|can|could|would|the|these|this|those|each|every|all|number|sort|list) ))",
    '',
  ],
  ['^(?<told>TOLD\\b[^,:"“]{3,100}), (?:so|and so|therefore|hence|which is why)(?: that)?(?: please|,)? (?=\\S)', ''],
  ['^(?<told>TOLD\\b[^,:"“]{3,100})(?:,| -| –|;) (?:and |so |please )*(?=(?:VERBS) )', ''],
  [
    '(?:,| -| –|;)? (?:because|since|as|for) (?<told>(?:i|we|it|this|they|these|he|she|my|our|the)(?:[\'’]\\p{L}+)? [^,:"“]{3,80})$',
    '',
  ],
  [
    "(?:,| -| –|;) (?<told>(?:it|this|that|they|these|those|both)(?:['’]s| is| are| was| were|['’]re| goes| go| will| has to| have to| must) [^,:\"“]{2,80})$",
    '',
  ],
  [',? so (?:that )?(?<told>(?:i|we|you|it|they|he|she) (?:can|could|may|might|will) [^,:"“]{2,80})$', ''],
  [
    '(?:,| -| –|;|\\.) (?<told>(?:i|we)(?:[\'’](?:m|re|d|ll)| am| are| will| would)?(?: just| only)? (?:want|need|have|like|going|plan|trying|am|about)?(?: to)? ?(?:paste|put|use|copy|send|import|print|upload|enter|insert|hand|feed|post|show|need|mail|forward) (?:it|them|this|these|that)(?: (?!.*\\b(?:lines?|order|capitals?|case|lists?|sorted|bullets?|table|json|csv|columns?|letters?|words?|numbers?|rows?|commas?)\\b)[^,:"“]{2,60})?)$',
    '',
  ],
  [
    "(?<=^(?:remove|delete|strip|drop|take|cut|erase|get rid of) .{3,80}),? so (?:that )?(?:i|we)(?:['’](?:m|re)| am| are)? (?:only |just )?(?:have|get|see|keep|end up with|left with)(?: only| just)?(?: the| its| their)? (?:(?:plain|bare|clean|pure|raw|mere|naked) )?(?:texts?|lines|words|items|names|entries|values|rest)(?: (?:left|themselves|remaining))?$",
    '',
  ],
  ['^(?<told>TOLD\\b[^,:"“]{3,80}) (?:and|but) (?=(?:need|want|would like|have to|must|require) )', ''],
  [' (?:4|for) (?:me|us)(?=,| |$)', ''],
  // What a partial change does not touch.
  [',? ?(?:and |but |while )?(?:UNTOUCHED)$', ''],
);

/** An instruction that is said as a wish, a duty or a question, and the same as an order. */
const FORMS = forms(
  [
    '^in ((?:this|these|those|the|my)(?: \\p{L}+)?|it|them)(?:,| (?=(?:the|each|every|only|all|every) )) ?(?=\\S)(.+)$',
    '$2 in $1',
  ],
  [
    '^(?:from|out of|in) ((?:this|these|those|the|my)(?: (?!(?:i|we|only|just) )\\p{L}+)?|it|them),? (?=(?:show|list|give|take|keep|pick|remove|delete|drop|get|print|only|just|WANT) )(.+)$',
    '$2 from $1',
  ],
  [
    '^(?:take|use|go through|look at|look through|check|consider|read|have a look at) (?:IT),? (?:and|then|and then) (?:then )?(?=\\S)',
    '',
  ],
  [
    "^(?:i|we)(?:['’]d| would)? (?:be (?:very |so |most |really )?(?:grateful|glad|happy|pleased|thankful|obliged)|appreciate it|love it|like it) if (?:you|u) DONE",
    '$<done>',
  ],
  // Duties.
  ['^AUX (IT) (?:please )?(?:all )?be DONE', '$<done> $1'],
  ['^(IT) (?:all |both |each )?MODAL (?:all |both |each )?be DONE', '$<done> $1'],
  ['^(IT) (?:all |both |each )?MODAL (?:all )?(start|begin|end) ', '$2 $1 '],
  [
    '^(IT) (?:all |both |each )?(?:MODAL (?:all )?have|needs?) (.+) (before|behind|after|PLACED of)(?: (?:it|them|each|each one))?$',
    'put $2 $3 $1',
  ],
  [
    '^(IT) (?:all |both |each )?(?:MODAL (?:all )?have|needs?) (.+) (PLACED)(?: (?:of )?(?:it|them|each|each one))?$',
    'put $2 $3 of $1',
  ],
  ['^(IT) (?:all |both |each )?MODAL (?:all )?become (?=\\S)', 'turn $1 into '],
  ['^(IT) (?:all |both |each )?MODAL (?:all )?(?:be|go|come|get|stand|appear|look|read)(?: like)? (?=\\S)', 'put $1 '],
  ['^AUX (IT) (?:please )?(?:all )?(?:be|go|get) (?=\\S)', 'put $1 '],
  // Wishes.
  ['^WANT (IT) to (start|begin|end) ', '$2 $1 '],
  ['^WANT (IT) to (?:all )?(?:be|go|come|get|stand|appear|look|read)(?: like)? (?=\\S)', 'put $1 '],
  ['^WANT (IT) (?:to be )?DONE', '$<done> $1'],
  ['^WANT (?=\\S)', 'give me '],
  // Questions.
  [
    '^(?:how|what) (?:would|does|do|will|is|are) (IT) (?:look|read|be|sound|appear|become)(?: like)?(?: when| if)?(?: (?:it|they) (?:is|are|were|was))?(?: DONE)? (?=\\S)',
    'write $1 ',
  ],
  [
    '^what (?:do|would|will|does) (?:you|we|i|one) (?:get|see|have)(?: out)? (?:when|if|by) (?:you |we |i |one )?(?=\\S)',
    '',
  ],
);
const POSSESSIVE =
  /\b(?:its|their) (?=(?:very |own )?(?:first|last|second|third|fourth|fifth|initial|final|letters?|words?|punctuation|vowels?|order|spaces|lines?)\b)/gi;

/** The same with pronouns in place of the names of what it is about. `isNamed`: whether words only name something. */
function withPronouns(text: string, isNamed: (words: string) => boolean): string {
  // "The mean of these prices" has two names, of which the first is none of the text.
  const of = /\b(?:these|those|this|it|them|the following)\b/i.test(text);
  const named = text.replace(PHRASE, (whole: string, ...more: unknown[]) => {
    const { det = '', named: words = '' } = more.at(-1) as Record<string, string>;
    const place = AT_PLACE.exec(whole)?.[0] ?? '';
    const isPart =
      /^(?:all |both )?(?:of )?the\b(?! following)/i.test(det) &&
      place === '' &&
      (of || words.split(' ').some((word) => vocabulary().has(word.toLowerCase())));
    const [, about, part] = /^(.+) (lines?|words?|names|sentences?|entries|items|numbers|letters)$/i.exec(words) ?? [];
    if (about !== undefined && !KNOWN.test(about) && isNamed(about))
      return `${/^the following/i.test(det) ? 'these' : det} ${part}`;
    if (isPart || KNOWN.test(words.replace(/ (?:of|for|from) .*$/i, '')) || !isNamed(words))
      return place === '' ? whole : whole.slice(0, -place.length);
    return PLURAL.test(words) || /these|those|two|three/i.test(det) ? 'these' : 'this';
  });
  return named
    .replace(EACH, (whole, noun: string) =>
      KNOWN.test(noun) || UNCOUNTED.test(noun) || !isNamed(noun) ? whole : 'each item',
    )
    .replace(
      / (?:given )?(?:below|above|here)(?= (?:in|into|by|from|with|at|to|that|so|as|should|must|has|have|and|keep|show|list|remove|delete|take|give)\b|,|$)/gi,
      '',
    )
    .replace(
      /\b(?:the|this) (?:list|set|collection|sequence|series) of (?:the )?(\p{L}+(?: \p{L}+)?)(?=,| (?:should|must|has|have|needs?|from|in|into|by|to|with|and|so|that)\b|$)/iu,
      (whole, of: string) => (isNamed(of) ? 'this list' : whole),
    );
}

/** What is asked behind courtesies and sentences that only tell. */
function asked(text: string, isTold: (words: string) => boolean): string {
  const sentences = text.split(/(?<=[.!?]["”]?)\s+/);
  if (sentences.length < 2) return text;
  const asks = sentences.filter(
    (one, at) =>
      !isPolite(one) &&
      !(at > 0 && /^\p{Lu}[\p{L}-]*[.!]?$/u.test(one) && isPolite(sentences[at - 1] ?? '')) &&
      !(isTold(one) && isContext(one, sentences.filter((other) => other !== one).join(' '))),
  );
  return asks.length === 1 ? plain(asks[0] as string) : text;
}

/** The ways, each plainer than the one before, to give an instruction about a text that stands elsewhere as an order. */
export function directly(
  text: string,
  isTold: (words: string) => boolean,
  isNamed: (words: string) => boolean,
): readonly string[] {
  const found: string[] = [];
  let all = text;
  const keep = (next: string): void => {
    const plainly = plain(next.trim());
    if (plainly === '' || plainly === all) return;
    all = plainly;
    found.push(all);
  };
  keep(asked(all, isTold));
  keep(all.replace(POSSESSIVE, 'the '));
  const plainer = ([written, meant]: Form): void => {
    const parts = written.exec(all);
    if (parts === null || (parts.groups?.told !== undefined && !isTold(parts.groups.told))) return;
    const done = parts.groups?.done;
    keep(all.replace(written, done === undefined ? meant : meant.replace('$<done>', doneVerb(done))));
  };
  for (const one of REASONS) plainer(one);
  // Reasons are told by names, orders are given by pronouns.
  keep(withPronouns(all, isNamed));
  for (const one of FORMS) plainer(one);
  return found;
}
