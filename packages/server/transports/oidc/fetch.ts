import type { GuardedFetch } from '../../net/guarded-fetch.ts';

/**
 * Reads what services publish for `oidc-provider`: from public addresses only and without redirects, which `get` must
 * not follow (draft-ietf-oauth-client-id-metadata-document-00, section 5). `may` counts each read, because a failed URL
 * is read again for each request.
 */
export const publishedBy =
  (get: GuardedFetch, may: (url: string) => Promise<boolean>) =>
  async (url: string | URL | Request, options?: RequestInit): Promise<Response> => {
    const href = url instanceof Request ? url.url : String(url);
    if (!(await may(href))) throw new Error('Too many documents were read for this caller. Try again in a minute.');
    const found = await get(href, {
      accept: 'application/json',
      signal: options?.signal ?? AbortSignal.timeout(5_000),
    });
    if (found.cut) throw new Error('The published document is too large.');
    if (found.status !== 200)
      throw new Error(`The request for the published document was answered with ${found.status}.`);
    return new Response(found.text, { headers: { 'content-type': found.media_type } });
  };
