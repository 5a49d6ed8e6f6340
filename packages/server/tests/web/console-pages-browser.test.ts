// Other programs: Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import { assertPage, looks, openBrowser } from '../../../../tests/harness/browser.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { ROLES } from '../../core/entities/member.ts';

// Every page of the console that a member of a team opens, with members, notes, assignees and answers on it.

const { url, client, store, now } = await startInside();
const { newNamespace, newMailbox, newKey, send, api } = client;
const browser = await openBrowser();
const [home, other] = [await newNamespace(), await newNamespace()];
const { address } = await newMailbox(home, { local_part: 'support', behavior: { name: 'agent' } });

async function member(name: string, role: 'owner' | 'answerer') {
  const soon = now();
  const { id: account_id } = await store.accounts.getOrPut({
    ...{
      id: newId('acc', soon),
      address: `${name.toLowerCase()}@a-rather-long-name-of-a-company.example`,
      created_at: soon,
    },
  });
  const { id: key_id, secret } = await newKey(home, { scopes: [...ROLES[role]], name });
  const joined = { namespace_id: home.id, account_id, key_id, role, mailbox_ids: null, name, created_at: soon };
  assert.equal(await store.accounts.join(joined), 'joined');
  return { id: account_id, key: secret };
}
const [mara, noor] = [await member('Mara', 'owner'), await member('Noor', 'answerer')];
const messages = [];
for (const subject of ['The footbridge', 'Loads', 'An invoice'])
  messages.push((await send(other.key, { to: address, subject, body: 'When may we see the revised drawings?' })).body);
const [first, second] = messages as [(typeof messages)[0], (typeof messages)[0]];
const change = (thread: string, body: object) => api('PATCH', `/mail/threads/${thread}`, { key: mara.key, body });
await change(first.thread_id, { assignee: noor.id });
await api('POST', `/mail/threads/${first.thread_id}/notes`, { key: mara.key, body: { body: '@Noor ask Lena first.' } });
await api('POST', `/mail/messages/${second.id}/answer`, { key: noor.key, body: { body: 'On Tuesday.' } });

const PAGES = {
  inbox: '',
  'list-all': '?state=all',
  conversation: `?message=${first.id}`,
  answered: `?message=${second.id}`,
  ...{ members: '/members', member: `/members?change=${noor.id}`, notices: '/notices', log: '/log', keys: '/keys' },
  ...{ settings: '/settings', sessions: '/settings?tab=sessions', danger: '/settings?tab=danger', domains: '/domains' },
  ...{ webhooks: '/webhooks', activity: '/activity', drafts: '/drafts', write: '/write', reviews: '/reviews' },
  ...{ address: '/addresses/support', access: '/addresses/support?tab=access', rules: '/rules/support' },
  ...{
    checks: '/addresses/support?tab=checks',
    outgoing: '/outgoing/support',
    usage: '/usage/support',
    'new-address': '/addresses/new',
  },
};

for (const [width, theme] of looks([
  [1280, 'light'],
  [390, 'dark'],
  [1280, 'dark'],
  [390, 'light'],
] as const))
  test(`every page of the console is accessible and fits, at ${width} in ${theme}`, async () => {
    const tab = await browser.open(`${url}/console`, { width, theme });
    await tab.page.fill('[name=key]', mara.key);
    await tab.page.press('[name=key]', 'Enter');
    await tab.page.waitForSelector('[data-live]', { state: 'attached' });
    for (const [name, path] of Object.entries(PAGES)) {
      const opened = await tab.page.goto(`${url}/console${path}`);
      assert.equal(opened?.status(), 200, path);
      await assertPage(tab.page, `team-${name}`, theme);
    }
    assert.deepEqual(tab.wrongs, []);
    await tab.page.context().close();
  });
