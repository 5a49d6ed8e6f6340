import { spawn } from 'node:child_process';
import { ownAddress } from './shared.js';
const PROGRAMS = {
    darwin: ['open'],
    win32: ['cmd', '/c', 'start', ''],
};
export const open = {
    name: 'open',
    summary: 'Open the console, the page of an address, or a message in the browser',
    args: '[ADDRESS|ID]',
    count: [0, 1],
    options: { print: { type: 'boolean', short: 'p', help: 'print the URL instead' } },
    examples: [
        ['open', 'The console'],
        ['open hello@ada.mailroom.localhost', "The address's page, to share"],
    ],
    async run(context) {
        const { terminal, values, json, signal } = context;
        const [given] = context.positionals;
        const mailroom = context.client('guest');
        const { url } = mailroom;
        const isName = given !== undefined && !given.startsWith('msg_') && context.guest().key !== '';
        const what = isName ? await ownAddress(mailroom, given, signal) : given;
        const target = what === undefined
            ? `${url}/console`
            : what.startsWith('msg_')
                ? `${url}/console/messages/${encodeURIComponent(what)}`
                : `${url}/${encodeURIComponent(what).replaceAll('%40', '@')}`;
        if (json)
            terminal.json({ url: target });
        else
            terminal.line(target);
        if (values.print === true || json || !terminal.interactive)
            return 0;
        const [program = 'xdg-open', ...args] = PROGRAMS[process.platform] ?? ['xdg-open'];
        const child = spawn(program, [...args, target], { stdio: 'ignore', detached: true });
        child.on('error', () => terminal.note('No browser could be started; open the URL yourself.'));
        child.unref();
        return 0;
    },
};
