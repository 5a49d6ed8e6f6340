import type { SuppressionView } from '../../../core/entities/suppression.ts';
import { type OwnerView, type SessionView, sessionNames } from '../../../core/sign-in/session-views.ts';
import { type Html, html } from '../../../http/html.ts';
import { summary } from '../new/parts.ts';
import { icon } from '../pieces.ts';
import { unclaimed } from './adding-owner.ts';
import { deletion, FormErrors } from './fields.ts';
import { heading, type Side, storageText } from './shell.ts';
import { type PageView, type Signed, tokenField } from './sign-in-form.ts';
import { timeMark } from './times.ts';

export interface SettingsView extends PageView {
  readonly display_name: string;
  readonly side: Side;
  readonly owners: readonly OwnerView[];
  readonly suppressions: readonly SuppressionView[];
}

export interface DangerView {
  readonly side: Side;
  /** The name typed to confirm the deletion does not match. */
  readonly wrong: boolean;
  readonly signed: Signed;
}

export interface SessionsView extends Omit<PageView, 'errors'> {
  readonly sessions: readonly SessionView[];
}

/** The namespace itself: its name, what it stores, its export. */
export function settingsMain(view: SettingsView): Html {
  const { signed, side } = view;
  const { name } = signed.session.namespace;
  const errors = new FormErrors(view.errors);
  const token = tokenField(signed);
  const field = errors.textLine(
    'display_name',
    'Name for people',
    `Shown on the page of ${name}. Optional.`,
    view.display_name,
    html` maxlength="200" autocomplete="off"`,
  );
  return html`${heading('General', view.done)}
${summary(errors.links)}
${unclaimed(view.owners, name, 'members')}
<form class="fields" method="post" action="settings">${token}${field}<div class="row"><button class="button ink" name="do" value="save">Save the name</button><a class="button quiet" href="../${name}">${icon('share')}Open its page</a></div></form>
${suppressionList(view, token)}
<section class="block" aria-labelledby="storage"><h2 id="storage">Storage</h2>
<p>It stores ${storageText(side)}.</p>
<p class="meta">When it is full, it takes and sends no more messages; reading, deleting and exporting still work. Deleted messages, drafts and addresses give their room back. The operator of this service sets how much a name may store, and for how many days messages are kept.</p></section>
<section class="block" aria-labelledby="export"><h2 id="export">Export your data</h2>
<p>Your addresses with their settings, your keys without their secrets, and every message with its answer, as JSON Lines.</p>
<form class="row" method="post" action="export">${token}<button class="button">${icon('download')}Download everything</button></form></section>`;
}

/** The deletion of the namespace. */
export function dangerMain({ signed, side, wrong }: DangerView): Html {
  const { name } = signed.session.namespace;
  return html`${heading(`Delete ${name}`, undefined)}<section id="delete">${deletion({
    what: name,
    consequences: `Its ${side.mailbox_count === 1 ? 'address is' : `${side.mailbox_count.toLocaleString('en-US')} addresses are`} deleted with all messages, and its keys stop working at once. The name can never be used again. You may want to download everything first.`,
    action: 'settings?tab=danger#delete',
    keep: '../console',
    token: tokenField(signed),
    wrong,
  })}</section>`;
}

/** The addresses outside to which nothing is sent; nothing where there are none. */
function suppressionList({ suppressions, now }: SettingsView, token: Html): Html | false {
  if (suppressions.length === 0) return false;
  return html`<section class="block" aria-labelledby="suppressed"><h2 id="suppressed">Addresses that get no mail</h2>
<p>Mail to them came back, or they reported it as unwanted.</p>
<ul class="lines">${suppressions.map(
    ({ address, reason, created_at }) =>
      html`<li><div><b dir="ltr">${address}</b><p class="meta">${reason}, ${timeMark(created_at, now, 'full')}</p></div><form method="post" action="settings">${token}<input type="hidden" name="address" value="${address}"><button class="button quiet" name="do" value="lift">Send again<span class="sr"> to ${address}</span></button></form></li>`,
  )}</ul></section>`;
}

/** The browsers that are signed in. */
export function sessionsMain({ sessions, done, signed, now }: SessionsView): Html {
  const token = tokenField(signed);
  const names = sessionNames(sessions);
  const row = ({ id, created_at, seen_at }: SessionView): Html => {
    const agent = names.get(id);
    const isThis = id === signed.session.hash;
    const end = isThis
      ? html`<form method="post" action="sign-out">${token}<button class="button quiet">Sign out</button></form>`
      : html`<form method="post" action="settings?tab=sessions">${token}<input type="hidden" name="session" value="${id}"><button class="button quiet" name="do" value="end">Sign out<span class="sr"> ${agent}</span></button></form>`;
    return html`<li><div><b>${agent}</b>${isThis && html` <span class="tag answered">This one</span>`}<p class="meta">Signed in ${timeMark(created_at, now, 'full')} · seen ${isThis ? 'now' : timeMark(seen_at, now, 'full')}</p></div>${end}</li>`;
  };
  return html`${heading('Sessions', done)}
<ul class="lines" aria-label="Sessions">${sessions.map(row)}</ul>
<form class="row" method="post" action="sign-out">${token}<button class="button" name="everywhere" value="1">Sign out everywhere</button><span class="meta">A session ends after 7 days without use, and after 30 days in any case.</span></form>`;
}
