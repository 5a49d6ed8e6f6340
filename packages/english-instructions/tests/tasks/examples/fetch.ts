import type { Example } from '../harness.ts';

/** The contents of the tests' pages; see `fetch.test.ts`. */
const TEXT = 'A heading\n\nHello & welcome.';
const ITEMS = [{ id: 1, name: 'é' }];

/** Requests for pages and APIs. */
export const FETCH: readonly Example[] = [
  { says: 'fetch https://site.example/page', input: { url: 'https://site.example/page' }, result: TEXT },
  { says: 'read https://site.example/page', input: { url: 'https://site.example/page' }, result: TEXT },
  { says: 'open https://site.example/page.', input: { url: 'https://site.example/page' }, result: TEXT },
  { says: 'https://site.example/page', input: { url: 'https://site.example/page' }, result: TEXT },
  { says: 'visit <https://site.example/page>', result: TEXT },
  { says: 'what does https://site.example/page say', result: TEXT },
  { says: "what's on https://site.example/page?", result: TEXT },
  {
    says: 'get the text of https://site.example/page',
    input: { url: 'https://site.example/page', as: 'text' },
    result: TEXT,
  },
  {
    says: 'get the title of https://site.example/page',
    input: { url: 'https://site.example/page', as: 'title' },
    result: 'The page',
  },
  { says: 'what is the title of https://site.example/page', result: 'The page' },
  { says: 'fetch the page title from the website https://site.example/page', result: 'The page' },
  { says: 'title of site.example/page', input: { url: 'https://site.example/page', as: 'title' }, result: 'The page' },
  { says: 'fetch site.example', input: { url: 'https://site.example' }, result: 'plain' },
  { says: 'open example.com', input: { url: 'https://example.com' } },
  { says: 'read www.example.co.uk/news', input: { url: 'https://www.example.co.uk/news' } },
  {
    says: 'download the json from https://site.example/items',
    input: { url: 'https://site.example/items', as: 'json' },
    result: ITEMS,
  },
  { says: 'fetch https://site.example/items', result: ITEMS },
  { says: 'fetch https://site.example/items as json', input: { url: 'https://site.example/items', as: 'json' } },
  { says: 'get https://site.example/items as text', result: '[{"id":1,"name":"\\u00e9"}]' },
  {
    says: 'list the links on https://site.example/page',
    input: { url: 'https://site.example/page', as: 'links' },
    result: [{ text: 'welcome', url: 'https://site.example/more?a=1&b=2#part' }],
  },
  { says: 'which links are on https://site.example/page', input: { url: 'https://site.example/page', as: 'links' } },
  { says: 'show me the html of https://site.example/page', input: { url: 'https://site.example/page', as: 'html' } },
  { says: 'get the source code of https://site.example/page', input: { url: 'https://site.example/page', as: 'html' } },
  { says: 'fetch: https://site.example/page', input: { url: 'https://site.example/page' } },
  { says: 'fetch it', it: 'https://site.example/page', input: { url: '{{1}}' }, result: TEXT },
  { says: 'fetch the title of that page', it: 'https://site.example/page', input: { url: '{{1}}', as: 'title' } },
  { says: 'open the result of step 1', it: 'site.example/page', input: { url: '{{1}}' }, result: TEXT },
  {
    says: 'fetch (https://site.example/wiki/A_(b)),',
    input: { url: 'https://site.example/wiki/A_(b)' },
  },
  { says: 'show me what https://site.example/page says', input: { url: 'https://site.example/page' }, result: TEXT },
  { says: 'tell me what is on https://site.example/page', result: TEXT },
  { says: 'fetch a web page', asks: 'Which web address' },
  { says: 'open a website', asks: 'Which web address' },
];
