import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mediaTypeOf } from '../media-type.js';
import { saveFiles } from './files.js';
/** The service's maximum of files in a reply. */
const MAX_FILES = 20;
/** The files of a message while a program answers it, and those that the program leaves for its reply. */
export class MessageFolder {
    #path;
    /** Holds the files of the message. */
    attachments;
    /** What the program writes here is attached to its answer. */
    out;
    constructor(path) {
        this.#path = path;
        this.attachments = join(path, 'attachments');
        this.out = join(path, 'out');
    }
    /** A folder that only this user can read, with the files of the message in it. */
    static async of({ attachments }, mailroom, signal) {
        const folder = new MessageFolder(await mkdtemp(join(tmpdir(), 'mailroom-')));
        try {
            await mkdir(folder.out);
            await saveFiles({ mailroom, signal }, attachments, folder.attachments);
            return folder;
        }
        catch (error) {
            await folder.remove();
            throw error;
        }
    }
    /** What the program left, by name; throws where it is more than a reply may have. */
    async left() {
        const entries = await readdir(this.out, { withFileTypes: true });
        // A link could lead to a file that is not for the sender.
        const names = entries
            .filter((entry) => entry.isFile())
            .map(({ name }) => name)
            .sort((a, b) => (a < b ? -1 : 1));
        if (names.length > MAX_FILES)
            throw new Error(`It left ${names.length} files in MAILROOM_OUT; a reply has at most ${MAX_FILES}.`);
        return Promise.all(names.map(async (filename) => ({
            filename,
            content_type: mediaTypeOf(filename),
            content: new Uint8Array(await readFile(join(this.out, filename))),
        })));
    }
    async remove() {
        await rm(this.#path, { recursive: true, force: true });
    }
}
