import type { Behavior } from '@mailroom/behavior';
import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import { AppError } from '@mailroom/behavior/values/error';
import { sha256 } from '@mailroom/behavior/values/hash';
import { Type } from 'typebox';
import { isOwn } from '../../core/access/caller.ts';
import type { Registry } from '../../core/access/registry.ts';
import type { Limiters } from '../../http/limits.ts';
import { isKnown } from '../../http/range.ts';
import type { Route } from '../../http/route.ts';
import { route } from '../../http/route.ts';

/** The media type of a card (SEP-2127, experimental-ext-server-card, "Discovery"). */
const SERVER_CARD_TYPE = 'application/mcp-server-card+json';
/** The versions of the protocol that this server is tested with, the newest first. */
const VERSIONS = ['2026-07-28', '2025-11-25'] as const;
/** Characters of a title or description in a card. */
const MAX_TEXT = 100;

/** What a card says of an address. */
interface CardFields {
  readonly address: string;
  readonly name: string | null;
  readonly description: string | null;
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
      const text = serverCard({ address, name, description, open }, baseUrl(), version);
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

/** The card as JSON (MCP Server Cards, schema v1): what the server is and where clients connect. */
function serverCard(fields: CardFields, baseUrl: string, version: string): string {
  const [local = '', domain = ''] = fields.address.split('@');
  return JSON.stringify({
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${domain.split('.').toReversed().join('.')}/${local}`,
    version,
    title: shortened(fields.name ?? fields.address),
    description: shortened(fields.description || `Writes to ${fields.address} and returns its answer.`),
    websiteUrl: `${baseUrl}/${fields.address}`,
    remotes: [
      {
        type: 'streamable-http',
        url: `${baseUrl}/mcp/${fields.address}`,
        headers: [
          {
            name: 'Authorization',
            description: `"Bearer " and an API key of any namespace${fields.open ? '; without one, the limits for guests hold' : ''}`,
            isRequired: !fields.open,
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
