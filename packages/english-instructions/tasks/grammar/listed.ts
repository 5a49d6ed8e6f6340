import { withoutTrailing } from '@mailroom/behavior/values/trailing';

const LIST_ENDINGS = [
  ' (?:(?:the )?(?:largest|biggest|highest|greatest|smallest|lowest|least|longest|shortest|newest|oldest|latest|earliest) (?:first|last)|(?:from )?(?:largest|biggest|highest|greatest|smallest|lowest|longest|shortest|big|small|high|low|large|long|short|newest|oldest) to [a-z]+)',
  ' [-–—] .+| with (?:repeats?|repetitions?|replacement|duplicates)',
  String.raw` (?:but|except|excluding|without|unless|only|then|minus|uniquely|alphabetically|numerically|backwards|ascending|descending|asc|desc)\b.*`,
  String.raw` (?:in (?:reverse|order|alphabetical|numerical|ascending|descending)|from (?:high|low|big|small|large|long|short|a to|z to)|by (?:length|size|number|name|value))\b.*`,
  String.raw` (?:and|or) (?:then |also |only |just )?(?:keep|drop|remove|delete|skip|take|leave|show|give|put|sort|reverse|join|count|print|return|make|ignore|exclude|start|stop|pick|tell)\b.*`,
];
/**
 * Words after the last item of a one-line list that describe the list and are no item: "… but not green", "… and sort
 * them".
 */
export const BEHIND_LIST = new RegExp(String.raw`(?<=\S)(?:${LIST_ENDINGS.join('|')})$`, 'i');

const SEPARATED = /[,;\n]| (?:or|and|vs\.?) /i;
const NEXT_VERBS =
  'replace remove sort reverse count uppercase lowercase capitali[sz]e make convert encode decode send save remember tell give show join split translate calculate add multiply divide round keep write turn put mail email list recall remind forget'.split(
    ' ',
  );
/** Words that begin another instruction within a text without quotation marks. */
export const GOES_ON = new RegExp(
  String.raw`(?:,|\b(?:and|then|but)) (?:then |also |please )?(?:${NEXT_VERBS.join('|')})\b`,
  'i',
);
/** A requested tone or style. */
export const STYLE = /\bin an? [\p{L}-]{2,20} (?:[\p{L}-]{2,20} )?(?:tone|voice|manner|style|accent|mood)\b/iu;
/** Words with which the next instruction begins, or an address to which something goes. */
const REACHES_ON =
  /@|:\/\/| (?:and|then)(?: then| also)? \p{L}+ (?:it|them|that|these|those|the (?:result|list|items?|winner|first|last))\b/iu;
/** A colon or the end of a sentence among the items, so that they are more than a list. */
const SENTENCE = /^[^,;]{0,200}: |[?!.] \p{L}/u;
const BEFORE =
  /^(?:[,:;?]|(?:below|above|here),|(?:are|is) (?:there|here)\b|(?:the following|these|those|this list|the list|my list|of|from|between|among)\b)/i;
const MAX_ITEM = 200;

/**
 * Free text as the items of a list: several of them, or a JSON list. Undefined when words around them say something of the
 * list.
 */
export function itemsIn(text: string): string | undefined {
  const plain = withoutTrailing(text, '?!. ').trim();
  if (plain.startsWith('[') && plain.endsWith(']')) return plain;
  if (
    !SEPARATED.test(plain) ||
    BEFORE.test(plain) ||
    SENTENCE.test(plain) ||
    REACHES_ON.test(plain) ||
    GOES_ON.test(plain)
  )
    return undefined;
  if (/[{}[\]]|\b(?:it|them|please)\b|\bthen\b/i.test(plain)) return undefined;
  const items = plain.split(/[,;\n]/);
  const last = (items.at(-1) ?? '').trim().replace(/^(?:and|or) /i, '');
  return last === '' || last.length > MAX_ITEM || BEHIND_LIST.test(last) ? undefined : plain;
}

const SELECTING_WORDS =
  'it its them that this these those which who whose except only but without excluding ignoring if unless then each every words? letters? characters? lines? sentences? paragraphs? texts? lists? files? documents? results? answers? messages? e?mails? notes? steps? poems? strings? items? rows? columns? numbers?'.split(
    ' ',
  );
/** Words that select, limit or refer, so that a text with them may be more than a text. */
const SELECTS = new RegExp(String.raw`\b(?:${SELECTING_WORDS.join('|')})\b`, 'i');
/** A form that the text is to have rather than words of it. */
const IN_FORM =
  /\S (?:(?:in|into|to|as)(?: all)? (?:(?:title|sentence|camel|snake|kebab|pascal)[ -]?case|caps|capitals|base ?64|hex|binary|morse|json|csv|markdown)|(?:(?:in|into|to|as) (?:all )?)?(?:upper|lower)[ -]?case|reversed|backwards|twice|sorted)$/i;
const OF_MINE = /^(?:my|our|your|his|her|their) \p{Ll}/u;
/** "The alphabet" names a thing; "the quick brown fox" is a text. */
const NAMED = /^(?:the|a|an|this|that|some) \S+$/i;
/** Words behind the name of a text that say where it stands. */
const POINTS = /^(?:below|above|here)[,.:;?]/i;
const MAX_SPOKEN = 200;

/** Free text that can only be a text, without quotation marks: several words, none of which selects or refers. */
export function spokenText(text: string): string | undefined {
  const plain = text.trim();
  if (plain.length > MAX_SPOKEN || !/\S\s+\S/.test(plain) || /["“”:{}\n]|[?] \S|^\[|(?:→|->|=>)/.test(plain))
    return undefined;
  // A text in capitals is no instruction.
  return POINTS.test(plain) ||
    (SELECTS.test(plain) && plain !== plain.toUpperCase()) ||
    GOES_ON.test(plain) ||
    STYLE.test(plain) ||
    NAMED.test(plain) ||
    IN_FORM.test(plain) ||
    OF_MINE.test(plain) ||
    REACHES_ON.test(plain) ||
    BEHIND_LIST.test(plain)
    ? undefined
    : plain;
}
