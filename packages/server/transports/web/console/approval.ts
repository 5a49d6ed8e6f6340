import type { Millis } from '@mailroom/behavior/values/clock';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { Message } from '../../../core/entities/message.ts';
import { planSha256 } from '../../../core/entities/message-view.ts';
import type { ApprovalState } from '../../../core/messages/held-sends.ts';
import { type Html, html } from '../../../http/html.ts';
import { copyButton, icon } from '../pieces.ts';
import { exactJson, outsideIn, planList, stepsOf } from '../plan.ts';
import type { Effects, TaskDescription } from '../tasks.ts';
import type { Root } from './shell.ts';
import { type Signed, tokenField } from './sign-in-form.ts';
import { signInPlanOf, signInPlanView } from './sign-in-plan.ts';
import { leavingView, leftMark, secondsLeft } from './toast.ts';

/** The maximum length of a reason in characters, as in the API. */
export const MAX_REASON = 500;

/** Whether this namespace's owner is to decide on the message, as its recipient or as its sender. */
export function isAsking(
  message: Message,
  mailbox: Pick<Mailbox, 'namespace_id'> | undefined,
  namespaceId: string,
): message is Message & { readonly plan: string } {
  if (message.waiting_for !== 'approval' || typeof message.plan !== 'string') return false;
  const asked = message.decides === 'sender' ? message.sender_namespace_id : mailbox?.namespace_id;
  return asked === namespaceId;
}

/** Whether an approval can still be taken back. */
export const isHeldApproval = (approval: ApprovalState | undefined): approval is ApprovalState =>
  approval !== undefined && approval.failed === undefined;

/** Why an approval did not count, if it did not. */
export const uncounted = (approval: ApprovalState | undefined): string | undefined =>
  approval?.failed === undefined ? undefined : `Your approval did not count. ${approval.failed}`;

interface Asking {
  readonly message: Message;
  readonly plan: string;
  /** The mailbox's tasks by name. */
  readonly tasks: ReadonlyMap<string, TaskDescription>;
  readonly action: string;
  readonly signed: Signed;
  /** Why the decision that was just made was not accepted. */
  readonly wrong: string | undefined;
  /** That its reader approved a plan, as long as that can be taken back; or why that did not count. */
  readonly approval: ApprovalState | undefined;
  readonly root: Root;
  readonly now: Millis;
}

const SENTENCES: Readonly<Record<Effects, string>> = {
  none: 'None of its steps has effects.',
  reads: 'It reads outside data and changes nothing.',
  writes: 'It makes changes.',
};

/** A plan exactly as it would run, with the buttons to approve or refuse it. It works without scripts. */
export function approvalCard(asking: Asking): Html {
  const { message, plan, tasks, action, signed } = asking;
  const parsed: unknown = JSON.parse(plan);
  const signIn = signInPlanOf(parsed);
  const sha256 = planSha256(plan);
  const title = `decide-${message.id}`;
  const approval = asking.approval?.hash === sha256 ? asking.approval : undefined;
  const wrong = asking.wrong ?? uncounted(approval);
  const fields = html`${tokenField(signed)}<input type="hidden" name="plan_sha256" value="${sha256}">`;
  return html`<section class="approval" aria-labelledby="${title}" data-approval="${sha256}">
<h3 id="${title}">${icon('clock')}Waiting for your approval</h3>
${wrong !== undefined && html`<p class="error" role="alert">${icon('warn')}<span>${wrong}</span></p>`}
<p class="meta">${effectSentence(parsed, tasks)} Nothing has run yet. Approving runs exactly these steps.</p>
${signIn === undefined ? planList(parsed, tasks) : signInPlanView(signIn)}
<details class="all"><summary>The plan as JSON</summary><pre class="exact" dir="ltr"><code>${exactJson(parsed)}</code></pre>
<p class="meta">SHA-256 <code>${sha256}</code></p>${copyButton('Copy the plan', { text: plan })}</details>
${
  isHeldApproval(approval)
    ? runs(asking, approval)
    : html`<div class="decide"><form method="post" action="${action}">${fields}<button class="button ink" name="do" value="approve">${icon('check')}Approve</button></form>
<details class="refuse"><summary class="button">Refuse</summary><form class="field" method="post" action="${action}">${fields}
<label for="reason-${message.id}">Reason, shown to the sender</label>
<input class="input" id="reason-${message.id}" name="reason" maxlength="${MAX_REASON}" autocomplete="off" dir="auto" placeholder="Optional" data-reason>
<button class="button danger" name="do" value="refuse">Refuse the plan</button></form></details></div>`
}
</section>`;
}

/** Says that the plan runs soon, and takes its approval back. */
function runs({ message, root, now, signed }: Asking, { leaves_at }: ApprovalState): Html {
  const seconds = secondsLeft(leaves_at, now);
  const undo = { action: `${root}console/undo`, value: `approved:${message.id}`, signed };
  return leavingView(html`<b>Approved.</b> Runs in ${leftMark(seconds)}.`, undo, seconds);
}

function effectSentence(plan: unknown, tasks: ReadonlyMap<string, TaskDescription>): string {
  const outside = outsideIn(plan);
  const found = new Set(
    (stepsOf(plan) ?? []).map(({ task }) => tasks.get(task)?.effects ?? outside.get(task)?.effects),
  );
  if (found.has('writes')) return SENTENCES.writes;
  // The effects of a task that this build does not have are unknown.
  if (found.has(undefined) || found.size === 0) return '';
  return found.has('reads') ? SENTENCES.reads : SENTENCES.none;
}
