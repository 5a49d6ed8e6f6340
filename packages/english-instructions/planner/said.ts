import { LIMITS } from '../tasks/words/limits.ts';
import { isBackground } from './courtesy.ts';
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
  'i was told (?:that )?you\\b|a (?:friend|colleague) (?:told|recommended)',
];
const TALK = new RegExp(`^(?:${TALK_WORDS.join('|')})`, 'iu');
const END = /\n|[.!?]{1,3}(?=\s|$)/g;
/** A request of its sender, in whatever words. */
const REQUESTS =
  /\?["”]?$|\b(?:please|pls|plz|(?:can|could|would|will) (?:you|u)|kindly|(?:i|we)(?:['’]d| would)? (?:like|need|want|love)|(?:i|we) (?:have|need) to)\b/i;
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

const limits = (text: string): boolean =>
  (text.toLowerCase().match(/[\p{L}'’]+/gu) ?? []).some((word) => LIMITS.has(word.replaceAll('’', "'")));
/** Whether a sentence asks nothing and limits nothing. */
const isSaid = (text: string): boolean =>
  (TALK.test(text) &&
    !/[\d"“@:]/.test(text) &&
    !RESULT.test(text) &&
    !/\b(?:please|could you|can you)\b/i.test(text)) ||
  (isBackground(text) && !REQUESTS.test(text));

/** Who wants it, behind a request. */
const INSISTED =
  /, (?:the|my|our|his|her) \p{L}+ (?:insists?|wants?|needs?|asked|said|likes?|prefers?)(?: on| for| to have)? (?:it|that|this)(?: (?:that|this) way)?(?=:)/iu;

/** A request without the clause before it, which says why. */
export function withoutClause(text: string): string {
  const [lead = '', clause, reason] = CLAUSE.exec(text) ?? [];
  const said = (clause ?? reason ?? '').trim();
  if (lead === '' || TIED.test(said) || (reason === undefined && limits(said)) || RESULT.test(said))
    return text.replace(INSISTED, '');
  return text
    .slice(lead.length)
    .replace(/^(?=would like\b)/i, 'I ')
    .replace(INSISTED, '');
}

const TERM =
  /^([^\d"“”:\n]{3,70}?)(?:,|;| -| –|\.)? (\()?(?:i\.?\s?e\.?|that is(?: to say)?|in other words|meaning|by which i mean|or in other words)[,:]? (?=\S)([^\n:]+?)(\))?(:[\s\S]*|\n[\s\S]*)?$/iu;
/** What is asked in two ways: by a term, and in the words that explain it, each with the lines below it. */
export function explainedIn(text: string): { readonly term: string; readonly meant: string } | undefined {
  const [, term = '', opened, meant, closed, below = ''] = TERM.exec(text) ?? [];
  if (meant === undefined || (opened === undefined) !== (closed === undefined)) return undefined;
  return limits(term) || /[,;]| (?:and|or|then) /i.test(term)
    ? undefined
    : { term: term + below, meant: meant + below };
}

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
  if (spans.length > MAX_SENTENCES) return text;
  const asks = spans.map((span) => REQUESTS.test(span.text) && !isSaid(span.text));
  const first = asks.indexOf(true);
  const last = spans[asks.lastIndexOf(true)];
  const line = (at: number): number => prose.slice(0, at).split('\n').length;
  // Lines below the request may be what it is about.
  const talk = spans.filter(
    (span, at) =>
      isSaid(span.text) &&
      (at < first ||
        (!before &&
          (colon !== null || last === undefined || TALK.test(span.text) || line(span.from) <= line(last.from)))),
  );
  if (talk.length === 0 || talk.length === spans.length) return text;
  let [rest, end] = ['', 0];
  for (const { from, to } of talk) {
    rest += text.slice(end, from);
    end = to;
  }
  return (rest + text.slice(end)).trim();
}
