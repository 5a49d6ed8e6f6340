/** Resolves after `ms`; throws the signal's reason when it is aborted before. */
export declare function sleep(ms: number, signal?: AbortSignal): Promise<void>;
