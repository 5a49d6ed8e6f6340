import type pg from 'pg';
import type { Notice, Shared } from '../../core/ports/shared.ts';
import { systemClock } from '../../core/values/clock.ts';
import { newId } from '../../core/values/ids.ts';
import { Link } from './connection.ts';

/** Of notices for all nodes; one for a single node goes by a channel of its own, so that no other has to read it. */
const CHANNEL = 'mailroom';
const channelOf = (node: string): string => `${CHANNEL}_${node}`;
/** For this long after a notification notices are gathered for the next, since each costs every node a little. */
const GATHER_MS = 2;
/** A payload must be shorter than 8000 bytes (PostgreSQL, NOTIFY); an id with its comma has 25. */
const MAX_IDS = 300;
/** Notices without ids. */
type Plain = 'due' | 'changed' | 'following';
const PLAIN: ReadonlySet<string> = new Set<Plain>(['due', 'changed', 'following']);
/** Notices with ids alone. */
const LISTS = ['settled', 'answerable', 'events', 'kept', 'declined'] as const;
type List = (typeof LISTS)[number];
const isList = (kind: string): kind is List => (LISTS as readonly string[]).includes(kind);
/** Notices that a caller waits for, so that they are not gathered. */
const URGENT: ReadonlySet<string> = new Set<Notice['kind']>(['handed', 'answered', 'exchanged', 'wanted']);

/** Statements with urgent notices that are in progress at a time; what comes meanwhile is one statement more. */
const MAX_SENDING = 2;

/** Pause between attempts to reconnect. */
const AGAIN_MS = 500;

interface Sent {
  readonly channel: string;
  readonly payload: string;
}

/**
 * LISTEN and NOTIFY on a connection of its own, whose commits do not wait for the disk: a notice may be lost, so its
 * receivers also poll. A node does not receive its own notices, nor those for another.
 */
export class Notices implements AsyncDisposable {
  /** What other nodes call this one. */
  readonly node = newId('req', systemClock());
  readonly #link: Link;
  readonly #listeners = new Set<(notice: Notice, node: string) => void>();
  readonly #keep: NodeJS.Timeout;
  #lists = new Map<List, Set<string>>();
  /** Other notices, in order, by what they are about. */
  #payloads = new Map<string, Sent>();
  #plain = new Set<Plain>();
  #gathering: NodeJS.Timeout | NodeJS.Immediate | undefined;
  /** Statements that the server has not taken so far. */
  #sending = 0;
  #urgent = false;

  constructor(config: pg.ClientConfig) {
    this.#link = new Link(config, async (client) => {
      client.on('notification', ({ processId, payload = '' }) => {
        if (processId !== this.#link.backend) this.#onNotice(payload, `${processId}`);
      });
      await client.query(`set synchronous_commit = off; listen ${CHANNEL}; listen ${channelOf(this.node)}`);
      // Notices sent while disconnected are lost, so cached look-ups are dropped.
      this.#onNotice('changed');
      this.#onNotice('due');
    });
    this.#keep = setInterval(() => void this.#link.connected().catch(() => {}), AGAIN_MS);
    this.#keep.unref();
  }

  /** Throws when the server cannot be reached. */
  async start(): Promise<void> {
    await this.#link.connected();
  }

  readonly subscribe: Shared['subscribe'] = (listener) => {
    this.#listeners.add(listener);
  };

  readonly publish: Shared['publish'] = (notice) => {
    const { kind } = notice;
    if (isList(kind)) {
      const ids = this.#lists.get(kind) ?? new Set();
      this.#lists.set(kind, ids);
      for (const id of (notice as Extract<Notice, { kind: List }>).ids) ids.add(id);
    } else if (PLAIN.has(kind)) this.#plain.add(kind as Plain);
    else this.#add(notice);
    if (URGENT.has(kind)) {
      this.#urgent = true;
      clearTimeout(this.#gathering as NodeJS.Timeout);
      clearImmediate(this.#gathering as NodeJS.Immediate);
      this.#gathering = setImmediate(() => this.#gathered());
    }
    // The first one is sent with those of this turn of the event loop, because a caller on another node waits for it.
    else this.#gathering ??= setImmediate(() => this.#gathered());
  };

  /** A later notice about the same replaces an earlier one; none is longer than PostgreSQL takes. */
  #add(notice: Notice): void {
    const { kind, ...rest } = notice;
    const about = kind === 'writing' ? `${kind} ${notice.id}` : `${kind} ${this.#payloads.size}`;
    const ids = 'ids' in rest ? rest.ids : undefined;
    const channel = 'to' in rest ? channelOf(rest.to) : CHANNEL;
    for (let at = 0; at === 0 || at < (ids?.length ?? 0); at += MAX_IDS) {
      const part = ids === undefined ? rest : { ...rest, ids: ids.slice(at, at + MAX_IDS) };
      this.#payloads.set(`${about} ${at}`, { channel, payload: `${kind}:${JSON.stringify(part)}` });
    }
  }

  #gathered(): void {
    // What comes while the server takes the last ones is sent after them.
    if (this.#sending >= MAX_SENDING && this.#urgent) this.#gathering = undefined;
    else this.#gathering = this.#send() ? setTimeout(() => this.#gathered(), GATHER_MS).unref() : undefined;
  }

  /** False when there is nothing to send. */
  #send(): boolean {
    const all: Sent[] = Array.from(this.#plain, (payload) => ({ channel: CHANNEL, payload }));
    all.push(...this.#payloads.values());
    for (const [kind, set] of this.#lists) {
      const ids = [...set];
      for (let at = 0; at < ids.length; at += MAX_IDS) {
        all.push({ channel: CHANNEL, payload: `${kind}:${ids.slice(at, at + MAX_IDS).join(',')}` });
      }
    }
    this.#lists = new Map();
    this.#payloads = new Map();
    this.#plain = new Set();
    this.#urgent = false;
    if (all.length === 0) return false;
    const text = 'select pg_notify(c, p) from unnest($1::text[], $2::text[]) as sent(c, p)';
    const values = [all.map(({ channel }) => channel), all.map(({ payload }) => payload)];
    this.#sending++;
    const sent = (): void => {
      this.#sending--;
      if (this.#urgent) this.#gathered();
    };
    this.#link.query({ name: 'notify', text, values }).then(sent, sent);
    return true;
  }

  #onNotice(payload: string, node = ''): void {
    const notice = noticeFrom(payload);
    if (notice !== undefined) for (const listener of this.#listeners) listener(notice, node);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#keep);
    clearTimeout(this.#gathering as NodeJS.Timeout);
    clearImmediate(this.#gathering as NodeJS.Immediate);
    if (this.#gathering !== undefined) this.#send();
    await this.#link[Symbol.asyncDispose]();
  }
}

/** Undefined for a kind that only a newer version knows. */
function noticeFrom(payload: string): Notice | undefined {
  const colon = payload.indexOf(':');
  if (colon < 0) return PLAIN.has(payload) ? ({ kind: payload } as Notice) : undefined;
  const [kind, rest] = [payload.slice(0, colon), payload.slice(colon + 1)];
  if (isList(kind)) return { kind, ids: rest.split(',') };
  // A kind that only a newer version knows finds no listener.
  return rest.startsWith('{') ? ({ kind, ...JSON.parse(rest) } as Notice) : undefined;
}
