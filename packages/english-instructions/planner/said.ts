import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import { isContext, isWholeRequest, limits, mayChange } from './context.ts';
import { masked } from './split.ts';

const MAX_BODY = 1_200;
const MAX_SENTENCES = 12;
/** Small talk, which is about nothing that could be done. */
const TALK_WORDS = [
  '(?:i |we )?(?:do |just |really )?hop(?:e|ing)\\b',
  '(?:so |very |really )?(?:sorry|apologies|forgive me|excuse me|pardon)\\b(?! about the)',
  '(?:thank|thanks|thx|cheers|many thanks|much appreciated|greetings)\\b',
  "how(?:['’]s| are| is| have) (?:you|it going|things|life|everything|your)\\b[^?]{0,30}\\?",
  '(?:lovely|nice|beautiful|awful|terrible|dreadful|horrible|great|what a) (?:\\p{L}+ )?(?:weather|day|evening|morning|afternoon|weekend|week|to (?:hear|meet|see))\\b',
  '(?:have|enjoy|wishing you) (?:an?|the|your) (?:\\p{L}+ )?(?:day|evening|weekend|week|morning|afternoon|night|one|time|holiday)\\b',
  "(?:long time|me again|it(?:[’']s| is) me|hello again|hi again|happy (?:new year|monday|friday)|merry christmas|all (?:is )?well)\\b",
  'to whom it may concern|dear (?:sir|madam|all|team)',
  "(?:i['’]?m|i am) (?:so |very |really |quite |a bit )?(?:excited|new (?:to|here)|not (?:very |so )?good (?:with|at)|hopeless|useless|terrible|bad|no good|on the move|in a hurry|in a rush|stuck in|at work|travell?ing)\\b",
  "(?:(?:there[’']s|there is) )?(?:absolutely |really )?no (?:rush|hurry|worries|pressure|stress)\\b",
  '(?:just |only )?(?:one|two|three|a few|some|a couple of|\\d) (?:short |quick |small |more |other )?(?:questions?|things?|requests?)(?: (?:for you|today))?[.!]?$',
  'i was told (?:that )?you\\b|a (?:friend|colleague) (?:told|recommended)',
];
const TALK = new RegExp(`^(?:${TALK_WORDS.join('|')})`, 'iu');
const END = /\n|[.!?]{1,3}(?=\s|$)/g;
/** What a request begins with, behind a clause. */
const ASKS =
  "(?:please|pls|plz|kindly|(?:can|could|would|will) (?:you|u)\\b|(?:i|we)(?:[’']d| would)? (?:like|need|want|love)\\b|would like\\b|need\\b|(?:i|we) have to\\b|remind me\\b|tell me\\b|give me\\b)";
/** Why something is asked, before it. */
const CLAUSE = new RegExp(
  `^((?:i|we|my|our|the|for|as|since|because|following|after|it|this|that|there|he|she|they|today|tomorrow|yesterday|due to|hope|hoping|thanks|thank|sorry|hi|hello)\\b[^\\d"“:@?]{3,140}?)(?:,? (?:so|and|but|hence)|,|:| [-–—])? (?=${ASKS})|^((?:since|as|because|quick one|one more|just one|another one|a (?:quick|small) (?:one|thing|question|favou?r)|last one)\\b[^:\\d"“@]{0,60}): (?=\\S)`,
  'iu',
);
/** Behind a comma or colon a clause is no part of what is asked. */
const TIED =
  /\b(?:if|when|where|that|which|who|whether|of|to|for|with|in|on|at|by|the|an?|my|our|and|or|not|please|you)$/i;
const RESULT =
  /\b(?:sorted?|rounded?|decimals?|percent|without|except|only|ignor\w+|excluding|including|upper|lower|capitals?|alphabetical|ascending|descending|json|csv|words?|lines?|letters?)\b/i;

/** Whether a sentence asks nothing and limits nothing. */
const isSaid = (sentence: string, request: string): boolean => {
  const text = sentence.replace(/(?<=^.{3,30} (?:questions?|things?|requests?)),? please(?=[.!]?$)/i, '');
  return (
    (TALK.test(text) &&
      !/["“@:]/.test(text) &&
      !/\d{2}/.test(text) &&
      !RESULT.test(text) &&
      !mayChange(text, request) &&
      !/\b(?:please|could you|can you)\b/i.test(text)) ||
    isContext(text, request)
  );
};

/** Who wants it, behind a request. */
const INSISTED =
  /, (?:the|my|our|his|her) \p{L}+ (?:insists?|wants?|needs?|asked|said|likes?|prefers?)(?: on| for| to have)? (?:it|that|this)(?: (?:that|this) way)?(?=:)/iu;

/** A request without the clause before it, which says why. */
export function withoutClause(text: string): string {
  const [lead = '', clause, reason] = CLAUSE.exec(text) ?? [];
  const said = (clause ?? reason ?? '').trim();
  const rest = text.slice(lead.length).replace(/^(?=would like\b)/i, 'I ');
  const isPhrase =
    /^(?:for|following|due to|after|hop(?:e|ing)|thanks?|sorry|hi|hello)\b/i.test(said) && !RESULT.test(said);
  const isLeft = reason === undefined ? isPhrase || isSaid(said, rest) : !RESULT.test(said);
  return (lead === '' || TIED.test(said) || !isLeft ? text : rest).replace(INSISTED, '');
}

/** A request without the clause behind it, which only says why: "what is 16 x 35, am in a hurry". */
export function withoutEnd(text: string): string {
  const [, request = '', clause = ''] =
    /^([^\n]{3,200}?)(?:, | [-–—] )([^,:\n]{3,80})$/.exec(withoutTrailing(text, '.! ')) ?? [];
  return clause !== '' && isContext(clause, request) && isWholeRequest(request) ? request : text;
}

const TERM =
  /^([^\d"“”:\n]{3,70}?)(?:,|;| -| –|\.)? (\()?(?:i\.?\s?e\.?|that is(?: to say)?|in other words|meaning|by which i mean|or in other words)[,:]? (?=\S)([^\n:]+?)(\))?(:[\s\S]*|\n[\s\S]*)?$/iu;
/** What is asked in two ways: by a term, and in the words that explain it, each with the lines below it. */
export function explainedIn(text: string): { readonly term: string; readonly meant: string } | undefined {
  const [, term = '', opened, meant, closed, below = ''] = TERM.exec(text) ?? [];
  if (meant === undefined || (opened === undefined) !== (closed === undefined)) return undefined;
  return limits(term, meant) || /[,;]| (?:and|or|then) /i.test(term)
    ? undefined
    : { term: term + below, meant: meant + below };
}

/** Whether a line ends with a list behind a colon, behind which a sentence is none of its items. */
const isList = (line: string): boolean => /[\d,]/.test(line.slice(line.lastIndexOf(':') + 1));
/**
 * The message without sentences that only say something around its request, up to the line that ends with a colon; with
 * `before` without those before the request alone.
 */
export function withoutTalk(text: string, before: boolean): string {
  if (text.length > MAX_BODY) return text;
  const colon = /:[ \t]*\n/.exec(text);
  const prose = colon === null ? text : text.slice(0, colon.index);
  const ends = [...masked(prose).matchAll(END)].map(({ index, 0: sign }) => index + sign.length);
  const spans = [...ends, prose.length]
    .map((to, at) => ({ from: ends[at - 1] ?? 0, to, text: prose.slice(ends[at - 1] ?? 0, to).trim() }))
    .filter((span) => span.text !== '');
  if (spans.length > MAX_SENTENCES || spans.length < 2 - (colon === null ? 0 : 1)) return text;
  const areTalk = spans.map(({ from, to, text: one }) => isSaid(one, (text.slice(0, from) + text.slice(to)).trim()));
  const first = areTalk.indexOf(false);
  const talk = spans.filter(
    (span, at) =>
      areTalk[at] && (at < first || (!before && (TALK.test(span.text) || isBehind(prose.slice(0, span.from))))),
  );
  if (talk.length === 0 || talk.length === spans.length) return text;
  let [rest, end] = ['', 0];
  for (const { from, to } of talk) {
    rest += text.slice(end, from);
    end = to;
  }
  rest = (rest + text.slice(end)).trim();
  return talk.every((span) => TALK.test(span.text)) || isWholeRequest(rest) ? rest : text;
}

/** Whether a sentence behind a text is none of what that is about, as behind a list or a request that shows nothing. */
const isBehind = (text: string): boolean => {
  const line = text.slice(text.lastIndexOf('\n', text.length - 2) + 1);
  return (
    (!/:\s/.test(text) || isList(line)) &&
    !(text.slice(text.trimEnd().length).includes('\n') && /\b(?:this|these|here|below|following|it|them)\b/i.test(text))
  );
};

const THE_RESULT = '(?:it|this|that|them|they|these|the (?:result|answer|number|list|output|table|text|whole thing))';
/** How the result is wanted, in a sentence of its own: "Our teacher wants it as JSON", "The result must be rounded up". */
const FORM = new RegExp(
  `^(?:(?:i|we|(?:my|our|the|his|her) \\p{L}+)(?:['’]d| would)? (?:only |just )?(?:wants?|needs?|expects?|likes?|prefers?|requires?|have to have) ${THE_RESULT} |${THE_RESULT} (?:must|should|(?:has|have|needs?|ought) to) (?:be (?:written |given |shown )?)?|(?:but )?(?:please )?)((?:as|in|to|rounded|sorted|without)\\b [^.?!:]{2,40}?|rounded (?:up|down))(?:,? please)?[.!]?$`,
  'iu',
);
/** A request with the form that another sentence of its message says, written in it, and the same without that. */
export function withForm(text: string): { readonly ways: readonly string[]; readonly without: string } | undefined {
  if (text.length > MAX_BODY) return undefined;
  const colon = /:(?=\s)/.exec(text);
  const head = colon === null ? text : text.slice(0, colon.index);
  const sentences = head.split(/(?<=[.?!])\s+/);
  const forms = sentences.filter((one) => FORM.test(one));
  const [form = '', more] = forms;
  const [request = '', another] = sentences.filter((one) => one !== form);
  if (form === '' || more !== undefined || request === '' || another !== undefined) return undefined;
  const said = (FORM.exec(form)?.[1] ?? '').trim();
  const bare = withoutTrailing(request, '.?! ');
  const rest = colon === null ? '' : text.slice(colon.index);
  const places = /^(?:rounded )?to ((?:\w+ )?decimals?(?: places)?|the (?:next|nearest) .+|an? whole number)$/i.exec(
    said,
  )?.[1];
  const ways = [
    places === undefined ? said : `and round it to ${places}`,
    said.replace(/^rounded (up|down)$/i, 'and round it $1').replace(/^as /i, 'to '),
  ];
  return { ways: [...new Set(ways)].map((way) => `${bare} ${way}${rest}`), without: bare + rest };
}
