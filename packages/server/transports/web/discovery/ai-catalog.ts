import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import { rfc3339 } from '@mailroom/behavior/values/clock';
import type { MailboxSummary } from '../../../core/entities/mailbox.ts';
import { writeCursor } from '../../../core/values/page.ts';

/** The media type of a catalog (AI Catalog 1.0, "Media Type"). */
export const CATALOG_TYPE = 'application/ai-catalog+json';
/** The link relation by which pages name their catalog (AI Catalog 1.0, "Link Relation Discovery"). */
export const CATALOG_RELATION = 'ai-catalog';

type Cataloged = Pick<
  MailboxSummary,
  'local_part' | 'namespace' | 'display_name' | 'description' | 'behavior' | 'updated_at'
>;

/** Where a catalog is, and what it names. */
export interface CatalogPlace {
  readonly baseUrl: string;
  readonly mailDomain: string;
  /** The namespace whose addresses it lists; undefined for all of the service. */
  readonly namespace: string | undefined;
}

/** A catalog, or one page of it. */
interface CatalogPage {
  readonly mailboxes: readonly Cataloged[];
  /** The ids of the mailboxes after which further pages begin; empty on those pages. */
  readonly pages: readonly string[];
}

/** The path of a catalog, without a leading slash. */
export const catalogPath = (namespace: string | undefined): string =>
  namespace === undefined ? '.well-known/ai-catalog.json' : `${namespace}/ai-catalog.json`;

/**
 * An AI Catalog (github.com/Agent-Card/ai-catalog, `specVersion` 1.0): of each address its A2A agent card, its MCP server
 * card and its page, then one nested catalog for each further page. All further pages are named by the first one, because
 * clients follow only a few levels of nesting.
 */
export function aiCatalog({ mailboxes, pages }: CatalogPage, place: CatalogPlace): object {
  const { baseUrl, mailDomain, namespace } = place;
  const publisher = namespace === undefined ? mailDomain : `${namespace}.${mailDomain}`;
  return {
    specVersion: '1.0',
    host: { displayName: namespace ?? 'Mailroom', identifier: publisher, documentationUrl: `${baseUrl}/docs` },
    entries: [
      ...mailboxes.flatMap((mailbox) => entriesOf(mailbox, place)),
      ...pages.map((after, index) => ({
        identifier: `urn:air:${publisher}:catalog:page-${index + 2}`,
        type: CATALOG_TYPE,
        displayName: `Page ${index + 2}`,
        url: `${baseUrl}/${catalogPath(namespace)}?cursor=${writeCursor(after)}`,
      })),
    ],
  };
}

/** The entries of an address, each with its name, which registries require (Agentic Resource Discovery). */
function entriesOf(mailbox: Cataloged, { baseUrl, mailDomain }: CatalogPlace): object[] {
  const { namespace, local_part, display_name, description, behavior, updated_at } = mailbox;
  const address = fullAddress(addressOf(mailbox), mailDomain);
  const domain = `${namespace}.${mailDomain}`;
  const entry = (kind: string, type: string, url: string, more: object = {}) => ({
    identifier: `urn:air:${domain}:${kind}:${local_part}`,
    type,
    url,
    displayName: display_name ?? address,
    ...more,
    tags: [behavior],
    updatedAt: rfc3339(updated_at),
    publisher: { identifier: domain, displayName: namespace, identityType: 'dns' },
  });
  return [
    entry('a2a', 'application/a2a-agent-card+json', `${baseUrl}/a2a/${address}/.well-known/agent-card.json`),
    entry('mcp', 'application/mcp-server-card+json', `${baseUrl}/mcp/${address}/server-card`),
    entry('page', 'text/html', `${baseUrl}/${address}`, description === '' ? {} : { description }),
  ];
}
