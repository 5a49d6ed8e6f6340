import type pg from 'pg';
import type { Notice, Shared } from '../../core/ports/store.ts';
import { Link } from './connection.ts';

const CHANNEL = 'mailroom';
/** What is told within this time goes out together: a notification costs every node a little. */
const GATHER_MS = 5;
/** A payload has to be shorter than 8000 bytes (PostgreSQL, NOTIFY); an id with its comma has 25. */
const MAX_IDS = 300;
/** Notices of one word. */
type Plain = 'due' | 'changed' | 'following';
const PLAIN: ReadonlySet<string> = new Set<Plain>(['due', 'changed', 'following']);
/** Those with ids. */
const LISTS: ReadonlySet<string> = new Set(['settled', 'events']);

/** How often a connection that was lost is tried for again. */
const AGAIN_MS = 500;

/**
 * LISTEN and NOTIFY on a connection of its own, whose commits wait for no disk: a notice may be lost, so whoever waits
 * for one looks by itself after a while. A node does not hear itself.
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
      // What was told while nobody listened is not told again.
      this.#onNotice('changed');
      this.#onNotice('due');
    });
    this.#keep = setInterval(() => void this.#link.connected().catch(() => {}), AGAIN_MS);
    this.#keep.unref();
  }

  /** Throws when the server is not to be had. */
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
    // Else it is a newer version's word.
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
