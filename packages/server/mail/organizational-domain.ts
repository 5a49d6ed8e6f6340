import { createRequire } from 'node:module';
import type * as Suffixes from 'tldts';

let suffixes: typeof Suffixes | undefined;

/**
 * The domain that an organization registered, below which others are its own (RFC 7489, section 3.2), by the list of public
 * suffixes, which takes a while to load; null for a public suffix.
 */
export function organizationalDomain(domain: string): string | null {
  suffixes ??= createRequire(import.meta.url)('tldts') as typeof Suffixes;
  return suffixes.parse(domain, { allowPrivateDomains: true }).domain;
}
