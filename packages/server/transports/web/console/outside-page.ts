import type { OutsideView } from '@mailroom/behavior/outside';
import type { FieldError } from '@mailroom/behavior/values/error';
import { type Html, html } from '../../../http/html.ts';
import { radios } from '../form/controls.ts';
import { summary } from '../new/parts.ts';
import { addressMark, counted, icon, note, stamp } from '../pieces.ts';
import { exactJson } from '../plan.ts';
import { effectTag, type OutsideSettings } from '../tasks.ts';
import { emptyState } from './empty.ts';
import { FormErrors, textsOf } from './fields.ts';
import type { MailboxPage } from './mailbox-page.ts';
import { addressPath, heading } from './shell.ts';
import { tokenField } from './sign-in-form.ts';

const TEXTS = ['was', 'name', 'kind', 'url', 'token', 'tools', 'senders', 'approval'] as const;

/**
 * What was typed of a server or agent; `was` is its name before, '' for a new one, and `tools` the names of the only
 * tools to use, with commas between them, '' for all.
 */
export interface TypedOutside extends Readonly<Record<(typeof TEXTS)[number], string>> {
  /** Whether a token is kept that is not shown. */
  readonly has_token: boolean;
  readonly drop_token: boolean;
}

export const blankOutside: TypedOutside = {
  was: '',
  name: '',
  kind: 'mcp',
  url: '',
  token: '',
  has_token: false,
  drop_token: false,
  tools: '',
  senders: 'own',
  approval: 'writes',
};

export const typedOf = (settings: OutsideSettings): TypedOutside => {
  const { name, kind, url, token, tools = [], senders = 'own', approval = 'writes' } = settings;
  const texts = { was: name, name, kind, url, tools: tools.join(', '), senders, approval };
  return { ...blankOutside, ...texts, has_token: token !== undefined };
};

export const readOutside = (form: URLSearchParams): TypedOutside => ({
  ...textsOf(form, TEXTS),
  has_token: form.has('has_token'),
  drop_token: form.has('drop_token'),
});

/** What was typed as settings; the rest is as it was, the token too unless another was typed. */
export function settingsFrom(typed: TypedOutside, stored: OutsideSettings | undefined): OutsideSettings {
  const { name, kind, url, senders, approval, drop_token } = typed;
  const token = typed.token !== '' ? typed.token : drop_token ? undefined : stored?.token;
  const tools = [...new Set(typed.tools.split(/[\s,]+/).filter((one) => one !== ''))];
  const { token: _, tools: __, accepted, ...kept } = stored ?? {};
  return {
    ...kept,
    name,
    kind: kind as OutsideSettings['kind'],
    url,
    senders,
    approval,
    ...(token !== undefined && { token }),
    ...(tools.length > 0 && { tools }),
    // What another server offers was not looked at.
    ...(accepted !== undefined && stored?.url === url && { accepted }),
  };
}

/** All listed servers and agents with their tools. */
export function listMain(
  { mailbox, mailDomain, signed }: MailboxPage,
  items: readonly OutsideView[],
  done: string | undefined,
): Html {
  const token = tokenField(signed);
  return html`${heading(html`${stamp(mailbox.behavior)} Tools of others of ${addressMark(mailbox, mailDomain)}`, done)}
<div class="row state"><a class="button ink" href="?edit=">Add a server or agent</a>${items.length > 0 && html`<form method="post" action="">${token}<button class="button" name="do" value="check">Check again</button></form>`}<a class="button quiet" href="../../${addressPath(mailbox)}?tab=behavior">${icon('sliders')}Its settings</a></div>
${items.length === 0 && emptyState({ behavior: mailbox.behavior, fact: 'No servers or agents yet', rest: html`This address can use MCP servers and A2A agents that you list here. What makes changes waits for your approval. <a href="../../docs/outside">How it works</a>` })}
${items.map((item) => serverBlock(item, token))}`;
}

function serverBlock(item: OutsideView, token: Html): Html {
  const { name, kind, url, title, error, tools, tools_sha256, accepted, left_out } = item;
  const id = `server-${name}`;
  const button = (what: string, label: string, style: string): Html =>
    html`<form method="post" action="">${token}<input type="hidden" name="of" value="${name}">${what === 'accept' && html`<input type="hidden" name="tools_sha256" value="${tools_sha256}">`}<button class="button ${style}" name="do" value="${what}">${label}<span class="sr"> ${name}</span></button></form>`;
  return html`<section class="block" aria-labelledby="${id}"><h2 id="${id}">${name}</h2>
<p class="meta">${kind === 'mcp' ? 'MCP server' : 'A2A agent'}${title !== '' && html` “<span dir="auto">${title}</span>”`} · <span class="url" dir="ltr">${url}</span></p>
${error !== null && note('bad', 'warn', 'It cannot be used now.', error)}
${
  tools.length > 0 &&
  html`<ul class="tasks">${tools.map(
    (
      tool,
    ) => html`<li><details><summary><b>${tool.task}</b><span class="about-task" dir="auto">${tool.description}</span>${effectTag(tool.effects)}</summary>
<div class="task-more"><p>${tool.approval ? 'Waits for your approval each time.' : 'Runs without asking you.'}</p><pre class="exact" dir="ltr"><code>${exactJson(tool.input_schema)}</code></pre></div></details></li>`,
  )}</ul>`
}
${left_out > 0 && html`<p class="meta">${counted(left_out, 'tool')} left out: too many, too long, or with a name that cannot be used.</p>`}
${tools.length > 0 && html`<p class="meta">${accepted ? 'You have accepted exactly these tools.' : 'You have not accepted these tools yet. The texts are by the server. Once you accept them, you are warned when they change, and a language model may rely on them.'}</p>`}
<div class="row">${tools.length > 0 && !accepted && button('accept', 'Accept these tools', 'ink')}<a class="button" href="?edit=${encodeURIComponent(name)}">Edit<span class="sr"> ${name}</span></a>${button('remove', 'Remove', 'quiet')}</div></section>`;
}

/** The form of one server or agent. */
export function editMain(
  { mailbox, mailDomain, signed, here }: MailboxPage,
  typed: TypedOutside,
  given: readonly FieldError[],
  title: string,
): Html {
  const errors = new FormErrors(given);
  const top = errors.at('', 'form');
  const plain = html` autocomplete="off" spellcheck="false" autocapitalize="none"`;
  const name = errors.textLine(
    'name',
    'Name',
    'Instructions call it by this: “ask weather about Berlin”. Lower-case letters, digits and hyphens.',
    typed.name,
    plain,
  );
  const url = errors.textLine(
    'url',
    'Address (URL)',
    'Of an MCP server its endpoint, of an agent its card or the URL above it. It begins with https://.',
    typed.url,
    html`${plain} inputmode="url"`,
  );
  const token = errors.line(
    'token',
    'Token',
    typed.has_token
      ? 'One is kept and not shown. Leave this empty to keep it.'
      : 'Where it wants one. It is stored encrypted and never shown again.',
    (attributes) =>
      html`<input class="input" type="password" ${attributes} value="${typed.token}" dir="ltr" autocomplete="off">`,
  );
  const tools = errors.textLine(
    'tools',
    'Only these tools',
    'Their names, with commas between them. Leave it empty for all.',
    typed.tools,
    plain,
  );
  return html`${heading(title, undefined)}<p class="meta taught">Of ${addressMark(mailbox, mailDomain)}</p>
${summary(errors.links)}${top !== undefined && html`<p class="error" id="form" tabindex="-1">${top}</p>`}
<form class="fields" method="post" action="">${tokenField(signed)}<input type="hidden" name="was" value="${typed.was}">${typed.has_token && html`<input type="hidden" name="has_token" value="1">`}
${radios(
  'kind',
  'What it is',
  [
    { value: 'mcp', label: 'An MCP server', hint: 'Offers tools.' },
    { value: 'a2a', label: 'An A2A agent', hint: 'Answers messages.' },
  ],
  typed.kind,
)}
${name}${url}${token}${tools}
${typed.has_token && html`<div class="field"><label><input type="checkbox" name="drop_token" value="1"${typed.drop_token && html` checked`}> Forget the token</label></div>`}
${radios(
  'approval',
  'Ask you first',
  [
    { value: 'writes', label: 'For what makes changes', hint: 'All that the server does not call read-only.' },
    { value: 'always', label: 'Always', hint: 'Each use waits for your approval.' },
    { value: 'never', label: 'Never', hint: 'Only for a server that you trust.' },
  ],
  typed.approval,
)}
${radios(
  'senders',
  'Who may use it',
  [
    { value: 'own', label: 'You', hint: 'Your own keys and addresses.' },
    { value: 'keys', label: 'Anyone with a key', hint: 'Other people’s keys and addresses too.' },
    { value: 'anyone', label: 'Anyone', hint: 'People without a key too.' },
  ],
  typed.senders,
)}
<div class="row end"><button class="button ink" name="do" value="save">Save</button><a class="button quiet" href="${here}">Back</a></div></form>`;
}
