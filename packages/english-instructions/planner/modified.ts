import { plain } from './courtesy.ts';
import { NOTHING_PASTED, type Part } from './paraphrases.ts';

const PUT = '(?:(?:written|given|shown|listed|put|sorted|everything) )?';
const WITHOUT =
  "(?:without|with no|minus|but not|without counting|(?:(?:if|when) (?:i|you|we|one) )?(?:leaving out|leave out|dropping|drop|ignoring|ignore|skipping|skip|not counting|not count|don['’]?t count|do not count)|(?:if|when) (?:i|you|we|one) (?:take out|remove|delete))";
const PARTS = '(numbers?|digits?|figures|punctuation|vowels|spaces|blanks|brackets|commas|dots|full stops)';
/** What is said of a result behind an instruction, as an instruction about it; one a line. */
const OF_RESULT = `
(?:sorted|ordered|arranged) (.{3,40}) ⇒ sort it $1
${PUT}(?:in alphabetical order|in alphabetic order|alphabetically|from a to z) ⇒ sort it alphabetically
${PUT}(?:in (?:ascending|numerical) order|from (?:low to high|small to large)) ⇒ sort it in ascending order
${PUT}(?:in descending order|from (?:high to low|large to small)) ⇒ sort it in descending order
(?:sorted|ordered|arranged|in order) ⇒ sort it
(?:numbered|with numbers in front) ⇒ number it
(?:deduplicated|deduped|duplicate-free|free of duplicates|with no duplicates in it) ⇒ remove the duplicates from it
(?:reversed|backwards|the other way round) ⇒ reverse it
uppercased ⇒ uppercase it
lowercased ⇒ lowercase it
capitali[sz]ed ⇒ capitalize it
(?:joined|separated|delimited) (?:with|by) (.{1,25}) ⇒ join it with $1
round(?:ed|ing)?(?: it| that| the result)? (up|down)(?: to (?:a|the(?: next| nearest)?) (?:whole|full) number)? ⇒ round it $1
round(?:ed|ing)?(?: it| that| the result)?(?: off)?((?: to)? .{1,40})? ⇒ round it$1
${PUT}in (?:upper[ -]?case|capitals|capital letters|block capitals)(?: (?:hex )?(?:digits|letters))? ⇒ make it uppercase
${PUT}in (?:lower[ -]?case|small letters)(?: (?:hex )?(?:digits|letters))? ⇒ make it lowercase
${WITHOUT} (?:the |any )?(?:trailing )?(?:=|equals? signs?|padding)(?: signs?)?(?: (?:at|on|from) the end)? ⇒ remove "=" from it
(?:each|every one|all|every [a-z]+|each [a-z]+)(?: of them)? (?:only |just )?once(?: only)? ⇒ remove the duplicates from it
${WITHOUT} (?:the |any )?(?:duplicates|doubles|repetitions|repeats) ⇒ remove the duplicates from it`;
/** What is left out of the text before the instruction is done. */
const OF_TEXT = `
(?:${WITHOUT} (?:the |any |all )?${PARTS}|(?:(?:if|when) (?:i|you|we|one) )?(?:leave|take|throw) (?:the |any |all )?${PARTS} out|(?:if|when|once) (?:the |any |all )?${PARTS} (?:are|is) (?:left out|removed|taken out|not counted|gone|ignored|dropped)) ⇒ remove the $1$2$3`;
const patterns = (all: string) =>
  all.split('\n').flatMap((line) => {
    const [said, meant] = line.split(' ⇒ ');
    return meant === undefined
      ? []
      : [[new RegExp(`(?:,|;| -)? (?:and |but |all |then )*${said}$`, 'i'), meant] as const];
  });
const BEHIND = patterns(OF_RESULT);
const BEFORE = patterns(OF_TEXT);
const MAX_TEXT = 300;
const THIS =
  /\b(?:this(?: (?:text|line|word|sentence|phrase|string|message|name))?|these|those|the following(?: text| line| sentence)?)(?=$| (?:in|with|and|long)\b)/i;
/** How long something is, which is asked of its characters. */
const LONG = /^how long (?:is|are) (?:it|this|that|these|they)$/i;
/** What is asked of a text, asked of the result before it. */
const ofIt = (text: string): string => {
  const own = text.replace(THIS, 'it').replace(LONG, 'how many characters in it');
  return (own === text ? `${text} it` : own).replace(
    /^(how many [a-z]+) (?:is|are|has|have) (?:there )?it$/i,
    '$1 in it',
  );
};

/** The ways to read an instruction and what is said of its result, or of its text, as two instructions. */
export function modifiedIn(part: Part): readonly (readonly [first: Part, second: Part])[] {
  const { text, data } = part;
  if (text.length > MAX_TEXT) return [];
  const split = (all: typeof BEHIND) =>
    all.flatMap(([said, meant]) => {
      const found = said.exec(text);
      const rest = found === null ? '' : text.slice(0, found.index);
      // In "sha1 of abc in uppercase" the text may be meant.
      const sure = data !== undefined || /["”]$/.test(rest) || /^[,;]| -|^ (?:and|but) /.test(found?.[0] ?? '');
      return found === null || plain(rest) === '' || !sure
        ? []
        : [[plain(rest), plain(found[0].replace(said, meant))] as const];
    });
  return [
    ...split(BEHIND).map(
      ([rest, said]) =>
        [
          { ...part, text: rest },
          { text: said, ...NOTHING_PASTED },
        ] as const,
    ),
    ...(data === undefined ? [] : split(BEFORE)).map(
      ([rest, said]) =>
        [
          { ...part, text: said },
          { text: ofIt(rest), ...NOTHING_PASTED },
        ] as const,
    ),
  ];
}
