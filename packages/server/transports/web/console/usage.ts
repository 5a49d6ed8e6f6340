import type { Behavior } from '@mailroom/behavior';
import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import type { FieldError } from '@mailroom/behavior/values/error';
import type { Registry } from '../../../core/access/registry.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { UsageDay } from '../../../core/entities/model-usage.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { summary } from '../new/parts.ts';
import { addressMark, icon, stamp } from '../pieces.ts';
import { usageFigures } from './charts.ts';
import type { Context } from './context.ts';
import { errorsOf, FormErrors, textsOf } from './fields.ts';
import { type MailboxPage, mailboxPages } from './mailbox-page.ts';
import { addressPath, heading } from './shell.ts';
import { seeOther, tokenField } from './sign-in-form.ts';
import { bucketsOf, dateOf } from './usage-days.ts';

/** Days of the charts. */
const DAYS = 30;
const FIELDS = ['tokens_per_day', 'tokens_per_sender_per_day'] as const;
type Field = (typeof FIELDS)[number];
type Typed = Readonly<Record<Field, string>>;

interface UsageParts {
  readonly registry: Registry;
  readonly behaviors: readonly Behavior[];
  readonly clock: Clock;
  readonly mailDomain: string;
}

interface UsageView {
  /** Whether its behavior may have a budget. */
  readonly asksModel: boolean;
  readonly items: readonly UsageDay[];
  readonly typed: Typed;
  readonly errors: readonly FieldError[];
  readonly done: string | undefined;
  readonly now: Millis;
}

/** The page of what an address takes of the language model by day, with its budget. */
export function usageRoutes(context: Context, parts: UsageParts): readonly Route[] {
  const { behaviors, clock } = parts;

  async function show(
    status: number,
    page: MailboxPage,
    more: Partial<Pick<UsageView, 'typed' | 'errors' | 'done'>>,
  ): Promise<Answer> {
    const { mailbox, address, signed } = page;
    const query = { days: String(DAYS) };
    const { items } = await signed.api.json('getMailboxUsage', { params: { address }, query });
    const asksModel = behaviors.find(({ name }) => name === mailbox.behavior)?.asksModel === true;
    const shown = { asksModel, items, typed: typedOf(mailbox), errors: [], done: undefined, now: clock() };
    return page.show(status, 'Usage and budget', usageMain(page, { ...shown, ...more }), more.errors);
  }

  return mailboxPages(context, parts, {
    name: 'usage',
    get(call, page) {
      const done = call.query.done === 'saved' ? 'Saved. It applies from the next message on.' : undefined;
      return show(200, page, { done });
    },
    async post(call, page) {
      const { signed, address, here } = page;
      const typed = textsOf(call.form, FIELDS);
      const errors = FIELDS.filter((name) => Number.isNaN(tokensOf(typed[name]))).map(wrongNumber);
      if (errors.length > 0) return show(422, page, { typed, errors });
      const budget = Object.fromEntries(FIELDS.map((name) => [name, tokensOf(typed[name])]));
      try {
        await signed.api.json('updateMailbox', { params: { address }, body: { budget } });
        return seeOther(`${here}?done=saved`);
      } catch (error) {
        return show(422, page, { typed, errors: errorsOf(error) });
      }
    },
  });
}

const wrongNumber = (name: Field): FieldError => ({
  pointer: `/budget/${name}`,
  message: 'Write a whole number from 1 on, such as 200,000, or leave it empty for no limit.',
});

/** The number that was typed, with or without commas or spaces; null for none, NaN for what is no number. */
const tokensOf = (text: string): number | null => {
  if (text === '') return null;
  const digits = text.replace(/[\s,]/g, '');
  return /^[1-9][0-9]{0,12}$/.test(digits) ? Number(digits) : Number.NaN;
};

const counted = (count: number): string => count.toLocaleString('en-US');

const typedOf = ({ budget }: Mailbox): Typed => {
  const text = (name: Field): string => (budget?.[name] == null ? '' : counted(budget[name]));
  return { tokens_per_day: text('tokens_per_day'), tokens_per_sender_per_day: text('tokens_per_sender_per_day') };
};

/** What is used of today's budget. */
function todayText({ mailbox }: MailboxPage, { items, now }: UsageView): Html {
  const { tokens = 0, reserved = 0 } = items.find(({ date }) => date === dateOf(now)) ?? {};
  const perDay = mailbox.budget?.tokens_per_day ?? null;
  const of = perDay === null ? 'tokens' : `of ${counted(perDay)} tokens`;
  const state = perDay !== null && tokens + reserved >= perDay ? ' New messages are rejected until 00:00 UTC.' : '';
  const held = reserved === 0 ? '' : ` ${counted(reserved)} more are reserved by messages that are being answered.`;
  return html`<p><b>Today: ${counted(tokens)} ${of}.</b>${held}${state}</p>`;
}

function usageMain(page: MailboxPage, view: UsageView): Html {
  const { mailbox, mailDomain, signed } = page;
  const { asksModel, items, typed, errors: given, done, now } = view;
  const errors = new FormErrors(given);
  const field = (id: Field, label: string, hint: string): Html =>
    errors.textLine(
      id,
      label,
      hint,
      typed[id],
      html` inputmode="numeric" autocomplete="off" maxlength="30" placeholder="No limit"`,
      `/budget/${id}`,
    );
  const top = errors.at('', 'top') ?? errors.at('/budget', 'top');
  const fields = html`${field('tokens_per_day', 'Tokens a day', 'Of all messages together, from 00:00 UTC. Over it messages are rejected, and say when it begins again.')}
${field('tokens_per_sender_per_day', 'Tokens a day for each sender', 'Of one namespace, one address outside, or one network of people without a key.')}`;
  return html`${heading(html`${stamp(mailbox.behavior)} Usage and budget of ${addressMark(mailbox, mailDomain)}`, done)}
${summary(errors.links)}
<p class="row state"><a class="button quiet" href="../../${addressPath(mailbox)}?tab=checks">${icon('sliders')}Its settings</a><a class="button quiet" href="../activity">${icon('chart')}Activity</a></p>
<section class="block" aria-labelledby="used"><h2 id="used">Language model, the last ${DAYS} days</h2>
${todayText(page, view)}
${items.length === 0 ? html`<p class="stat none"><b>No tokens in the last ${DAYS} days.</b> Charts start with the first message that the model answers.</p>` : html`<div class="stats large pair">${usageFigures(bucketsOf(items, DAYS, now))}</div>`}
</section>
<section class="block" aria-labelledby="budget"><h2 id="budget">Budget</h2>
${
  asksModel || mailbox.budget
    ? html`<form class="fields" method="post" action="">${tokenField(signed)}
${top !== undefined && html`<p class="error" id="top" tabindex="-1">${top}</p>`}
${fields}
<div class="row"><button class="button ink" name="do" value="save">Save the budget</button></div></form>`
    : html`<p>This address asks no language model, so it has no budget.</p>`
}</section>`;
}
