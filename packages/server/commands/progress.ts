/** Where progress is shown: standard output, or a test's replacement. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Minimum time between two draws of a terminal's progress bar. */
const DRAW_MS = 100;
/** Minimum time between two lines on anything but a terminal. */
const LINE_MS = 10_000;
const BAR = 24;

const whole = (number: number): string => Math.floor(number).toLocaleString('en-US');

/** `1:02:03` or `2:03`. */
function duration(seconds: number): string {
  const of = Math.ceil(seconds);
  const parts = [Math.floor(of / 3600), Math.floor(of / 60) % 60, of % 60];
  if (parts[0] === 0) parts.shift();
  return parts.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** Shows the progress of long work: a progress bar on a terminal, plain lines elsewhere. */
export class Progress {
  readonly #screen: Screen;
  readonly #now: () => number;
  #what = '';
  #from = { rows: 0, at: 0 };
  #shownAt = 0;
  #drawn = false;

  /** `now` in milliseconds, of a clock that never moves backward. */
  constructor(screen: Screen, now: () => number = () => performance.now()) {
    this.#screen = screen;
    this.#now = now;
  }

  /** `rows` of `total` are done; a new `what` starts again, with a speed of its own. */
  show(what: string, rows: number, total: number): void {
    const now = this.#now();
    if (what !== this.#what) {
      this.#what = what;
      this.#from = { rows, at: now };
      this.#shownAt = now;
      return;
    }
    if (now - this.#shownAt < (this.#screen.isTTY ? DRAW_MS : LINE_MS)) return;
    this.#shownAt = now;
    const speed = ((rows - this.#from.rows) * 1000) / Math.max(1, now - this.#from.at);
    const part = total === 0 ? 1 : rows / total;
    const left = speed > 0 ? `, ${duration((total - rows) / speed)} left` : '';
    const text = `${whole(rows)} of ${whole(total)} rows, ${whole(speed)} a second${left}`;
    if (!this.#screen.isTTY) {
      this.#screen.write(`${what}: ${text}\n`);
      return;
    }
    const full = Math.round(part * BAR);
    const line = `${what} ${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${Math.floor(part * 100)} %  ${text}`;
    this.#screen.write(`\r\u001b[K${line.slice(0, (this.#screen.columns ?? 80) - 1)}`);
    this.#drawn = true;
  }

  /** Prints a line of its own, above the bar. */
  say(text: string): void {
    this.clear();
    this.#screen.write(`${text}\n`);
  }

  /** Removes the bar. */
  clear(): void {
    if (this.#drawn) this.#screen.write('\r\u001b[K');
    this.#drawn = false;
  }
}
