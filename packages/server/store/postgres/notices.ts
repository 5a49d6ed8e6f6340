import type pg from 'pg';
import type { Notice, Shared } from '../../core/ports/shared.ts';
import { Link } from './connection.ts';

const CHANNEL = 'mailroom';
/** For this long after a notification notices are gathered for the next, since each costs every node a little. */
const GATHER_MS = 2;
/** A payload must be shorter than 8000 bytes (PostgreSQL, NOTIFY); an id with its comma has 25. */
const MAX_IDS = 300;
/** Notices without ids. */
type Plain = 'due' | 'changed' | 'following';
const PLAIN: ReadonlySet<string> = new Set<Plain>(['due', 'changed', 'following']);
/** Notices with ids alone. */
const LISTS = ['settled', 'taken', 'answerable', 'deleted', 'events'] as const;
type List = (typeof LISTS)[number];
const isList = (kind: string): kind is List => (LISTS as readonly string[]).includes(kind);

/** Pause between attempts to reconnect. */
const AGAIN_MS = 500;

/**
 * LISTEN and NOTIFY on a connection of its own, whose commits do not wait for the disk: a notice may be lost, so its
 * receivers also poll. A node does not receive its own notices.
 */
export class Notices implements AsyncDisposable {
  readonly #link: Link;
  readonly #listeners = new Set<(notice: Notice) => void>();
  readonly #keep: NodeJS.Timeout;
  #lists = new Map<List, Set<string>>();
  /** Payloads of other notices, in order, by what they are about. */
  #payloads = new Map<string, string>();
  #plain = new Set<Plain>();
  #gathering: NodeJS.Timeout | NodeJS.Immediate | undefined;

  constructor(config: pg.ClientConfig) {
    this.#link = new Link(config, async (client) => {
      client.on('notification', ({ processId, payload = '' }) => {
        if (processId !== this.#link.backend) this.#onNotice(payload);
      });
      await client.query(`set synchronous_commit = off; listen ${CHANNEL}`);
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
    else this.#add(notice as Extract<Notice, { kind: 'writing' }>);
    // The first one is sent with those of this turn of the event loop, because a caller on another node waits for it.
    this.#gathering ??= setImmediate(() => this.#gathered());
  };

  /** A later notice about the same replaces an earlier one. */
  #add({ kind, ...rest }: Extract<Notice, { kind: 'writing' }>): void {
    this.#payloads.set(`${rest.id} ${rest.by}`, `${kind}:${JSON.stringify(rest)}`);
  }

  #gathered(): void {
    // What comes while the server takes the last ones is sent after it.
    this.#gathering = this.#send() ? setTimeout(() => this.#gathered(), GATHER_MS).unref() : undefined;
  }

  /** False when there is nothing to send. */
  #send(): boolean {
    const payloads: string[] = [...this.#plain, ...this.#payloads.values()];
    for (const [kind, set] of this.#lists) {
      const ids = [...set];
      for (let at = 0; at < ids.length; at += MAX_IDS) {
        payloads.push(`${kind}:${ids.slice(at, at + MAX_IDS).join(',')}`);
      }
    }
    this.#lists = new Map();
    this.#payloads = new Map();
    this.#plain = new Set();
    if (payloads.length === 0) return false;
    const text = `select pg_notify('${CHANNEL}', p) from unnest($1::text[]) p`;
    this.#link.query({ name: 'tell', text, values: [payloads] }).catch(() => {});
    return true;
  }

  #onNotice(payload: string): void {
    const notice = noticeFrom(payload);
    if (notice !== undefined) for (const listener of this.#listeners) listener(notice);
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
