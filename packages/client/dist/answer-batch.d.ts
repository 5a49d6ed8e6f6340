import type { Mailroom } from './mailroom.js';
import type { AnswerBatch } from './types.generated.js';
type BatchedAnswer = AnswerBatch['answers'][number];
/** Sends the answers of an address that are ready at the same time in one request. */
export declare class AnswerBatcher {
    #private;
    constructor(mailroom: Mailroom, address: string, headers: Readonly<Record<string, string>>);
    /** Whether an answer is small enough to wait for others. */
    static takes({ body, data, attachments }: Partial<BatchedAnswer> & {
        readonly attachments?: unknown;
    }): boolean;
    /**
     * True once the message is answered, false when it has to be answered by a request of its own, because another answer
     * was not valid. Throws what its own request would throw.
     */
    send(answer: BatchedAnswer): Promise<boolean>;
}
export {};
