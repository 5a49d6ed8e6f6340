import type { GuardedFetch } from '../../net/guarded-fetch.ts';

/**
 * What services publish of themselves, read for `oidc-provider` in the guarded way: public addresses alone, no redirects
 * (draft-ietf-oauth-client-id-metadata-document-00, section 5). `get` has to be one that follows none.
 */
export const publishedBy =
  (get: GuardedFetch) =>
  async (url: string | URL | Request, options?: RequestInit): Promise<Response> => {
    const found = await get(url instanceof Request ? url.url : String(url), {
      accept: 'application/json',
      signal: options?.signal ?? AbortSignal.timeout(5_000),
    });
    if (found.cut) throw new Error('What is published there is too large.');
    if (found.status !== 200) throw new Error(`What is published there was answered with ${found.status}.`);
    return new Response(found.text, { headers: { 'content-type': found.media_type } });
  };
