import type { Behavior } from '@mailroom/behavior';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { Store } from '../../../core/ports/store.ts';
import { type Html, html } from '../../../http/html.ts';
import { isIssuer } from '../looks.ts';
import { counted, shortOf } from '../pieces.ts';
import type { TaskSettings } from '../tasks.ts';
import { wordsOf } from '../words.ts';
import { type Signed, tokenField } from './sign-in-form.ts';

/** Items are counted up to this number. */
const MAX_COUNT = 100;

const upTo = (count: number, noun: string): string =>
  count > MAX_COUNT ? `More than ${counted(MAX_COUNT, noun)}` : counted(count, noun);

/** What stops when a mailbox gets another behavior, one sentence each; empty when nothing stops. */
export async function stopsOf(
  mailbox: Mailbox,
  store: Pick<Store, 'clients' | 'handlings' | 'schedules'>,
  oldBehavior: Behavior | undefined,
): Promise<readonly string[]> {
  const { id } = mailbox;
  const title = titleOf(oldBehavior, mailbox);
  const stops: string[] = [];
  const runsTasks = (oldBehavior?.tasks ?? []).length > 0;
  const asks = runsTasks || isIssuer(mailbox.behavior);
  const waiting = asks ? await store.handlings.countAsking(id, mailbox.behavior, MAX_COUNT + 1) : 0;
  if (waiting > 0) {
    const [verb, whose] = waiting === 1 ? ['waits', 'its plan'] : ['wait', 'their plans'];
    stops.push(
      `${upTo(waiting, 'message')} ${verb} for approval. Only “${title}” can carry out ${whose}: until you choose it again, you can refuse but not approve.`,
    );
  }
  const planned = runsTasks ? await store.schedules.countIn(id, MAX_COUNT + 1) : 0;
  if (planned > 0) {
    const verb = planned === 1 ? 'is' : 'are';
    stops.push(
      `${upTo(planned, 'reminder')} or ${planned === 1 ? 'schedule' : 'schedules'} ${verb} planned here. Anything that comes due in the meantime is skipped. Later ones run again once you choose “${title}” again.`,
    );
  }
  if (isIssuer(mailbox.behavior)) {
    const { items } = await store.clients.page({ mailbox_id: id }, null, MAX_COUNT + 1);
    if (items.length > 0) {
      const [let_, them] = items.length === 1 ? ['lets', 'it'] : ['let', 'them'];
      stops.push(
        `${upTo(items.length, 'app')} ${let_} people sign in by this address. Signing in to ${them} stops working unless another address of yours offers it.`,
      );
    }
  }
  return stops;
}

/** Says that the settings of a behavior are kept, and names those that took work; empty where there are none. */
function keptWords(title: string, settings: Mailbox['settings'] | undefined): string {
  if (settings === undefined || Object.keys(settings).length === 0) return '';
  const { procedures = [], approval = [] } = settings as TaskSettings;
  const parts = [
    procedures.length > 0 && counted(procedures.length, 'procedure'),
    approval.length > 0 &&
      `${counted(approval.length, 'task')} that ${approval.length === 1 ? 'asks' : 'ask'} you first`,
  ].filter((part) => part !== false);
  const rest = parts.length === 0 ? '' : `, with ${parts.join(' and ')},`;
  return ` The settings of “${title}” are kept${rest} and come back when you choose it again.`;
}

/** Says after a change which settings of the earlier behavior are kept. */
export function changedWords(mailbox: Mailbox, kept: Mailbox['settings'] | undefined, before: Behavior): string {
  return `Saved. The changes to ${shortOf(mailbox)} apply from now on.${keptWords(wordsOf(before).title, kept)}`;
}

/** Asks for confirmation of a change of behavior that stops something; the form carries everything that was typed. */
export function confirmation(change: {
  readonly mailbox: Mailbox;
  readonly before: Behavior | undefined;
  readonly after: Behavior;
  readonly stops: readonly string[];
  readonly form: URLSearchParams;
  readonly signed: Signed;
}): Html {
  const { mailbox, before, after, stops, form, signed } = change;
  const title = titleOf(before, mailbox);
  const fields = [...form].filter(([name]) => !['csrf', 'do', 'add', 'sure'].includes(name));
  return html`<p>You are about to change “${title}” to “${wordsOf(after).title}”.</p>
<section class="block" aria-labelledby="stops"><h2 id="stops">What stops</h2><ul class="plain">${stops.map((stop) => html`<li>${stop}</li>`)}</ul></section>
<section class="block" aria-labelledby="stays"><h2 id="stays">What stays</h2><p>Its messages and notes.${keptWords(title, mailbox.settings)}</p></section>
<form class="block" method="post" action="">${tokenField(signed)}${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<input type="hidden" name="sure" value="1">
<div class="row"><button class="button ink" name="do" value="save">Change to “${wordsOf(after).title}”</button><button class="button quiet" name="add" value="">Back to the form</button></div></form>`;
}

const titleOf = (behavior: Behavior | undefined, { behavior: name }: Mailbox): string =>
  behavior === undefined ? name : wordsOf(behavior).title;
