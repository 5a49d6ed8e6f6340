import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import { rfc3339 } from '@mailroom/behavior/values/clock';
import type { MailboxSummary } from '../../../core/entities/mailbox.ts';
import { writeCursor } from '../../../core/values/page.ts';
import { examplesOf } from '../examples.ts';

/** The media type of a catalog (AI Catalog 1.0, "Media Type"). */
export const CATALOG_TYPE = 'application/ai-catalog+json';
/** The link relation by which pages name their catalog (AI Catalog 1.0, "Link Relation Discovery"). */
export const CATALOG_RELATION = 'ai-catalog';
/** The media type of an entry that names a registry (Agentic Resource Discovery 0.5, section 4.1). */
const REGISTRY_TYPE = 'application/ai-registry+json';
/** The path of the registry, below which its endpoints are. */
export const REGISTRY_PATH = 'ard';
/** How many sample queries an entry has, where it has any (Agentic Resource Discovery 0.5). */
const [MIN_QUERIES, MAX_QUERIES] = [2, 5];

export type Cataloged = Pick<
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
  /** Whether it is the first page, which names the registry of the service. */
  readonly first: boolean;
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
export function aiCatalog({ mailboxes, first, pages }: CatalogPage, place: CatalogPlace): object {
  const { baseUrl, mailDomain, namespace } = place;
  const publisher = namespace === undefined ? mailDomain : `${namespace}.${mailDomain}`;
  return {
    specVersion: '1.0',
    host: { displayName: namespace ?? 'Mailroom', identifier: publisher, documentationUrl: `${baseUrl}/docs` },
    entries: [
      ...mailboxes.flatMap((mailbox) => entriesOf(mailbox, place)),
      ...(first && namespace === undefined ? [registryEntry(place)] : []),
      ...pages.map((after, index) => ({
        identifier: `urn:air:${publisher}:catalog:page-${index + 2}`,
        type: CATALOG_TYPE,
        displayName: `Page ${index + 2}`,
        url: `${baseUrl}/${catalogPath(namespace)}?cursor=${writeCursor(after)}`,
      })),
    ],
  };
}

/** The registry of this service, which searches what the catalog lists. */
const registryEntry = ({ baseUrl, mailDomain }: Pick<CatalogPlace, 'baseUrl' | 'mailDomain'>): object => ({
  identifier: `urn:air:${mailDomain}:registry:ard`,
  type: REGISTRY_TYPE,
  displayName: 'Search',
  description: 'Finds the listed addresses of this service by what they do.',
  url: `${baseUrl}/${REGISTRY_PATH}`,
});

/** One way to reach an address, as catalogs and registries list it. */
export interface CatalogEntry {
  readonly identifier: string;
  readonly type: string;
  readonly url: string;
  readonly displayName: string;
  readonly description?: string;
  readonly representativeQueries?: readonly string[];
  readonly tags: readonly string[];
  readonly updatedAt: string;
}

/** The types of the entries of an address, in their order. */
export const ENTRY_TYPES = [
  'application/a2a-agent-card+json',
  'application/mcp-server-card+json',
  'text/html',
] as const;

/** The entries of an address, each with its name, which registries require (Agentic Resource Discovery). */
export function entriesOf(
  mailbox: Cataloged,
  { baseUrl, mailDomain }: Pick<CatalogPlace, 'baseUrl' | 'mailDomain'>,
): readonly CatalogEntry[] {
  const { namespace, local_part, display_name, description, behavior, updated_at } = mailbox;
  const address = fullAddress(addressOf(mailbox), mailDomain);
  const domain = `${namespace}.${mailDomain}`;
  const queries = examplesOf({ behavior, settings: {} }, undefined).slice(0, MAX_QUERIES);
  const entry = (kind: string, type: string, url: string): CatalogEntry => ({
    identifier: `urn:air:${domain}:${kind}:${local_part}`,
    type,
    url,
    displayName: display_name ?? address,
    ...(description !== '' && { description }),
    ...(queries.length >= MIN_QUERIES && { representativeQueries: queries }),
    tags: [behavior],
    updatedAt: rfc3339(updated_at),
    ...{ publisher: { identifier: domain, displayName: namespace, identityType: 'dns' } },
  });
  const [a2a, mcp, page] = ENTRY_TYPES;
  return [
    entry('a2a', a2a, `${baseUrl}/a2a/${address}/.well-known/agent-card.json`),
    entry('mcp', mcp, `${baseUrl}/mcp/${address}/server-card`),
    entry('page', page, `${baseUrl}/${address}`),
  ];
}
