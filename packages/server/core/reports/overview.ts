import { rfc3339 } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';
import { type MailboxSummary, MailboxView, mailboxView } from '../entities/mailbox.ts';
import type { StorageUse } from '../limits/storage-meter.ts';
import type { Store } from '../ports/store.ts';
import type { Span, Statistic, Statistics } from './statistics.ts';
import { type Waiting, WaitingCounts, type WaitingKind, type WaitingLists } from './waiting.ts';

const counted = ({ items, more }: WaitingLists[WaitingKind]) => ({ count: items.length, more });

/** Mailboxes that an overview lists. */
const MAX_SHOWN = 50;
/** Mailboxes whose unread conversations and labels it has. */
const MAX_COUNTED = 100;

export const Overview = Type.Object(
  {
    mailboxes: Type.Array(
      Type.Object({ ...MailboxView.properties, unread: Type.Integer({ description: 'Its unread conversations.' }) }),
      {
        description: `Those to which most was sent in the last 24 hours first, then in the order they were made; up to ${MAX_SHOWN}.`,
      },
    ),
    mailbox_count: Type.Integer({ description: 'How many mailboxes there are.' }),
    unread: Type.Integer({
      description: `The unread conversations of ${MAX_COUNTED} mailboxes, those of \`mailboxes\` first.`,
    }),
    labels: Type.Array(Type.String(), { description: 'The labels in those mailboxes.' }),
    ...WaitingCounts,
    storage: Type.Object({ bytes: Type.Integer(), max_bytes: Type.Integer(), nearly_full: Type.Boolean() }),
  },
  { $id: 'Overview', description: 'A namespace at a glance.' },
);
export type Overview = Type.Static<typeof Overview>;

const FIGURES = {
  arrived: Type.Integer(),
  failed: Type.Integer(),
  answered: Type.Integer({ description: 'With an answer or a question.' }),
  median_ms: Type.Union([Type.Number(), Type.Null()], { description: 'From arrival to answer.' }),
  p95_ms: Type.Union([Type.Number(), Type.Null()]),
};
const Time = Type.String({ format: 'date-time' });

export const Activity = Type.Object(
  {
    span: Type.Enum(['24h', '30d']),
    total: Type.Object(FIGURES),
    buckets: Type.Array(Type.Object({ from: Time, to: Time, ...FIGURES }), {
      description: 'By the hour, or by the UTC day, oldest first; the last one is under way.',
    }),
    mailboxes: Type.Array(Type.Object({ mailbox: MailboxView, ...FIGURES }), {
      description: 'The busiest first, up to 50.',
    }),
    arrived: Type.Record(Type.String(), Type.Integer(), {
      description: 'How many messages arrived in each mailbox, by its id, without a limit on mailboxes.',
    }),
    loops: Type.Array(MailboxView, { description: 'The mailboxes whose messages went in circles.' }),
  },
  { $id: 'Activity', description: 'What arrived and how it ended.' },
);
export type Activity = Type.Static<typeof Activity>;

interface OverviewParts {
  readonly store: Pick<Store, 'mailboxes' | 'messages' | 'labels'>;
  readonly waiting: Waiting;
  readonly statistics: Statistics;
  readonly storage: { use(namespaceId: string): Promise<StorageUse> };
  readonly mailDomain: string;
}

/** A namespace at a glance, and its figures. */
export class Overviews {
  readonly #parts: OverviewParts;

  constructor(parts: OverviewParts) {
    this.#parts = parts;
  }

  /** `only`: the ids of the mailboxes that it is about; null for all. */
  async of(namespaceId: string, only: readonly string[] | null = null): Promise<Overview> {
    const { store, statistics, storage, mailDomain } = this.#parts;
    const [every, day, waiting, used] = await Promise.all([
      store.mailboxes.ids(namespaceId),
      statistics.of(namespaceId, '24h', only ?? undefined),
      this.#parts.waiting.of(namespaceId, only),
      storage.use(namespaceId),
    ]);
    const ids = only === null ? every : every.filter((id) => only.includes(id));
    const first = [...new Set([...day.mailboxes.map(({ mailbox_id }) => mailbox_id), ...ids])].slice(0, MAX_SHOWN);
    const mailboxes = await this.#byIds(first);
    const all = [...new Set([...mailboxes.map(({ id }) => id), ...ids])].slice(0, MAX_COUNTED);
    const [unread, labels] = await Promise.all([store.messages.unread(all), store.labels.names(all)]);
    return {
      mailboxes: mailboxes.map((one) => ({ ...mailboxView(one, mailDomain), unread: unread.get(one.id) ?? 0 })),
      mailbox_count: ids.length,
      unread: [...unread.values()].reduce((sum, one) => sum + one, 0),
      labels: [...labels],
      to_answer: counted(waiting.answer),
      to_approve: counted(waiting.approve),
      failed: counted(waiting.failed),
      asked_back: counted(waiting.asked),
      storage: used,
    };
  }

  /** The figures of a namespace, or of these of its mailboxes. */
  async activity(namespaceId: string, span: Span, mailboxIds?: readonly string[]): Promise<Activity> {
    const { statistics, mailDomain } = this.#parts;
    const figures: Statistic = await statistics.of(namespaceId, span, mailboxIds);
    const busiest = figures.mailboxes.map(({ mailbox_id }) => mailbox_id);
    const [found, looped] = await Promise.all([this.#byIds(busiest), this.#byIds([...figures.loops.keys()])]);
    const byId = new Map(found.map((one) => [one.id, one]));
    return {
      span,
      total: figures.total,
      buckets: figures.buckets.map(({ from, to, ...rest }) => ({ from: rfc3339(from), to: rfc3339(to), ...rest })),
      mailboxes: figures.mailboxes.flatMap(({ mailbox_id, ...rest }) => {
        const mailbox = byId.get(mailbox_id);
        return mailbox === undefined ? [] : [{ mailbox: mailboxView(mailbox, mailDomain), ...rest }];
      }),
      arrived: Object.fromEntries(figures.arrived),
      loops: looped.map((one) => mailboxView(one, mailDomain)),
    };
  }

  /** The existing mailboxes with these ids, in their order. */
  async #byIds(ids: readonly string[]): Promise<readonly MailboxSummary[]> {
    const found = new Map((await this.#parts.store.mailboxes.byIds([...ids])).map((one) => [one.id, one]));
    return ids.map((id) => found.get(id)).filter((one) => one !== undefined);
  }
}
