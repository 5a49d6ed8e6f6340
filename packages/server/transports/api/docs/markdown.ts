import type MarkdownIt from 'markdown-it';
import { Html, html } from '../../../http/html.ts';
import type { CodeBlocks } from './code.ts';

/** A heading of a page that links may point to. */
export interface Heading {
  readonly id: string;
  readonly title: string;
  /** 2 for a heading directly below the page's title. */
  readonly level: number;
}

interface Rendered {
  readonly main: Html;
  readonly headings: readonly Heading[];
}

interface Setting {
  readonly blocks: CodeBlocks;
  /**
   * The relative path from the page to the root, which replaces the leading `/` of links, so that the service may run
   * below any path.
   */
  readonly root: string;
}

/** Renders the project's own trusted Markdown in the markup of the reference. */
export type Render = (text: string, setting: Setting) => Rendered;

/** Loaded when a document is first requested, to keep the start quick. */
export async function loadRenderer(): Promise<Render> {
  const { default: Markdown } = await import('markdown-it');
  const markdown = new Markdown('default', { html: false, linkify: false, typographer: false });
  Object.assign(markdown.renderer.rules, tableRules());
  return (text, { blocks, root }) => {
    const headings: Heading[] = [];
    const taken = new Set<string>();
    markdown.renderer.rules.fence = (tokens, at) =>
      blocks.code((tokens[at]?.content ?? '').replace(/\n$/, '').split('\n')).text;
    markdown.renderer.rules.heading_open = (tokens, at) => {
      const { tag = 'h2' } = tokens[at] ?? {};
      const title = textOf(tokens[at + 1]);
      const id = anchorOf(title, taken);
      headings.push({ id, title, level: Number(tag.slice(1)) });
      return tag === 'h1' ? '<h1>' : html`<${new Html(tag)} id="${id}"><a href="#${id}">`.text;
    };
    markdown.renderer.rules.heading_close = (tokens, at) =>
      tokens[at]?.tag === 'h1' ? '</h1>\n' : `</a></${tokens[at]?.tag}>\n`;
    markdown.renderer.rules.link_open = (tokens, at) => {
      const href = String(tokens[at]?.attrGet('href') ?? '');
      return html`<a href="${href.startsWith('/') ? root + href.slice(1) : href}">`.text;
    };
    return { main: new Html(markdown.render(text)), headings };
  };
}

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

/** The visible text of a heading. */
const textOf = (token: Token | undefined): string =>
  (token?.children ?? [])
    .map(({ type, content }) => (type === 'text' || type === 'code_inline' ? content : ''))
    .join('');

/** The anchor that code hosts give a heading, so that links work on both sites. */
export function anchorOf(title: string, taken: Set<string>): string {
  const plain = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
  let id = plain;
  for (let count = 1; taken.has(id); count++) id = `${plain}-${count}`;
  taken.add(id);
  return id;
}

/** Adds table roles, because tables are laid out as blocks on phones; the first column is the row's header. */
function tableRules(): Record<string, (tokens: Token[], at: number) => string> {
  const isFirst = (tokens: Token[], at: number): boolean => tokens[at - 1]?.type === 'tr_open';
  let named = false;
  return {
    table_open: (tokens, at) => {
      const columns = tokens.slice(at, at + 60).filter(({ type }) => type === 'th_open').length;
      return `<table role="table" class="fields guide-table${columns === 2 ? ' two' : ''}">\n`;
    },
    thead_open: () => '<thead role="rowgroup">\n',
    tbody_open: () => '<tbody role="rowgroup">\n',
    tr_open: () => '<tr role="row">',
    th_open: () => '<th role="columnheader" scope="col">',
    td_open: (tokens, at) => {
      named = isFirst(tokens, at);
      return named ? '<th role="rowheader" scope="row">' : '<td role="cell">';
    },
    td_close: () => {
      const tag = named ? 'th' : 'td';
      named = false;
      return `</${tag}>`;
    },
  };
}
