import type { GuardedFetch } from '../../net/guarded-fetch.ts';

/**
 * What services publish of themselves, read for `oidc-provider` in the guarded way: public addresses alone, no redirects
 * (draft-ietf-oauth-client-id-metadata-document-00, section 5). `get` has to be one that follows none. `may` counts what is
 * read for the request that is being answered: a URL that fails is read again for each one.
 */
export const publishedBy =
  (get: GuardedFetch, may: (url: string) => Promise<boolean>) =>
  async (url: string | URL | Request, options?: RequestInit): Promise<Response> => {
    const href = url instanceof Request ? url.url : String(url);
    if (!(await may(href))) throw new Error('Too much was read for this caller. It goes on in a minute.');
    const found = await get(href, {
      accept: 'application/json',
      signal: options?.signal ?? AbortSignal.timeout(5_000),
    });
    if (found.cut) throw new Error('What is published there is too large.');
    if (found.status !== 200) throw new Error(`What is published there was answered with ${found.status}.`);
    return new Response(found.text, { headers: { 'content-type': found.media_type } });
  };
