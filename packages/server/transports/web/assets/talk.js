// Continues a conversation without leaving the page. Without this script the same form works page by page.
import './edits.js';
import { enhance, find, sizeError, waitWords } from './page.js';
import { holdBack } from './wait.js';

/** Unique per message; `randomUUID` exists on secure connections only. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const WORKING = 'Working.';

/** How often a lost answer is requested, every 1.5 s. */
const MAX_LOOKS = 40;

/**
 * How often one looks for what is answered later, while the page is seen; more rarely some time after the last turn, and
 * where only an owner who takes over would add something.
 */
const LATER_MS = 2000;
const RARELY_MS = 10_000;
const LONG_MS = 10 * 60_000;

/** Calls `on(event, data)` for each event of a stream as it arrives (WHATWG HTML, section 9.2). */
async function readEvents(response, on) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (text + value).split('\n\n');
    text = blocks.pop();
    for (const block of blocks) {
      const field = (name) =>
        [...block.matchAll(new RegExp(`^${name}: (.*)$`, 'gm'))].map(([, found]) => found).join('\n');
      const data = field('data');
      if (data !== '') on(field('event'), JSON.parse(data));
    }
  }
}

function element(markup) {
  const template = document.createElement('template');
  template.innerHTML = markup;
  return template.content;
}

class Talk {
  constructor(form) {
    this.form = form;
    this.text = find('textarea', form);
    this.turns = find('[data-turns]', form);
    this.send = find('[data-send]', form);
    this.busy = false;
    form.addEventListener('submit', (event) => this.submit(event));
    form.addEventListener('click', (event) => this.click(event));
    this.text.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) form.requestSubmit(this.send);
    });
    this.text.addEventListener('input', () => {
      this.showError(undefined);
      this.keep();
    });
    // Examples beside the form fill it in, so that they can be edited before they are sent.
    for (const button of document.querySelectorAll(`[data-fill][form="${form.id}"]`))
      button.addEventListener('click', (event) => {
        event.preventDefault();
        this.text.value = button.value;
        this.showError(undefined);
        this.keep();
        form.scrollIntoView({ block: 'nearest' });
        this.text.focus();
      });
    this.restart = find('[data-restart]', form);
    this.restart.addEventListener('click', (event) => this.startOver(event));
    const keys = find('[data-keys]', form);
    // Devices without a keyboard do not need the key hints.
    keys.hidden = !matchMedia('(hover: hover)').matches;
    if (/Mac|iPhone|iPad/.test(navigator.platform)) find('kbd', keys).textContent = '⌘';
    this.showWait();
    this.recall();
    this.lastTurn = Date.now();
    document.addEventListener('visibilitychange', () => this.later());
    this.later();
  }

  /** Shows further replies, and answers that come after their stream ended, as they arrive. */
  later(refused = false) {
    clearTimeout(this.looking);
    if (document.hidden) return;
    const expected = this.form.dataset.later !== undefined || find('.answer [name="cancel"]', this.turns) !== null;
    const rarely = refused || !expected || Date.now() - this.lastTurn > LONG_MS;
    this.looking = setTimeout(() => void this.lookLater(), rarely ? RARELY_MS : LATER_MS);
  }

  async lookLater() {
    const { value } = this.token;
    if (value === '' || this.busy) return this.later();
    const shown = [...this.turns.querySelectorAll('.answer[id]')];
    const waiting = shown.filter((turn) => find('[name="cancel"]', turn) !== null);
    const ids = (of) => of.map(({ id }) => id).join(',');
    const body = new URLSearchParams({ thread_token: value, later: ids(shown), waits: ids(waiting) });
    const headers = { accept: 'text/event-stream' };
    const response = await fetch(this.form.action, { method: 'POST', body, headers }).catch(() => undefined);
    if (response?.ok)
      await readEvents(response, (event, data) => {
        // What was begun meanwhile shows its own turn.
        if (event === 'turn' && this.token.value === value && !this.busy) this.turn(data);
      }).catch(() => {});
    this.later(!response?.ok);
  }

  /** Clears the conversation from the page; the next message begins a new thread. */
  startOver(event) {
    event.preventDefault();
    if (this.busy) return;
    this.token.value = '';
    this.turns.replaceChildren();
    this.showError(undefined);
    this.keep();
    this.text.focus();
  }

  /** Stores the thread and the draft for this tab only, so that a reload loses neither. */
  keep() {
    this.restart.hidden = this.token.value === '';
    const kept = JSON.stringify({ token: this.token.value, text: this.text.value });
    try {
      sessionStorage.setItem(this.form.action, kept);
    } catch {
      // Storage may be disabled; then nothing is stored.
    }
  }

  recall() {
    let kept = null;
    try {
      kept = JSON.parse(sessionStorage.getItem(this.form.action));
    } catch {
      // Continues as if nothing were stored.
    }
    if (kept === null) return;
    if (this.text.value === '') this.text.value = kept.text;
    if (kept.token === '' || this.token.value !== '') return;
    this.token.value = kept.token;
    this.restart.hidden = false;
    this.quiet = true;
    void this.ask({ look: '1' }).finally(() => {
      this.quiet = false;
    });
  }

  get token() {
    return this.form.elements.thread_token;
  }

  set busy(is) {
    this.isBusy = is;
    const held = find('[data-send-wait] .note', this.form) !== null;
    for (const button of [...(held ? [] : [this.send]), ...this.form.querySelectorAll('.chip')]) {
      if (is) button.setAttribute('aria-disabled', 'true');
      else button.removeAttribute('aria-disabled');
    }
  }

  get busy() {
    return this.isBusy;
  }

  submit(event) {
    const { submitter } = event;
    const name = submitter?.name ?? '';
    // The answer is a download, so that the page stays.
    if (name === 'file') return;
    event.preventDefault();
    if (this.busy || (submitter === this.send && this.send.getAttribute('aria-disabled') === 'true')) return;
    const body = name === 'example' ? submitter.value : this.text.value;
    if (name === 'before') return void this.ask({ look: '1', before: submitter.value });
    if (name === 'cancel' || name === 'look') return void this.ask({ [name]: submitter.value });
    if (name === 'again') {
      submitter.closest('.answer').remove();
      return void this.write({ again: submitter.value });
    }
    const wrong = body.trim() === '' ? 'Write something first.' : sizeError(this.text, body);
    if (wrong !== undefined) return this.showError(wrong);
    const typed = name === 'example' ? this.text.value : '';
    void this.write({ body }, body, typed);
  }

  /** Sends a message and shows both turns at once, the second one as working. */
  async write(fields, body, typed = '') {
    this.showError(undefined);
    find('[data-example]', this.turns)?.remove();
    const turn = { body, began: Date.now() };
    if (body !== undefined) {
      const yours = document.createElement('div');
      yours.className = 'yours prose new-turn';
      const paragraph = document.createElement('p');
      paragraph.dir = 'auto';
      paragraph.textContent = body;
      paragraph.style.whiteSpace = 'pre-wrap';
      yours.append(paragraph);
      this.turns.append(yours);
      turn.yours = yours;
      this.text.value = typed;
    }
    turn.shown = find('[data-working-turn]', this.form).content.firstElementChild.cloneNode(true);
    this.turns.append(turn.shown);
    turn.shown.scrollIntoView({ block: 'nearest' });
    this.count(turn);
    turn.timer = setInterval(() => this.count(turn), 500);
    find('[data-said]', this.form).textContent = WORKING;
    await this.ask({ ...fields, once: newKey() }, turn);
  }

  count({ began, shown }) {
    const seconds = Math.floor((Date.now() - began) / 1000);
    const place = find('[data-seconds]', shown);
    if (seconds > 0 && place !== null) place.textContent = waitWords(seconds);
  }

  /** Sends what the form would send, and handles the result turn by turn. */
  async ask(fields, turn = {}) {
    this.busy = true;
    // What waits is looked for without a stream from now on, as streams are limited.
    this.stream?.abort();
    const stream = new AbortController();
    this.stream = stream;
    this.asked = turn;
    turn.ended = false;
    const body = new URLSearchParams({ thread_token: this.token.value, ...fields });
    try {
      const headers = { accept: 'text/event-stream' };
      const { signal } = stream;
      const response = await fetch(this.form.action, { method: 'POST', body, headers, signal });
      if (!response.ok) return this.refused(response, turn);
      await readEvents(response, (event, data) => !signal.aborted && this.onEvent(event, data, turn));
      if (!turn.ended) throw new Error('broken off');
    } catch {
      // One that waits continues without its stream.
      if (stream.signal.aborted) this.done(turn);
      else await this.broken(fields, turn);
    } finally {
      if (this.stream === stream) this.busy = false;
    }
  }

  /** Handles a response that is no conversation: a rate limit, or an error of the service. */
  refused({ status, headers }, turn) {
    if (this.quiet) return;
    this.takeBack(turn);
    const seconds = headers.get('retry-after');
    if (status === 429)
      this.showError(`Too many messages. Try again in ${seconds ?? 60} s; your text is still in the box.`);
    else if (status === 404 || status === 410)
      this.showError('This address no longer exists. Your text is still in the box.');
    else this.showError('Something went wrong on our side. Your text is still in the box; try again in a moment.');
  }

  onEvent(event, data, turn) {
    if (event === 'thread') {
      turn.arrived = true;
      turn.id = data.id;
      this.token.value = data.thread_token;
      this.text.placeholder = 'Write back';
      this.keep();
    } else if (event === 'doing') {
      const place = turn.shown && find('[data-doing]', turn.shown);
      if (place) place.textContent = data.text;
    } else if (event === 'delta') {
      if (turn.shown !== undefined) this.writeOn(data, turn);
    } else if (event === 'turns') {
      this.done(turn);
      this.turns.replaceChildren(...this.turns.querySelectorAll(':scope > .note'), element(data.html));
      enhance(this.turns);
    } else if (event === 'earlier') {
      this.done(turn);
      this.before(element(data.html));
    } else if (event === 'waits') {
      // Whom it waits for may take long, so that one can write more meanwhile.
      this.turn(data, turn);
      turn.ended = false;
      this.busy = false;
    } else if (event === 'turn') {
      this.turn(data, turn);
      this.done(turn);
    } else if (event === 'limit') {
      this.takeBack(turn);
      this.free?.();
      find('[data-send-wait]', this.form).replaceChildren(element(data.html));
      this.showWait();
    } else if (event === 'problem' && this.quiet) {
      // The stored thread no longer exists; the next message begins a new one.
      this.token.value = '';
      this.keep();
      turn.ended = true;
    } else if (event === 'problem') {
      this.takeBack(turn);
      this.showError(data.message);
    }
  }

  /** Replaces the button “earlier” with the messages it asked for. */
  before(part) {
    find('[data-look]', part)?.remove();
    const bottom = this.turns.scrollHeight;
    find('[data-before]', this.turns).replaceWith(part);
    enhance(this.turns);
    // Keeps the scroll position of the reader.
    scrollBy({ top: this.turns.scrollHeight - bottom, behavior: 'instant' });
    find('[data-before] button', this.turns)?.focus({ preventScroll: true });
  }

  /** Shows the reply while it is written, as plain text until it is complete. */
  writeOn({ at, text }, { shown }) {
    let draft = find('[data-draft]', shown);
    if (draft === null) {
      draft = document.createElement('p');
      draft.dataset.draft = '';
      draft.className = 'prose';
      draft.dir = 'auto';
      draft.style.whiteSpace = 'pre-wrap';
      find('.said', shown).prepend(draft);
    }
    draft.textContent = draft.textContent.slice(0, at) + text;
    draft.scrollIntoView({ block: 'nearest' });
  }

  /** Replaces the working turn, or an earlier state of the same turn, so that nothing is shown twice. */
  turn({ id, html }, turn = {}) {
    this.lastTurn = Date.now();
    const fresh = element(html);
    const place = document.getElementById(id) ?? turn.shown;
    const held = place?.contains(document.activeElement) ?? false;
    const shown = fresh.firstElementChild;
    if (place === undefined) this.turns.append(fresh);
    else place.replaceWith(fresh);
    turn.shown = shown;
    enhance(shown);
    // One that waits is looked for soon.
    this.later();
    if (held) this.text.focus();
    if (this.quiet) return;
    // A long answer is scrolled to its start.
    shown.scrollIntoView({ block: shown.offsetHeight > innerHeight * 0.8 ? 'start' : 'nearest' });
    // Screen readers announce the complete answer once, not its parts.
    find('[data-said]', this.form).textContent = find('.marked, .prose, .note, .meta', shown)?.textContent ?? '';
  }

  done(turn) {
    clearInterval(turn.timer);
    turn.ended = true;
    // A screen reader is told of work only while there is some.
    const said = find('[data-said]', this.form);
    if (said.textContent === WORKING) said.textContent = '';
  }

  /** Puts the text of a message that was not sent back into the form. */
  takeBack(turn) {
    turn.shown?.remove();
    turn.yours?.remove();
    if (turn.body !== undefined && this.text.value === '') this.text.value = turn.body;
    this.keep();
    this.done(turn);
  }

  /** After a broken connection, asks for the answer until it is there, provided that the service has the message. */
  async broken(fields, turn) {
    if (turn.arrived && fields.look === undefined) {
      for (let tries = 0; tries < MAX_LOOKS; tries++) {
        const doing = turn.shown && find('[data-doing]', turn.shown);
        if (doing) doing.textContent = 'Reconnecting';
        await new Promise((resolve) => setTimeout(resolve, 1500));
        // What was written meanwhile has a stream of its own.
        if (this.asked !== turn) return this.done(turn);
        const look = {};
        await this.ask({ look: '1' }, look);
        if (look.ended || this.asked !== look) return this.done(turn);
        this.asked = turn;
      }
    }
    if (fields.look !== undefined) return;
    this.takeBack(turn);
    this.showError('The connection was lost. Your text is still in the box.');
  }

  click(event) {
    if (!(event.target instanceof Element)) return;
    if (event.target.closest('[data-cancel]') === null) return;
    const { id, arrived } = this.asked ?? {};
    if (id === undefined || !arrived) return;
    const body = new URLSearchParams({ thread_token: this.token.value, cancel: id });
    fetch(this.form.action, { method: 'POST', body, headers: { accept: 'text/event-stream' } }).catch(() => {});
  }

  showError(message) {
    const place = find('[data-error]', this.form);
    place.hidden = message === undefined;
    find('span', place).textContent = message ?? '';
    if (message === undefined) return this.text.removeAttribute('aria-invalid');
    this.text.setAttribute('aria-invalid', 'true');
    this.text.setAttribute('aria-describedby', place.id);
    if (matchMedia('(hover: hover)').matches) this.text.focus();
    place.scrollIntoView({ block: 'nearest' });
  }

  /** Shows a rate limit as a countdown. */
  showWait() {
    this.free = holdBack({
      place: find('[data-send-wait]', this.form),
      send: this.send,
      worker: this.form.dataset.worker,
      goOn: (altcha) => {
        const body = this.text.value;
        if (body.trim() !== '') void this.write({ body, altcha }, body);
      },
    });
  }
}

for (const form of document.querySelectorAll('form[data-talk]')) new Talk(form);
