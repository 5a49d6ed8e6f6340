// Makes an address without waiting for pages. Without this file the same forms do the same, page by page.
import './edits.js';
import { enhance, find, say } from './page.js';
import { holdBack } from './wait.js';

const form = find('[data-new]');
const element = (markup) => document.createRange().createContextualFragment(markup);
const later = (ms, work) => {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...args), ms);
  };
};

/** Takes a field that is right by now out of what there is to fix. */
function mended({ id }) {
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

/** Takes what the preview no longer finds wrong out of what there is to fix; `missing` is its markup of what it does. */
function settled(missing) {
  const left = new Set([...element(missing ?? '').querySelectorAll('a')].map((link) => link.getAttribute('href')));
  for (const link of [...(find('#summary')?.querySelectorAll('a[href^="#settings."]') ?? [])]) {
    const field = document.getElementById(link.hash.slice(1));
    if (left.has(link.hash) || field === null) continue;
    mended(field);
    field.removeAttribute('aria-invalid');
    document.getElementById(`${field.id}~fault`)?.remove();
  }
}

/** Whether the name is free and what stands before it is right, as they are typed. */
function nameCheck(field) {
  const state = find('[data-state]');
  const local = find('[data-local]');
  const localState = find('[data-local-state]');
  let last = 0;
  state.setAttribute('aria-live', 'polite');
  localState.setAttribute('aria-live', 'polite');
  const show = (of, place, { fine, html }) => {
    // Nothing is asked of who has not begun.
    if (of.value !== '' || find('.hint:only-child', place) === null) place.innerHTML = of.value === '' ? '' : html;
    if (fine) mended(of);
    if (fine || of.value === '') of.removeAttribute('aria-invalid');
    else of.setAttribute('aria-invalid', 'true');
  };
  const ask = later(250, async () => {
    const mine = ++last;
    const query = new URLSearchParams({ name: field.value, local: local.value });
    const told = await fetch(`new/name?${query}`)
      .then((response) => (response.ok ? response.json() : undefined))
      .catch(() => undefined);
    if (mine !== last || told === undefined) return;
    show(field, state, told.name);
    show(local, localState, told.local);
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

/** One more row below the last, empty. */
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
    if (one.matches('.fault')) one.remove();
    if (one.matches('label')) one.className = 'sr';
    if (one.matches('label > .sr')) one.textContent = ` ${next + 1}`;
    if (one.matches('input, textarea')) one.value = '';
    if (one.matches('select')) one.selectedIndex = 0;
  }
  rows.append(row);
  find('input, select, textarea', row).focus();
}

/** The conversation with an address that is not there yet. */
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
    this.hindered();
  }

  write(body) {
    if (this.send.getAttribute('aria-disabled') === 'true') return;
    if (body.trim() === '') return this.fault('Write a message first.');
    void this.ask(body, { typed: body === this.text.value });
  }

  /** `quiet`: the settings changed, nobody pressed anything. */
  async ask(body, { quiet = false, typed = false, altcha = '' } = {}) {
    if (quiet && this.send.getAttribute('aria-disabled') === 'true') return;
    const data = new FormData(form);
    data.set('example', body);
    if (altcha !== '') data.set('altcha', altcha);
    const mine = {};
    this.last = mine;
    if (!quiet) this.working(body);
    let told;
    try {
      const response = await fetch('new/preview', { method: 'POST', body: new URLSearchParams(data) });
      told = await response.json();
      if (told.turns === undefined) throw new Error(`${response.status}`);
    } catch {
      told = { turns: null, fault: quiet ? null : 'The connection broke. Your text is in the box.' };
    }
    if (mine !== this.last) return;
    clearInterval(this.timer);
    if (told.turns !== null || told.missing) settled(told.missing);
    if (told.turns !== null) {
      this.turns.innerHTML = told.turns;
      enhance(this.turns);
      form.elements.tried.value = told.tried;
      if (typed) this.text.value = '';
      this.fault(undefined);
      const said = find('.said', this.turns);
      if (!quiet) {
        this.turns.lastElementChild.scrollIntoView({ block: 'nearest' });
        say(said.textContent.trim());
      }
      return;
    }
    if (quiet) {
      // An answer to settings that are gone would be taken for theirs.
      if (told.missing) this.turns.innerHTML = told.missing;
      return;
    }
    if (this.before !== undefined) this.turns.replaceChildren(...this.before);
    if (told.wait) {
      this.free?.();
      find('[data-hindrance]', this.card).replaceChildren(element(told.wait.html));
      this.hindered();
      if (!typed && this.text.value === '') this.text.value = body;
    } else if (told.fault === null && told.faults > 0) {
      // The settings are wrong: the page says where, and has the focus there unless its link leads elsewhere.
      this.plain = true;
      this.send.removeAttribute('formaction');
      form.requestSubmit(this.send);
    } else this.fault(told.fault);
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

  fault(message) {
    const place = find('[data-fault]', this.card);
    place.hidden = message === undefined;
    find('span', place).textContent = message ?? '';
    if (message === undefined) return this.text.removeAttribute('aria-invalid');
    this.text.setAttribute('aria-invalid', 'true');
    this.text.setAttribute('aria-describedby', place.id);
    this.text.focus();
  }

  /** A limit is a wait. */
  hindered() {
    this.free = holdBack({
      place: find('[data-hindrance]', this.card),
      send: this.send,
      worker: this.card.dataset.worker,
      goOn: (altcha) => {
        const typed = this.text.value;
        void this.ask(typed || form.elements.tried.value, { typed: typed !== '', altcha });
      },
    });
  }
}

const name = find('[data-name]');
if (name !== null) nameCheck(name);

/** A limit to making addresses is a wait too, longer than that of a message. */
function heldBack(place) {
  const send = find('[data-make]');
  holdBack({
    place,
    send,
    worker: place.dataset.worker,
    goOn(altcha) {
      const paid = document.createElement('input');
      paid.type = 'hidden';
      paid.name = 'altcha';
      paid.value = altcha;
      form.append(paid);
      form.requestSubmit(send);
    },
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
      // A second press would only ask for the same again.
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
      if (first) void preview.ask(first, { quiet: true });
    } else if (target.name.startsWith('settings.') && form.elements.tried.value !== '') preview.again();
  });
}
