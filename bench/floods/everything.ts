import { type Attacker, BY_HAND, type Flood } from '../harness/flood-client.ts';
import { routesInSources } from '../harness/routes.ts';
import { HELLO } from '../harness/service.ts';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
type Request = readonly [method: string, path: string];

/** What stands for each parameter of a path; what exists and what does not. */
const valuesOf = (name: string, namespace: string, address: string): Readonly<Record<string, string>> => ({
  name: namespace,
  namespace,
  address,
  local: address.split('@', 1)[0] as string,
  code: 'validation_error',
  id: `${name}_0d8m3xk2q5v7w9y1a3c0`,
});

const filledIn = (path: string, namespace: string, address: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => valuesOf('msg', namespace, address)[name] ?? 'x');

/** The one that a network comes to after `at` others; each network begins at another place. */
function inTurn<T>(all: readonly T[], { networks }: Attacker, network: string, at: number): T {
  const first = Math.floor((networks.indexOf(network) * all.length) / networks.length);
  return all[(first + at) % all.length] as T;
}

/** Every operation of the OpenAPI document, with a body that is refused late: an object of names that exist. */
const operations: Flood = {
  name: 'every operation of the API',
  async begin(attacker) {
    const home = await attacker.homes(BY_HAND);
    const { text } = await attacker.api(attacker.networks[0] as string, '/openapi.json');
    const { paths } = JSON.parse(text) as Document;
    const requests = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => ['get', 'post', 'patch', 'delete', 'put'].includes(method))
        .map((method): Request => [method.toUpperCase(), path]),
    );
    const body = { to: HELLO, body: 'x', url: 'https://x.example/', name: attacker.unique('n'), scopes: ['mail:send'] };
    return () =>
      attacker.loop(16, (network, at) => {
        const [method, path] = inTurn(requests, attacker, network, at);
        const { key, name, address } = home(network);
        const filled = filledIn(path, name, address);
        // Deleting these would end the flood.
        const target =
          method === 'DELETE' ? filled.replace(name, 'x').replace(encodeURIComponent(address), 'x') : filled;
        return attacker.call(network, target, {
          method,
          key: at % 5 === 4 ? undefined : key,
          ...(method === 'POST' || method === 'PATCH' ? { body: at % 2 === 0 ? body : {} } : {}),
        });
      });
  },
};

const ENTRIES = [
  '/',
  '/new',
  '/docs',
  '/problems',
  '/report',
  '/status',
  '/agents',
  '/agents/hello',
  '/agents/do',
].concat(
  [
    '/proofread@agents.mailroom.localhost',
    '/account',
    '/account/sign-in',
    '/console',
    '/sitemap.xml',
    '/llms.txt',
    '/robots.txt',
  ],
  ['/client.tgz', '/auth.md', '/.well-known/ai-catalog.json', '/openapi.json', '/docs/search?query=send+a+message'],
);
/** Pages that a crawl keeps of each shape, such as those of messages. */
const MAX_OF_SHAPE = 3;
const MAX_PAGES = 400;

interface Site {
  readonly pages: readonly string[];
  readonly forms: readonly { readonly path: string; readonly fields: string }[];
}

/** Follows links and notes the forms, from these pages on. */
async function crawl(attacker: Attacker, network: string, entries: readonly string[], cookie: string): Promise<Site> {
  const waiting = [...entries];
  const seen = new Set(waiting);
  const shapes = new Map<string, number>();
  const forms = new Map<string, string>();
  const origin = `http://localhost:${attacker.target.port}`;
  for (let at = 0; at < waiting.length && at < MAX_PAGES; at++) {
    const path = waiting[at] as string;
    const { text, headers } = await attacker.call(network, path, {
      headers: { accept: 'text/html', cookie, host: `localhost:${attacker.target.port}` },
    });
    if (!/html|xml/.test(String(headers['content-type']))) continue;
    const take = (link: string): string | undefined => {
      const url = URL.canParse(link, origin + path) ? new URL(link.replaceAll('&amp;', '&'), origin + path) : undefined;
      return url?.origin === origin ? url.pathname + url.search : undefined;
    };
    for (const [, link = ''] of text.matchAll(/(?:href|src)="([^"#]+)/g)) {
      const found = take(link);
      const shape = found?.replace(/[a-z]+_[0-9a-z]{15,}|\d+/g, '_') ?? '';
      if (found === undefined || seen.has(found) || (shapes.get(shape) ?? 0) >= MAX_OF_SHAPE) continue;
      if (found.includes('sign-out')) continue;
      seen.add(found);
      shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
      waiting.push(found);
    }
    for (const [whole, attributes = ''] of text.matchAll(/<form([^>]*)>.*?<\/form>/gs)) {
      if (!/method="post"/.test(attributes)) continue;
      const action = take(/action="([^"]*)"/.exec(attributes)?.[1] ?? path);
      if (action === undefined || action.includes('sign-out')) continue;
      const fields = new URLSearchParams();
      for (const [, tag = ''] of whole.matchAll(/<(?:input|textarea|select|button)\b([^>]*)>/g)) {
        const name = /name="([^"]*)"/.exec(tag)?.[1];
        if (name !== undefined) fields.append(name, /value="([^"]*)"/.exec(tag)?.[1] ?? 'x'.repeat(2_000));
      }
      forms.set(`${action} ${[...fields.keys()].join()}`, fields.toString());
    }
  }
  return {
    pages: [...seen],
    forms: [...forms].map(([key, fields]) => ({ path: key.split(' ', 1)[0] as string, fields })),
  };
}

/** Opens pages and sends their forms again and again. */
function browse(attacker: Attacker, sites: ReadonlyMap<string, Site & { readonly cookie: string }>): Promise<void> {
  const host = `localhost:${attacker.target.port}`;
  return attacker.loop(16, (network, at) => {
    const { pages, forms, cookie } = sites.get(network) as Site & { readonly cookie: string };
    const headers = { cookie, host, accept: 'text/html', 'accept-encoding': at % 2 === 0 ? 'br' : 'gzip' };
    const sent = forms[(at >> 2) % forms.length];
    if (at % 4 !== 3 || sent === undefined)
      return attacker.call(network, pages[at % pages.length] as string, { headers });
    return attacker.call(network, sent.path, {
      body: sent.fields,
      headers: { ...headers, origin: `http://${host}`, 'content-type': 'application/x-www-form-urlencoded' },
    });
  });
}

const pages: Flood = {
  name: 'every page and form',
  async begin(attacker) {
    const [first = ''] = attacker.networks;
    const site = { ...(await crawl(attacker, first, ENTRIES, '')), cookie: '' };
    return () => browse(attacker, new Map(attacker.networks.map((network) => [network, site])));
  },
};

const CONSOLE = [
  'inbox',
  'write',
  'drafts',
  'activity',
  'addresses',
  'addresses/new',
  'keys',
  'webhooks',
  'domains',
].concat(['owners', 'settings']);

const FORM = 'application/x-www-form-urlencoded';
const originOf = ({ target }: Attacker) => ({
  host: `localhost:${target.port}`,
  origin: `http://localhost:${target.port}`,
});

/** The cookies of a session in the console. */
async function signedIn(attacker: Attacker, network: string, key: string): Promise<string> {
  const { headers } = await attacker.call(network, '/console', {
    body: new URLSearchParams({ key }).toString(),
    headers: { ...originOf(attacker), accept: 'text/html', 'content-type': FORM },
  });
  return (headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0]).join('; ');
}

/** Every route of the pages, with what exists and what does not, with a session and without. */
const routes: Flood = {
  name: 'every route of the pages',
  async begin(attacker) {
    const home = await attacker.homes(BY_HAND);
    const cookies = new Map<string, string>();
    for (const network of attacker.networks) cookies.set(network, await signedIn(attacker, network, home(network).key));
    const requests = routesInSources().map((route) => route.split(' ') as unknown as Request);
    return () =>
      attacker.loop(16, (network, at) => {
        const [method, path] = inTurn(requests, attacker, network, at);
        const { name, address } = home(network);
        const cookie = at % 5 === 4 || path.endsWith('/sign-out') ? '' : (cookies.get(network) as string);
        return attacker.call(network, filledIn(path, at % 2 === 0 ? address : name, address), {
          method,
          headers: {
            ...originOf(attacker),
            cookie,
            accept: 'text/html',
            ...(method === 'POST' && { 'content-type': FORM }),
          },
          ...(method === 'POST' && { body: 'body=x&name=x' }),
        });
      });
  },
};

const consoles: Flood = {
  name: 'every page and form of the console, search',
  async begin(attacker) {
    const sites = new Map<string, Site & { readonly cookie: string }>();
    for (const network of attacker.networks) {
      const { key, address: to, ...home } = await attacker.home(network, BY_HAND);
      await attacker.mailbox(network, { ...home, key, address: to }, { name: 'do' });
      for (let sent = 0; sent < 15; sent++)
        await attacker.api(network, '/mail/send', { key, body: { to, body: 'a'.repeat(100_000), subject: 'aaaa' } });
      const cookie = await signedIn(attacker, network, key);
      const entries = ['/console', ...CONSOLE.map((name) => `/console/${name}`)];
      const searches = ['query=aaaaaaaab', `query=${'a'.repeat(100)}b`, 'label=unread'].map(
        (query) => `/console?${query}`,
      );
      sites.set(network, { ...(await crawl(attacker, network, [...entries, ...searches], cookie)), cookie });
    }
    return () => browse(attacker, sites);
  },
};

export const EVERYTHING: readonly Flood[] = [operations, pages, consoles, routes];
