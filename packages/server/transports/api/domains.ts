import { Type } from 'typebox';
import type { DomainRegistry } from '../../core/access/domain-registry.ts';
import { type Domain, DomainView, domainView, MAX_DOMAINS, NewDomain } from '../../core/entities/domain.ts';
import { PageOf } from '../../core/values/page.ts';
import type { Limiters } from '../../http/limits.ts';
import { operation, type Route } from '../../http/route.ts';
import { NamespaceParam, noContent, onePage, PageQuery, pageAnswer, readPage } from './parts.ts';

const PATH = '/api/v1/namespaces/{name}/domains';
const OF = { tag: 'Domains', access: 'owner' } as const;
const DomainParams = Type.Object({
  ...NamespaceParam.properties,
  domain: Type.String({ description: 'In A-labels or in any script.', examples: ['mail.example.com'] }),
});
const PROBLEMS = ['namespace_not_found', 'namespace_gone', 'access_denied'] as const;

/** What routes of one domain share. */
const OF_ONE = { ...OF, params: DomainParams, problems: [...PROBLEMS, 'not_found'] } as const;

const pathOf = (name: string): string => PATH.replace('{name}', name);

interface DomainParts {
  readonly domains: DomainRegistry;
  readonly limiters: Pick<Limiters, 'domainChecks'>;
}

/** Domains of owners beside the domain of the service. */
export function domainRoutes({ domains, limiters }: DomainParts): readonly Route[] {
  const viewIn = (namespace: string) => (domain: Domain) => domainView(domain, namespace, domains.records(domain));

  return [
    operation('GET', PATH, 'listDomains', {
      ...OF,
      summary: "The namespace's domains",
      params: NamespaceParam,
      query: PageQuery,
      answers: onePage('A page of domains, in the order they were added.', PageOf(DomainView, 'DomainPage')),
      problems: PROBLEMS,
      async handle({ caller, params: { name }, query }) {
        const { after, size } = readPage(query);
        const all = (await domains.list(caller, name)).filter(({ id }) => id > (after ?? ''));
        const items = all.slice(0, size);
        const next = items.length < all.length ? (items.at(-1)?.id ?? null) : null;
        return pageAnswer({ items, next }, viewIn(name), pathOf(name), query);
      },
    }),
    operation('POST', PATH, 'addDomain', {
      ...OF,
      summary: 'Add a domain of yours',
      description: `Publish the records of the answer in DNS. Once the TXT record of verification is found, \`hello@\` your domain reaches the mailbox \`hello\` of the namespace, beside its address here, and answers leave from the address that was written to, signed for your domain. It is looked up by itself, ever less often, for three weeks, and at once by \`verify\`. Adding it again answers with what there is. Other namespaces may add the same domain; it is verified in one at a time. Requires an owner key that does not expire, and a namespace that has an owner (claimed). A namespace has at most ${MAX_DOMAINS} domains.`,
      params: NamespaceParam,
      body: NewDomain,
      answers: {
        200: { description: 'The namespace had it already.', schema: DomainView },
        201: { description: 'The domain with the records to publish.', schema: DomainView, headers: ['Location'] },
      },
      problems: PROBLEMS,
      async handle({ caller, params: { name }, body }) {
        const { domain, added } = await domains.add(caller, name, body.domain);
        const shown = viewIn(name)(domain);
        if (!added) return { status: 200, body: shown };
        return { status: 201, body: shown, headers: { location: `${pathOf(name)}/${domain.domain}` } };
      },
    }),
    operation('GET', `${PATH}/{domain}`, 'getDomain', {
      ...OF_ONE,
      summary: 'Get a domain with its records',
      answers: { 200: { description: 'The domain.', schema: DomainView } },
      async handle({ caller, params: { name, domain } }) {
        return { status: 200, body: viewIn(name)(await domains.get(caller, name, domain)) };
      },
    }),
    operation('POST', `${PATH}/{domain}/verify`, 'verifyDomain', {
      ...OF,
      summary: 'Look up its records now',
      description:
        'Answers with what DNS says about each record. A domain that is verified in another namespace, whose TXT record is still there, is 409; without that record it is verified here, and the other one fails.',
      limits: [limiters.domainChecks],
      counted_for: 'namespace',
      params: DomainParams,
      answers: { 200: { description: 'The domain as it is now, verified or not.', schema: DomainView } },
      problems: [...PROBLEMS, 'not_found', 'domain_taken'],
      async handle({ caller, params: { name, domain } }) {
        return { status: 200, body: viewIn(name)(await domains.verify(caller, name, domain)) };
      },
    }),
    operation('POST', `${PATH}/{domain}/rotate`, 'rotateDomainKeys', {
      ...OF_ONE,
      summary: 'Make new signing keys',
      description:
        'Publish the records of the new keys (`keys` with the status `waiting`). They sign mail once all of them are found, which is looked up after a minute, then each hour, and at once by `verify`; until then those before sign. A week later those are removed, and so may be their records. While new keys wait for their records, no others are made, so it may be repeated.',
      limits: [limiters.domainChecks],
      counted_for: 'namespace',
      answers: { 200: { description: 'The domain with the records to publish.', schema: DomainView } },
      async handle({ caller, params: { name, domain } }) {
        return { status: 200, body: viewIn(name)(await domains.rotate(caller, name, domain)) };
      },
    }),
    operation('DELETE', `${PATH}/{domain}`, 'removeDomain', {
      ...OF_ONE,
      summary: 'Remove a domain',
      description:
        'With its keys. Mail to its addresses is refused from then on (550); answers that wait leave from the address at the domain of the service. Added again it has other records.',
      answers: { 204: noContent },
      async handle({ caller, params: { name, domain } }) {
        await domains.remove(caller, name, domain);
        return { status: 204 };
      },
    }),
  ];
}
