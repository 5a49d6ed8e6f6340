import type { Host, HostCipher } from '@mailroom/behavior/host';
import type { BehaviorMailbox } from '@mailroom/behavior/mailbox';
import {
  type OutsideAsked,
  type OutsideClient,
  OutsideError,
  type OutsideLimits,
  type OutsideResult,
  type OutsideTool,
  type OutsideTools,
  type OutsideView,
} from '@mailroom/behavior/outside';
import { MINUTE, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { type FieldError, invalid } from '@mailroom/behavior/values/error';
import type { JsonObject } from '@mailroom/behavior/values/json';
import type { OutsideToolOf } from '@mailroom/english-instructions/tasks/task';
import { isReviewed } from '../reviewed.ts';
import { partyOf } from '../rights.ts';
import type { CallOutside } from '../running/execution-parts.ts';
import { chosenTools, type KnownRemote, knownRemote, toolSha256, toolsSha256 } from './known-remote.ts';
import type { Remote } from './settings.ts';

/** How long a listing is used, and how long a failure. */
const LISTED_MS: Millis = 5 * MINUTE;
const FAILED_MS: Millis = 15 * SECOND;
/** Limits of connecting and listing. */
const LIST_MS: Millis = 10 * SECOND;
const LIST_BYTES = 2 * 1024 * 1024;
/** Bytes of the responses to a call, in those of a step's result: the protocols repeat it, as text and as structure. */
const RESPONSE_FACTOR = 4;
/** Characters of all listings that are kept, and those that one counts for beside its own. */
const MAX_KEPT = 16 * 1024 * 1024;
const KEPT_OVERHEAD = 4_096;

interface Kept {
  readonly listing: Promise<OutsideTools>;
  until: number;
  size: number;
}

/** Whose settings a remote is in. */
type Owner = Pick<BehaviorMailbox, 'namespace_id'>;

const LIMITED =
  'the key that listed it may not read the messages of this mailbox, or expires, so nothing is sent there. Save the settings with a key that may.';

export interface RemotesParts {
  readonly client: OutsideClient;
  readonly seal: HostCipher;
  /** Whether the key that set a mailbox's settings may not have its messages leave. */
  readonly isLimited: (mailbox: BehaviorMailbox) => Promise<boolean>;
}

/** Those of the service, which all behaviors share. */
export const remotesOf = ({ outside, shared }: Host): Remotes =>
  shared(
    'servers and agents of others',
    () => new Remotes({ client: outside.client, seal: outside.cipher, isLimited: outside.isLimited }),
  );

/** The servers and agents that owners list: their tools, kept for minutes, and calls of them. */
export class Remotes {
  readonly #client: OutsideClient;
  readonly #seal: HostCipher;
  readonly #isLimited: RemotesParts['isLimited'];
  readonly #kept = new Map<string, Kept>();
  #size = 0;
  readonly #known = new WeakMap<Remote, { readonly listing: OutsideTools; readonly known: KnownRemote }>();

  constructor({ client, seal, isLimited }: RemotesParts) {
    this.#client = client;
    this.#seal = seal;
    this.#isLimited = isLimited;
  }

  /** The list with its tokens sealed. AppError `validation_error` for a sealed token of another server. */
  sealed(remotes: readonly Remote[], owner: Owner): readonly Remote[] {
    return remotes.map((remote, index) => {
      const { token, url } = remote;
      if (token === undefined) return remote;
      const of = boundTo(owner, url);
      if (!this.#seal.isSealed(token)) return { ...remote, token: this.#seal.seal(token, of) };
      if (this.#seal.open(token, of) !== undefined) return remote;
      throw invalid(
        `/behavior/settings/outside/${index}/token`,
        'This token was kept for another address. Write the token itself again.',
      );
    });
  }

  /** Which URLs cannot be called; their names are looked up. */
  async urlErrors(remotes: readonly Remote[]): Promise<readonly FieldError[]> {
    const found = await Promise.all(remotes.map(({ url }) => this.#client.urlError(url)));
    return found.flatMap((message, at) => (message === undefined ? [] : [{ pointer: `/outside/${at}/url`, message }]));
  }

  /** The listing of a remote, at most minutes old; a new one with `fresh`. Throws OutsideError. */
  async listing(remote: Remote, owner: Owner, { fresh = false, signal }: OutsideAsked): Promise<OutsideTools> {
    const key = [owner.namespace_id, remote.kind, remote.url, remote.token].join('\n');
    const kept = fresh ? undefined : this.#kept.get(key);
    if (kept !== undefined && performance.now() < kept.until) return waitedFor(kept.listing, signal);
    this.#forget(key);
    // One caller's cancellation does not end the listing of another.
    const limits = { ms: LIST_MS, bytes: LIST_BYTES, signal: new AbortController().signal };
    const listing = this.#list(remote, owner, limits);
    const entry: Kept = { listing, until: Number.POSITIVE_INFINITY, size: 0 };
    this.#kept.set(key, entry);
    const keepFor = (ms: Millis, size: number): void => {
      if (this.#kept.get(key) !== entry) return;
      entry.until = performance.now() + ms;
      this.#grow(entry, size);
    };
    this.#grow(entry, KEPT_OVERHEAD + key.length);
    listing.then(
      (tools) => keepFor(LISTED_MS, JSON.stringify(tools).length),
      () => keepFor(FAILED_MS, 0),
    );
    return waitedFor(listing, signal);
  }

  #forget(key: string): void {
    this.#size -= this.#kept.get(key)?.size ?? 0;
    this.#kept.delete(key);
  }

  /** Counts more of a listing, for which those that were asked for longest ago are forgotten. */
  #grow(kept: Kept, size: number): void {
    kept.size += size;
    this.#size += size;
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= MAX_KEPT) break;
      this.#forget(oldest);
    }
  }

  async #list(remote: Remote, owner: Owner, limits: OutsideLimits): Promise<OutsideTools> {
    const token = this.#tokenOf(remote, owner);
    return this.#client.list({ kind: remote.kind, url: remote.url, token }, limits);
  }

  #tokenOf({ token, url }: Remote, owner: Owner): string | undefined {
    if (token === undefined) return undefined;
    // A preview has the token as it was typed.
    if (!this.#seal.isSealed(token)) return token;
    const opened = this.#seal.open(token, boundTo(owner, url));
    if (opened === undefined) throw new OutsideError('Its token cannot be read. Write the token itself again.');
    return opened;
  }

  /** The remote with its tools, or with the reason that it has none. */
  async known(remote: Remote, owner: BehaviorMailbox, limits: OutsideAsked): Promise<KnownRemote> {
    const { name, kind, url: listed } = remote;
    try {
      if (await this.#isLimited(owner)) throw new OutsideError(LIMITED);
      const listing = await this.listing(remote, owner, limits);
      const before = this.#known.get(remote);
      if (before?.listing === listing) return before.known;
      const known = knownRemote(remote, listing);
      this.#known.set(remote, { listing, known });
      return known;
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error;
      return { name, kind, listed, tools: [], accepted: false, error: `${name} cannot be used: ${error.message}` };
    }
  }

  /** The remotes with their tools, for their owner. */
  views(remotes: readonly Remote[], owner: Owner, asked: OutsideAsked): Promise<readonly OutsideView[]> {
    return Promise.all(remotes.map((remote) => this.#view(remote, owner, asked)));
  }

  async #view(remote: Remote, owner: Owner, limits: OutsideAsked): Promise<OutsideView> {
    const { name, kind, url } = remote;
    const none = { title: '', tools: [], tools_sha256: null, accepted: false, left_out: 0 };
    try {
      const listing = await this.listing(remote, owner, limits);
      const chosen = chosenTools(remote, listing);
      const tools_sha256 = toolsSha256(chosen, listing.url);
      const { error = null } = knownRemote(remote, listing);
      // Shown also where they wait to be accepted.
      const known = knownRemote({ ...remote, accepted: tools_sha256 }, listing);
      const tools = known.tools.map(({ name: task, tool, description, effects, approval, sha256 }, at) => {
        const input_schema = (chosen[at] as OutsideTool).input;
        return { task, name: tool, description, input_schema, effects, approval, sha256 };
      });
      const { title, left_out } = listing;
      return {
        name,
        kind,
        url,
        title,
        error,
        tools,
        tools_sha256,
        accepted: remote.accepted === tools_sha256,
        left_out,
      };
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error;
      return { name, kind, url, ...none, error: error.message };
    }
  }

  /** How the steps of a message call the tools of these remotes. */
  caller(
    remotes: readonly Remote[],
    owner: BehaviorMailbox,
    message_id: string,
    { output_bytes }: { readonly output_bytes: number },
  ): CallOutside | undefined {
    if (remotes.length === 0) return undefined;
    const bytes = RESPONSE_FACTOR * output_bytes;
    return (tool, input, { step, ms, signal }) =>
      this.call(remotes, owner, tool, { input, id: `${message_id}.${step}`, ms, bytes, signal });
  }

  /** Calls a tool as it was planned. Throws OutsideError. */
  async call(
    remotes: readonly Remote[],
    owner: BehaviorMailbox,
    { server, tool: name, sha256 }: OutsideToolOf,
    { input, id, ...limits }: OutsideLimits & { readonly input: JsonObject; readonly id: string },
  ): Promise<OutsideResult> {
    const remote = remotes.find((one) => one.name === server);
    if (remote === undefined) throw new OutsideError(`The owner no longer lists ${server}.`);
    if (await this.#isLimited(owner)) throw new OutsideError(`${server} cannot be called: ${LIMITED}`);
    const listing = await this.listing(remote, owner, { signal: limits.signal });
    const tool = listing.tools.find((one) => one.name === name);
    if (tool === undefined || toolSha256(tool, listing.url) !== sha256)
      throw new OutsideError(`${server} has changed ${name} since it was planned. It was not called.`);
    const token = this.#tokenOf(remote, owner);
    return this.#client.call({ kind: remote.kind, url: remote.url, token }, { tool, input, id }, limits);
  }
}

const boundTo = ({ namespace_id }: Owner, url: string): string => `${namespace_id} ${URL.parse(url)?.origin ?? ''}`;

/** The result of a shared promise, unless the signal aborts before. */
function waitedFor<T>(shared: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason as Error);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

/** The hooks of a behavior whose settings list remotes. */
export const outsideHooks = <S extends { readonly outside?: readonly Remote[] }>(remotes: Remotes | undefined) =>
  remotes === undefined
    ? {}
    : {
        targetErrors: ({ outside = [] }: S) => remotes.urlErrors(outside),
        stored: (settings: S, owner: Owner): S =>
          settings.outside === undefined ? settings : { ...settings, outside: remotes.sealed(settings.outside, owner) },
        outside: ({ outside = [] }: S, owner: Owner, asked: OutsideAsked) => remotes.views(outside, owner, asked),
      };

/** The remotes that this sender may use; each call of one waits for approval where an owner sees what leaves. */
export function openRemotes(
  remotes: readonly Remote[],
  sender: Parameters<typeof partyOf>[0],
  mailbox: Pick<BehaviorMailbox, 'namespace_id' | 'outgoing'>,
): readonly Remote[] {
  const party = partyOf(sender, mailbox);
  const open = remotes.filter(
    ({ senders = 'own' }) => party === 'own' || senders === 'anyone' || (senders === 'keys' && party === 'others'),
  );
  return isReviewed(mailbox) ? open.map((remote) => ({ ...remote, approval: 'always' })) : open;
}
