import { DAY, HOUR, type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import type { Member } from '../../../core/entities/member.ts';
import { type Html, html } from '../../../http/html.ts';
import { personFace } from './faces.ts';

/** Times to come back at; of each its name, and how the script finds it in the reader's own zone. */
const TIMES = [
  ['In 3 hours', 'hours 3'],
  ['Tomorrow, 09:00', 'days 1'],
  ['On Monday, 09:00', 'monday'],
] as const;

/** Buttons by which a conversation comes back later. */
export const laterChoices = (now: Millis): readonly Html[] =>
  TIMES.map(
    ([word, name]) =>
      html`<button class="button quiet" name="until" value="${rfc3339(timeOf(name, now))}" data-until="${name}">${word}</button>`,
  );

/** Buttons by which a member takes care of a conversation. `assignee`: who does so far; `me`: the reader's account. */
export const memberChoices = (
  members: readonly Pick<Member, 'account_id' | 'name'>[],
  assignee: string | null,
  me: string | null,
): readonly Html[] =>
  members.map(
    ({ account_id: id, name }) =>
      html`<button class="button quiet" name="assignee" value="${id}"${id === assignee && html` aria-pressed="true"`}>${personFace(name, ' tiny member')}<bdi>${name}</bdi>${id === me && ' (you)'}</button>`,
  );

/** The instant of a quick choice, in UTC; the script sends that of the reader's own zone. */
function timeOf(name: (typeof TIMES)[number][1], now: Millis): Millis {
  if (name === 'hours 3') return now + 3 * HOUR;
  const morning = Math.floor(now / DAY) * DAY + 9 * HOUR;
  if (name === 'days 1') return morning + DAY;
  const days = (8 - new Date(now).getUTCDay()) % 7 || 7;
  return morning + days * DAY;
}
