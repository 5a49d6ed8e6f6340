import { DEFAULT_NOTICES, MAX_MAIL_MINUTES, type Notices } from '../../../core/entities/notices.ts';
import { type Html, html } from '../../../http/html.ts';
import { summary } from '../new/parts.ts';
import { icon, note } from '../pieces.ts';
import { FormErrors } from './fields.ts';
import { heading } from './shell.ts';
import { type PageView, type Signed, tokenField } from './sign-in-form.ts';

/** The value of the field for no mail. */
export const NEVER = 'never';
/** The minutes that are offered, beside those that are set. */
const OFFERED = [5, 15, 30, 60, 240, MAX_MAIL_MINUTES];

interface NoticesView extends Omit<PageView, 'now'> {
  /** Undefined for who signed in with a key of no member. */
  readonly notices: Notices | undefined;
}

const inWords = (minutes: number): string => {
  if (minutes % 60 !== 0 || minutes < 60) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  const hours = minutes / 60;
  return hours === 1 ? 'an hour' : `${hours} hours`;
};

export function noticesMain({ notices, errors: all, done, signed }: NoticesView): Html {
  const errors = new FormErrors(all);
  const { name } = signed.session.namespace;
  return html`${heading('Notices', done)}
${summary(errors.links)}
<p>You are called when something waits for you in ${name}: a message to answer, a review, a plan to approve, a note that mentions you, a conversation that is assigned to you.</p>
${notices === undefined ? ofKey() : choice(notices, errors, signed)}
<section class="block" aria-labelledby="here"><h2 id="here">This browser</h2>
<p>A notice appears while a tab of the console is open and another is in view: one a conversation.</p>
<div class="row"><button type="button" class="button" hidden data-notices>${icon('bell')}<span>Allow notices in this browser</span></button><span class="meta" role="status" data-notices-state>Notices need a script, and a browser that has them. Nothing is lost without: what waits is in the inbox.</span></div></section>`;
}

const ofKey = (): Html =>
  note(
    'wait',
    'key',
    'You are signed in with a key.',
    html`It has no address to be called at. <a href="members">Add your address</a> and sign in with it to be called by mail.`,
  );

function choice({ browser, mail_minutes }: Notices, errors: FormErrors, signed: Signed): Html {
  const offered = [...new Set([...OFFERED, mail_minutes ?? DEFAULT_NOTICES.mail_minutes ?? 0])].toSorted(
    (a, b) => a - b,
  );
  const option = (value: string, words: string, isSet: boolean): Html =>
    html`<option value="${value}"${isSet && html` selected`}>${words}</option>`;
  const mail = errors.line(
    'mail_minutes',
    'By mail, when something has waited for',
    'And no member who may answer it has the console open. One mail until someone looks, not one a message.',
    (attributes) =>
      html`<select class="input" ${attributes}>${offered.map((minutes) => option(String(minutes), inWords(minutes), minutes === mail_minutes))}${option(NEVER, 'No mail', mail_minutes === null)}</select>`,
  );
  return html`<form class="fields" method="post" action="notices">${tokenField(signed)}
<label class="tick"><input type="checkbox" name="browser" value="1"${browser && html` checked`}> In the browser, while a tab is open</label>
${mail}
<div class="row"><button class="button ink">Save</button></div></form>`;
}
