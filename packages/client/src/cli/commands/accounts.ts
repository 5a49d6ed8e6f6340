import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { MailroomError } from '../../error.ts';
import { Mailroom } from '../../mailroom.ts';
import { nameOf } from '../accounts.ts';
import { type Command, type Context, textOf, UsageError } from '../command.ts';

const DEFAULT_URL = 'http://localhost:8080';

const urlOf = (context: Context): string => {
  const url = context.positionals[0]?.startsWith('http') ? context.positionals[0] : textOf(context, 'url');
  return (url ?? context.env.MAILROOM_URL ?? DEFAULT_URL).replace(/\/$/, '');
};

/** The key as it is typed, without showing it, or from a pipe; never from the arguments, which others can see. */
async function askKey({ terminal, signal, typed, input }: Context): Promise<string> {
  if (!typed) return (await input()).trim();
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: hidden, terminal: true });
  process.stderr.write('API key (mr_live_…, not shown): ');
  try {
    return (await lines.question('', { signal })).trim();
  } finally {
    lines.close();
    terminal.note('');
  }
}

/** A key of the environment is used before one that is kept, so commands would act for another namespace. */
function noteKeyInUse({ env, terminal }: Context, account: string): void {
  if (env.MAILROOM_KEY !== undefined && env.MAILROOM_KEY !== '')
    terminal.note(`MAILROOM_KEY is set and goes first. To act for ${account}, unset it or add --as ${account}.`);
}

const login: Command = {
  name: 'login',
  summary: 'Keep the API key of a namespace on this machine',
  args: '[URL]',
  count: [0, 1],
  examples: [
    ['login https://mail.example.com', 'Asks for the key, and tries it'],
    ['login < key.txt', 'Reads the key from a file'],
  ],
  async run(context) {
    const url = urlOf(context);
    if (context.positionals.length > 0 && !/^https?:\/\//.test(context.positionals[0] ?? ''))
      throw new UsageError('Give the URL of the service, such as https://mail.example.com. The key is asked for.');
    const key = await askKey(context);
    if (key === '') throw new UsageError('No key was given. Type it when asked, or: mailroom login < FILE');
    const me = await new Mailroom({ url, key }).keys.me({ signal: context.signal });
    const account = { url, key, namespace: me.namespace.name };
    context.accounts.keep(account);
    if (context.json) context.terminal.json({ account: nameOf(account), url, scopes: me.scopes });
    else context.terminal.line(`Logged in as ${nameOf(account)} (${me.scopes.join(', ')}).`);
    noteKeyInUse(context, nameOf(account));
    return 0;
  },
};

const logout: Command = {
  name: 'logout',
  summary: 'Remove an account and its key from this machine',
  args: '[ACCOUNT]',
  count: [0, 1],
  examples: [['logout', 'Forgets the current account; its key keeps working elsewhere']],
  async run({ accounts, positionals, terminal, values, json }) {
    const account = accounts.find(positionals[0] ?? (values.as as string | undefined));
    if (account === undefined) throw new MailroomError('No account is kept here.', { code: 'configuration' });
    accounts.forget(nameOf(account));
    if (json) terminal.json({ removed: nameOf(account) });
    else terminal.note(`Removed ${nameOf(account)}.`);
    return 0;
  },
};

const list: Command = {
  name: 'accounts',
  summary: 'List the accounts on this machine; the one in use is marked',
  count: [0, 0],
  options: { use: { type: 'string', value: 'ACCOUNT', help: 'use this one from now on' } },
  examples: [
    ['accounts', 'Shows them'],
    ['accounts --use ada', 'Changes to another'],
  ],
  async run(context) {
    const { accounts, terminal, json } = context;
    const use = textOf(context, 'use');
    const wanted = use === undefined ? undefined : accounts.find(use);
    if (wanted !== undefined) accounts.keep(wanted);
    const all = accounts.all();
    if (json) terminal.json(all.map(({ name, current, account }) => ({ name, current, url: account.url })));
    else if (all.length === 0) terminal.note('No account is kept here. Run mailroom login, or mailroom new NAME.');
    else
      terminal.table(
        ['', 'ACCOUNT', 'URL'],
        all.map(({ name, current, account }) => [current ? '*' : ' ', name, account.url]),
      );
    return 0;
  },
};

const create: Command = {
  name: 'new',
  summary: 'Make a namespace of your own, and keep its owner key here',
  args: 'NAME',
  count: [1, 1],
  options: { 'display-name': { type: 'string', value: 'TEXT', help: 'a name for people' } },
  examples: [
    ['new ada --url https://mail.example.com', 'Addresses of yours then end with @ada.…; no account is needed'],
  ],
  async run(context) {
    const { accounts, terminal, signal } = context;
    const [name = ''] = context.positionals;
    const url = urlOf(context);
    const display_name = textOf(context, 'display-name');
    // The key is shown once, so a place for it must be there first.
    accounts.checkWritable();
    const mailroom = new Mailroom({ url, key: '' });
    const { namespace, key } = await mailroom.namespaces.create(
      { name, ...(display_name !== undefined && { display_name }) },
      { signal },
    );
    const secret = key.secret ?? '';
    try {
      accounts.keep({ url, key: secret, namespace: namespace.name });
    } catch (error) {
      terminal.note(`${accounts.file} cannot be written. Keep this key, it is not shown again: ${secret}`);
      throw error;
    }
    noteKeyInUse(context, namespace.name);
    if (context.json) terminal.json({ namespace, key: { ...key, secret: undefined }, kept_in: accounts.file });
    else {
      terminal.line(`Made ${namespace.name}. Its owner key is kept in ${accounts.file}.`);
      terminal.line('Next: mailroom address add NAME --behavior agent, for a program of yours; --help names others.');
    }
    return 0;
  },
};

export const accountCommands: readonly Command[] = [login, logout, list, create];
