import type { Behavior, Context, Incoming, Outcome } from '../behavior.ts';
import type { Host, MakeBehavior } from './host.ts';

const NAME = /^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/;
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** What is wrong with the shape of a behavior, one sentence each; empty when nothing is. */
export function shapeErrors(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return ['It is no object.'];
  const { name, title, description, settings, handle, looks } = value as Partial<Behavior>;
  const errors: string[] = [];
  if (typeof name !== 'string' || !NAME.test(name))
    errors.push('`name` must be up to 64 of a-z, 0-9, hyphens and underscores.');
  if (!isText(title)) errors.push('`title` must be a text.');
  if (!isText(description)) errors.push('`description` must be a text.');
  if (typeof settings !== 'object' || settings === null) errors.push('`settings` must be a JSON Schema.');
  if (typeof handle !== 'function') errors.push('`handle` must be a function.');
  if (looks === undefined) return errors;
  for (const field of ['title', 'line', 'verb'] as const)
    if (!isText(looks[field])) errors.push(`\`looks.${field}\` must be a text.`);
  // It stands in a page as it is.
  if (looks.glyph !== undefined && !/^[MmLlHhVvCcSsQqTtAaZz0-9 .,-]*$/.test(looks.glyph))
    errors.push('`looks.glyph` must be the `d` of an SVG path.');
  if (looks.hue !== undefined && !(looks.hue >= 0 && looks.hue <= 360))
    errors.push('`looks.hue` must be from 0 to 360.');
  return errors;
}

const missing = (what: string) => (): never => {
  throw new Error(`The test gives no ${what}.`);
};

/** A host without a model and a network, for tests; `given` replaces parts of it. */
export function testHost(given: Partial<Host> = {}): Host {
  const shared = new Map<string, object>();
  const log = { info() {}, warn() {}, error() {} };
  return {
    settings: {},
    mailDomain: 'mailroom.test',
    clock: Date.now,
    log,
    model: undefined,
    fetch: () => async () => missing('network')(),
    outside: {
      client: {
        urlError: async () => 'The test gives no network.',
        list: missing('network'),
        call: missing('network'),
      },
      cipher: { isSealed: () => false, seal: (secret) => secret, open: (sealed) => sealed },
      isLimited: async () => false,
    },
    receipts: { sign: async () => 'header.payload.signature', signer: missing('signer') },
    issuer: {
      urlOf: (namespace) => `https://mailroom.test/oidc/${namespace}`,
      key: () => undefined,
      mailbox: () => undefined,
      allows: async () => false,
      issue: missing('issuer'),
      begin: missing('issuer'),
    },
    shared<T extends object>(name: string, make: () => T): T {
      const made = (shared.get(name) as T | undefined) ?? make();
      shared.set(name, made);
      return made;
    },
    ...given,
  };
}

/** A message of a guest in a new thread, with the context of a mailbox `test@test` with these settings. */
export function testMessage(
  body: string,
  settings: object = {},
): { readonly message: Incoming; readonly context: Context<never> } {
  const created_at = Date.now();
  const [id, thread_id] = ['msg_00000000000000000000', 'thr_00000000000000000000'];
  const nothing = { in_reply_to: null, retry_of: null, subject: null, data: null, tag: null } as const;
  const mailbox = { id: 'mbx_1', namespace_id: 'ns_1', namespace: 'test', local_part: 'test', domains: [] };
  const stored = { display_name: null, description: '', behavior: 'test', status: 'online', deleted_at: null } as const;
  return {
    message: { id, thread_id, ...nothing, body, created_at, channel: 'web', hops: 0 },
    context: {
      mailbox: { ...mailbox, ...stored, settings: settings as never, created_at, updated_at: created_at },
      settings: settings as never,
      sender: { kind: 'guest', id: thread_id, namespace_id: null, key_id: null, from: null },
      caller: 'guest:test',
      clock: Date.now,
      attachments: { list: [], open: missing('files') },
      signal: new AbortController().signal,
      report() {},
      stream() {},
      again: false,
      services: {
        checkpoint: async () => undefined,
        approved: async () => undefined,
        save: async () => {},
        first: async () => true,
        thread: async () => [],
        owner: { mailbox_id: mailbox.id, owner: `guest:${thread_id}` },
        notes: { get: async () => undefined, find: async () => [], count: async () => 0 },
        schedules: { byId: async () => undefined, of: async () => [], count: async () => 0 },
        planning: async () => ({ max: 0, left: 0, interval_ms: 300_000, claimed: false }),
        ask: missing('other mailboxes'),
        checkRecipient: missing('other mailboxes'),
      },
    },
  };
}

const KINDS: ReadonlySet<string> = new Set(['reply', 'input_required', 'reject', 'fail', 'wait', 'retry']);

/** Texts that arrive sooner or later: nothing, long lines, half a character, markup. */
const HARD = ['', ' \n', 'a'.repeat(64 * 1024), '\ud800', '<script>alert(1)</script>\n\n# *`'];

/**
 * Makes a behavior as the service does, and asks it what each has to answer: a shape that pages can show, an outcome for
 * each text, the same kind of outcome again, a reply to its own example and to each message to click. Throws an Error that
 * names all that is wrong; else resolves with the behavior, which the caller closes. `settings`: of the mailbox asked.
 */
export async function checkBehavior(
  make: MakeBehavior,
  {
    host = {},
    settings = {},
  }: { readonly host?: Partial<Host>; readonly settings?: { readonly [name: string]: unknown } } = {},
): Promise<Behavior> {
  const behavior = await make(testHost(host));
  const errors = [...(behavior === undefined ? ['It made nothing of this host.'] : shapeErrors(behavior))];
  if (behavior === undefined || errors.length > 0) throw new Error(errors.join('\n'));
  const ask = async (body: string): Promise<Outcome | undefined> => {
    const { message, context } = testMessage(body, settings);
    try {
      const outcome = await behavior.handle(message, context as never);
      if (KINDS.has(outcome?.kind)) return outcome;
      errors.push(`${JSON.stringify(body.slice(0, 40))} has no outcome.`);
    } catch (error) {
      errors.push(`${JSON.stringify(body.slice(0, 40))} threw ${String(error)}`);
    }
    return undefined;
  };
  for (const body of HARD) await ask(body);
  const { example, looks, answered } = behavior;
  const clicked = looks?.examples?.(settings) ?? (example === undefined ? [] : [example.body]);
  for (const body of answered === undefined ? [...clicked, ...(example ? [example.body] : [])] : []) {
    const kinds = [(await ask(body))?.kind, (await ask(body))?.kind];
    if (kinds.some((kind) => kind !== 'reply')) errors.push(`${JSON.stringify(body)} has no reply each time.`);
  }
  const properties = (behavior.settings as { readonly properties?: object }).properties ?? {};
  for (const pointer of [...Object.keys(looks?.form ?? {}), ...(looks?.more ?? []).map((name) => `/${name}`)])
    if (!Object.hasOwn(properties, pointer.split('/')[1] ?? '')) errors.push(`There is no setting ${pointer}.`);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return behavior;
}
