// Makes an address without page loads. Without this script the same forms work page by page.
import './edits.js';
import { enhance, find, say, sizeError } from './page.js';
import { holdBack, submitSolved } from './wait.js';

const form = find('[data-new]');
const element = (markup) => document.createRange().createContextualFragment(markup);
const later = (ms, work) => {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...args), ms);
  };
};

/** Removes a field that is now right from the list of what to fix. */
function removeError({ id }) {
  const summary = find('#summary');
  const line = summary && find(`a[href="#${id}"]`, summary)?.closest('li');
  if (!line) return;
  line.remove();
  const { length } = summary.querySelectorAll('li');
  find('#summary-title').textContent = length === 1 ? 'One thing to fix' : `${length} things to fix`;
  if (length > 0) return;
  summary.remove();
  document.title = document.title.replace(/^Error: /, '');
}

/**
 * Removes from the list of what to fix what the preview no longer finds wrong; `missing` is its markup of what is still
 * missing.
 */
function settled(missing) {
  const left = new Set([...element(missing ?? '').querySelectorAll('a')].map((link) => link.getAttribute('href')));
  for (const link of [...(find('#summary')?.querySelectorAll('a[href^="#settings."]') ?? [])]) {
    const field = document.getElementById(link.hash.slice(1));
    if (left.has(link.hash) || field === null) continue;
    removeError(field);
    field.removeAttribute('aria-invalid');
    document.getElementById(`${field.id}~error`)?.remove();
  }
}

/** Checks while the reader types that the name is free and that the part before the @ is valid. */
function nameCheck(field) {
  const state = find('[data-state]');
  const local = find('[data-local]');
  const localState = find('[data-local-state]');
  let last = 0;
  state.setAttribute('aria-live', 'polite');
  localState.setAttribute('aria-live', 'polite');
  const show = (of, place, { fine, html }) => {
    // No error is shown in a form that is still empty.
    if (of.value !== '' || find('.hint:only-child', place) === null) place.innerHTML = of.value === '' ? '' : html;
    if (fine) removeError(of);
    if (fine || of.value === '') of.removeAttribute('aria-invalid');
    else of.setAttribute('aria-invalid', 'true');
  };
  const ask = later(250, async () => {
    const mine = ++last;
    const query = new URLSearchParams({ name: field.value, local: local.value });
    const checked = await fetch(`new/name?${query}`)
      .then((response) => (response.ok ? response.json() : undefined))
      .catch(() => undefined);
    if (mine !== last || checked === undefined) return;
    show(field, state, checked.name);
    show(local, localState, checked.local);
  });
  field.addEventListener('input', ask);
  local.addEventListener('input', ask);
  state.addEventListener('click', (event) => {
    const chip = event.target.closest('[data-suggested]');
    if (chip === null) return;
    event.preventDefault();
    field.value = chip.dataset.suggested;
    field.focus();
    ask();
  });
}

/** Appends an empty row. */
function addRow(button) {
  const rows = find('[data-rows]', button.closest('.group'));
  const from = rows.lastElementChild;
  const row = from.cloneNode(true);
  const [at, next] = [rows.children.length - 1, rows.children.length];
  const list = button.value;
  for (const one of row.querySelectorAll('*')) {
    for (const name of ['id', 'name', 'for', 'aria-describedby']) {
      const value = one.getAttribute(name);
      if (value !== null) one.setAttribute(name, value.replaceAll(`${list}.${at}`, `${list}.${next}`));
    }
    one.removeAttribute('aria-invalid');
    if (one.matches('.error')) one.remove();
    if (one.matches('label')) one.className = 'sr';
    if (one.matches('label > .sr')) one.textContent = ` ${next + 1}`;
    if (one.matches('input, textarea')) one.value = '';
    if (one.matches('select')) one.selectedIndex = 0;
  }
  rows.append(row);
  find('input, select, textarea', row).focus();
}

/** The preview conversation with an address that does not exist yet. */
class Preview {
  constructor(card) {
    this.card = card;
    this.turns = find('[data-turns]', card);
    this.text = form.elements.body;
    this.send = find('[data-send]', card);
    this.again = later(500, () => void this.ask(form.elements.tried.value, { quiet: true }));
    this.text.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) this.write(this.text.value);
    });
    this.showWait();
  }

  write(body) {
    if (this.send.getAttribute('aria-disabled') === 'true') return;
    const wrong = body.trim() === '' ? 'Write a message first.' : sizeError(this.text, body);
    if (wrong !== undefined) return this.showError(wrong);
    void this.ask(body, { typed: body === this.text.value });
  }

  /** `quiet`: triggered by a change of the settings, not by a button. */
  async ask(body, { quiet = false, typed = false, altcha = '' } = {}) {
    if (quiet && this.send.getAttribute('aria-disabled') === 'true') return;
    const data = new FormData(form);
    data.set('example', body);
    if (altcha !== '') data.set('altcha', altcha);
    const mine = {};
    this.last = mine;
    if (!quiet) this.working(body);
    let result;
    try {
      const response = await fetch(form.dataset.previewPath ?? 'new/preview', {
        method: 'POST',
        body: new URLSearchParams(data),
      });
      result = await response.json();
      if (result.turns === undefined) throw new Error(`${response.status}`);
    } catch {
      result = { turns: null, error: quiet ? null : 'The connection was lost. Your text is still in the box.' };
    }
    if (mine !== this.last) return;
    clearInterval(this.timer);
    if (result.turns !== null || result.missing) settled(result.missing);
    if (result.turns !== null) {
      this.turns.innerHTML = result.turns;
      enhance(this.turns);
      form.elements.tried.value = result.tried;
      if (typed) this.text.value = '';
      this.showError(undefined);
      const said = find('.said', this.turns) ?? this.turns;
      if (!quiet) {
        this.turns.lastElementChild.scrollIntoView({ block: 'nearest' });
        say(said.textContent.trim());
      }
      return;
    }
    if (quiet) {
      // Removes an answer that belongs to earlier settings.
      if (result.missing) this.turns.innerHTML = result.missing;
      return;
    }
    if (this.before !== undefined) this.turns.replaceChildren(...this.before);
    if (result.wait) {
      this.free?.();
      find('[data-send-wait]', this.card).replaceChildren(element(result.wait.html));
      this.showWait();
      if (!typed && this.text.value === '') this.text.value = body;
    } else if (result.error === null && result.errors > 0) {
      // The settings are wrong, so the form is sent as a page, which shows the errors and moves the focus to them.
      this.plain = true;
      this.send.removeAttribute('formaction');
      form.requestSubmit(this.send);
    } else this.showError(result.error);
  }

  working(body) {
    this.before = [...this.turns.children];
    const yours = document.createElement('div');
    yours.className = 'yours prose new-turn';
    yours.dir = 'auto';
    yours.textContent = body;
    const answer = find('[data-working-turn]', this.card).content.firstElementChild.cloneNode(true);
    find('[data-cancel]', answer).addEventListener('click', () => {
      this.last = undefined;
      clearInterval(this.timer);
      this.turns.replaceChildren(...this.before);
    });
    this.turns.replaceChildren(yours, answer);
    const began = Date.now();
    clearInterval(this.timer);
    this.timer = setInterval(() => {
      find('[data-seconds]', answer).textContent = `${Math.floor((Date.now() - began) / 1000)} s`;
    }, 1000);
  }

  showError(message) {
    const place = find('[data-error]', this.card);
    place.hidden = message === undefined;
    find('span', place).textContent = message ?? '';
    if (message === undefined) return this.text.removeAttribute('aria-invalid');
    this.text.setAttribute('aria-invalid', 'true');
    this.text.setAttribute('aria-describedby', place.id);
    this.text.focus();
    place.scrollIntoView({ block: 'nearest' });
  }

  /** Shows a rate limit as a countdown. */
  showWait() {
    this.free = holdBack({
      place: find('[data-send-wait]', this.card),
      send: this.send,
      worker: this.card.dataset.worker,
      goOn: (altcha) => {
        const typed = this.text.value;
        void this.ask(typed || form.elements.tried.value, { typed: typed !== '', altcha });
      },
    });
  }
}

/** After a step back from an address that this tab made, says so in place of an error. */
function madeHere(template) {
  let made = null;
  try {
    made = sessionStorage.getItem('made');
  } catch {
    // Continues as if nothing were stored.
  }
  if (made !== template.dataset.made) return;
  find('#summary').replaceWith(template.content);
  find('[data-state]').replaceChildren();
  find('[data-name]').removeAttribute('aria-invalid');
  document.title = document.title.replace(/^Error: /, '');
}

const made = find('[data-made]');
if (made !== null) madeHere(made);

const name = find('[data-name]');
if (name !== null) nameCheck(name);

/** Shows the limit on new addresses as a countdown; it is longer than that on messages. */
function heldBack(place) {
  const send = find('[data-make]');
  holdBack({
    place,
    send,
    worker: place.dataset.worker,
    goOn: (altcha) => submitSolved(form, altcha, send),
  });
}

const limit = find('[data-limit]');
if (limit !== null) heldBack(limit);

const card = find('[data-preview]');
if (card !== null) {
  const preview = new Preview(card);
  form.addEventListener('submit', (event) => {
    const { submitter } = event;
    if (submitter?.dataset.add !== undefined) {
      event.preventDefault();
      addRow(submitter);
    } else if (submitter?.name === 'example') {
      event.preventDefault();
      preview.write(submitter.value);
    } else if (submitter?.value === 'preview' && !preview.plain) {
      event.preventDefault();
      preview.write(preview.text.value || form.elements.tried.value);
    } else if (submitter?.value === 'make') {
      // A second press would repeat the same request.
      if (form.dataset.sent || submitter.ariaDisabled === 'true') event.preventDefault();
      form.dataset.sent = '1';
    }
  });
  addEventListener('pageshow', () => delete form.dataset.sent);
  form.addEventListener('change', (event) => {
    const { target } = event;
    if (target.name === 'behavior') {
      const panels = find('.panels', card).children;
      const at = [...form.elements.behavior].findIndex((one) => one.checked);
      const first = panels[at] && find('button', panels[at])?.value;
      void preview.ask(first ?? '', { quiet: true });
    } else if (target.name.startsWith('settings.') && form.elements.tried.value !== '') preview.again();
  });
}
