import type { Behavior } from '@mailroom/behavior';
import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import { AppError } from '@mailroom/behavior/values/error';
import { sha256 } from '@mailroom/behavior/values/hash';
import { Type } from 'typebox';
import { isOwn } from '../../core/access/caller.ts';
import type { Registry } from '../../core/access/registry.ts';
import type { Limiters } from '../../http/limits.ts';
import { pageRoute } from '../../http/page-route.ts';
import { isKnown } from '../../http/range.ts';
import { type Route, route } from '../../http/route.ts';

/** The media type of a card (SEP-2127, experimental-ext-server-card, "Discovery"). */
const SERVER_CARD_TYPE = 'application/mcp-server-card+json';
/** The versions of the protocol that this server is tested with, the newest first. */
const VERSIONS = ['2026-07-28', '2025-11-25'] as const;
/** Characters of a title or description in a card. */
const MAX_TEXT = 100;

/** What a card says of a server. */
interface CardFields {
  /** Its name in reverse DNS order, such as `com.example.agents/hello`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The URL of its page, and that which clients connect to. */
  readonly page: string;
  readonly url: string;
  /** Whether it answers without a key. */
  readonly open: boolean;
}

interface ServerCardParts {
  readonly registry: Registry;
  readonly behaviors: readonly Behavior[];
  readonly baseUrl: () => string;
  readonly mailDomain: string;
  readonly version: string;
  readonly limiters: Pick<Limiters, 'pages'>;
}

/** The card of an address's MCP server, at the place that MCP reserves for it; of a listed address, as its agent card. */
export const serverCardRoute = (parts: ServerCardParts): Route =>
  route({
    method: 'GET',
    path: '/mcp/{address}/server-card',
    id: 'getMcpServerCard',
    tag: 'MCP',
    summary: 'The card of the MCP server of an address',
    access: 'public',
    limits: [parts.limiters.pages],
    params: Type.Object({ address: Type.String() }),
    answers: { 200: { description: 'A card as of MCP Server Cards, schema v1.', type: SERVER_CARD_TYPE } },
    problems: ['mailbox_not_found', 'mailbox_gone', 'namespace_gone'],
    async handle({ caller, params, headers }) {
      const { registry, behaviors, baseUrl, mailDomain, version } = parts;
      const mailbox = await registry.mailbox(caller, params.address);
      const { visibility, access, display_name: name, try_out: open } = mailbox;
      if (visibility !== 'listed' && !isOwn(caller, mailbox.namespace_id))
        throw new AppError(
          'mailbox_not_found',
          'There is no card at this address. Cards are shown of listed addresses.',
        );
      const known = behaviors.find((one) => one.name === mailbox.behavior);
      const description = mailbox.description || (known?.description ?? null);
      const address = fullAddress(addressOf(mailbox), mailDomain);
      const [local = '', domain = ''] = address.split('@');
      const text = serverCard(
        {
          name: `${reversed(domain)}/${local}`,
          title: name ?? address,
          description: description || `Writes to ${address} and returns its answer.`,
          page: `${baseUrl()}/${address}`,
          url: `${baseUrl()}/mcp/${address}`,
          open,
        },
        version,
      );
      const etag = `"${sha256(text).slice(0, 32)}"`;
      const shared = {
        etag,
        'cache-control': `${access === 'public' && visibility === 'listed' ? 'public' : 'private'}, no-cache`,
        'access-control-allow-origin': '*',
      };
      if (isKnown(headers['if-none-match'], etag)) return { status: 304, headers: shared };
      return { status: 200, headers: { ...shared, 'content-type': SERVER_CARD_TYPE }, body: text };
    },
  });

/** The card of `/mcp`, the server of the namespace of a key, where clients look for that of a host (SEP-2127). */
export const hostCardRoute = ({
  baseUrl,
  mailDomain,
  version,
}: Pick<ServerCardParts, 'baseUrl' | 'mailDomain' | 'version'>): Route =>
  pageRoute('GET', '/.well-known/mcp/server-card.json', {
    handle: () => ({
      status: 200,
      body: serverCard(
        {
          name: `${reversed(mailDomain)}/mailroom`,
          title: 'Mailroom',
          description: 'Sends, reads, searches and answers the messages of a namespace.',
          page: `${baseUrl()}/docs/mcp`,
          url: `${baseUrl()}/mcp`,
          open: false,
        },
        version,
      ),
      headers: {
        'content-type': SERVER_CARD_TYPE,
        'access-control-allow-origin': '*',
        'cache-control': 'public, no-cache',
      },
    }),
  });

const reversed = (domain: string): string => domain.split('.').toReversed().join('.');

/** The card as JSON (MCP Server Cards, schema v1): what the server is and where clients connect. */
function serverCard({ name, title, description, page, url, open }: CardFields, version: string): string {
  return JSON.stringify({
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name,
    version,
    title: shortened(title),
    description: shortened(description),
    websiteUrl: page,
    remotes: [
      {
        type: 'streamable-http',
        url,
        headers: [
          {
            name: 'Authorization',
            description: `"Bearer " and an API key of any namespace${open ? '; without one, the limits for guests hold' : ''}`,
            isRequired: !open,
            isSecret: true,
          },
        ],
        supportedProtocolVersions: VERSIONS,
      },
    ],
  });
}

/** The text in one line, cut at a character's end. */
function shortened(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT - 1).replace(/[\ud800-\udbff]$/u, '')}…`;
}
