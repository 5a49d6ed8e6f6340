import type pg from 'pg';
import type { Notice, Shared } from '../../core/ports/shared.ts';
import { Link } from './connection.ts';

const CHANNEL = 'mailroom';
/** For this long after a notification notices are gathered for the next, since each costs every node a little. */
const GATHER_MS = 2;
/** A payload must be shorter than 8000 bytes (PostgreSQL, NOTIFY); an id with its comma has 25. */
const MAX_IDS = 300;
/** Notices without ids. */
type Plain = 'due' | 'changed' | 'following' | 'offering';
const PLAIN: ReadonlySet<string> = new Set<Plain>(['due', 'changed', 'following', 'offering']);
/** Notices with ids. */
const LISTS: ReadonlySet<string> = new Set(['settled', 'answerable', 'events', 'withdrawn']);

/** Pause between attempts to reconnect. */
const AGAIN_MS = 500;

/**
 * LISTEN and NOTIFY on a connection of its own, whose commits do not wait for the disk: a notice may be lost, so its
 * receivers also poll. A node does not receive its own notices.
 */
export class Notices implements AsyncDisposable {
  readonly #link: Link;
  readonly #listeners = new Set<(notice: Notice, node: string) => void>();
  readonly #keep: NodeJS.Timeout;
  #settled: string[] = [];
  #answerable: string[] = [];
  #withdrawn: string[] = [];
  /** Payloads of offers and of messages for them. */
  #offers: string[] = [];
  #events = new Set<string>();
  /** Names by the id of the message. */
  #writing = new Map<string, string>();
  #plain = new Set<Plain>();
  #gathering: NodeJS.Timeout | NodeJS.Immediate | undefined;

  constructor(config: pg.ClientConfig) {
    this.#link = new Link(config, async (client) => {
      client.on('notification', ({ processId, payload = '' }) => {
        if (processId !== this.#link.backend) this.#onNotice(payload, `${processId}`);
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
    else if (notice.kind === 'answerable') this.#answerable.push(...notice.ids);
    else if (notice.kind === 'withdrawn') this.#withdrawn.push(...notice.ids);
    else if (notice.kind === 'offered')
      this.#offers.push(`offered:${notice.claim},${notice.mailbox_id},${notice.lease_ms}`);
    else if (notice.kind === 'granted')
      this.#offers.push(`granted:${notice.claim},${notice.message_id},${notice.until}`);
    else if (notice.kind === 'events') for (const id of notice.ids) this.#events.add(id);
    else if (notice.kind === 'writing') this.#writing.set(notice.id, notice.name);
    else this.#plain.add(notice.kind);
    // The first one is sent with those of this turn of the event loop, because a caller on another node waits for it.
    this.#gathering ??= setImmediate(() => this.#gathered());
  };

  #gathered(): void {
    this.#gathering = this.#send() ? setTimeout(() => this.#gathered(), GATHER_MS).unref() : undefined;
  }

  /** False when there is nothing to send. */
  #send(): boolean {
    const payloads: string[] = [...this.#plain, ...this.#offers];
    const lists = {
      settled: this.#settled,
      answerable: this.#answerable,
      events: [...this.#events],
      withdrawn: this.#withdrawn,
    };
    for (const [kind, ids] of Object.entries(lists)) {
      for (let at = 0; at < ids.length; at += MAX_IDS) {
        payloads.push(`${kind}:${ids.slice(at, at + MAX_IDS).join(',')}`);
      }
    }
    for (const [id, name] of this.#writing) payloads.push(`writing:${id},${encodeURIComponent(name)}`);
    this.#writing = new Map();
    this.#settled = [];
    this.#answerable = [];
    this.#withdrawn = [];
    this.#offers = [];
    this.#events = new Set();
    this.#plain = new Set();
    if (payloads.length === 0) return false;
    const text = `select pg_notify('${CHANNEL}', p) from unnest($1::text[]) p`;
    this.#link.query({ name: 'tell', text, values: [payloads] }).catch(() => {});
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
  const [kind = '', listed] = payload.split(':');
  if (listed === undefined) return PLAIN.has(kind) ? ({ kind } as Notice) : undefined;
  const ids = listed.split(',');
  if (LISTS.has(kind)) return { kind, ids } as Notice;
  const [first = '', second = '', third = ''] = ids;
  switch (kind) {
    case 'writing':
      return { kind, id: first, name: decodeURIComponent(second) };
    case 'offered':
      return { kind, claim: first, mailbox_id: second, lease_ms: Number(third) };
    case 'granted':
      return { kind, claim: first, message_id: second, until: Number(third) };
    default:
      return undefined;
  }
}
