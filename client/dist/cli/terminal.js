import { cut, filled, widthOf } from './width.js';
const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34 };
const DEFAULT_COLUMNS = 80;
const MIN_COLUMN = 6;
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
/** Control characters that strangers' texts could steer the terminal with; line breaks and tabs stay. */
const CONTROLS = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;
/** A text of others, harmless on a terminal. */
export const harmless = (text) => text.replaceAll('\r\n', '\n').replace(CONTROLS, '\u{fffd}');
/** A text on one line. */
export const oneLine = (text) => harmless(text.replace(/\s+/g, ' ').trim());
/** A terminal that does not know its width says 0. */
const columnsOf = ({ columns = 0 }) => (columns > 0 ? columns : DEFAULT_COLUMNS);
/** Where results go (standard output) and what accompanies them (standard error). */
export class Terminal {
    #out;
    #err;
    #color;
    #progress;
    #shown = '';
    constructor(out, err, env) {
        this.#out = out;
        this.#err = err;
        // no-color.org: set and not empty.
        this.#color = out.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
    }
    /** Whether results are read by a person. */
    get interactive() {
        return this.#out.isTTY === true;
    }
    /** Whether a person sees the progress. */
    get shows() {
        return this.#err.isTTY === true;
    }
    style(style, text) {
        return this.#color ? `\x1b[${STYLES[style]}m${text}\x1b[0m` : text;
    }
    /** A line of the result. */
    line(text = '') {
        this.#clear();
        this.#out.write(`${text}\n`);
    }
    /** A text of others as the result; steering characters are removed for people, and kept for programs. */
    text(text) {
        const shown = this.interactive ? harmless(text) : text;
        this.#clear();
        this.#out.write(shown.endsWith('\n') ? shown : `${shown}\n`);
    }
    json(value) {
        this.line(this.interactive ? JSON.stringify(value, null, 2) : JSON.stringify(value));
    }
    /** A line beside the result. */
    note(text) {
        this.#clear();
        this.#err.write(`${text}\n`);
    }
    /** Shows on standard error that something takes time, with what `text` says; nothing where no person sees it. */
    progress(text) {
        this.done();
        if (!this.shows)
            return;
        let frame = 0;
        this.#progress = setInterval(() => {
            const columns = columnsOf(this.#err);
            this.#clear();
            this.#shown = cut(`${FRAMES[frame++ % FRAMES.length]} ${oneLine(text())}`, columns - 1);
            this.#err.write(this.#shown);
        }, FRAME_MS);
        this.#progress.unref();
    }
    /** Ends the progress. */
    done() {
        clearInterval(this.#progress);
        this.#clear();
    }
    #clear() {
        if (this.#shown === '')
            return;
        this.#shown = '';
        this.#err.write('\r\x1b[2K');
    }
    /**
     * A table of texts that fits the terminal: the widest columns are cut, but not the first, which is there to be copied.
     * For programs its columns are separated by tabs, whole and without a head.
     */
    table(head, rows) {
        const cells = rows.map((row) => row.map(oneLine));
        if (!this.interactive) {
            for (const row of cells)
                this.line(row.join('\t'));
            return;
        }
        const widths = head.map((title, at) => Math.max(widthOf(title), ...cells.map((row) => widthOf(row[at] ?? ''))));
        const columns = columnsOf(this.#out);
        const gaps = 2 * (head.length - 1);
        for (;;) {
            const over = widths.reduce((sum, width) => sum + width, gaps) - columns;
            if (over <= 0)
                break;
            const others = widths.slice(1);
            const width = Math.max(...others);
            const widest = 1 + others.indexOf(width);
            if (width <= MIN_COLUMN)
                break;
            const next = Math.max(MIN_COLUMN, ...others.filter((other) => other < width));
            widths[widest] = Math.max(width - over, Math.min(next, width - 1));
        }
        const row = (texts) => {
            const whole = texts.map((text, at) => filled(cut(text, widths[at] ?? 0), widths[at] ?? 0)).join('  ');
            return cut(whole.trimEnd(), columns);
        };
        this.line(this.style('dim', row(head)));
        for (const one of cells)
            this.line(row(one));
    }
}
