import type { Millis } from '@mailroom/behavior/values/clock';
import type { EmailDeliveryView } from '../../../core/entities/email.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { Message } from '../../../core/entities/message.ts';
import type { ApprovalState } from '../../../core/messages/held-sends.ts';
import type { Spans } from '../../../core/reports/finding.ts';
import type { TaskDescription } from '../tasks.ts';
import type { AnswerError, Composer } from './answer-form.ts';
import type { DeskError, DeskView } from './conversation-desk.ts';
import type { Filter } from './filter.ts';
import type { LabelError } from './label-form.ts';
import type { ShownMail } from './mail-views.ts';
import type { SenderPanel } from './sender-panel.ts';
import type { Root } from './shell.ts';
import type { Signed } from './sign-in-form.ts';
import type { TurnReview } from './turn-reviews.ts';

export interface ConversationView
  extends Pick<
    Composer,
    'answerable' | 'others' | 'left_out' | 'author_unproven' | 'mode' | 'held' | 'forwards' | 'writes' | 'undo_ms'
  > {
  readonly message: Message;
  /** The thread, or a part of it, as far as this namespace may see it. */
  readonly thread: readonly Message[];
  /** The cursor of the earlier part, if there is one. */
  readonly earlier: string | undefined;
  /** The first message of the later part, if there is one. */
  readonly later: string | undefined;
  /** The newest message of the thread, where it is not shown. */
  readonly newest: string | undefined;
  readonly mailbox: Mailbox;
  /** The name of each message's sender. */
  readonly senders: ReadonlyMap<string, string>;
  /** Who answered a message by hand, by its id or that of the further reply. */
  readonly answerers: ReadonlyMap<string, string>;
  /** Reviews of what this namespace wrote, by the message or reply that leaves. */
  readonly reviews: ReadonlyMap<string, TurnReview>;
  /** What its reader approved and can take back, by its id. */
  readonly approvals: ReadonlyMap<string, ApprovalState>;
  readonly filter: Filter;
  readonly root: Root;
  readonly mailDomain: string;
  readonly now: Millis;
  readonly signed: Signed;
  /** The mailbox's tasks by name. */
  readonly tasks: ReadonlyMap<string, TaskDescription>;
  /** Whether the owner may cancel these messages and send them again. */
  readonly controls: boolean;
  /** The first message of the thread, as far as the reader may see it. */
  readonly first: Message | undefined;
  /** The mailbox whose labels are shown, if any. */
  readonly labeled: Mailbox | undefined;
  /** What the mailbox itself sent to answer a message, by its id. */
  readonly calls: ReadonlyMap<string, readonly Message[]>;
  /** Where it stands in that mailbox, with its notes; undefined where it is in none. */
  readonly desk: DeskView | undefined;
  /** What was just typed for it and not accepted. */
  readonly deskError?: DeskError | undefined;
  /** Whether the owner may delete what was received of it. */
  readonly removes: boolean;
  /** The labels of each message in that mailbox, by its id. */
  readonly labels: ReadonlyMap<string, readonly string[]>;
  /** What leaves as e-mail, by the message or reply that leaves. */
  readonly deliveries: ReadonlyMap<string, readonly EmailDeliveryView[]>;
  /** Why the decision that was just made on this message was not accepted. */
  readonly wrong?: string | undefined;
  /** The label that was just typed and not accepted. */
  readonly label?: LabelError | undefined;
  /** Who wrote the message, where its recipient's owner reads it. */
  readonly sender: SenderPanel | undefined;
  /** Since when people answer the thread in the place of the behavior; undefined when the behavior does. */
  readonly taken_at: Millis | undefined;
  /** Whether the owner may take the thread over. */
  readonly takes: boolean;
  /** Whether the owner may put it into the trash. */
  readonly trashes: boolean;
  /** Where texts say what the list is searched for. */
  readonly spans: Spans | undefined;
  /** Names of addresses, where mails have them. */
  readonly names: ReadonlyMap<string, string>;
  /** The mails of the thread that are shown in another way than as their text, by their id. */
  readonly shown: ReadonlyMap<string, ShownMail>;
  /** The answer that was just typed and not accepted. */
  readonly answer?: AnswerError | undefined;
}

/** Characters of a text that are shown; a link leads to the whole as plain text. */
export const MAX_TEXT = 64 * 1024;

/** The beginning of a text, without cutting a surrogate pair. */
export const shownOf = (text: string): string =>
  text.length <= MAX_TEXT ? text : text.slice(0, MAX_TEXT).replace(/[\uD800-\uDBFF]$/, '');
