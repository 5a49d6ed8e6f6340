import { type Html, html } from '../../../http/html.ts';
import type { Frame } from '../../../http/page.ts';
import { TAGS } from '../openapi.ts';
import { basicsText, nounPath, type Subject } from './basics.ts';
import { makeCodeBlocks } from './code.ts';
import { absolute, type Document, GUIDES, guideText, type Here } from './guides.ts';
import { type Heading, loadRenderer, type Render } from './markdown.ts';
import { type Noun, nounMain, nounsOf, nounText } from './nouns.ts';
import { docsPage } from './page.ts';
import { quickStart } from './quick-start.ts';
import { codeEntries, type Entry, nounEntries, textEntries } from './search.ts';
import { results } from './search-page.ts';
import { startMain, startText } from './start-page.ts';

const START: Document = { path: 'docs', title: 'Docs', line: 'Guides, quick start, reference and search.' };
const BASICS: Document = {
  path: 'docs/api',
  title: 'How the API works',
  line: 'Answers and their status, keys, repeating safely, limits, errors.',
};

/** The guides of the site, which are the same for every service. */
const guideDocuments: readonly Document[] = [
  ...GUIDES.map(({ slug, title, line }) => ({ path: `docs/${slug}`, title, line })),
  BASICS,
];

/** Every page of the docs by name, for lists on other pages. */
export const siteDocuments: readonly Document[] = [
  START,
  ...guideDocuments,
  ...Object.entries(TAGS).map(([name, line]) => ({ path: nounPath(name).slice(1), title: name, line })),
  { path: 'problems', title: 'Problems', line: 'What each error code means and how to fix it.' },
];

/** Every page of the docs, rendered when first requested. */
export interface Library {
  /** HTML of the page at this path; undefined when there is none. */
  html(path: string): string | undefined;
  /** Markdown of the page at this path; undefined when there is none. */
  text(path: string): string | undefined;
  /** The page of search results; it depends on the query and is not kept. */
  found(query: string): string;
}

/** Prepares the pages; `subject` holds the service's URL and its limits. */
export async function makeLibrary(subject: Subject, here: Here, frame: Frame): Promise<Library> {
  const render = await loadRenderer();
  const { document, scene } = subject;
  const nouns = nounsOf(document);
  const texts = new Map<string, () => string>([
    [START.path, () => startText(document, guideDocuments, nouns, quickStart(document, scene))],
    [BASICS.path, () => basicsText(subject)],
    ...GUIDES.map((guide) => [`docs/${guide.slug}`, () => guideText(guide, here)] as const),
    ...nouns.map((noun) => [nounPath(noun.name).slice(1), () => nounText(noun, subject)] as const),
  ]);
  let entries: readonly Entry[] | undefined;
  /** The entries that a search ranks. */
  const index = (): readonly Entry[] =>
    (entries ??= [
      ...nouns.flatMap((noun) => nounEntries(noun, nounPath(noun.name).slice(1), document)),
      ...textEntries('Docs', `${quickStart(document, scene)}`, START.path),
      ...guideDocuments.flatMap(({ path, title }) => textEntries(title, texts.get(path)?.() ?? '', path)),
      ...codeEntries(),
    ]);

  function page(path: string): string | undefined {
    const guide = guideDocuments.find((one) => one.path === path);
    const noun = nouns.find(({ name }) => nounPath(name) === `/${path}`);
    if (path === START.path) return startPage(render);
    if (guide !== undefined) return guidePage(guide, texts.get(path)?.() ?? '', render);
    return noun && nounPage(noun);
  }

  function startPage(render: Render): string {
    const quick = render(quickStart(document, scene), { blocks: makeCodeBlocks(frame), root: '' });
    return docsPage(
      {
        title: 'Docs',
        description:
          'How to send to an address and read its answer, how to make one, and every call with an example to paste.',
        root: '',
        contents: contents(
          '',
          START.path,
          quick.headings.filter(({ level }) => level === 3),
          nouns,
        ),
        main: startMain(document, guideDocuments, nouns, quick.main),
        markdown: 'docs.md',
      },
      frame,
    );
  }

  function guidePage(guide: Document, text: string, render: Render): string {
    const root = guide.path === BASICS.path || guide.path.split('/').length === 2 ? '../' : '../../';
    const { main, headings } = render(text, { blocks: makeCodeBlocks(frame), root });
    return docsPage(
      {
        title: guide.title,
        description: guide.line,
        root,
        crumbs: [[START.path, 'Docs']],
        contents: contents(
          root,
          guide.path,
          headings.filter(({ level }) => level === 2),
          nouns,
        ),
        main: html`<div class="guide-text">${main}</div>`,
        markdown: `${guide.path}.md`,
      },
      frame,
    );
  }

  function nounPage(noun: Noun): string {
    const path = nounPath(noun.name).slice(1);
    const root = '../../';
    const headings = noun.endpoints.map(({ operationId, summary }) => ({ id: operationId, title: summary, level: 2 }));
    return docsPage(
      {
        title: noun.name,
        description: noun.description.replaceAll('`', ''),
        root,
        crumbs: [
          [START.path, 'Docs'],
          [BASICS.path, 'API'],
        ],
        contents: contents(root, path, headings, nouns),
        main: nounMain(noun, makeCodeBlocks(frame), root, subject),
        markdown: `${path}.md`,
      },
      frame,
    );
  }

  return {
    html: page,
    text(path) {
      const text = texts.get(path)?.();
      return text === undefined ? undefined : absolute(text, here.baseUrl);
    },
    found: (query) =>
      docsPage(
        {
          title: query === '' ? 'Search' : `“${query}” in the docs`,
          description: 'Search the docs.',
          root: '../',
          crumbs: [[START.path, 'Docs']],
          main: html`<div class="head"><h1>Search</h1></div><div data-results>${results(index(), query, '../')}</div>`,
          query,
        },
        frame,
      ),
  };
}

/** Links to all pages, with the sections of the current page below it. */
function contents(root: string, current: string, headings: readonly Heading[], nouns: readonly Noun[]): Html {
  const item = (path: string, title: string): Html => {
    const here = path === current;
    return html`<li><a href="${root}${path}"${here && html` aria-current="page"`}>${title}</a>${
      here &&
      headings.length > 0 &&
      html`<ul class="sections">${headings.map((heading) => html`<li><a href="#${heading.id}">${heading.title}</a></li>`)}</ul>`
    }</li>`;
  };
  return html`<p class="small-title">Guides</p><ul>${item(START.path, 'Start')}${guideDocuments.map(({ path, title }) => item(path, title))}</ul>
<p class="small-title">Reference</p><ul>${nouns.map(({ name }) => item(nounPath(name).slice(1), name))}<li><a href="${root}problems">Problems</a></li></ul>`;
}
