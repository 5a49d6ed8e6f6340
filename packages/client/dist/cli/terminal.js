import { cut, filled, widthOf } from './width.js';
const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34 };
const DEFAULT_COLUMNS = 80;
const MIN_COLUMN = 6;
/** The last column, mostly a text to read, is moved below the others before it is cut to less. */
const MIN_LAST = 20;
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
/** Control characters that strangers' texts could steer the terminal with; line breaks and tabs stay. */
const CONTROLS = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;
/** The same, and line separators and marks of direction, in the text of a JSON document, in which line breaks are ours. */
const CONTROLS_OF_JSON = /[^\P{Cc}\n]|[\u2028\u2029\p{Bidi_Control}]/gu;
/** The styles of this program, which may stand in a line. */
const OWN = new RegExp(`(${String.fromCharCode(27)}\\[(?:[0-2]|3[1-4])m)`);
/** A value as JSON in which no character steers a terminal: those that may are escaped (RFC 8259, section 7). */
export const jsonOf = (value, indent) => JSON.stringify(value, null, indent).replace(CONTROLS_OF_JSON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
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
    /** A line of the result, in which nothing but our styles steers the terminal. */
    line(text = '') {
        this.#clear();
        const parts = text.split(OWN).map((part, at) => (at % 2 === 0 ? harmless(part) : part));
        this.#out.write(`${parts.join('')}\n`);
    }
    /** A text of others as the result; steering characters are removed for people, and kept for programs. */
    text(text) {
        const shown = this.interactive ? harmless(text) : text;
        this.#clear();
        this.#out.write(shown.endsWith('\n') ? shown : `${shown}\n`);
    }
    json(value) {
        this.line(jsonOf(value, this.interactive ? 2 : undefined));
    }
    /** A line beside the result. */
    note(text) {
        this.#clear();
        this.#err.write(`${harmless(text)}\n`);
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
     * Where that leaves little of the last one, it has a line of its own below the others; where even that does not fit,
     * there are no columns.
     * For programs its columns are separated by tabs, whole and without a head.
     */
    table(head, rows) {
        const cells = rows.map((row) => row.map(oneLine));
        if (!this.interactive) {
            for (const row of cells)
                this.line(row.join('\t'));
            return;
        }
        const columns = columnsOf(this.#out);
        const wanted = head.map((title, at) => Math.max(widthOf(title), ...cells.map((row) => widthOf(row[at] ?? ''))));
        const last = head.length - 1;
        let widths = fitted(wanted, columns);
        const below = last > 1 && (widths[last] ?? 0) < Math.min(wanted[last] ?? 0, MIN_LAST);
        if (below)
            widths = fitted(wanted.slice(0, last), columns);
        const whole = widths.reduce((sum, width) => sum + width + 2, -2);
        if (whole > columns && last > 1) {
            this.#stacked(cells, columns);
            return;
        }
        const row = (texts) => {
            const line = widths.map((width, at) => filled(cut(texts[at] ?? '', width), width)).join('  ');
            return cut(line.trimEnd(), columns);
        };
        this.line(this.style('dim', row(head)));
        for (const one of cells) {
            this.line(row(one));
            const text = one[last] ?? '';
            if (below && text !== '')
                this.line(cut(`  ${text}`, columns));
        }
    }
    /** Rows for a terminal that is too narrow for columns: the first cell, and the others on lines below it. */
    #stacked(rows, columns) {
        for (const [first = '', ...others] of rows) {
            this.line(this.style('bold', first));
            const texts = others.filter((text) => text !== '');
            let line = '';
            for (const [index, text] of texts.entries()) {
                const next = line === '' ? text : `${line} · ${text}`;
                // The last one, mostly a text to read, has a line of its own.
                const fits = widthOf(next) + 2 <= columns && (index < texts.length - 1 || others.at(-1) === '');
                if (line !== '' && !fits)
                    this.line(cut(`  ${line}`, columns));
                line = line === '' || fits ? next : text;
            }
            if (line !== '')
                this.line(cut(`  ${line}`, columns));
        }
    }
}
/** The widths of columns that fit `columns` with their gaps, as far as all but the first may be cut. */
function fitted(wanted, columns) {
    const widths = [...wanted];
    const gaps = 2 * (widths.length - 1);
    for (;;) {
        const over = widths.reduce((sum, width) => sum + width, gaps) - columns;
        const others = widths.slice(1);
        const width = Math.max(...others);
        if (over <= 0 || width <= MIN_COLUMN)
            return widths;
        const next = Math.max(MIN_COLUMN, ...others.filter((other) => other < width));
        widths[1 + others.indexOf(width)] = Math.max(width - over, Math.min(next, width - 1));
    }
}
