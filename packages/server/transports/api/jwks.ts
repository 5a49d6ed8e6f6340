import { Type } from 'typebox';
import { operation, type Route } from '../../http/route.ts';

const Jwk = Type.Object(
  {
    kty: Type.Literal('EC'),
    crv: Type.Literal('P-256'),
    x: Type.String(),
    y: Type.String(),
    kid: Type.String({ description: 'Thumbprint of the key (RFC 7638).' }),
    use: Type.Literal('sig'),
    alg: Type.Literal('ES256'),
  },
  { $id: 'Jwk' },
);
const Jwks = Type.Object({ keys: Type.Array(Jwk) }, { $id: 'Jwks' });

interface JwksParts {
  readonly keyring: { jwks(): Promise<{ readonly keys: readonly object[] }> };
}

/** The public keys at their well-known path (RFC 7517, section 5). */
export const jwksRoutes = ({ keyring }: JwksParts): readonly Route[] => [
  operation('GET', '/.well-known/jwks.json', 'getJwks', {
    tag: 'Operations',
    summary: 'The public keys of what this service signs',
    description: 'Receipts of `do` are signed with one of them. A key signs for 90 days and is listed for five years.',
    access: 'public',
    answers: { 200: { description: 'A JSON Web Key Set.', schema: Jwks } },
    problems: [],
    async handle() {
      return { status: 200, body: await keyring.jwks(), headers: { 'cache-control': 'public, max-age=3600' } };
    },
  }),
];
