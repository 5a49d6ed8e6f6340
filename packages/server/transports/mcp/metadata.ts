import { AppError } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import { issuerUrl } from '../../core/entities/client.ts';
import type { ProtectedResources } from '../../core/sign-in/protected-resources.ts';
import type { Limiters } from '../../http/limits.ts';
import { type Answer, type Route, route } from '../../http/route.ts';
import type { SignInIssuers } from './authorize.ts';

interface MetadataParts {
  readonly resources: ProtectedResources;
  readonly issuers: Pick<SignInIssuers, 'signsIn'>;
  readonly baseUrl: () => string;
  readonly limiters: Pick<Limiters, 'pages'>;
}

const BASE = '/.well-known/oauth-protected-resource/mcp';
/** Programs in browsers read them too. */
const HEADERS = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=60' };

/** Where clients learn by which issuer they sign in to a server (RFC 9728). */
export function metadataRoutes({ resources, issuers, baseUrl, limiters }: MetadataParts): readonly Route[] {
  async function answer(name: string | undefined): Promise<Answer> {
    const resource = await resources.byName(name);
    if (resource === undefined || !(await issuers.signsIn(resource.namespace)))
      throw new AppError('not_found', 'No one signs in to a server here. Use an API key.');
    const body = {
      // As it was asked for, because clients compare it with the URL that they connect to (section 3.3).
      resource: resources.uriOf(name),
      authorization_servers: [issuerUrl(baseUrl(), resource.namespace)],
      scopes_supported: resource.offered,
      bearer_methods_supported: ['header'],
      resource_name: name ?? 'Mailroom',
      resource_documentation: `${baseUrl()}/docs/mcp`,
    };
    return { status: 200, headers: HEADERS, body };
  }
  const shared = {
    method: 'GET',
    tag: 'MCP',
    access: 'public',
    limits: [limiters.pages],
    answers: { 200: { description: 'The metadata.', type: 'application/json' } },
    problems: ['not_found'],
  } as const;

  return [
    route({
      ...shared,
      path: BASE,
      id: 'mcpMetadata',
      summary: 'How to sign in to the MCP server of a namespace',
      handle: () => answer(undefined),
    }),
    route({
      ...shared,
      path: `${BASE}/{address}`,
      id: 'mcpMetadataOfAddress',
      summary: 'How to sign in to the MCP server of an address',
      params: Type.Object({ address: Type.String() }),
      handle: ({ params }) => answer(params.address),
    }),
  ];
}
