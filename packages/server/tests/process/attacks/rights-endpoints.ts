import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, HELLO } from '../../../../../tests/harness/client.ts';
import type { SharedService } from '../../../../../tests/harness/service.ts';
import { LONG } from '../../../../../tests/soak/length.ts';
import { asCursor, assertHidden } from './rights-hidden.ts';
import { absent, type Caller, isAllowed, type Kind, newWorld } from './rights-world.ts';

interface Operation {
  readonly operationId: string;
  readonly 'x-scope'?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> };
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Schema> };
}

/** Tries every endpoint with what is another's, one of so many targets. Registers its tests. */
export async function tryEndpoints(service: SharedService, every = 1): Promise<void> {
  const client = connect(service.url);
  const world = await newWorld(client, every);
  const { back, auth, theirs, theirAuth, theirHook, targets, callers } = world;

  const { paths, components } = (await client.api<Document>('GET', '/openapi.json')).body;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const resolved = (schema: Schema | undefined): Schema =>
    schema?.$ref === undefined ? (schema ?? {}) : (components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});

  /** The kind of id that a path holds behind each of these words. */
  const KINDS: Readonly<Record<string, Kind>> = {
    messages: 'msg',
    threads: 'thr',
    attachments: 'att',
    drafts: 'drf',
    reviews: 'rev',
    webhooks: 'whk',
    deliveries: 'dlv',
    keys: 'key',
    clients: 'cli',
    'registration-tokens': 'rgt',
    services: 'svc',
    mailboxes: 'address',
  };
  /** Bodies that are complete, so that nothing but the ids can be refused. */
  const BODIES: Readonly<Record<string, object>> = {
    sendMessage: { to: theirs.address, body: 'Hi' },
    tryMailbox: { to: theirs.address, body: 'Hi' },
    createDraft: { body: 'Hi' },
    updateDraft: { subject: 'x' },
    approveReview: { hash: '0'.repeat(64) },
    rejectReview: { reason: 'x' },
    changeReview: { body: 'x' },
    updateMessage: { labels: { add: ['x'] } },
    changeThread: { state: 'waiting' },
    addNote: { body: 'Hi' },
    answerMessage: { body: 'Hi' },
    answerMessages: { answers: [{ message_id: 'msg_0', claim: `clm_${'0'.repeat(20)}`, body: 'Hi' }] },
    reportProgress: { claim: `clm_${'0'.repeat(20)}` },
    releaseMessage: { claim: `clm_${'0'.repeat(20)}` },
    claimMessages: { wait: 0 },
    waitForMessage: { wait: 0 },
    tryRules: { rules: [] },
    createMailbox: { local_part: 'front', behavior: HELLO },
    updateMailbox: { description: 'x' },
    createClient: { name: 'Shop', redirect_uris: ['https://shop.example/callback'] },
    updateClient: { client_uri: 'https://shop.example' },
    allowService: { issuer: world.home.name, client_id: 'x' },
    updateNamespace: { display_name: 'x' },
    createWebhook: { url: 'https://hooks.invalid/', types: ['webhook.disabled'] },
    updateWebhook: { types: ['webhook.disabled'] },
    replayWebhook: { since: '2026-01-01T00:00:00Z' },
    createKey: { scopes: ['mail:send'] },
  };
  /** What an operation takes that has no scope of its own. */
  const TAKES: Readonly<Record<string, readonly string[]>> = {
    getMessage: ['messages:read'],
    getThread: ['messages:read'],
    getAttachment: ['messages:read', 'mail:answer'],
    cancelMessage: ['mailboxes:write', 'messages:read'],
    retryMessage: ['mailboxes:write', 'messages:read'],
    trashMessage: ['mail:answer', 'messages:read'],
    restoreMessage: ['mail:answer', 'messages:read'],
    changeThread: ['mail:answer', 'mailboxes:write'],
    addNote: ['mail:answer', 'mailboxes:write'],
  };
  const takes = ({ operationId, 'x-scope': scope }: Operation): readonly string[] =>
    TAKES[operationId] ?? (scope === undefined ? [] : [scope]);

  const seenBefore = await world.seen();
  let requestCount = 0;
  /** Targets for callers without the scope, for whom none is looked for; `packages/server/tests/api/rights-matrix.test.ts` has them all. */
  const WITHOUT_SCOPE = LONG ? Number.POSITIVE_INFINITY : 0;

  /** The ways to fill a path so that one place holds an id of the target's kind. */
  function waysOf(path: string): readonly { readonly kind: Kind; at(id: string): string }[] {
    const parts = path.split('/');
    const places = parts.flatMap((part, at) => (part.startsWith('{') ? [at] : []));
    return places.flatMap((place) => {
      const kind = KINDS[parts[place - 1] ?? ''];
      if (kind === undefined) return [];
      const parents = place === places[0] ? [undefined] : [true, false];
      return parents.map((foreign) => ({
        kind,
        at: (id: string) =>
          parts
            .map((part, at) => {
              if (at === place) return encodeURIComponent(id);
              if (!part.startsWith('{')) return part;
              const parentKind = KINDS[parts[at - 1] ?? ''];
              if (parentKind === 'whk')
                return foreign === true ? (targets.find((one) => one.kind === 'whk')?.id ?? '') : theirHook;
              if (parentKind === 'address' && kind === 'svc') return foreign === true ? back.address : theirs.address;
              if (parentKind === 'address') return foreign === true ? auth.address : theirAuth.address;
              return absent(targets.find((one) => one.kind === parentKind)?.id ?? 'x');
            })
            .join('/'),
      }));
    });
  }

  for (const { method, path, operation } of operations) {
    const ways = waysOf(path);
    if (ways.length === 0) continue;
    test(`${method} ${path} is answered about what is another's as about what is not there`, async () => {
      const body = method === 'GET' ? undefined : BODIES[operation.operationId];
      const forms = method === 'GET' ? [{}, { accept: 'text/event-stream' }] : [{}];
      for (const caller of callers)
        for (const { kind, at } of ways)
          for (const headers of forms) {
            const scope = operation['x-scope'];
            const all = targets.filter((one) => one.kind === kind && !isAllowed(caller, one, takes(operation)));
            const hidden = scope === undefined || caller.scopes.includes(scope) ? all : all.slice(0, WITHOUT_SCOPE);
            requestCount += 2 * hidden.length;
            await assertHidden(world, `${method} ${path}`, caller, hidden, (id) => ({
              method,
              path: at(id),
              body,
              headers,
            }));
          }
    });
  }

  /** The kinds of ids that fields of bodies and queries name. */
  const FIELDS: Readonly<Record<string, readonly Kind[]>> = {
    thread_id: ['thr'],
    in_reply_to: ['msg'],
    caused_by: ['msg'],
    message_id: ['msg'],
    from: ['address'],
    to: ['address'],
    mailbox: ['address'],
    claim: ['clm'],
    cursor: ['msg', 'drf', 'key', 'whk'],
  };

  for (const { method, path, operation } of operations) {
    const schema = resolved(operation.requestBody?.content['application/json']?.schema);
    const inner = Object.values(schema.properties ?? {}).map(({ items }) => resolved(items).properties ?? {});
    const names = [schema.properties ?? {}, ...inner].flatMap((one) => Object.keys(one));
    const fields = names.filter((name) => name in FIELDS);
    const queries = (operation.parameters ?? []).filter((one) => one.in === 'query' && one.name in FIELDS);
    if (fields.length + queries.length === 0) continue;
    test(`${method} ${path} takes what is another's in a field as what is not there`, async () => {
      // What the path names is the caller's own, or not there.
      const ownPath = (caller: Caller): string =>
        path.replace(/\{(\w+)\}/g, (_all, name: string) => {
          if (name === 'address') return caller.own === true ? world.front.address : theirs.address;
          if (name === 'name') return caller.own === true ? world.home.name : world.other.name;
          return absent(
            targets.find(
              ({ kind }) => kind === KINDS[path.split('/').at(path.split('/').indexOf(`{${name}}`) - 1) ?? ''],
            )?.id ?? 'x',
          );
        });
      const { operationId } = operation;
      for (const caller of callers)
        for (const name of [...fields, ...queries.map((one) => one.name)])
          for (const kind of FIELDS[name] ?? []) {
            // What a key may read itself is not hidden from it in a field either.
            const reads = caller.own === true && (caller.bound !== true || kind === 'address' || name === 'cursor');
            const all = reads
              ? []
              : targets.filter(
                  (one) =>
                    one.kind === kind &&
                    (caller.own !== true || one.at === undefined) &&
                    (caller.guest !== true || one.at !== 'guest'),
                );
            const scope = operation['x-scope'];
            const hidden = scope === undefined || caller.scopes.includes(scope) ? all : all.slice(0, WITHOUT_SCOPE);
            requestCount += 2 * hidden.length;
            await assertHidden(world, `${name} of ${method} ${path}`, caller, hidden, (id) => {
              if (!fields.includes(name)) {
                const value = name === 'cursor' ? asCursor(id) : id;
                return { method, path: `${ownPath(caller)}?${new URLSearchParams({ [name]: value })}` };
              }
              const body = BODIES[operationId] ?? {};
              const whole =
                operationId === 'answerMessages'
                  ? {
                      answers: [
                        {
                          message_id: absent(targets[0]?.id ?? ''),
                          claim: `clm_${'0'.repeat(20)}`,
                          body: 'Hi',
                          [name]: id,
                        },
                      ],
                    }
                  : { ...body, [name]: id };
              return { method, path: ownPath(caller), body: whole };
            });
          }
    });
  }

  test('none of all that changed anything', async (t) => {
    assert.equal(await world.seen(), seenBefore);
    t.diagnostic(`${requestCount} requests`);
    assert.ok(requestCount > 3_000 / every, `${requestCount}`);
  });
}
