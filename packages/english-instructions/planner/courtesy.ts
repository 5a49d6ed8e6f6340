import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import { quotationsIn } from '../language/quotations.ts';
import { MAX_CLAUSE } from '../tasks/clause.ts';
import { FINITE } from './statements.ts';
import { asQuestion, plainVerb } from './verbs.ts';

const SHORT = 200;
/** Greetings in other languages before what is said in English. */
export const FOREIGN_GREETINGS =
  "(?:m[oō]rena|kia ora|habari|jambo|mambo|sawubona|dumela|namaste|namaskar|salaam|shalom|merhaba|hola|buen[oa]s d[ií]as|buenas tardes|bonjour|bonsoir|salut|ciao|buongiorno|ol[aá]|bom dia|boa tarde|servus|moin|guten (?:tag|morgen|abend)|hej|hei|dzień dobry|talofa|aloha|g[’']?day)";
const COURTESIES = [
  `${FOREIGN_GREETINGS}(?: (?:all|team|everyone|mate))?[,.!]+`,
  String.raw`(?!.* (?:in|into|to|as|through) (?:base|hex|morse|binary|upper|lower|title|snake|kebab|camel|rot|url|html|md5|sha|backwards))(?:hi|hello(?! world)|hey|hiya|hallo|dear|(?:good )?(?:morning|afternoon|evening)|good day)\b(?=[^.!?:\d]{0,30}[,.!]*$)(?:,? [^\s,.!]+){0,4}[,.!]*`,
  String.raw`(?:(?:ok(?:ay)?|k+|cool|great|nice|perfect|awesome|alright)[,.! ]+)?(?:many |lots of |best )?(?:thanks|thank(?:ing)? you|thx+|thnx|thanx|tysm|tyvm|cheers|ty|tia)\b[^.?:]{0,40}[.!]*`,
  '(?:with )?(?:(?:my |our )?(?:best|kind|kindest|warm|warmest|many) )?(?:regards|wishes|thanks)[,.!]*|(?:yours )?(?:sincerely|faithfully|truly)(?: yours)?[,.!]*',
  '(?:ta(?: x{1,3}| so much| very much| a lot)?|much obliged|with thanks and best wishes|(?:greetings|regards|best wishes) from [a-z ]{2,30})[,.!]*',
  'please[,:]?|pls|best[,.!]+',
  String.raw`p\.? ?s\.?`,
];
const POLITE = new RegExp(`^(?:${COURTESIES.join('|')})$`, 'i');
const CLOSINGS = [
  '(?:with )?(?:(?:best|kind|warm|kindest|warmest|many) )?(?:regards|wishes|greetings|thanks)',
  '(?:yours(?: (?:sincerely|truly|faithfully))?|sincerely(?: yours)?|best|cheers|ta|all the best|much obliged|with thanks and best wishes)',
  '(?:greetings|regards|best wishes) from [\\p{L} ]{2,30}',
  'thank(?:s|ing)?(?: you)?(?: (?:a lot|very much|in advance|again))?',
];
/** A closing on a line of its own, under which the sender's name and more stand. */
const CLOSED = new RegExp(`^(?:${CLOSINGS.join('|')})[,.!]*$`, 'iu');
/** A closing with the name on its line, and that name. */
const SIGNED = new RegExp(`^(?:${CLOSINGS.join('|')})[,.!]+ `, 'iu');
const NAME = /^\p{Lu}[\p{L}.-]{0,20}(?: \p{Lu}[\p{L}.-]{0,20}){0,2}$/u;
const isSigned = (words: string): boolean => SIGNED.test(words) && NAME.test(words.replace(SIGNED, ''));
const FOREIGN_CLOSINGS = [
  '(?:mit )?(?:(?:besten?|freundlichen?|herzlichen?|lieben?|schönen?|vielen?) )?grü(?:ß|ss)en?|lg|mfg|vg',
  '(?:bien )?cordialement|bien à vous|bonne journée|(?:un )?saludos?(?: cordial(?:es)?)?',
  '(?:cordiali |distinti )?saluti|(?:met )?(?:vriendelijke )?groet(?:en|jes)?|atenciosamente',
  '(?:com os melhores )?cumprimentos|abraços?|pozdrawiam|z poważaniem|(?:med )?vänlig(?:a)? hälsning(?:ar)?',
  'mvh|(?:med )?venn?lig hilsen|с уважением|saygılarımla|よろしくお願いします|此致|감사합니다',
];
/** Closings in other languages, which mail programs add to what is said in English. */
const CLOSING = new RegExp(`^(?:${FOREIGN_CLOSINGS.join('|')})[,.!。]*$`, 'iu');
const GREETING = /^(?:hi|hello(?! world)|hey|dear|good (?:morning|afternoon|evening|day))\b[^.?:]{0,40}[,.!]?$/i;
/** A text to encode that looks like a greeting, as in "hello world in hex". */
const GREETED =
  /^(?:hi|hello|hey)(?: (?!convert|change|turn|encode|translate|write|transform|put)[a-z]+)? (?:in|into|to|as|through) (?:base|hex|morse|binary|upper|lower|title|rot|url|md5|sha)/i;
const OPENINGS = [
  String.raw`(?:dear|hi|hello(?! world)|hey) (?:\p{L}{1,20} ?){1,3}[,!]\s+`,
  String.raw`(?:hi+|hiya|heya|howdy|yo|hello+(?! world)|hey+|hallo|ok|okay|so|well|now|also|and|next,|finally|lastly|then|first(?! (?:(?:and|or|to|thing) |[\p{L}-]{2,20} (?:in|of|from|on)\b|\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|few|words?|lines?|chars?|characters?|letters?|items?|sentences?|rows?|elements?|names?|of)\b))|firstly|(?:second|third|fourth|fifth)(?:ly)?,|after that|afterwards|good (?:morning|afternoon|evening))(?:\s+(?:there|do|all|team|bot|mate|buddy|pal|folks|guys|assistant))?[,!.?]{0,3}\s+`,
  String.raw`(?:hiya|(?:good )?(?:morning|afternoon|evening)|${FOREIGN_GREETINGS}(?: (?:all|team|everyone|mate))?)[,!]\s+`,
  String.raw`(?:please|pls|plz|kindly|just)[,]?\s+`,
  String.raw`(?:thx+|thanks|thank you|ty)(?: so much| a lot)?[!.,]\s+(?=\S)`,
  String.raw`(?:can|could|would|will) (?:you|u|ya)(?: (?:please|kindly|pls|possibly|maybe|perhaps|quickly|just))*\s+`,
  String.raw`(?:need|i need|looking for) (?:some |your |a little |a bit of )?help(?: with (?:this|something))?\s*[-–—:,!.]\s+(?=\S)`,
  String.raw`i(?:['’]m| am| was|['’]ve been)? (?:just )?wondering,?\s+(?:if (?:you|u) (?:can|could|would)(?: please)?\s+)?(?=\S)`,
  String.raw`(?:i|we)(?: should| would|['’]d)? (?:be (?:most |very |so |really )?(?:grateful|glad|happy|pleased|thankful)|(?:really |greatly )?appreciate it|love it) if (?:you|u) (?:could|can|would|might)(?: please| kindly| possibly)?\s+`,
  String.raw`(?:quick(?:ly)?|urgent(?:ly)?|help|important|hurry(?: up)?|asap|attention)\s*[!:.…]{1,5}\s+`,
  String.raw`be (?:so|very) (?:kind|good) (?:(?:as )?to|and)\s+`,
  String.raw`(?:may|might|can|could) i ask(?: you)?,?\s+(?=(?:what|how|which|when|if|whether|for) )`,
  String.raw`(?:i|we)(?: would|['’]d)? (?:like|need|want)(?: you)? to\s+`,
  String.raw`i['’]d like (?:you )?to\s+`,
  String.raw`i (?:want|need) (?:you )?to\s+`,
  String.raw`i['’]?m trying to (?=(?:figure|work|find) out\b)`,
  String.raw`(?:idk|i['’]?m (?:not sure|unsure|lost)|i (?:do not|don['’]?t) (?:know|get|understand)|i have no|not sure|no idea|sorry)\b(?![^,]*\b(?:remind|remember|send|tell)\b)[^"“:\d@]{0,80}?,? (?:but |so |and )?(?=(?:can|could|would|will) (?:you|u)\b)`,
  String.raw`correction[,:]\s+`,
  String.raw`(?:some(?:one|body)|a (?:friend|colleague)|my (?:friend|colleague|boss|son|daughter)|they|he|she) (?:just )?(?:sent|gave|wrote|showed|texted) (?:me|us) (?:this|that|it)[,.:;]?\s+(?:and |so )?(?=(?:can|could|please|decode|what)\b)`,
  String.raw`hop(?:e|ing) (?:you|u|ur|your|all|this|that|everything|things)[^,.!?"“:;\d@]{0,40}?[,.!]? (?=(?:can|could|would|will) (?:you|u) )`,
  String.raw`quick (?:q|question|one)\s*[-–—:,]?\s+`,
  String.raw`(?:sorry,? )?(?:(?:just )?one (?:more|last|final)(?: (?:thing|one|question))?|(?:another|last) (?:one|thing|question))\s*[-–—:,]\s+(?=\p{L})`,
  '(?:(?:can|could) )?help (?:me (?:to )?|to )',
  String.raw`let['’]s\s+`,
  String.raw`how (?:do|can|could|would|should) (?:i|we|you) (?=(?:convert|calculate|work out|split|divide|share|multiply|add up|encode|decode)\b)`,
  String.raw`(?:tell me|know),?\s+(?=what|how|when|which|if|whether|the (?:number|date|day|time|total|sum|difference) (?:of|between|in|on)\b)`,
  String.raw`(?:check|find out|work out|figure out|let me know|see)\s+(?=how many|how often|what|which)`,
  String.raw`you (?:can|may)(?: now)? (?=(?:forget|delete|remove|erase|throw|discard|drop|scrap|clear|wipe|cancel)\b)`,
  'say (?=which|what (?:day|date|weekday|time) )',
  String.raw`know\s+(?=the )`,
  String.raw`gimme\s+`,
  String.raw`(?:can|could|may) (?:i|we) (?:please )?(?:get|have)\s+(?=\S+ \S)`,
  String.raw`(?:send|mail|e-?mail) me\s+(?=(?:the|an?|what|how)\s+(?!remind|note|message|mail))`,
  String.raw`(?:what|how) about (?=\d)`,
];
const OPENER = new RegExp(`^(?:${OPENINGS.join('|')})+`, 'iu');
/** In "make for me the sum" the recipient stands after the verb. */
const FOR_US = /^((?:make|give|get|find|do|calculate|convert|show|write|count) )(?:for|to) (?:me|us) (?=\S)/i;
const CLOSER =
  / (?:please|pls|plz|thanks|thank you|thx+|ta|ty|cheers|really|actually|(?:for|4) me|if you can|real quick|\(?(?:y\/n|yes\/no|yes or no)\)?|(?:would|will|could) you|(?<=[,.!?] )(?:asante(?: sana)?|merci|gracias|danke|grazie|obrigad[oa]|shukran))$/i;
const SMILE = / [:;]-?[)(dp]$/i;
/** Instructions that end with words of their sender, in which a courtesy is a word like any other. */
const KEPT =
  /^(?:remind|remember|memori[sz]e|note|memo|keep in mind|bear in mind|don['’]?t (?:let me )?forget|(?:tell|ask|let|inform|notify|send|e-?mail|mail|message|write|drop|shoot|forward|ping)\b[^"“]{0,200}\S@\S)/i;
/** Behind a closing quotation mark it is none of the words. */
const KEPT_WHOLE =
  /["”»](?:,? (?:please|pls|plz|thanks|thank you|thx+|for me|if you can|(?:right )?now|asap|(?:would|will|could) you)){1,4}[.!?,]*$/i;
const CLOSER_OF_QUOTED =
  / (?:please|pls|plz|thanks|thank you|thx+|for me|if you can|(?:right )?now|asap|(?:would|will|could) you)$/i;
const NOTHING = /(?!)/;
const BEHIND_MAX = 14;
/** A semicolon that ends a character reference (HTML, section 13.5). */
const REFERENCE = /&#?\w{1,10}$/;
/** A number with a factorial sign rather than an exclamation mark. */
const FACTORIAL = /^(?:(?:[a-z'’]+ ){0,3}|.{0,100}\d!.{0,100})\d{1,4}![.?]*$/i;
/** Words in thanks that change what is asked. */
const LIMITING = /\b(?:but|only|except|without|excluding|instead|unless|not|never|round(?:ed)?)\b/i;
const SALUTATION = /^(?:hi+|hello|hey+|hiya|hallo|dear|(?:good )?(?:morning|afternoon|evening)|good day)\b[,!. ]*/i;
/** What is said behind a salutation without a request: "Hi, hope all is well". */
const SMALL_TALK = /^(?:hop(?:e|ing)|trust|how|nice|happy|me\b|it(?:['’]s| is)|this is)\b/i;
/** Whether a line says more than its salutation does: "Hello, the last one does not count". */
function saysMore(line: string): boolean {
  const rest = SALUTATION.test(line) ? line.replace(SALUTATION, '') : '';
  if (rest === '' || SMALL_TALK.test(rest)) return false;
  const isVerb = (word: string, at: number): boolean => at > 0 && FINITE.has(word.replaceAll('’', "'"));
  return LIMITING.test(rest) || /\bno\b/.test(rest) || rest.split(/[\s,.!]+/).some(isVerb);
}
/** Whether a text is only a greeting or thanks. */
export function isPolite(text: string): boolean {
  if (text.length > SHORT) return false;
  const words = beforeEmoji(text.trim()).replace(/^(h(?:ello|i|ey))\?+$/i, '$1');
  const isPlain = POLITE.test(words) && !LIMITING.test(words) && !saysMore(words);
  return isPlain || isSigned(words) || CLOSING.test(words);
}
const THANKS = /^(?:(?:many|lots of|best) )?(?:thanks|thank(?:ing)? you|thx+|cheers|ty|tia)\b[,.! ]*/i;
/** What thanks are for where they only close a mail. */
const FOR_HELP =
  /^(?:(?:so|very) much|a (?:lot|bunch|million|ton)|again|in advance|everyone|all|for (?:your|the|all your) (?:help|time|support|assistance|understanding|patience|attention))?(?: (?:again|in advance))?[,.! ]*/i;
const SIGNER =
  /^(?:\p{Lu}[\p{L}.-]{0,20}[ ,.!]?){0,3}(?:[\p{Extended_Pictographic}\p{Emoji_Modifier} ]|\u{FE0F}|\u{200D}|[:;]-?[)D])*$/u;
/** Whether thanks say more than a closing does, and may be what a message says. */
export const thanksForMore = (text: string): boolean =>
  text.length < SHORT && THANKS.test(text) && !SIGNER.test(text.replace(THANKS, '').replace(FOR_HELP, ''));
/** Whether a line closes a mail, so that what stands below it is its signature. */
export const isClosing = (text: string): boolean => text.length < SHORT && (CLOSED.test(text) || CLOSING.test(text));
export const isGreeting = (text: string): boolean => GREETING.test(text) && !saysMore(text);
const BLANKS = /[^\S ]\s*| \s+/g;
/** Collapses blanks outside quotations to single spaces and trims. */
export function singleSpaced(text: string): string {
  if (!/[^\S ]| {2}/.test(text)) return text.trim();
  let [single, end] = ['', 0];
  for (const [from, to] of [...quotationsIn(text), [text.length, text.length] as const]) {
    single += text.slice(end, from).replace(BLANKS, ' ') + text.slice(from, to);
    end = to;
  }
  return single.trim();
}

/** Removes closing courtesies one at a time from the end, so that each is looked at once. */
function withoutCloser(text: string, closer: RegExp): string {
  let end = text.length;
  while (end > 0) {
    const sign = text[end - 1] as string;
    if ('.!?,'.includes(sign)) end--;
    else if (sign === ';' && !REFERENCE.test(text.slice(Math.max(0, end - 1 - BEHIND_MAX), end - 1))) end--;
    else {
      const said = closer.exec(text.slice(Math.max(0, end - BEHIND_MAX), end));
      if (said === null) break;
      end -= said[0].length;
    }
  }
  return text.slice(0, end);
}

/** A list of short items, and a courtesy behind its last. */
const LIST_THANKS =
  /^((?:[^,;.!?\n]{1,60}[,;] ?)+[^,;.!?\n]{1,60}?)(?:[.!] ?(?:please|(?:many )?thanks|thank you|ta|ty|cheers|thx+)(?: (?:so much|a lot|in advance|x+))?| (?:please|pls|plz|thx+))[.! ]*$/i;
/** A list without the courtesy that ends its line. */
export const withoutThanks = (text: string): string => {
  const list = text.length > SHORT ? undefined : LIST_THANKS.exec(text)?.[1];
  return list === undefined || /\b(?:please|thanks?)\b/i.test(list) ? text : list;
};

const EMOJI = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]|^\u{FE0F}|^\u{200D}/u;
/** Emoji behind a greeting. */
const GREETED_WITH =
  /^((?:hi|hello|hey|hallo|hiya|heya|howdy|yo|(?:good )?(?:morning|afternoon|evening))(?: (?:there|all|team))?[,!]?) ?(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\u{FE0F}|\u{200D}){1,8}[,!]? /iu;
/** Behind these words and signs emoji say nothing. */
const ENDED = /(?:please|pls|plz|thanks|thank you|thx+|[.?!])$/i;
const MAX_EMOJI = 24;

function beforeEmoji(text: string): string {
  const end = Array.from(text.slice(-MAX_EMOJI));
  let kept = end.length;
  while (kept > 0 && (end[kept - 1] === ' ' || EMOJI.test(end[kept - 1] as string))) kept--;
  return text.slice(0, text.length - end.slice(kept).join('').length);
}

/** Without emoji behind a courtesy, a greeting or the end of a sentence; elsewhere they may be what the instruction is about. */
function withoutEmoji(text: string): string {
  const rest = beforeEmoji(text);
  return (rest !== text && ENDED.test(rest.slice(-BEHIND_MAX)) ? rest : text).replace(GREETED_WITH, '$1 ');
}

const SIGNS = String.raw`(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\u{FE0F}|\u{200D})+`;
const INTERJECTION = String.raw`(?:so(?=,? (?:um|uh|er|hm))|lo+l|lmao|rofl|(?:ha){2,}h?|(?:he){2,}|omg|hm+|um+|uh+|erm?|ah+|oh+|wow|yo|ugh|eish|och|ach|aw+|yay|oops|btw|xd|bru+h|bro|dude|mate|sup|yeah|yep|welp|alright|aight|tbh|fyi|huh|whoa|gosh|geez|jeez|yikes|[:;]-?[)(dp]|<3)(?![\p{L}\p{N}'’])`;
const EMOJIS = new RegExp(SIGNS, 'gu');
/** What is said before an instruction; "😀 in hex" is about the sign. */
const BEFORE = new RegExp(`^(?:(?:${SIGNS}|${INTERJECTION})[\\s,.!…]*)+(?=\\S)(?!(?:in|to|into|as|or)\\b|[,;:])`, 'iu');
const BEHIND = new RegExp(`[,.…]? ${INTERJECTION}$`, 'iu');
const MAX_BEHIND = 4;
const SIGN_FIRST = new RegExp(`^${SIGNS}`, 'u');

/** An instruction without emoji outside of quotations, and without interjections such as “lol” around it. */
export function withoutChat(text: string): string {
  // A sign that `plain` left at the beginning is what the instruction is about.
  if (text.length > MAX_CLAUSE || SIGN_FIRST.test(text)) return text;
  let [said, end] = ['', 0];
  for (const [from, to] of [...quotationsIn(text), [text.length, text.length] as const]) {
    said += text.slice(end, from).replace(EMOJIS, ' ') + text.slice(from, to);
    end = to;
  }
  said = said.trim();
  for (let left = MAX_BEHIND; left > 0 && BEHIND.test(said); left--) said = said.replace(BEHIND, '');
  return said === text ? text : plain(said);
}

const closerOf = (text: string): RegExp =>
  !KEPT.test(text) ? CLOSER : KEPT_WHOLE.test(text) ? CLOSER_OF_QUOTED : NOTHING;

/** An instruction without the courtesies around it; text longer than a clause may be is returned unchanged. */
export function plain(text: string): string {
  const whole = singleSpaced(text);
  if (whole.length > MAX_CLAUSE) return whole;
  const said = whole.replace(BEFORE, '');
  const single = withoutEmoji(KEPT.test(said) ? said : said.replace(SMILE, ''));
  const opened = GREETED.test(single) ? single : plainVerb(single.replace(OPENER, '').replace(FOR_US, '$1'));
  // The dots at the end of Morse code are letters.
  const closed = /\bmorse\b.* [-.]+$/i.test(opened)
    ? opened
    : FACTORIAL.test(opened)
      ? withoutTrailing(opened, '.')
      : withoutCloser(opened, closerOf(opened)).trim();
  // In "reply with thanks" the thanks are the message.
  if (/\b(?:with|saying|says?|my|many|of)$/i.test(closed)) return withoutTrailing(opened, '.!?,');
  return closed === '' ? single : asQuestion(closed);
}
