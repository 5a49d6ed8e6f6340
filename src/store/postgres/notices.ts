import type pg from 'pg';
import type { Notice, Shared } from '../../core/ports/store.ts';
import { Link } from './connection.ts';

const CHANNEL = 'mailroom';
/** Notices within this time are sent together, since each notification costs every node a little. */
const GATHER_MS = 5;
/** A payload must be shorter than 8000 bytes (PostgreSQL, NOTIFY); an id with its comma has 25. */
const MAX_IDS = 300;
/** Notices without ids. */
type Plain = 'due' | 'changed' | 'following';
const PLAIN: ReadonlySet<string> = new Set<Plain>(['due', 'changed', 'following']);
/** Notices with ids. */
const LISTS: ReadonlySet<string> = new Set(['settled', 'events']);

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
  #settled: string[] = [];
  #events = new Set<string>();
  #plain = new Set<Plain>();
  #gathering: NodeJS.Timeout | undefined;

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
    if (notice.kind === 'settled') this.#settled.push(...notice.ids);
    else if (notice.kind === 'events') for (const id of notice.ids) this.#events.add(id);
    else this.#plain.add(notice.kind);
    this.#gathering ??= setTimeout(() => this.#send(), GATHER_MS).unref();
  };

  #send(): void {
    this.#gathering = undefined;
    const payloads: string[] = [...this.#plain];
    for (const [kind, ids] of [['settled', this.#settled] as const, ['events', [...this.#events]] as const]) {
      for (let at = 0; at < ids.length; at += MAX_IDS) {
        payloads.push(`${kind}:${ids.slice(at, at + MAX_IDS).join(',')}`);
      }
    }
    this.#settled = [];
    this.#events = new Set();
    this.#plain = new Set();
    const text = `select pg_notify('${CHANNEL}', p) from unnest($1::text[]) p`;
    this.#link.query({ name: 'tell', text, values: [payloads] }).catch(() => {});
  }

  #onNotice(payload: string): void {
    const [kind, ids] = payload.split(':') as [string, string?];
    const listed = ids !== undefined && LISTS.has(kind);
    // Any other kind is from a newer version and is ignored.
    if (!listed && !PLAIN.has(kind)) return;
    const notice = (listed ? { kind, ids: ids.split(',') } : { kind }) as Notice;
    for (const listener of this.#listeners) listener(notice);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#keep);
    clearTimeout(this.#gathering);
    if (this.#gathering !== undefined) this.#send();
    await this.#link[Symbol.asyncDispose]();
  }
}
