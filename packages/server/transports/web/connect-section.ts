import type { Behavior } from '@mailroom/behavior';
import { type Mailbox, mailAddressOf } from '../../core/entities/mailbox.ts';
import { type Html, html } from '../../http/html.ts';
import { examplesOf } from './examples.ts';
import { copyButton, fullOf, pathOf } from './pieces.ts';
import type { SampleOf } from './sample.ts';
import { samples } from './samples.ts';
import type { TakesMail } from './words.ts';

const WAYS = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
  claude: 'Claude Code',
  connector: 'Claude, ChatGPT',
  cursor: 'Cursor',
  vscode: 'VS Code',
  a2a: 'A2A',
  mail: 'E-mail',
} as const;
/** A way to connect to an address, as `?lang=` of its page names it. */
export type ConnectWay = keyof typeof WAYS;
export const isConnectWay = (text: unknown): text is ConnectWay =>
  typeof text === 'string' && Object.hasOwn(WAYS, text);

interface Parts {
  readonly behaviors: readonly Behavior[];
  readonly baseUrl: () => string;
  readonly mailDomain: string;
  readonly takesMail: TakesMail;
}

/** What connects an address to programs, assistants, agents and mail programs, ready to paste; without a key where the try-out is open. */
export function connectSection(mailbox: Mailbox, way: ConnectWay, parts: Parts): Html {
  const behavior = parts.behaviors.find(({ name }) => name === mailbox.behavior);
  const target: SampleOf = {
    baseUrl: parts.baseUrl(),
    address: way === 'mail' ? mailAddressOf(mailbox, parts.mailDomain) : fullOf(mailbox, parts.mailDomain),
    body: examplesOf(mailbox, behavior)[0] ?? 'Hello!',
    // The card of an unlisted address is shown to keys of its own namespace alone.
    key: !mailbox.try_out || (way === 'a2a' && mailbox.visibility === 'unlisted'),
  };
  const { code, marked } = samples(target)[way];
  const offered = (Object.keys(WAYS) as ConnectWay[]).filter(
    (one) => one !== 'mail' || (parts.takesMail !== 'no' && mailbox.access === 'public'),
  );
  const page = pathOf(mailbox, parts.mailDomain);
  const choice = offered.map(
    (one) =>
      html`<a class="chip" href="${page}?lang=${one}#connect"${one === way && html` aria-current="true"`}>${WAYS[one]}</a>`,
  );
  // Its own namespace sees the card of an unlisted address, but a page does not know who looks at it.
  const card =
    mailbox.visibility === 'listed' &&
    html` Its card as an agent of A2A: <a href="a2a/${fullOf(mailbox, parts.mailDomain)}/.well-known/agent-card.json">agent-card.json</a>.`;
  return html`<section class="section" id="connect">
<div class="section-head"><h2>Connect</h2><div class="chips">${choice}</div></div>
<div class="code"><pre tabindex="0" aria-label="${WAYS[way]}"><code>${marked}</code></pre>${copyButton('Copy', { text: code })}</div>
<p class="hint">${HOW[way](target)} ${NEEDS_NO_KEY.has(way) ? '' : rights(target, way)}</p>
<p class="hint">More in <a href="docs/connect">Connect</a>.${card}</p>
</section>`;
}

/** What to do with what is copied. */
const HOW: Readonly<Record<ConnectWay, (of: SampleOf) => Html | string>> = {
  curl: () => '',
  typescript: () => html`For Node and browsers. <a href="docs/client">The client</a> does more.`,
  python: () => 'Needs nothing but Python 3.',
  claude: () => 'Run it in a terminal, then ask Claude Code to use it.',
  connector: ({ baseUrl }) =>
    html`In Claude: Customize, Connectors, Add custom connector. In ChatGPT: Settings, Apps, Advanced settings, Developer mode, then Create.${
      baseUrl.startsWith('https:')
        ? ''
        : ' Both reach it over the internet by https alone, and this service has no such URL.'
    }`,
  cursor: () => html`Into <code>.cursor/mcp.json</code> of a project, or <code>~/.cursor/mcp.json</code>.`,
  vscode: () => html`Into <code>.vscode/mcp.json</code> of a project.`,
  a2a: () =>
    html`With <code>npm install @a2a-js/sdk</code>. Any other client of A2A 1.0 takes the same URL, by JSON-RPC or HTTP+JSON: <a href="docs/a2a">A2A</a>.`,
  mail: () => html`In any mail program; the answer comes in the same conversation. <a href="docs/email">E-mail</a>.`,
};

const NEEDS_NO_KEY: ReadonlySet<ConnectWay> = new Set(['mail']);

const rights = ({ key }: SampleOf, way: ConnectWay): Html => {
  if (!key)
    return html`Works as it is, within the limits for guests. A key has higher limits: <a href="new">make an address</a>.`;
  if (way === 'connector')
    return html`Both take no key: they <a href="docs/mcp">sign you in</a>, where this namespace has an address that does so.`;
  return html`This needs a key that may send mail, in <code>MAILROOM_KEY</code>. You get one when you <a href="new">make an address</a>.`;
};
