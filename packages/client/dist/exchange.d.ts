/** What is read of an answer. */
export type Answered = Pick<Response, 'ok' | 'status' | 'json'> & {
    readonly headers: Pick<Headers, 'get'>;
};
/**
 * Sends a text and reads a text by Node's own HTTP, which takes a third of the CPU time of `fetch`; undefined on other
 * platforms. Redirects are not followed, and nothing is decompressed.
 */
export declare const exchange: typeof throughNode | undefined;
declare function throughNode(url: URL, { method, headers, body, }: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body: string;
}, signals: readonly AbortSignal[]): Promise<Answered>;
export {};
