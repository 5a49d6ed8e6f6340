import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { MailroomError } from '../../error.js';
import { serve } from '../../serve.js';
import { numberOf, textOf, UsageError } from '../command.js';
import { jsonOf, oneLine } from '../terminal.js';
import { dataOf, filesOf, inputOf } from './input.js';
import { MessageFolder } from './message-folder.js';
import { namespaceOf, ownAddress } from './shared.js';
/** The service's maximum of a reply, in characters. */
const MAX_OUTPUT = 1024 * 1024;
/** How long a program has to end once it is asked to. */
const KILL_MS = 5_000;
function isExecutable(path) {
    try {
        accessSync(path, constants.X_OK);
        return true;
    }
    catch {
        return false;
    }
}
/** UsageError for a program that cannot be started, which would fail each message. Windows finds programs its own way. */
function checkProgram(program, { PATH = '' }) {
    if (process.platform === 'win32')
        return;
    const places = program.includes('/') ? [program] : PATH.split(delimiter).map((folder) => join(folder, program));
    const found = places.filter((place) => statSync(place, { throwIfNoEntry: false })?.isFile() === true);
    if (found.length === 0)
        throw new UsageError(`There is no program "${program}". Check its spelling.`);
    if (!found.some(isExecutable))
        throw new UsageError(`"${program}" is not executable. Make it so: chmod +x ${program}`);
}
/** What describes a message to a program; the key is none of it, because the program reads texts of others. */
function environmentOf(message, folder, context) {
    const { MAILROOM_KEY: _, ...env } = context.env;
    return {
        ...env,
        MAILROOM_URL: context.guest().url,
        MAILROOM_MESSAGE_ID: message.id,
        MAILROOM_THREAD_ID: message.thread_id,
        MAILROOM_TO: message.to ?? '',
        MAILROOM_FROM: message.from ?? '',
        MAILROOM_SENDER: message.sender.kind,
        MAILROOM_SUBJECT: oneLine(message.subject ?? ''),
        MAILROOM_DATA: message.data === null ? '' : JSON.stringify(message.data),
        MAILROOM_ATTACHMENTS: folder.attachments,
        MAILROOM_OUT: folder.out,
    };
}
/** The answer of a program: its output as it is printed, and the files that it leaves in `MAILROOM_OUT`. */
async function* answerOf(command, message, { mailroom, signal }, context) {
    const folder = await MessageFolder.of(message, mailroom, signal);
    try {
        let printed = false;
        for await (const text of outputOf(command, message.body, environmentOf(message, folder, context), signal)) {
            if (text === '')
                continue;
            printed = true;
            yield text;
        }
        const files = await folder.left();
        if (!printed && files.length === 0)
            throw new Error(`${command[0]} printed nothing and left no file in MAILROOM_OUT, which is no answer.`);
        if (!printed)
            yield `Attached: ${files.map(({ filename }) => filename).join(', ')}`;
        return { files };
    }
    finally {
        await folder.remove();
    }
}
/** What a program prints when it is given the message on standard input, as it prints it. Throws when it fails. */
async function* outputOf([program = '', ...args], body, env, signal) {
    const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = new Promise((resolve) => {
        child.on('error', (error) => resolve(error.message));
        child.on('close', (code, by) => resolve(code === 0 ? undefined : `it ended with ${by ?? `exit code ${code}`}`));
    });
    let kill;
    const stop = () => {
        child.kill('SIGTERM');
        kill ??= setTimeout(() => child.kill('SIGKILL'), KILL_MS);
    };
    signal.addEventListener('abort', stop);
    // A program may end without reading its input.
    child.stdin.on('error', () => { });
    child.stdin.end(body);
    try {
        let length = 0;
        // The last line break is held back, since it ends the output and is no part of the text.
        let held = '';
        for await (const chunk of child.stdout.setEncoding('utf8')) {
            length += chunk.length;
            if (length > MAX_OUTPUT)
                throw new Error(`${program} printed more than ${MAX_OUTPUT} characters.`);
            // The service takes no U+0000.
            const text = held + chunk.replaceAll('\0', '\u{fffd}');
            held = text.endsWith('\n') ? '\n' : '';
            yield held === '' ? text : text.slice(0, -1);
        }
        const failed = await ended;
        if (failed !== undefined)
            throw new Error(`${program} failed: ${failed}.`);
    }
    finally {
        signal.removeEventListener('abort', stop);
        if (child.exitCode === null && child.signalCode === null)
            stop();
        void ended.then(() => clearTimeout(kill));
    }
}
/** Throws the error, with the command that makes the address one that a program answers, where one does. */
async function withNextStep(error, address, mailroom, signal) {
    if (!(error instanceof MailroomError))
        throw error;
    const [name = '', domain] = address.split('@');
    const own = domain === undefined ? [] : [`${await namespaceOf(mailroom, signal).catch(() => '')}.`];
    // An address in a namespace of others cannot be made.
    if (own.some((namespace) => !`${domain}.`.startsWith(namespace)))
        throw error;
    const steps = {
        mailbox_not_found: `To make it: mailroom address add ${name} --behavior agent`,
        not_waiting: `mailroom address edit ${address} --behavior agent`,
    };
    const step = steps[error.code];
    throw step === undefined ? error : new MailroomError(`${error.message}\n${step}`, error);
}
const serveCommand = {
    name: 'serve',
    summary: 'Answer the messages of an address with a program',
    args: 'ADDRESS -- COMMAND…',
    count: [1, 1],
    program: true,
    options: {
        concurrency: { type: 'string', short: 'c', value: 'NUMBER', help: 'messages at a time, 1 by default' },
        timeout: { type: 'string', value: 'SECONDS', help: 'how long the program has for one, 900 by default' },
    },
    examples: [
        ['serve echo@ada.mailroom.localhost -- tr a-z A-Z', 'The message is its input, its output is the answer'],
        [
            `serve shell@ada.mailroom.localhost -c 4 -- sh -c 'echo "$MAILROOM_FROM"'`,
            'MAILROOM_… variables describe the message',
        ],
        [
            `serve zip@ada.mailroom.localhost -- sh -c 'zip -jq "$MAILROOM_OUT/all.zip" "$MAILROOM_ATTACHMENTS"/*'`,
            'Its files are in MAILROOM_ATTACHMENTS; what is left in MAILROOM_OUT is attached',
        ],
    ],
    async run(context) {
        const { terminal, rest, json, signal } = context;
        const [program] = rest;
        if (program === undefined)
            throw new UsageError('Give a program after --: mailroom serve ADDRESS -- tr a-z A-Z');
        checkProgram(program, context.env);
        const mailroom = context.client();
        const timeout = numberOf(context, 'timeout', 1);
        const [given = ''] = context.positionals;
        const address = await ownAddress(mailroom, given, signal).catch((error) => withNextStep(error, given, mailroom, signal));
        await serve(address, (message, handling) => answerOf(rest, message, handling, context), {
            mailroom,
            signal,
            handleSignals: false,
            concurrency: numberOf(context, 'concurrency', 1),
            handlerMs: timeout === undefined ? undefined : timeout * 1000,
            onReady: () => {
                if (!json)
                    terminal.note(`Answering ${address}. Ctrl-C ends it after the messages at hand.`);
            },
            onError: (error, message) => terminal.note(`${message === undefined ? '' : `${message.id}: `}${oneLine(error instanceof Error ? error.message : String(error))}`),
            onAnswer: (message) => {
                if (json)
                    terminal.line(jsonOf({ id: message.id, status: message.status }));
                else
                    terminal.note(`${message.id}: ${message.status}`);
            },
        }).catch((error) => withNextStep(error, address, mailroom, signal));
        return 0;
    },
};
const STATUSES = new Set(['completed', 'input_required', 'rejected', 'failed']);
const answerCommand = {
    name: 'answer',
    summary: 'Answer a message by hand',
    args: 'ID [TEXT|-]',
    count: [1, 2],
    options: {
        attach: { type: 'string', short: 'a', multiple: true, value: 'FILE', help: 'attach a file' },
        status: {
            type: 'string',
            short: 's',
            value: 'STATUS',
            help: 'completed, input_required (asks back), rejected, failed',
        },
        data: { type: 'string', value: 'JSON', help: 'a structured part beside the text' },
        error: { type: 'string', value: 'TEXT', help: 'why it is rejected or failed; then no text is needed' },
    },
    examples: [
        ['answer msg_0d8m3xk2q5v7w9y1a3c0 "Tomorrow at ten."', 'The first answer settles the message'],
        ['answer msg_0d8m3xk2q5v7w9y1a3c0 "Which day?" --status input_required', 'Asks back'],
        ['answer msg_0d8m3xk2q5v7w9y1a3c0 --status rejected --error "Not here."', 'Refuses it'],
    ],
    async run(context) {
        const { terminal, json, signal, positionals } = context;
        const [id = ''] = positionals;
        const status = textOf(context, 'status') ?? 'completed';
        if (!STATUSES.has(status))
            throw new UsageError(`--status is one of ${[...STATUSES].join(', ')}.`);
        const error = textOf(context, 'error');
        const data = dataOf(context);
        const files = await filesOf(context);
        const mailroom = context.client();
        const body = error !== undefined && positionals.length === 1 ? undefined : await inputOf(context, 'answer ID');
        const answer = {
            status: status,
            ...(body !== undefined && { body }),
            ...(data !== undefined && { data }),
            ...(error !== undefined && { error }),
        };
        const answered = await mailroom.answers.answer(id, answer, { signal, files });
        if (json)
            terminal.json(answered);
        else
            terminal.note(answered.answer.settles ? `Answered: ${answered.status}.` : 'Added a reply; the message was settled before.');
        return 0;
    },
};
export const answerCommands = [serveCommand, answerCommand];
