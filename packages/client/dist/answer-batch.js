import { MailroomError } from './error.js';
/** Answers in one request. */
const MAX_ANSWERS = 64;
/** Characters of an answer that is sent with others. */
const MAX_BODY = 4_096;
/** Sends the answers of an address that are ready at the same time in one request. */
export class AnswerBatcher {
    #mailroom;
    #address;
    #headers;
    #waiting = [];
    constructor(mailroom, address, headers) {
        this.#mailroom = mailroom;
        this.#address = address;
        this.#headers = headers;
    }
    /** Whether an answer is small enough to wait for others. */
    static takes({ body, data, attachments }) {
        return attachments === undefined && data === undefined && (body?.length ?? 0) <= MAX_BODY;
    }
    /**
     * True once the message is answered, false when it has to be answered by a request of its own, because another answer
     * was not valid. Throws what its own request would throw.
     */
    send(answer) {
        return new Promise((resolve, reject) => {
            this.#waiting.push({ answer, resolve, reject });
            if (this.#waiting.length === 1)
                setTimeout(() => void this.#flush(), 0);
            else if (this.#waiting.length === MAX_ANSWERS)
                void this.#flush();
        });
    }
    async #flush() {
        const all = this.#waiting;
        this.#waiting = [];
        if (all.length === 0)
            return;
        try {
            const answers = all.map(({ answer }) => answer);
            const { items } = await this.#mailroom.answers.answerMany(this.#address, { answers }, { headers: this.#headers });
            for (const [at, { resolve, reject }] of all.entries()) {
                const problem = items[at]?.problem;
                if (problem === undefined)
                    resolve(true);
                else
                    reject(new MailroomError(problem.detail, problem));
            }
        }
        catch (error) {
            const { status = 0 } = error;
            const isRefused = status >= 400 && status < 500 && status !== 429;
            for (const { resolve, reject } of all) {
                if (isRefused)
                    resolve(false);
                else
                    reject(error);
            }
        }
    }
}
