import { Type } from 'typebox';
import type { Route } from '../../http/route.ts';
import { route } from '../../http/route.ts';
import { openapiDocument } from './openapi.ts';

/** The documents that describe `routes`: for programs and for people. */
export function documentRoutes(routes: readonly Route[], baseUrl: () => string, version: string): readonly Route[] {
  const all: Route[] = [
    route({
      method: 'GET',
      path: '/api/v1/openapi.json',
      id: 'getOpenapi',
      tag: 'Operations',
      summary: 'This API as OpenAPI 3.1',
      who: 'public',
      answers: { 200: { description: 'The document.', schema: Type.Record(Type.String(), Type.Unknown()) } },
      problems: [],
      handle: () => ({ status: 200, body: openapiDocument([...routes, ...all], baseUrl(), version) }),
    }),
  ];
  return all;
}
