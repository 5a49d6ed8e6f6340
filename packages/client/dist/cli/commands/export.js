import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { safeName } from './files.js';
import { ownAddress, shortSize } from './shared.js';
export const exportMail = {
    name: 'export',
    summary: 'Save the mail of an address as an mbox file, which any mail program opens',
    args: 'ADDRESS [FILE]',
    count: [1, 2],
    examples: [['export ada', 'To ada@….mbox; a file that is there already is replaced once the new one is whole']],
    async run({ client, positionals, terminal, json, signal }) {
        const [given = '', named] = positionals;
        const mailroom = client();
        const address = await ownAddress(mailroom, given, signal);
        const file = named ?? `${safeName(address)}.mbox`;
        const { body } = await mailroom.mailboxes.export(address, { signal });
        const part = `${file}.part`;
        try {
            const bytes = body === null ? Readable.from([]) : Readable.fromWeb(body);
            await pipeline(bytes, createWriteStream(part, { mode: 0o600 }), { signal });
            await rename(part, file);
        }
        catch (error) {
            await rm(part, { force: true });
            throw error;
        }
        const { size } = await stat(file);
        if (json)
            terminal.json({ file, size });
        else
            terminal.line(`${file} (${shortSize(size)})`);
        return 0;
    },
};
