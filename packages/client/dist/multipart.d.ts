/** The bytes of a file: held in memory, a `Blob`, or read as they are sent. */
export type FileContent = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
/** A file to send with a message; a `File` is one too. */
export type FileInput = {
    readonly filename: string;
    readonly content: FileContent;
    readonly content_type?: string | undefined;
} | File;
/** A request's body and its type. */
export interface Encoded {
    readonly body: string | Blob | ReadableStream<Uint8Array>;
    readonly type: string;
    /** Whether it can be sent again, which a stream cannot. */
    readonly repeatable: boolean;
    /** Filled with what a file's stream throws while it is sent. */
    readonly failures?: readonly unknown[];
}
/** Whether the files can be read more than once. */
export declare const areRepeatable: (files: readonly FileInput[]) => boolean;
/** `multipart/form-data` (RFC 7578) with the JSON in a part `message`, then the files. */
export declare function multipart(message: unknown, files: readonly FileInput[]): Encoded;
/** The chunks of a stream; not every browser iterates over streams. */
export declare function chunksOf<T>(stream: ReadableStream<T>): AsyncGenerator<T, void>;
