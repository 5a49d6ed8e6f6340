import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A page of the docs as an item of a list. */
export interface Document {
  /** From the root, without a leading slash. */
  readonly path: string;
  readonly title: string;
  readonly line: string;
}

/** A page of `docs/` that the site also shows. */
export interface Guide {
  /** The last part of its path. */
  readonly slug: string;
  readonly file: string;
  readonly title: string;
  readonly line: string;
}

const FOLDER = join(import.meta.dirname, '../../../../../docs');

/** Each with its file, its title and what it has, in a line; the last part of its path where that is not as the file. */
const TABLE: readonly (readonly [file: string, title: string, line: string, slug?: string])[] = [
  [
    'connect.md',
    'Connect',
    'Claude, ChatGPT, Cursor, VS Code, A2A, curl, Python, TypeScript, a mail program: what to paste.',
  ],
  ['client.md', 'Client and command line', 'A package for TypeScript and JavaScript, and the program mailroom.'],
  ['webhooks.md', 'Webhooks', 'What happens, posted to a URL of yours: signatures, retries, replay.'],
  ['audit.md', 'Audit log', 'Who changed what in a namespace, and how to prove that nothing of it was changed.'],
  ['a2a.md', 'A2A', 'Each address as an agent of A2A 1.0: connect a client, what maps to what.'],
  ['email.md', 'E-mail', 'Write to an address from a mail program; what is answered, and how mail leaves.'],
  [
    'conversations.md',
    'Conversations of many',
    'Several recipients, Cc that listens, answering all, forwarding, trash, import and export.',
  ],
  ['teams.md', 'Teams', 'Who answers beside your agents: roles, three setups, how members are called.'],
  ['rules.md', 'Rules', 'Label, forward or file messages as they arrive, before they are handled.'],
  [
    'last-check.md',
    'The last check',
    'See what programs and models write before it leaves: policies, reviews, who decides.',
  ],
  ['mcp.md', 'MCP', 'Connect Claude, Cursor, VS Code and other assistants: addresses as tools.'],
  [
    'discovery.md',
    'Being found',
    'The catalog of listed addresses, cards, auth.md, and agents that prove who they are.',
  ],
  ['do.md', 'Tasks with do', 'What a do address understands, who may have what done, receipts.'],
  [
    'federation.md',
    'Other servers',
    'Reach addresses of other servers at once, and be reached: WebFinger, signed mail by HTTPS, A2A agents.',
  ],
  [
    'proofreading.md',
    'Proofreading',
    'Corrections, doubts and what is passed over; every rule, and how to switch it off.',
  ],
  ['outside.md', 'Tools of others', 'Let do and assistant call MCP servers and A2A agents: list, approve, receipts.'],
  ['auth.md', 'Sign people in', 'Let people and agents sign in to your service with an address.', 'sign-in'],
  ['security.md', 'Security', 'Threats, what holds them, where rights come from.'],
  ['operations.md', 'Run it yourself', 'Settings, sizing, backup, what to do when something is wrong.'],
];

export const GUIDES: readonly Guide[] = TABLE.map(([file, title, line, slug = file.slice(0, -3)]) => ({
  slug,
  file,
  title,
  line,
}));

/** This service's location, which replaces the one in the guides' examples. */
export interface Here {
  readonly baseUrl: string;
  readonly mailDomain: string;
  /** The namespace of the service itself. */
  readonly house: string;
}

/**
 * The Markdown of a guide with its examples adapted to this service and its links pointing to pages of the site,
 * starting with `/`.
 */
export function guideText({ file }: Guide, here: Here): string {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  return text
    .split('\n')
    .filter((line) => !isContents(line))
    .map((line) => moved(line, here).replace(/\[([^\][]*)\]\(([^()\s]+)\)/g, (_, label, target) => link(label, target)))
    .join('\n');
}

/** A line of links to the page's own headings, which the site shows beside the text. */
const isContents = (line: string): boolean =>
  line.startsWith('[') && line.split(' · ').every((piece) => piece.startsWith('[') && piece.includes('](#'));

const moved = (line: string, { baseUrl, mailDomain, house }: Here): string =>
  line
    .replaceAll('http://localhost:8080', baseUrl)
    .replaceAll('localhost:8080', baseUrl)
    .replaceAll('@agents.mailroom.localhost', `@${house}.${mailDomain}`)
    .replaceAll('/oidc/agents', `/oidc/${house}`);

/** Links to a guide's page, or another page of the site; a file without a page is only named, since it exists in the source alone. */
function link(label: string, target: string): string {
  if (/^(?:https?:|#|\/)/.test(target)) return `[${label}](${target})`;
  const [path = '', hash] = target.split('#');
  const guide = GUIDES.find(({ file }) => file === path);
  if (guide !== undefined)
    return `[${label === path ? guide.title : label}](/docs/${guide.slug}${hash === undefined ? '' : `#${hash}`})`;
  const file = path.replace(/^(?:\.\.\/)+/, '');
  return label.replaceAll('`', '') === file || label === path ? `\`${file}\`` : `${label} (\`${file}\`)`;
}

/** The same text with absolute links to the Markdown of each page. */
export const absolute = (text: string, baseUrl: string): string =>
  text.replace(/\]\(\/([^()\s#]*)(#[^()\s]*)?\)/g, (_, path: string, hash: string = '') => {
    const isPage = /^(?:docs|problems)\b/.test(path);
    return `](${baseUrl}/${path}${isPage ? '.md' : ''}${hash})`;
  });
