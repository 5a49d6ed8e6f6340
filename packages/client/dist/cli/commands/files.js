import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { oneLine } from '../terminal.js';
const MAX_NAMES = 1000;
/** A name that stays in its folder and shows in its list. */
export function safeName(filename) {
    const name = oneLine(basename(filename.replaceAll('\\', '/')))
        .replace(/^\.+/, '_')
        .slice(0, 200);
    return name === '' ? 'file' : name;
}
/** Saves files into a folder; a file that is there already is kept, and the new one gets a number. */
export async function saveFiles({ mailroom, signal, saved }, files, folder) {
    await mkdir(folder, { recursive: true });
    for (const { id, filename } of files) {
        const { body } = await mailroom.messages.getAttachment(id, { signal });
        if (body === null)
            continue;
        const path = await written(Readable.fromWeb(body), folder, safeName(filename));
        saved?.(path);
    }
}
async function written(bytes, folder, name) {
    const extension = extname(name);
    const stem = name.slice(0, name.length - extension.length);
    for (let count = 1;; count++) {
        const path = join(folder, count === 1 ? name : `${stem} (${count})${extension}`);
        const file = createWriteStream(path, { flags: 'wx' });
        try {
            // Opened before any byte is taken, so that the bytes are still there for the next name.
            await new Promise((resolve, reject) => file.once('open', () => resolve()).once('error', reject));
        }
        catch (error) {
            if (error.code === 'EEXIST' && count < MAX_NAMES)
                continue;
            throw error;
        }
        await pipeline(bytes, file);
        return path;
    }
}
