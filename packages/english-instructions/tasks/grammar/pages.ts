import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import type { Domain, Recognizer } from '../../language/grammar.ts';
import { placeholder } from '../clause.ts';
import { rulesOf } from './rules.ts';
import { asks, question, type Request, type Setting } from './setting.ts';

/** The part of a page that is wanted. */
export const FORMS = ['text', 'title', 'json', 'html', 'links'] as const;
type Form = (typeof FORMS)[number] | 'any';

/** Where a page is. */
interface Page {
  readonly url: string;
  /** Whether it is a domain without "https://", which may be the name of something else. */
  readonly bare: boolean;
}

const DOMAIN = /^(?:[\p{L}\d](?:[\p{L}\d-]{0,61}[\p{L}\d])?\.)+(\p{L}{2,24})(?::\d{2,5})?(\/[^\s<>"“”]*)?$/iu;
/** Endings of files, which are no domains when nothing follows them. */
const FILES =
  /^(?:txt|md|json|csv|tsv|js|mjs|ts|py|sh|rb|rs|java|html?|xml|ya?ml|toml|ini|log|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|zip|gz|tar|exe|css|sql|php)$/i;

function trimmed(url: string): string {
  let text = withoutTrailing(url, `.,;:!?'’”*`);
  while (text.endsWith(')') && text.split(')').length > text.split('(').length)
    text = withoutTrailing(text.slice(0, -1), '.,;:!?');
  return text;
}

function pageOf(text: string, isUrl: boolean): Page | undefined {
  const url = trimmed(text);
  if (isUrl) return { url, bare: false };
  const [, ending = '', path] = DOMAIN.exec(url) ?? [];
  return ending === '' || (path === undefined && FILES.test(ending))
    ? undefined
    : { url: `https://${url}`, bare: true };
}

/** Addresses of pages, with brackets around them and signs behind them. */
const recognize: Recognizer = (tokens, add) => {
  for (const [start, { kind, text }] of tokens.entries()) {
    if (kind === 'reference') add('page', start, start + 1, { url: text.replaceAll(' ', ''), bare: false });
    if (kind !== 'url' && kind !== 'word') continue;
    if (tokens[start - 1]?.kind === 'word' && tokens[start]?.spaced === false) continue;
    let [end, joined] = [start + 1, text];
    for (; tokens[end]?.spaced === false && !/^["“<>]/.test(tokens[end]?.text ?? '"'); end++)
      joined += tokens[end]?.text;
    const page = kind === 'word' && !/[./]/.test(joined) ? undefined : pageOf(joined, kind === 'url');
    const opened = /^[<(]$/.test(tokens[start - 1]?.text ?? '');
    if (page !== undefined) add('page', opened ? start - 1 : start, tokens[end]?.text === '>' ? end + 1 : end, page);
  }
};

const OF_JSON: ReadonlySet<string | undefined> = new Set(['fetch', 'json', 'run']);
const fetched = (
  { url, bare }: Page,
  form: Form | undefined,
  { after }: Setting,
  plainly = false,
): Request | undefined =>
  // "Get rates.total" after a fetch names a property rather than a page, and only plain words fetch an earlier result.
  (bare && OF_JSON.has(after) && !plainly) || (url.startsWith('{{') && !plainly)
    ? undefined
    : asks('fetch', form === undefined || form === 'any' ? { url } : { url, as: form });
const again = (form: Form | undefined, { it }: Setting): Request | undefined =>
  it === undefined
    ? undefined
    : asks(
        'fetch',
        form === undefined || form === 'any' ? { url: placeholder(it) } : { url: placeholder(it), as: form },
      );

const rule = rulesOf<{ page: Page; 'page-form': Form; 'part-of': Form; 'page-at': Page }>();

/** Pages and answers of APIs, and the part of them that is wanted. */
export const PAGES: Domain = {
  lexicon: {
    'page-form': {
      'title|titles|page title|web page title|site title|headline': 'title',
      'json|raw json|json data|json response|json body': 'json',
      'html|raw html|page html|html source|html code|html source code|source|source code|page source|page source code|markup':
        'html',
      'links|link|hyperlinks|hyperlink|urls|hrefs': 'links',
      'text|plain text|readable text|main text|full text|content|contents|words|article|body': 'text',
      'data|response|answer|result|page|web page|webpage|site|web site|website|file|document': 'any',
    },
    FETCHES: 'fetch|open|download|visit|load|retrieve|scrape|curl|wget|please fetch',
    OPENPAGE:
      'fetch|open|download|visit|load|retrieve|scrape|curl|wget|get|get me|read|grab|crawl|pull|http get|access|view|browse|browse to|go to|show|show me|give me|tell me|extract|list|print|display|find|return|look at|look up|check|check out|have a look at|take a look at|go and get',
    PAGEAT:
      'the page|this page|that page|a page|page|the web page|the webpage|webpage|the site|this site|site|the website|this website|website|the web site|the url|url|the link|link|the address|address|the article|article|the api|api|the endpoint|endpoint|the page at|the url at|the site at',
    OFPAGE: 'of|from|at|on|in|behind|for|under',
    THEPART: 'the|its|all|all the|all of the|me the|a|an',
    THATPAGE:
      'it|that|this|the page|this page|that page|the site|that site|this site|the url|that url|the link|that link|the website|that website|the address|that address',
    PAGESAYS: 'say|contain|have|return|read|show|give|answer|says|contains|say in it|say there',
    WHATSAT: "what is|what's|whats|what can be found|what can i find|what stands",
  },
  recognize,
  rules: [
    rule('page-at = OFPAGE? PAGEAT? OFPAGE? <page>'),
    rule('part-of = THEPART? <page-form>'),
    rule('request = <page>', ([page]) =>
      page.bare || page.url.startsWith('{{') ? undefined : asks('fetch', { url: page.url }),
    ),
    rule('request = FETCHES :? <page-at>', ([page], s) => fetched(page, undefined, s, true)),
    rule('request = FETCHES <part-of> <page-at>', '#21 FETCHES <page-at> (as|in|into) <part-of>', ([form, page], s) =>
      fetched(page, form, s, true),
    ),
    rule(
      'request -0.01 = OPENPAGE :? <page-at>',
      '0 = (what does|what do) <page-at> PAGESAYS',
      '0 = WHATSAT <page-at>',
      '0 = (what|show me what|tell me what|give me what) <page-at> (says|contains)',
      '0 = (tell me what is|show me what is) <page-at>',
      ([page], s) => fetched(page, undefined, s),
    ),
    rule(
      'request -0.01 = OPENPAGE <part-of> <page-at>',
      '#21 OPENPAGE <page-at> (as|in|into) <part-of>',
      '#21 OPENPAGE <page-at> and (show|give|tell|send|read|show me|give me|tell me|send me) <part-of>',
      '(what|which|what is|what are|which are) <part-of> (are|is|does|are there|is there)? <page-at>',
      '(what|which) <part-of> (does|do) <page-at> PAGESAYS',
      '#21 <page> (as|in) <part-of>',
      '<page-form> OFPAGE <page-at>',
      ([form, page], s) => fetched(page, form, s),
    ),
    rule('request = FETCHES THATPAGE', (_, s) => again(undefined, s)),
    rule('request = FETCHES <part-of> (of|from|on|at) THATPAGE', 'FETCHES THATPAGE (as|in) <part-of>', ([form], s) =>
      again(form, s),
    ),
    rule(
      'request -0.2 = FETCHES (a|an|the|this|that|some|my)? (web page|webpage|web site|website|site|page|url|link)?',
      (_, { it }) => (it === undefined ? question('fetch', 'Which web address?', 'fetch {}') : undefined),
    ),
  ],
};
