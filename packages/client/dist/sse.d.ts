/** An event of a stream of server-sent events. */
export interface ServerEvent {
    /** The last id that the stream sent, with this event or before it; empty without one. */
    readonly id: string;
    readonly event: string;
    readonly data: string;
}
/**
 * The events of a stream, in order; `onId` is called with each id, also with one that comes without an event. `alive` is
 * called for everything that arrives, heartbeats included.
 */
export declare function readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>, { onId, alive }?: {
    readonly onId?: (id: string) => void;
    readonly alive?: () => void;
}): AsyncGenerator<ServerEvent, void>;
