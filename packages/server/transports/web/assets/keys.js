// Keys and the command palette of the console. All they do is also done by a link or a button of the page.
import { find, say } from './page.js';
import { actOnPicked, pick, pickNone } from './picks.js';
import { toast, undo } from './toast.js';

const KEYS = [
  ['j', 'Next conversation'],
  ['k', 'Previous conversation'],
  ['Enter', 'Open it'],
  ['x', 'Select it; with Shift a range'],
  ['e', 'Done: out of the inbox until something new arrives'],
  ['h', 'Later: back at a time'],
  ['a', 'Assign'],
  ['m', 'Note for members'],
  ['u', 'Mark as unread'],
  ['#', 'Move to the trash'],
  ['z', 'Undo, for 10 s'],
  ['c', 'Write'],
  ['r', 'Reply; with Shift to all'],
  ['f', 'Forward'],
  ['l', 'Label'],
  ['y', 'Approve the plan, or read what waits for a review'],
  ['n', 'Refuse the plan, with a reason'],
  ['/', 'Search'],
  ['Esc', 'Close'],
  ['Ctrl Enter', 'Send; with Shift it is done too'],
  ['Ctrl K', 'All commands'],
  ['?', 'This list'],
];

/** Keys of the page of what waits for a decision. */
const REVIEW_KEYS = [
  ['j', 'Next'],
  ['k', 'Previous'],
  ['y', 'Approve'],
  ['i', 'Edit'],
  ['n', 'Reject, with a reason'],
  ['z', 'Undo, for 10 s'],
  ['c', 'Write'],
  ['Ctrl K', 'All commands'],
  ['?', 'This list'],
];

/** Pages of the settings, which the side column does not list. */
const SETTINGS = ['Members', 'Domains', 'Keys', 'Webhooks', 'Notices', 'Log'];

const make = (name, text = '', attributes = {}) => {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

/** Shows a dialog, which is removed when it is closed. */
function dialog(label, ...content) {
  const box = make('dialog', '', { class: 'palette', 'aria-label': label });
  box.append(...content);
  box.addEventListener('close', () => box.remove());
  box.addEventListener('click', (event) => event.target === box && box.close());
  document.body.append(box);
  box.showModal();
  return box;
}

function showKeys() {
  const list = make('dl');
  for (const [key, does] of find('[data-reviews]') === null ? KEYS : REVIEW_KEYS) {
    const row = make('div');
    const name = make('dt');
    for (const part of key.split(' ')) name.append(make('kbd', part), ' ');
    row.append(name, make('dd', does));
    list.append(row);
  }
  const close = make('button', 'Close', { class: 'button', type: 'button' });
  const box = dialog('Keys', make('h2', 'Keys'), list, close);
  close.addEventListener('click', () => box.close());
}

/** The row that keys act on: the focused one, else the open one. */
const current = () =>
  document.activeElement?.closest('[data-rows] li') ?? find('[data-rows] [aria-current]')?.parentElement ?? null;

/** Sends a form of the console for this row; false when it was not accepted. */
async function send(row, path, what) {
  const token = find('[name=csrf]')?.value;
  if (row === null || token === undefined) return say('Choose a conversation first.');
  const body = new URLSearchParams({ csrf: token, do: what });
  const url = `console/${path}/${row.dataset.row}${find('[data-inbox]').dataset.query}`;
  const response = await fetch(url, { method: 'POST', body }).catch(() => undefined);
  if (response?.ok) {
    toast(new DOMParser().parseFromString(await response.text(), 'text/html'));
    return true;
  }
  say('That did not work. Reload the page.');
  return false;
}

function show(row, unread) {
  const [dot, from] = [find('[data-unread]', row), find('.from', row)];
  row.classList.toggle('unread', unread);
  if (!unread) dot?.remove();
  else if (dot === null) from.prepend(make('span', 'Unread: ', { class: 'sr', 'data-unread': '' }));
}

/** Removes a row, and goes to the next one: opens it where the removed one was open. */
function drop(row) {
  const rows = [...document.querySelectorAll('[data-rows] [data-row]')];
  const at = rows.indexOf(row);
  const next = find('a', rows[at + 1] ?? rows[at - 1] ?? document.createElement('i'));
  const open = find('[aria-current]', row) !== null;
  row.remove();
  next?.focus();
  if (next === null) location.assign(`console${find('[data-inbox]').dataset.query}`);
  else if (open) next.click();
}

async function unread() {
  if (actOnPicked('unread')) return;
  const row = current();
  if ((await send(row, 'labels', 'unread')) !== true) return;
  show(row, true);
  say('Marked as unread.');
}

/** What is done leaves the inbox; other lists keep it, read. */
async function done() {
  if (actOnPicked('done')) return;
  const row = current();
  if ((await send(row, 'labels', 'done')) !== true) return;
  if (find('[data-inbox]').dataset.archives !== undefined) drop(row);
  else {
    show(row, false);
    const next = row.nextElementSibling;
    if (next !== null) find('a', next).focus();
  }
  say('Done.');
}

async function remove() {
  if (actOnPicked('trash')) return;
  const row = current();
  if ((await send(row, 'messages', 'trash')) !== true) return;
  drop(row);
  say('In the trash.');
}

/** Moves to a field of the open conversation. */
function to(selector, otherwise) {
  const field = find(selector);
  if (field === null) return say(otherwise);
  field.focus();
  field.scrollIntoView({ block: 'nearest' });
}

/** Goes to the composer, in this way of answering where it is another. */
function write(word, otherwise) {
  const way = [...document.querySelectorAll('.foot .seg a')].find((one) => one.textContent === word);
  if (way !== undefined && way.getAttribute('aria-current') === null) return way.click();
  to('.foot textarea', otherwise);
}
const reply = () => write('Reply', 'This conversation is answered by its address. Take it over to answer it.');
const replyAll = () => write('Reply all', 'There is no one else to answer.');
const forward = () => write('Forward', 'Open a conversation first.');
const label = () => actOnPicked('label') || to('#label', 'Open a conversation first.');
/** Opens a menu of the open conversation, or a form of it, and goes into it. */
function unfold(selector) {
  const menu = find(`[data-conversation] ${selector}`);
  if (menu === null) return say('Open a conversation first.');
  menu.open = true;
  find('textarea, button, input:not([type=hidden])', menu)?.focus();
}
const select = (range) => {
  const row = current();
  if (row === null) return say('Choose a conversation first.');
  pick(row, range);
};
/** Selects with the next or previous row. */
function reach(step) {
  const row = current();
  if (row === null) return;
  const rows = [...document.querySelectorAll('[data-rows] [data-row]')];
  const next = rows[rows.indexOf(row) + step];
  if (find('.pick input', row)?.checked !== true) pick(row, false);
  if (next === undefined) return;
  find('a', next).focus();
  pick(next, true);
}

/** The commands that are possible now: a name, and what it does. */
function commands() {
  const all = [];
  const seen = new Set();
  const button = (selector, name) => {
    const found = find(selector);
    if (found !== null) all.push([name ?? found.textContent.trim(), () => found.click()]);
  };
  button('[data-conversation] [name=do][value=approve]', 'Approve the plan');
  button('[data-conversation] [value=take-over]', 'Take over this conversation');
  button('[data-conversation] [value=hand-back]', 'Hand this conversation back');
  if (find('[data-answer-body]') !== null) all.push(['Reply', reply]);
  if (find('#label') !== null) all.push(['Label this conversation', label]);
  if (find('[data-assign]') !== null)
    all.push(
      ['Assign this conversation', ACTS.a],
      ['Bring it back later', ACTS.h],
      ['Note something for members', ACTS.m],
    );
  if (current() !== null) all.push(['Mark as unread', unread], ['Done', done], ['Move to the trash', remove]);
  for (const link of document.querySelectorAll('.side a[href]:not([href^="#"])')) {
    if (seen.has(link.href)) continue;
    seen.add(link.href);
    const name = [...link.childNodes].filter((one) => one.nodeName !== 'SPAN' || one.matches('.name, .status'));
    const word = name
      .map((one) => one.textContent.trim())
      .join(' ')
      .trim();
    const kind = link.closest('[data-nav]') ? 'Messages of ' : link.closest('.by-label') ? 'Label ' : 'Go to ';
    if (word !== '') all.push([/^(New|Write)/.test(word) ? word : kind + word, () => location.assign(link.href)]);
  }
  const home = find('.side .brand').href;
  for (const name of SETTINGS) all.push([`Go to ${name}`, () => location.assign(`${home}/${name.toLowerCase()}`)]);
  all.push(['Keys', showKeys], ['Sign out', () => find('.out button').click()]);
  return all;
}

function palette() {
  if (find('.palette') !== null) return;
  const all = commands();
  const input = make('input', '', {
    class: 'input',
    type: 'text',
    role: 'combobox',
    'aria-label': 'Command',
    'aria-expanded': 'true',
    'aria-controls': 'commands',
    'aria-autocomplete': 'list',
    placeholder: 'Go to, search, label, approve…',
    autocomplete: 'off',
  });
  const list = make('ul', '', { id: 'commands', role: 'listbox', 'aria-label': 'Commands' });
  let shown = [];
  let at = 0;
  const choose = (nth) => {
    at = Math.max(0, Math.min(nth, shown.length - 1));
    for (const [index, item] of [...list.children].entries()) item.setAttribute('aria-selected', String(index === at));
    input.setAttribute('aria-activedescendant', `command-${at}`);
    list.children[at]?.scrollIntoView({ block: 'nearest' });
  };
  const run = () => {
    const [, act] = shown[at] ?? [];
    box.close();
    // The dialog has given the focus back by then.
    if (act !== undefined) setTimeout(() => act());
  };
  const fill = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    shown = all.filter(([name]) => words.every((word) => name.toLowerCase().includes(word)));
    const text = input.value.trim();
    const home = find('.side .brand').href;
    if (text !== '')
      shown.push([
        `Search for “${text}”`,
        () => location.assign(`${home}?direction=all&query=${encodeURIComponent(text)}`),
      ]);
    list.replaceChildren(
      ...shown.map(([name], index) => make('li', name, { role: 'option', id: `command-${index}`, dir: 'auto' })),
    );
    choose(0);
  };
  const box = dialog('Commands', input, list);
  input.addEventListener('input', fill);
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) choose(at + step);
    else if (event.key === 'Enter') run();
    else return;
    event.preventDefault();
  });
  list.addEventListener('click', (event) => {
    const item = event.target.closest('li');
    if (item === null) return;
    choose([...list.children].indexOf(item));
    run();
  });
  fill();
  input.focus();
}

const ACTS = {
  ...{ e: done, u: unread, '#': remove, l: label, z: undo },
  ...{
    h: () => actOnPicked('later') || unfold('[data-later]'),
    a: () => actOnPicked('assign') || unfold('[data-assign]'),
  },
  ...{ m: () => unfold('[data-note-form]') },
  y: () => {
    const way = find('[data-conversation] :is([name=do][value=approve], .note a[href*="reviews?open="])');
    if (way === null) say('Nothing waits for approval here.');
    else way.click();
  },
  n: () => unfold('.approval .refuse'),
  ...{ r: reply, R: replyAll, f: forward, c: () => find('.side .write').click() },
  ...{ x: () => select(false), X: () => select(true), J: () => reach(1), K: () => reach(-1), Escape: pickNone },
};

document.addEventListener('keydown', (event) => {
  const at = event.target instanceof Element ? event.target : document.body;
  if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey) {
    event.preventDefault();
    return palette();
  }
  if (
    event.metaKey ||
    event.ctrlKey ||
    event.altKey ||
    at.closest('input:not([type=checkbox]), textarea, select, dialog') !== null
  )
    return;
  if (event.key === '?') return showKeys();
  const act = ACTS[event.key];
  const anywhere = act === undo || event.key === 'c';
  if (act === undefined || (find('[data-inbox]') === null && !anywhere)) return;
  // Escape closes the conversation where nothing is selected.
  if (event.key === 'Escape') return pickNone() ? event.stopImmediatePropagation() : undefined;
  event.preventDefault();
  act();
});

for (const button of document.querySelectorAll('[data-palette]')) {
  button.hidden = false;
  button.addEventListener('click', palette);
}
