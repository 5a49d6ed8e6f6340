import type { Millis } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';

/** A mail may wait at most this long for someone to look: a day. */
export const MAX_MAIL_MINUTES = 1_440;

/** How a member wants to be called in one namespace. */
export const Notices = Type.Object(
  {
    browser: Type.Boolean({ description: 'A notice in the browser while a tab of the console is open.' }),
    mail_minutes: Type.Union([Type.Integer({ minimum: 1, maximum: MAX_MAIL_MINUTES }), Type.Null()], {
      description:
        'One mail when something has waited this many minutes for a person and no console was open. Null for none.',
    }),
  },
  { $id: 'Notices', additionalProperties: false },
);
export type Notices = Type.Static<typeof Notices>;

/** What a member who chose nothing has. */
export const DEFAULT_NOTICES: Notices = { browser: true, mail_minutes: 15 };

/** What is stored of it for a member. */
export interface MemberNotices extends Notices {
  readonly account_id: string;
  /** When the last mail called the member; null for never. */
  readonly called_at: Millis | null;
}
