// Updates the inbox live and adds keyboard control. Without this script the same links and forms work page by page.
import { collected } from './collected.js';
import { composer } from './composer.js';
import './edits.js';
import { closeMenu, continueAtPlace, keepPlace } from './focus.js';
import './keys.js';
import { liveRows, rowOf } from './live-rows.js';
import { noteText } from './note-text.js';
import { call, isOn, noticesButton } from './notices.js';
import { countDown, enhance, find, say } from './page.js';
import { times } from './times.js';
import { leaving, toast } from './toast.js';

const inbox = find('[data-inbox]');
/** A conversation on a page of its own, as on phones. */
const alone = find('[data-alone]');
/** The page of what waits for a decision. */
const desk = find('[data-reviews]');
const root =
  find('.brand')
    ?.getAttribute('href')
    .replace(/console$/, '') ?? '';
const wide = matchMedia('(min-width: 961px)');
/** A conversation that changes all the time is read this often, in milliseconds. */
const REFRESH_MS = 200;

/** Counts the seconds of messages in progress. */
function counts() {
  for (const place of document.querySelectorAll('[data-counts]')) {
    place.began ??= Date.now() - Number(place.dataset.counts) * 1000;
    const seconds = Math.floor((Date.now() - place.began) / 1000);
    place.textContent = seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
  }
}
times();
composer(document);
for (const hint of document.querySelectorAll('[data-hint] [data-keys]')) hint.hidden = false;
noteText(document);
setInterval(times, 20_000);
setInterval(counts, 1000);
setInterval(() => leaving(refresh), 500);
toast(document);
noticesButton();

/** A time to send at is written in the reader's own zone, unless they wrote another. */
function ownZone() {
  const zone = find('[data-zone]');
  if (zone === null) return;
  const at = find('#send_at');
  if (at.value !== '') {
    const date = new Date(`${at.value}Z`);
    at.value = new Date(date - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  }
  zone.value = new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
ownZone();

/** The times to come back at, in the reader's own zone. */
function laterTimes(within) {
  for (const button of within.querySelectorAll('[data-until]')) {
    const [kind, count] = button.dataset.until.split(' ');
    const at = new Date();
    if (kind === 'hours') at.setHours(at.getHours() + Number(count));
    else {
      at.setHours(9, 0, 0, 0);
      at.setDate(at.getDate() + (kind === 'days' ? Number(count) : (8 - at.getDay()) % 7 || 7));
    }
    button.value = at.toISOString();
  }
  for (const zone of within.querySelectorAll('[data-own-zone]'))
    zone.value = new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
laterTimes(document);
find('[data-body]')?.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) find('[data-write] .ink').click();
});

const wait = find('[data-wait]');
if (wait !== null) countDown(wait, () => wait.remove());

const links = () => [...document.querySelectorAll('[data-rows] a')];
const opened = () => find('[data-conversation]')?.dataset.message;

/** Marks the row whose conversation is open. */
function mark() {
  const thread = find('[data-conversation]')?.dataset.thread;
  for (const link of links()) {
    const { row, thread: own } = link.parentElement.dataset;
    if (row === opened() || (own === thread && rowOf(opened()) === null)) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

/** The answer that is being written to the open message; null for none. */
function writing(id) {
  const form = opened() === id ? find('[data-answer]') : null;
  return form !== null && find('[data-answer-body]', form).value.trim() !== '' ? form : null;
}

/** Shows a message's conversation, read from its own page; only the latest request takes effect. */
let wish = 0;
async function show(id, href) {
  const mine = ++wish;
  const query = new URLSearchParams(new URL(href, location).search);
  const written = writing(id);
  const writes = written !== null;
  // What changed since the text was begun is shown with it.
  if (writes) {
    query.set('answering', written.dataset.answer);
    query.set('seen', written.dataset.seen);
  }
  const response = await fetch(`${root}console/messages/${id}?${query}`).catch(() => undefined);
  const text = response?.ok ? await response.text() : '';
  if (mine !== wish) return;
  // A text that was begun meanwhile is shown with what changed, as one that was there before.
  if (!writes && writing(id) !== null) return show(id, href);
  // A text to a message that was deleted, or that cannot be read for a moment, stays.
  if (writes && !response?.ok) return keepText(written, response?.status === 404);
  if (!response?.ok) {
    location.assign(href);
    return;
  }
  const page = new DOMParser().parseFromString(text, 'text/html');
  const fresh = find('[data-conversation]', page);
  const old = find('[data-conversation]');
  if (fresh === null || old === null) return;
  // The links, forms and frames of that page may be relative to a path two levels deeper.
  const moved = (within) => {
    if (root === '../../') return;
    for (const name of ['href', 'action', 'formaction', 'src'])
      for (const one of within?.querySelectorAll(`[${name}^="../../"]`) ?? [])
        one.setAttribute(name, root + one.getAttribute(name).slice(6));
    for (const one of within?.querySelectorAll('[data-root]') ?? []) one.dataset.root = root;
  };
  moved(fresh);
  const place = find('.thread', old)?.scrollTop ?? 0;
  const same = old.dataset.message === id;
  const focused = old.contains(document.activeElement);
  // Keeps a reason that is being typed when something else changes in the thread.
  if (old.dataset.message === id) {
    keepReasons(old, fresh);
    keepLabel(old, fresh);
    keepFolds(old, fresh);
    keepAnswer(old, fresh);
    keepNote(old, fresh);
  }
  old.replaceWith(fresh);
  enhance(fresh);
  times(fresh);
  mark();
  markRead(fresh);
  composer(fresh);
  noteText(fresh);
  laterTimes(fresh);
  // Opening it has changed what is unread.
  for (const name of ['[data-nav]', '[data-unread-count]']) {
    const now = find(name, page);
    moved(now);
    for (const place of document.querySelectorAll(name)) if (now !== null) place.innerHTML = now.innerHTML;
  }
  const thread = find('.thread', fresh);
  if (same) {
    thread.scrollTop = place;
    if (focused && document.activeElement === document.body) thread.focus();
    say('The conversation changed.');
  } else find('[data-open]', fresh)?.scrollIntoView({ block: 'nearest' });
}

/** Reads the open conversation again, once for all changes that arrive while it is read. */
const refresh = collected(() => opened() !== undefined && show(opened(), location.href), REFRESH_MS);
function conversationChanged(changed) {
  const thread = find('[data-conversation]')?.dataset.thread;
  if (changed.some((one) => one.thread === thread)) refresh();
}
addEventListener('stale', refresh);

/** The rows of messages that are shown are no longer unread. */
function markRead(conversation) {
  for (const { id } of conversation.querySelectorAll('.message[id]')) {
    const shown = rowOf(id);
    shown?.classList.remove('unread');
    if (shown !== null) find('[data-unread]', shown)?.remove();
  }
}

/** Keeps open what is open across a refresh, and what was not folded before. */
function keepFolds(old, fresh) {
  find('.details', fresh).open = find('.details', old)?.open;
  const was = new Map([...old.querySelectorAll('[data-fold]')].map((fold) => [fold.dataset.fold, fold.open]));
  for (const fold of fresh.querySelectorAll('[data-fold]')) {
    const [kind, id] = fold.dataset.fold.split(' ');
    fold.open = was.get(fold.dataset.fold) ?? (kind !== 'quoted' && find(`#${CSS.escape(id)}`, old) !== null);
  }
}

/** Keeps a label that is being typed across a refresh. */
function keepLabel(old, fresh) {
  const [was, is] = [find('#label', old), find('#label', fresh)];
  if (was === null || is === null) return;
  is.value = was.value;
  if (document.activeElement === was) queueMicrotask(() => is.focus({ preventScroll: true }));
}

/** Keeps a note that is being typed, and the menus that are open, across a refresh. */
function keepNote(old, fresh) {
  for (const name of ['[data-note-form]', '[data-later]', '[data-assign]']) {
    const [was, is] = [find(name, old), find(name, fresh)];
    if (was !== null && is !== null) is.open = was.open;
  }
  const [was, is] = [find('#note', old), find('#note', fresh)];
  if (is === null || was === null || was.form.dataset.sent) return;
  is.value = was.value;
  if (document.activeElement === was) queueMicrotask(() => is.focus({ preventScroll: true }));
}

/** Says above a text why it cannot be sent now. */
function keepText(written, deleted) {
  const note = find('[data-kept]', written);
  note.classList.add('bad');
  note.textContent = deleted
    ? 'The message was deleted while you were writing. Copy your text: it can no longer be sent.'
    : 'The conversation could not be read again. Your text stays.';
  say(note.textContent);
}

/** Keeps an answer that is being written across a refresh; its files are kept by the service. */
function keepAnswer(old, fresh) {
  const [before, after] = [find('.foot form', old), find('.foot form', fresh)];
  if (before !== null && after !== null) {
    const same =
      before.action === after.action && find('[name=mode]', before)?.value === find('[name=mode]', after)?.value;
    for (const name of same ? ['to', 'cc', 'bcc'] : []) {
      const [was, is] = [find(`[name=${name}]`, before), find(`[name=${name}]`, after)];
      if (was !== null && is !== null) is.value = was.value;
    }
    const [text, field] = [find('textarea', before), find('textarea', after)];
    // Between an answer and a forward what was written stays.
    if (field?.value === '' && text !== null) field.value = text.value;
  }
  const [was, is] = [find('[data-answer]', old), find('[data-answer]', fresh)];
  if (was === null || is === null) return;
  const text = find('[data-answer-body]', was);
  const focused = document.activeElement === text;
  const { selectionStart, selectionEnd } = text;
  let now = text;
  if (was.dataset.answer !== is.dataset.answer) {
    // Another message waits now; what was begun is not dropped for it.
    if (text.value.trim() === '') return;
    is.replaceWith(was);
  } else {
    now = find('[data-answer-body]', is);
    now.value = text.value;
    const meanwhile = find('[data-meanwhile]', is);
    if (meanwhile !== null && find('[data-meanwhile]', was) === null) {
      say(find('h3', meanwhile).textContent);
      queueMicrotask(() => meanwhile.scrollIntoView({ block: 'nearest' }));
    }
    const [choice, files] = [find('[data-answer-files]', was), find('[data-answer-files]', is)];
    if (choice.files.length > 0) files.replaceWith(choice);
    const [refusal, again] = [find('.refuse', was), find('.refuse', is)];
    if (refusal !== null && again !== null) again.open = refusal.open;
  }
  if (!focused) return;
  queueMicrotask(() => {
    now.focus({ preventScroll: true });
    now.setSelectionRange(selectionStart, selectionEnd);
  });
}
document.addEventListener('keydown', (event) => {
  const form =
    event.target instanceof Element &&
    event.target.closest('[data-answer-body], [data-forward-body], .foot .chipfield input')?.form;
  if (!form) return;
  const keep = find('[data-choose-keep]', form);
  if (event.key === 'Escape' && keep !== null) return keep.click();
  if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
  if (keep !== null) return say('Choose first.');
  form.requestSubmit((event.shiftKey && find('[data-send-done]', form)) || find('[data-send]', form));
});
// A second click would send the same answer again.
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (form.dataset.once === undefined) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = '1';
});
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('[data-once]')) delete form.dataset.sent;
});

/** Keeps the typed reason for a refusal, per plan, across a refresh. */
function keepReasons(old, fresh) {
  for (const before of old.querySelectorAll('[data-approval]')) {
    const now = find(`[data-approval="${before.dataset.approval}"]`, fresh);
    if (now === null) continue;
    find('[data-reason]', now).value = find('[data-reason]', before).value;
    const [was, is] = [before.querySelectorAll('details'), now.querySelectorAll('details')];
    for (const [at, details] of is.entries()) details.open = was[at]?.open ?? false;
  }
}

function open(link) {
  const { row } = link.parentElement.dataset;
  inbox.classList.add('opened');
  history.pushState(null, '', link.href);
  void show(row, link.href).then(() => say(find('#subject')?.textContent ?? ''));
}

function close() {
  const id = opened();
  if (id === undefined) return;
  const link = find('.back');
  keepPlace({ row: id });
  if (!wide.matches) return link.click();
  location.assign(link.href);
}

// Another way to answer, or to show a mail, changes the conversation alone.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('[data-mode]') : null;
  if (link === null || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  const focus = link.closest('.foot') !== null || link.hash === '#composer';
  if (inbox !== null) history.replaceState(null, '', link.href);
  const params = new URL(link.href).searchParams;
  void show(params.get('message') ?? opened(), link.href).then(() => {
    if (!focus) return;
    const field = find('.foot .chipfield input');
    const text = find('.foot textarea');
    (link.search.includes('forward') ? field : text)?.focus();
  });
});

if (inbox !== null) {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('[data-rows] a') : null;
    if (link === null || !wide.matches || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0)
      return;
    event.preventDefault();
    open(link);
  });
  addEventListener('popstate', () => {
    const id = new URLSearchParams(location.search).get('message');
    if (id === null) location.reload();
    else void show(id, location.href);
  });
  document.addEventListener('keydown', (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const at = event.target instanceof Element ? event.target : document.body;
    // A dialog is closed alone.
    if (at.closest('dialog') !== null) return;
    if (event.key === 'Escape') {
      if (closeMenu(at)) return;
      if (!at.matches('input:not([type=checkbox]), textarea, select')) return close();
      at.blur();
      return at.closest('[data-conversation]') && find('.thread').focus({ preventScroll: true });
    }
    if (at.closest('input:not([type=checkbox]), textarea, select') !== null || (event.key !== 'j' && event.key !== 'k'))
      return;
    const all = links();
    const now = all.indexOf(
      find('a', at.closest('[data-rows] li') ?? document.createElement('i')) ?? find('[data-rows] [aria-current]'),
    );
    const next = all[event.key === 'j' ? now + 1 : Math.max(0, now - 1)];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  });
  // In a long conversation the requested message may not be the first.
  const asked = find('[data-open]');
  if (asked?.previousElementSibling != null) asked.scrollIntoView({ block: 'nearest' });
  follow();
}

addEventListener('submit', (event) => {
  if (inbox !== null && !event.defaultPrevented)
    keepPlace({ inConversation: event.target.closest('[data-conversation]') !== null });
});
continueAtPlace();

// Of the tabs that do not fit a phone, the open one is in view.
find('.tabs-line [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });

if (alone !== null) {
  subscribe(alone, { row: (changed) => conversationChanged([changed]), figures: numbers });
}

if (desk !== null)
  subscribe(desk, {
    row: (changed) => dispatchEvent(new CustomEvent('review', { detail: changed })),
    figures: numbers,
  });

/** What is unread and what waits for a person, wherever that is shown, and in the title of the window. */
function numbers({ unread, waiting }) {
  for (const place of document.querySelectorAll('[data-unread-count]')) place.innerHTML = unread;
  for (const place of document.querySelectorAll('[data-waiting]')) place.textContent = waiting[place.dataset.waiting];
  const plain = document.title.replace(/^\(\d+\+?\) /, '');
  document.title = waiting.all === '' ? plain : `(${waiting.all}) ${plain}`;
}

/** Keeps the list of the inbox, and the conversation that is open in it, as they are now. */
function follow() {
  const row = liveRows(wide, (changed) => {
    conversationChanged(changed);
    mark();
  });
  function figures({ nav, failed, ...counts }) {
    const addresses = find('[data-nav]');
    const focused = addresses.contains(document.activeElement)
      ? document.activeElement.getAttribute('href')
      : undefined;
    addresses.innerHTML = nav;
    if (focused !== undefined) find(`[href="${CSS.escape(focused)}"]`, addresses)?.focus();
    const place = find('[data-failed]');
    if (place !== null) place.textContent = failed === 0 ? '' : failed.toLocaleString('en-US');
    numbers(counts);
  }
  subscribe(inbox, { row, figures });
}

/**
 * Subscribes to changes from the position at which the page was made, and reconnects from where a stream broke; says so
 * where the page has room for it.
 */
function subscribe({ dataset }, { row, figures }) {
  const state = find('[data-live]') ?? document.createElement('span');
  let { place } = dataset;
  let source;
  let tries = 0;
  let timer;

  function waiting(seconds) {
    state.classList.remove('online');
    const end = Date.now() + seconds * 1000;
    const tick = () => {
      const left = Math.ceil((end - Date.now()) / 1000);
      if (left <= 0) return connect();
      state.textContent = `Reconnecting in ${left} s. Nothing is missed.`;
      timer = setTimeout(tick, 250);
    };
    tick();
  }

  function connect() {
    clearTimeout(timer);
    source?.close();
    const query = new URLSearchParams(dataset.query);
    if (place !== undefined) query.set('after', place);
    if (isOn()) query.set('time', '');
    if (hiddenAt !== undefined) query.set('hidden', hiddenAt + ahead);
    source = new EventSource(`${root}console/live?${query}`);
    const on = (name, act) =>
      source.addEventListener(name, (event) => {
        if (event.lastEventId !== '') place = event.lastEventId;
        act(JSON.parse(event.data));
      });
    on('row', row);
    on('figures', figures);
    on('call', (waits) => call(waits, root));
    on('time', (time) => {
      ahead = time - Date.now();
    });
    on('review', (changed) => dispatchEvent(new CustomEvent('review', { detail: changed })));
    on('writing', ({ id, names, seen }) => {
      const form = find(`[data-answer="${CSS.escape(id)}"]`);
      if (form !== null && find('[name=seen]', form).value !== seen) refresh();
      const line = find(`[data-writing="${CSS.escape(id)}"]`);
      if (line === null) return;
      const all = new Intl.ListFormat('en').format(names);
      line.textContent = all === '' ? line.dataset.idle : `${all} ${names.length === 1 ? 'is' : 'are'} writing`;
    });
    on('out', () => location.reload());
    source.addEventListener('open', () => {
      if (tries > 0) say('Live again.');
      tries = 0;
      state.hidden = false;
      state.classList.add('online');
      state.textContent = 'Live';
    });
    source.addEventListener('error', () => {
      source.close();
      state.hidden = false;
      // Announced once per outage, not every second.
      if (tries === 0) say('Reconnecting. Nothing is missed.');
      waiting(Math.min(30, 2 ** ++tries));
    });
  }

  // Browsers limit the connections per host, so a hidden tab closes its stream.
  let rest;
  let hiddenAt = document.hidden ? Date.now() : undefined;
  /** How far the clock of the service is ahead of this one. */
  let ahead = 0;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(rest);
    const wasHidden = hiddenAt !== undefined;
    hiddenAt = document.hidden ? Date.now() : undefined;
    if (!document.hidden)
      return (wasHidden && isOn()) || source.readyState === EventSource.CLOSED ? connect() : undefined;
    // One that calls its reader stays, and says that it is hidden.
    if (isOn()) return connect();
    rest = setTimeout(() => {
      clearTimeout(timer);
      source.close();
    }, 20_000);
  });
  addEventListener('pagehide', () => source.close());
  addEventListener('pageshow', (event) => event.persisted && connect());
  connect();
}
