import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import { type Clause, explicitReferences, placeholder, type Reading } from '../clause.ts';

/** The part of a page that is wanted. */
export const FORMS = ['text', 'title', 'json', 'html', 'links'] as const;
export type Form = (typeof FORMS)[number];

const URLS = /<?(https?:\/\/[^\s<>"“”]+)>?/gi;
const PLACEHOLDER = /\{\{\d{1,4}(?:\.\w+)*\}\}/;
const DOMAIN =
  /(?<![\w@/.-])((?:[\p{L}\d](?:[\p{L}\d-]{0,61}[\p{L}\d])?\.)+(\p{L}{2,24})(?::\d{2,5})?(\/[^\s<>"“”]*)?)/iu;
/** Endings of files, which are no domains when nothing follows them. */
const FILES =
  /^(?:txt|md|json|csv|tsv|js|mjs|ts|py|sh|rb|rs|java|html?|xml|ya?ml|toml|ini|log|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|zip|gz|tar|exe|css|sql|php)$/i;

const FORM = [
  '(?:page |web ?page |site )?titles?|headline',
  '(?:raw )?json(?: data| response| body)?',
  '(?:raw |page )?html(?: source)?(?: code)?|(?:page )?source(?: code)?|markup',
  '(?:hyper)?links?|urls|hrefs',
  '(?:plain |readable |main |full )?text|contents?|words|article|body',
  'data|response|answer|result|page|web ?page|web ?site|site|file|document',
] as const;
const FORM_OF: readonly (Form | undefined)[] = ['title', 'json', 'html', 'links', 'text', undefined];
const ANY_FORM = FORM.join('|');
const VERB =
  '(?:fetch|get(?: me)?|open|read|load|visit|download|retrieve|grab|scrape|crawl|pull|curl|wget|http get|access|view|browse(?: to)?|go to|show(?: me)?|give me|tell me|extract|list|print|display|find|return|look at|look up|check(?: out)?|(?:have|take) a look at)';
const PLACE =
  '(?:(?:the |this |that |a )?(?:web ?page|page|web ?site|site|url|link|address|article|api|endpoint|uri)s? )?';
const PREPOSITION = '(?:(?:of|from|at|on|in|behind|for|under) )?';
const AS = `(?: (?:as|in|into)(?: an?| the)? (${ANY_FORM}))?`;
const END = '(?: for me| now)?[?.!]?$';

/** The instruction with U for the URL; each group captures the wanted part. */
const COMMAND = new RegExp(
  `^(?:${VERB} )(?:(?:all )?(?:of )?(?:the |its |me the )*(${ANY_FORM}) )?${PREPOSITION}${PLACE}${PREPOSITION}U${AS}(?: and (?:show|give|tell|send|read)(?: me)?(?: (?:the|its|it as))* (${ANY_FORM}))?${END}`,
  'i',
);
const QUESTIONS = [
  `what (?:does|do) ${PLACE}${PREPOSITION}U (?:say|contain|have|return|read|show|give|answer)(?: in it| there)?`,
  `what(?:['’]?s| is| can be found| can i find| stands) (?:on|at|in|behind|under) ${PLACE}${PREPOSITION}U`,
  `(?:what|which)(?:['’]?s| is| are)? (?:all )?(?:the )?(${ANY_FORM}) (?:are |is |does )?(?:there )?(?:of|on|at|in|from|for) ${PLACE}${PREPOSITION}U`,
  `(?:what|which) (${ANY_FORM}) (?:does|do) ${PLACE}${PREPOSITION}U (?:have|contain|list|show|return|give)`,
  `(?:all )?(?:the )?(${ANY_FORM}) (?:of|from|at|on|in) ${PLACE}${PREPOSITION}U`,
  `U (?:as|in) (?:an? |the )?(${ANY_FORM})`,
].map((question) => new RegExp(`^${question}${END}`, 'i'));
const OF_IT =
  /\b(?:it|that|this|(?:the|this|that) (?:page|web ?page|site|web ?site|url|link|address))(?=(?: as [a-z ]+)?[?.!]?$)/i;
const EXPLICIT = /^(?:fetch|open|download|visit|load|retrieve|scrape|curl|wget)\b/i;
const OF_JSON: ReadonlySet<string> = new Set(['fetch', 'json', 'run']);
const NOTHING = new RegExp(
  `^(?:fetch|open|download|visit|load|scrape)(?: (?:the |its )?(?:${ANY_FORM}))?(?: (?:of|from|at))?(?: (?:a|an|the|this|that|some|my) (?:web ?page|web ?site|site|page|url|link))?$`,
  'i',
);

/** The URL in an instruction, and the instruction with U in its place. */
function addressIn(text: string): { readonly url: string; readonly rest: string; readonly bare: boolean } | undefined {
  // Every URL has one of these signs, and most instructions have none.
  if (!/[.{]|:\/\//.test(text)) return undefined;
  const found = [...text.matchAll(URLS)];
  if (found.length > 1) return undefined;
  const [match] = found;
  if (match !== undefined) {
    const url = trimmed(match[1] as string);
    const length = match[0].startsWith('<') ? match[0].length : url.length;
    return { url, rest: replaced(text, match.index, length), bare: false };
  }
  const reference = PLACEHOLDER.exec(text);
  if (reference !== null) {
    return { url: reference[0], rest: replaced(text, reference.index, reference[0].length), bare: false };
  }
  const domain = DOMAIN.exec(text);
  if (domain === null || (domain[3] === undefined && FILES.test(domain[2] as string))) return undefined;
  const name = trimmed(domain[1] as string);
  return { url: `https://${name}`, rest: replaced(text, domain.index, name.length), bare: true };
}

const replaced = (text: string, at: number, length: number): string =>
  `${text.slice(0, at)}U${text.slice(at + length)}`.replace(/["'“(]*U["'”),.;!?]*/, 'U');

function trimmed(url: string): string {
  let text = withoutTrailing(url, `.,;:!?'’”*`);
  while (text.endsWith(')') && text.split(')').length > text.split('(').length) {
    text = withoutTrailing(text.slice(0, -1), '.,;:!?');
  }
  return text;
}

function formOf(words: string | undefined): Form | undefined {
  if (words === undefined) return undefined;
  return FORM_OF[FORM.findIndex((form) => new RegExp(`^(?:${form})$`, 'i').test(words))];
}

const formIn = ([, a, b, c]: RegExpExecArray): Form | undefined => formOf(a) ?? formOf(b) ?? formOf(c);
const fetching = (url: string, sure: number, form: Form | undefined): Reading => ({
  sure,
  input: form === undefined ? { url } : { url, as: form },
});

/** Reads instructions to fetch a page or an API's answer, and the wanted part of it. */
export function readClause(clause: Clause): Reading | undefined {
  if (clause.text.length > 4_000) return undefined;
  const pasted = clause.data?.trim();
  if (pasted !== undefined && !/^\S{4,4000}$/.test(pasted)) return undefined;
  const text = explicitReferences(pasted === undefined ? clause.text : `${clause.text} ${pasted}`);
  const found = addressIn(text);
  if (found === undefined) return clause.data === undefined ? withoutAddress(text, clause) : undefined;
  const { url, rest, bare } = found;
  const reading = (sure: number, form?: Form): Reading => fetching(url, sure, form);
  const asking = rest
    .replace(/^(?:show|tell|give) me (?=what |which )/i, '')
    .replace(/^(what U) (?:says|contains)\b/i, 'what does U say');
  if (rest === 'U') return bare || PLACEHOLDER.test(url) ? undefined : reading(0.8);
  const command = COMMAND.exec(rest);
  if (command !== null) {
    const form = formIn(command);
    if (PLACEHOLDER.test(url)) return EXPLICIT.test(rest) ? reading(0.85, form) : undefined;
    // "Get rates.total" after a fetch names a property rather than a URL.
    const path = bare && clause.after !== undefined && OF_JSON.has(clause.after) && !EXPLICIT.test(rest);
    return reading(path ? 0.6 : bare ? 0.9 : 1, form);
  }
  for (const question of QUESTIONS) {
    const asked = question.exec(asking);
    if (asked !== null) return PLACEHOLDER.test(url) ? undefined : reading(bare ? 0.85 : 1, formOf(asked[1]));
  }
  return undefined;
}

function withoutAddress(text: string, clause: Clause): Reading | undefined {
  if (clause.it !== undefined && EXPLICIT.test(text)) {
    const command = COMMAND.exec(text.replace(OF_IT, 'U'));
    if (command !== null) return fetching(placeholder(clause.it), 0.8, formIn(command));
  }
  if (!NOTHING.test(text)) return undefined;
  return {
    sure: 0.6,
    ask: 'Which web address?',
    answered: (answer) => `${text.replace(/ (?:of|from|at)$/, '')} ${answer.trim()}`,
  };
}
