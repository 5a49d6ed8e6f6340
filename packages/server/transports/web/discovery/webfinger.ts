import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress, lowerCase } from '@mailroom/behavior/values/address';
import { AppError } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import {
  AGENT_REL,
  MAIL_REL,
  MESSAGES_PROPERTY,
  PEER_MAIL_PATH,
  PEER_MESSAGES_PATH,
} from '../../../core/values/peer-doors.ts';
import { pageRoute } from '../../../http/page-route.ts';
import type { Route } from '../../../http/route.ts';
import type { PlaceParts } from '../place.ts';

interface WebFingerParts extends PlaceParts {
  readonly baseUrl: () => string;
  /** Absent where mail is taken by mail alone. */
  readonly peerMail?: unknown;
}

const JRD = 'application/jrd+json; charset=utf-8';
const Query = Type.Object({
  resource: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
  rel: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
});

/** What there is about an address, by `acct:` and the address (RFC 7033). */
export function webfingerRoutes(parts: WebFingerParts): readonly Route[] {
  const { registry, mailDomain, baseUrl } = parts;
  return [
    pageRoute('GET', '/.well-known/webfinger', {
      query: Query,
      async handle({ caller, query }) {
        const { resource, rel } = query;
        const [, text] = /^acct:([^/?#@]+@[^/?#@]+)$/i.exec(typeof resource === 'string' ? resource : '') ?? [];
        // Absent or malformed is 400 (RFC 7033, section 4.2).
        if (text === undefined)
          throw new AppError(
            'malformed_request',
            'Name one address: ?resource=acct:hello@agents.example.com (RFC 7033, section 4.1).',
          );
        const mailbox = await registry.mailbox(caller, lowerCase(text)).catch((error: unknown) => {
          if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
          throw new AppError('mailbox_not_found', `There is no address ${text} here.`);
        });
        const address = fullAddress(addressOf(mailbox), mailDomain);
        const [base, path] = [baseUrl(), encodeURI(address)];
        const links = [
          { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: `${base}/${path}` },
          { rel: AGENT_REL, type: 'application/json', href: `${base}/a2a/${path}/.well-known/agent-card.json` },
          { rel: 'https://modelcontextprotocol.io/rel/server', type: 'application/json', href: `${base}/mcp/${path}` },
          ...(parts.peerMail === undefined
            ? []
            : [
                {
                  ...{ rel: MAIL_REL, type: 'message/rfc822', href: `${base}${PEER_MAIL_PATH}` },
                  properties: { [MESSAGES_PROPERTY]: `${base}${PEER_MESSAGES_PATH}` },
                },
              ]),
        ];
        const wanted = rel === undefined ? undefined : new Set([rel].flat());
        const body = JSON.stringify({
          subject: `acct:${lowerCase(text)}`,
          aliases: [`acct:${address}`, `mailto:${address}`, `${base}/${path}`],
          properties: { 'http://packetizer.com/ns/name': mailbox.display_name ?? mailbox.local_part },
          links: links.filter((link) => wanted === undefined || wanted.has(link.rel)),
        });
        const headers = {
          'content-type': JRD,
          'access-control-allow-origin': '*',
          'cache-control': 'public, max-age=60',
        };
        return { status: 200, headers, body };
      },
    }),
  ];
}
