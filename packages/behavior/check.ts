import type { Host, MakeBehavior } from './host.ts';
import type { Behavior, Context, Incoming, Outcome } from './index.ts';

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
    fetch: () => Object.assign(async () => missing('network')(), { check: async () => {} }),
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
      trust: { settings: {}, errors: () => [] },
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
        planning: async () => ({
          max: 0,
          left: 0,
          interval_ms: 300_000,
          claimed: false,
          claim_url: 'http://localhost/console/members',
        }),
        ask: missing('other mailboxes'),
        checkRecipient: missing('other mailboxes'),
      },
    },
  };
}

const KINDS: ReadonlySet<string> = new Set(['reply', 'input_required', 'reject', 'fail', 'wait', 'retry']);

/** Texts that arrive sooner or later: nothing, long lines, half a character, markup. */
const HARD = ['', ' \n', 'more words '.repeat(50), '\ud800', '<script>alert(1)</script>\n\n# *`'];

interface CheckOptions {
  /** Replaces parts of a host without a model and a network. */
  readonly host?: Partial<Host>;
  /** Those of the mailbox that is asked. */
  readonly settings?: { readonly [name: string]: unknown };
  /** Whether the reply to its example is word for word that of the example; true by default. */
  readonly exact?: boolean;
}

/**
 * Makes a behavior as the service does, and asks of it what holds for each: a shape that pages can show, an outcome for
 * each text, and each time a reply to its example and to the messages to click. Throws an Error that names all that is
 * wrong; else resolves with the behavior, which the caller closes.
 */
export async function checkBehavior(make: MakeBehavior, options: CheckOptions = {}): Promise<Behavior> {
  const { host = {}, settings = {}, exact = true } = options;
  const behavior = await make(testHost(host));
  if (behavior === undefined) throw new Error('It made nothing of this host.');
  const errors = [...shapeErrors(behavior)];
  const { example, looks, answered } = behavior;
  const ask = async (body: string): Promise<Outcome | undefined> => {
    const { message, context } = testMessage(body, settings);
    const text = JSON.stringify(body.slice(0, 40));
    try {
      const outcome = await behavior.handle(message, context);
      if (KINDS.has(outcome?.kind)) return outcome;
      errors.push(`${text} has no outcome.`);
    } catch (error) {
      errors.push(`${text} threw ${String(error)}.`);
    }
    return undefined;
  };
  if (errors.length === 0) {
    for (const body of HARD) await ask(body);
    const clicked = looks?.examples?.(settings) ?? [];
    const bodies = answered === undefined ? new Set([...clicked, ...(example ? [example.body] : [])]) : [];
    for (const body of bodies) {
      const outcomes = [await ask(body), await ask(body)];
      if (outcomes.some((outcome) => outcome?.kind !== 'reply'))
        errors.push(`${JSON.stringify(body)} has no reply each time.`);
      else if (exact && body === example?.body && (outcomes[0] as { body?: string }).body !== example.reply)
        errors.push(`The reply to its example is ${JSON.stringify((outcomes[0] as { body?: string }).body)}.`);
    }
    errors.push(...unknownSettings(behavior));
  }
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return behavior;
}

/** The settings that its looks name and that its schema does not have. */
function unknownSettings({ settings, looks }: Behavior): readonly string[] {
  const { properties = {} } = settings as { readonly properties?: object };
  const named = [...Object.keys(looks?.form ?? {}), ...(looks?.more ?? []).map((name) => `/${name}`)];
  return named
    .filter((pointer) => !Object.hasOwn(properties, pointer.split('/')[1] ?? ''))
    .map((pointer) => `There is no setting ${pointer}.`);
}
