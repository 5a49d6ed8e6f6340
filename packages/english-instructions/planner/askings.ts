import { tableIn } from '../tasks/grammar/tables.ts';
import { LIMITS } from '../tasks/words/limits.ts';
import { SELECTING } from './account.ts';
import { plain } from './courtesy.ts';

/** No part of a name for a text: links, and words that choose some of it. */
const CHOICE = ['of', 'in', 'with', 'as', 'to', 'by', ...LIMITS, ...SELECTING].join('|');
/** Lists of words that patterns name in braces. */
const SLOTS: Readonly<Record<string, string>> = {
  these: `(?:(?:this|these|those|the|my|our|all|all the|each of these|the following)(?: (?:following|two|three|four|five|few|given|whole))*(?: (?!(?:${CHOICE})\\b)[a-z][a-z-]{1,15}){0,2}|this|these|those|it|them|that)(?: (?:below|above|here))?`,
  it: '(?:(?:this|these|those|the following|the two|the three)(?: (?:following|two|three|four|five|few))*(?: [a-z][a-z-]{1,15})?|it|them|here|the [a-z-]{2,15} (?:below|above))',
  case: '((?:upper|lower|title|sentence|camel|pascal|snake|kebab|constant)[ -]?case)',
  unit: '(words?|letters?|characters?|chars|vowels?|consonants?|digits?|lines?|sentences?|items?|names?|capitals?)',
  give: '(?:give|get|show|tell|list|find|take|pick|make|create|write|build|want|need|print|produce|generate|prepare)(?: me| us| out)*',
  form: '(?:json(?: object| array| list)?|csv|a json (?:object|array|list)|an array|an object)',
  codec: '(base ?-?64|base ?-?32|hex(?:adecimal)?|binary|url|html|morse(?: code)?|rot-?13)',
  readable:
    '(?:(?:what|which) (?:does|do) (?:it|this|that|they) (?:say|mean|read|stand for)|(?:what|which) (?:is|are) (?:it|this|that|they)(?: in (?:plain )?(?:text|english|words))?|what (?:is|was) (?:written|the (?:text|message|original))(?: there| in it)?|(?:please |now )?(?:decode|read|translate) (?:it|them|this)(?: for me| please)?|(?:make|turn|write|put|convert|show|get) (?:it|this|them|that|me)? ?(?:back )?(?:in(?:to)? )?(?:readable|legible|plain|normal|plain text|text|english|human-readable|the (?:text|letters|characters|words)(?: (?:they|it) (?:stands?|means?) for| behind (?:it|them))?)(?: text| form)?(?: again)?)',
  sum: '(?:come to|comes to|add up to|adds up to|sum up to|amount to|amounts to|total|tot up to|make|make up|come out at|work out at|cost|cost me|run to)',
  all: '(?: in total| altogether| all together| in all| all in all| overall| combined| together)?',
  label: '(?:key|name|label|field|attribute|property)',
  value: '(?:value|content|amount|number)',
};

/**
 * How something is asked, and how the grammar says it; one a line, in the order in which they are tried; ␣ is a blank at the end. `beside`: only of
 * a text that stands beside it; `table`: of a table or of names with amounts; `plain`: of a text without quotation marks.
 */
const ASKED = String.raw`
(?:,| and)? (?:which|what) (?:are|is) (?:they|it|those|that)$ ⇒
 (?:that|which)? ?(?:you|we|i|one) (?:can )?(?:find|see|spot|get)(?: (?:in )?(?:here|there|it|this))?$ ⇒
 (?:that|which) (?:are|is|occur|appear|stand|come up)(?: (?:in )?(?:here|there|it|this))?$ ⇒
^(?:for|because of) (?:my|our|the|a|an|his|her|their|this) [a-z][a-z -]{1,40}?,? (?=(?:i|we|please|can|could|what|how|which)\b) ⇒
^(?:in order )?to (?!(?:${CHOICE})\b)[a-z]+ [a-z -]{2,40}?,? (?=(?:i|we) (?:need|want|must|have)\b) ⇒
^(make|create|build|write|draw up|get|grab|find|fetch|pick|print|do|calculate|work out) (?:me|us) (?=(?:a|an|the|all|every)\b) ⇒ $1␣
^(?:the )?(.{3,60}) is all (?:that )?(?:i|we) (?:want|need)(?: to (?:have|see|know))?$ ⇒ give me the $1
^(?:pop|stick|whack|bung|chuck|shove|get|have) (?={these} (?:in|into) ) ⇒ put␣
^(.*\b(longest|shortest|largest|biggest|highest|smallest|lowest|newest|oldest)\b.*?),? (?:with )?the \2(?: ones?)? first$ ⇒ $1
 (?:below|above|here)(?= (?:by|with|in|to|into|from|as|so|come|are|is|that|which)\b) ⇒
^(?:from|in|out of|of) {these},? (?=(?:take|give|show|list|pick|get|keep|find|extract|tell|count|only|just)\b) ⇒
 (?:lol|haha|pls|plz|thx|please)(?= ?[[{]| [^ ]{3,}:) ⇒
^(?:i|we)(?:['’]m| am|['’]re| are) [a-z]+ing [a-z -]{2,40}?,? (?:and|so) (?:i |we )?(?:need|want|would like) (?:just |only )?(?=(?:the|all|every)\b) ⇒ give me␣
beside | ^[^:"]{3,60} (?:\d+|[a-z]+) {unit}\b[^,:"]{0,40}[,;] (?:so |and )*(?:please |can you |could you )?(?:tell me |check |say )?how many (?:there are|are there|it has|does it have|it is|i have)(?: in {these})? ⇒ count the $1
^(?:i|we)(?: just| only| still| really)? (?:need|want|would like|must have|have to have|am after|are after|require|have to know|must (?:enter|give|state|type|write|know)|have to (?:enter|give|state|type|write))(?: just| only| to have| to know| to see)? (?={unit} \d|(?:the|all|a|an|every|my|our|these|this)\b|["“]) ⇒ give me␣
 (?:of|in|from|for) {it}(?=,? (?:with|without|as|sorted|ignoring|rounded|each|starting|beginning|counting|whether|one per|that|which|who|whose|longer|shorter|containing|ending)\b) ⇒
 for (?:me|us)(?= (?:in|of|from|to)\b) ⇒
,? (?:(?:whether|no matter (?:if|whether)|regardless of whether|be it|either) )?(?:it is |they are |in )?(?:upper|capital|big)(?:[ -]?case)? or (?:lower|small)(?:[ -]?case)?(?: letters?)?$ ⇒  ignoring case
^((?:how many times|how often|count)\b.*?)(?: (?:in )?(?:here|there|it|this))?,? ignoring case$ ⇒ ignoring case, $1
^((?:extract|list|show|give|find|get|pull|collect|take|pick|fish|grab|gather|harvest|all|the)\b.*?),? (?:one|each)(?: of them| one| number| name| item)? (?:per|to a|on each|on its own|on a separate|on a new) line$ ⇒ $1
^(?:the )?(rows|lines|records|entries) (?:should|must|have to|need to|are to) be sorted  ⇒ sort the $1␣
(?<!\blines\b.{0,60}),? (?:and |but )?(?:with the header(?: row| line)? (?:kept |staying |left )?(?:on|at the) top|keep(?:ing)? the header(?: row| line)?(?: (?:on|at the) top| in place| first)?)$ ⇒
^(sort (?:the |these )?(?:rows|lines|records|table|entries|it|them|this)\b.*? by .*?),? (?:ignoring|regardless of|whatever) (?:the )?(?:upper and lower )?case$ ⇒ $1
beside | ^(?:my|our|the) [a-z -]{2,30} (?:needs?|wants?|expects?|requires?|takes?) {these} (?=(?:as|in|to be|without)\b) ⇒ turn this␣
beside | ^(?:remove|delete|drop|cut|strip|take off|take away|get rid of) the (?:header|heading|column name|title)(?: row| line)?(?: (?:of|from) {these})?$ ⇒ remove the first line
beside | ^(?:is|are) there (?:any |an? |some )?(?:duplicates?|doubles?|repetitions?|repeats?|(?:duplicated?|repeated|double) (?:items?|lines?|names?|entr(?:y|ies)))(?: (?:in )?{these})?$ ⇒ list the duplicates
beside | ^(?:does|do|is) (?:the (?:word|name|item|entry|value) )?(?!there\b)("[^"]+"|\S+) (?:appear|occur|come up|show up|stand|exist|be|included|listed|contained|mentioned)(?: anywhere)? (?:in|on) {these}$ ⇒ is $1 in this list
^(?:turn|make|convert|change|split|break|cut|put) {these}(?: up)? (?:in)?to a list of (?:its |the |single |separate )?(words|letters|sentences|characters)$ ⇒ every $1 on its own line
^compare {these},? (?:and |then )?(?:please )?(?:tell|show)(?: me)? (?:what|where|how)(?: has| have)? (?:changed|differs?|is different|they differ|the differences? (?:is|are))$ ⇒ compare these
^(?:what|how) (?:is|are|would|does|do|will|should|must) {these} (?:be |become |look |look like |read |go |get )?(?:written |spelled |spelt )?(?:in|as) {case}$ ⇒ $1
^{case} (?:please |pls |plz )?(?:for|of) {these}$ ⇒ $1
^(?:the|my|our|we|i|they) [a-z ]{0,40}?(?:wants?|needs?|expects?|requires?|uses?|likes?|takes?) {case},? (?:so |and )*how (?:do|would|should|can|must) (?:i|we|you|one) (?:write|spell|name|put|type|call) (.+)$ ⇒ $1 of "$2"
^how (?:do|would|should|can) (?:i|we|you|one) (?:write|spell|put|type) (.+) in {case}$ ⇒ $2 of "$1"
^how many {unit} (?:there (?:are|is)|(?:are|is) there|(?:does|do|has|have)) (?:in )?{these}(?: (?:have|has|contain|hold))?$ ⇒ count the $1
^how many {unit} {these} (?:has|have|contains?|consists? of|is made of|comes? to|runs? to)$ ⇒ count the $1
^(?:how many|count how many|count) of {these} (?=(?:begin|start|end|contain|have|are|do not)\b) ⇒ count the items that␣
^how (?:many times|often) (?:is|are|do i (?:see|say|use|write)|have i (?:used|written)) (?:the (?:word|letter|sign) )?(\S+)(?: (?:used|mentioned|written|said|found))?(?: (?:in )?(?:here|there|it|this))?$ ⇒ how often does $1 occur
^(count(?: the)?|(?:the )?number of|how many) (?:characters?|chars|signs)(?: (?:are there|are|does it have))?,? (?:including|with|counting|and) (?:the |all )?(?:spaces|blanks|whitespace)$ ⇒ count the characters
^(?:the |just |only )?((?:first|last|top|bottom) (?:\d+|[a-z]+) [a-z]+) only$ ⇒ the $1
^(?:cut|remove|delete|drop|strip)(?: off| away)? everything (?:after|behind|beyond) the first (\d+|[a-z]+) {unit}$ ⇒ the first $1 $2
^(?:cut|remove|delete|drop|strip)(?: off| away)? everything (?:before|in front of) the last (\d+|[a-z]+) {unit}$ ⇒ the last $1 $2
^(?:trim|cut|shorten|clip|crop|truncate|reduce|limit|bring) {these} (?:down |off |back )?(?:to|after|at) (?:its|the|their) first (\d+|[a-z]+) {unit}$ ⇒ the first $1 $2
^(?:which|what) (?:one )?(?:of {these} )?(?:{unit} )?(?:is|has) the (longest|shortest)(?: one| of {these})?$ ⇒ which is the $2
\b(?:sums? of money|money amounts?|amounts? of money|dollar amounts?|monetary amounts?)\b ⇒ amounts
^{these} (?:should|must|have to|has to|need to|needs to|are to|is to|ought to)(?: be| become| go)?(?: (?:turned|made|put|written|converted|changed))?(?: (?:in)?to| as| in)? ({form}\b.*)$ ⇒ turn this into $1
,? (?:with|using|taking|and use) (?:the (?:part|text|word|words|bit|bits|thing) )?(?:before|left of|in front of|to the left of) the (?:colon|equals sign|sign|dash) as (?:the |its |their )?{label}s?(?:,? (?:and|with) (?:the )?(?:rest|other|part behind it|part after it) as (?:the )?{value}s?)?$ ⇒
^({form}) (?:from|of|out of) {label}:? ?{value} (?:lines|pairs|list)$ ⇒ $1
^(compress|minify|squeeze|shrink|pack|put|write|squash|collapse|flatten)\b(?: {these})? (?:(?:on)?to|on|in|into) (?:one|a single)(?: long)? line(?:,? (?:without|with no|and remove|removing) (?:any |all |the )?(?:spaces|blanks|whitespace|line breaks))?$ ⇒ minify
^(?:lay|set|write|format|print|indent|put) (?:{these} )?(?:out )?(?:with|using|by) (?:an )?(?:indent(?:ation)?s? (?:of )?(?:two|2)(?: spaces)?|(?:two|2)[ -]spaces?(?: indent(?:ation)?)?)(?: per level| each)?$ ⇒ format
\bcol(s?)\b ⇒ column$1
table | ^(?:what|how much) (?:do|does|did|will|would) (?:all )?(?:the |my |these |our )?([a-z]+)(?: (?:in|of|from) {these})? {sum}{all}$ ⇒ sum of the $1
table | ^how (?:many|much) ([a-z]+) (?:is|are|does|do|did|was|were) (?:that|it|this|these|they|there|those)(?: make| come to)?{all}$ ⇒ sum of the $1
^{give} a (?:bulleted|bullet(?:[ -]point)?) list(?: for me)? (?:out of|of|from|with)  ⇒ list␣
^((?:list|show|give me|the) .{1,80}?) (?:without|but not|leaving out) the (?:header|heading|column name|title)(?: row| line)?$ ⇒ $1
plain | ^(?:convert|change|turn|make|write|put) {these} (?:so that it (?:has|uses)|to use|to have|use|with) semicolons(?: as (?:the )?(?:separators?|delimiters?))?(?: instead(?: of commas)?)?$ ⇒ replace every comma with a semicolon
^(?:what|how) (?:is|does|would) ("[^"]+"|\S+)(?: (?:look|read|be))? (?:when|if|once) (?:you (?:decode|read|translate) it|(?:it is |it's )?decoded) (?:from|as|out of) {codec}$ ⇒ decode $1 from $2
^(\S{4,}) (?:is|are) (?:in |written in )?{codec}(?:[- ](?:encoded|coded|code))?[,.;]? (?:and |so )?{readable}$ ⇒ decode $1 from $2
^{these} (?:is|are) (?:in |written in )?{codec}(?:[- ](?:encoded|coded|code))?[,.;]? (?:and |so )?{readable}$ ⇒ decode this from $1
^{readable},? (?:as |because |since )?(?:it|this|that|they|these|the text) (?:is|are) (?:in |written in )?{codec}(?:[- ](?:encoded|coded|code))?$ ⇒ decode this from $1
^(?:which|what) (decimal|hex(?:adecimal)?|binary|octal)(?: number| value)? (?:is|does|equals|corresponds to|stands for) (?:the )?(binary|hex(?:adecimal)?|octal|decimal)(?: number| value)? (\S+)$ ⇒ $3 $2 to $1
table | ^how (?:much|many) (?:is|does|did|do|was|were) (?:that|it|this|these|they|all|everything|all of (?:it|this|that))(?: make| come to| cost| cost me)?{all}$ ⇒ total
^(?:put|write|show|list) (?:the |their )?(surname|last name|family name)s? first$ ⇒ write these $1 first
^((?:last|first|sur|family|given|fore)[ -]?names?,? .{3,30})$ ⇒ write these as $1
^(?:write|turn|put|show|shorten|abbreviate|convert) {these} (?:as|to|into|in|by) (?:their )?initials$ ⇒ initials
\bwith (?:the |their )?(surname|last name|family name)s? first\b ⇒ $1 first
`;

/** The pattern with the words of its slots. */
const slotted = (written: string): string => {
  const filled = written.replace(/\{([a-z]+)\}/g, (whole, name: string) => SLOTS[name] ?? whole);
  return filled === written ? filled : slotted(filled);
};
const PATTERNS = ASKED.trim()
  .split('\n')
  .map((line) => {
    const [, of, written = '', meant = ''] = /^(?:(beside|table|plain) \| )?(.*?) ⇒ ?(.*)$/.exec(line) ?? [];
    return [new RegExp(slotted(written), 'i'), meant.replace('␣', ' '), of] as const;
  });
/** Whether the text that stands beside an instruction is of the kind that a pattern is for. */
const isOf = (kind: string | undefined, data: string): boolean =>
  kind === undefined ||
  (data !== '' && (kind === 'beside' || (kind === 'table' ? isAmounts(data) : !data.includes('"'))));
const isAmounts = (data: string): boolean => tableIn(data) !== undefined;
const MAX_TEXT = 300;

/** An instruction in the words of the grammar, one step after the other. `data`: what it is about. */
export function askings(text: string, data: string): readonly string[] {
  if (text.length > MAX_TEXT) return [];
  const found: string[] = [];
  let all = text;
  for (const [written, meant, kind] of PATTERNS) {
    if (!isOf(kind, data)) continue;
    const next = plain(all.replace(written, meant).trim());
    if (next === all || next === '') continue;
    all = next;
    found.push(all);
  }
  // In the US a pound sign is another one.
  if (data.includes('£') && !data.includes('#') && /\bpound signs?\b/i.test(all))
    found.push(all.replace(/\bpound sign(s?)\b/i, '£ sign$1'));
  if (/@[^\s@]+\.\S/.test(data) && !/:\/\//.test(data) && /\b(?:the|all|every|just|only) address(?:es)?\b/i.test(all))
    found.push(all.replace(/\baddress(es)?\b/i, 'email address$1'));
  return found;
}
