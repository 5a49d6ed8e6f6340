import type { Mailroom } from '../../mailroom.js';
import type { Attachment } from '../../types.generated.js';
/** A name that stays in its folder and shows in its list. */
export declare function safeName(filename: string): string;
interface Saving {
    readonly mailroom: Mailroom;
    readonly signal: AbortSignal;
    /** Called with the path of each. */
    readonly saved?: (path: string) => void;
}
/** Saves files into a folder; a file that is there already is kept, and the new one gets a number. */
export declare function saveFiles({ mailroom, signal, saved }: Saving, files: readonly Attachment[], folder: string): Promise<void>;
export {};
