import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mailroom } from '../../mailroom.ts';
import type { Message } from '../../types.generated.ts';
import { mediaTypeOf } from '../media-type.ts';
import { saveFiles } from './files.ts';

/** The service's maximum of files in a reply. */
const MAX_FILES = 20;

/** A file that a program left. */
interface LeftFile {
  readonly filename: string;
  readonly content_type: string | undefined;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** The files of a message while a program answers it, and those that the program leaves for its reply. */
export class MessageFolder {
  readonly #path: string;
  /** Holds the files of the message. */
  readonly attachments: string;
  /** What the program writes here is attached to its answer. */
  readonly out: string;

  private constructor(path: string) {
    this.#path = path;
    this.attachments = join(path, 'attachments');
    this.out = join(path, 'out');
  }

  /** A folder that only this user can read, with the files of the message in it. */
  static async of({ attachments }: Message, mailroom: Mailroom, signal: AbortSignal): Promise<MessageFolder> {
    const folder = new MessageFolder(await mkdtemp(join(tmpdir(), 'mailroom-')));
    try {
      await mkdir(folder.out);
      await saveFiles({ mailroom, signal }, attachments, folder.attachments);
      return folder;
    } catch (error) {
      await folder.remove();
      throw error;
    }
  }

  /** What the program left, by name; throws where it is more than a reply may have. */
  async left(): Promise<readonly LeftFile[]> {
    const entries = await readdir(this.out, { withFileTypes: true });
    // A link could lead to a file that is not for the sender.
    const names = entries
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort((a, b) => (a < b ? -1 : 1));
    if (names.length > MAX_FILES)
      throw new Error(`It left ${names.length} files in MAILROOM_OUT; a reply has at most ${MAX_FILES}.`);
    return Promise.all(
      names.map(async (filename) => ({
        filename,
        content_type: mediaTypeOf(filename),
        content: new Uint8Array(await readFile(join(this.out, filename))),
      })),
    );
  }

  async remove(): Promise<void> {
    await rm(this.#path, { recursive: true, force: true });
  }
}
