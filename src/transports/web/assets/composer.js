// Keeps an answer as it is typed, and its files as they are chosen or dropped. Without this script the form keeps both.
import { find, say } from './page.js';

/** How long after the last key the text is kept, and how often while one types. */
const PAUSE_MS = 800;
const OFTEN_MS = 2500;

/** When something was typed here last, and of which message. */
let wrote = { id: '', at: 0 };
/** Whether the answer to this message is being written in this window. */
export const wroteNow = (id) => wrote.id === id && Date.now() - wrote.at < 7000;

/** Gives the composer within this element its script, and opens what is about the sender where there is room. */
export function composer(within) {
  const sender = find('[data-sender]', within);
  if (sender !== null) sender.open = matchMedia('(min-width: 1400px)').matches;
  const box = find('[data-answer]', within);
  if (box === null) return;
  const form = find('form', box);
  const [text, choice] = [find('[data-answer-body]', form), find('[data-answer-files]', form)];
  const [state, files] = [find('[data-kept]', form), find('[data-kept-files]', form)];
  const { answer: id } = box.dataset;
  find('[data-keys]', form).hidden = false;
  find('[data-keep]', form).hidden = true;
  let timer;
  let last = 0;
  let kept = Promise.resolve();
  let typed = 0;

  /** One request at a time, so that an earlier text never replaces a later one. */
  function keep(added = []) {
    clearTimeout(timer);
    timer = undefined;
    last = Date.now();
    kept = kept.then(() => send(added));
    return kept;
  }
  async function send(added) {
    if (form.dataset.sent) return;
    const mine = typed;
    const data = new FormData(form);
    data.delete('files');
    for (const file of added) data.append('files', file, file.name);
    data.set('do', 'keep');
    if (added.length > 0) state.textContent = 'Keeping the files…';
    const response = await fetch(form.action, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: data,
    }).catch(() => undefined);
    const body = await response?.json().catch(() => undefined);
    if (!response?.ok || body === undefined) {
      state.textContent = body?.errors?.[0]?.message ?? body?.detail ?? 'Not kept: the connection broke.';
      state.classList.add('bad');
      return;
    }
    state.classList.remove('bad');
    if (mine === typed) state.textContent = body.kept ? 'Kept as a draft' : '';
    if (added.length > 0) {
      files.innerHTML = body.files;
      // The page may be two levels below the paths of the answer.
      const root = form.getAttribute('action').split('console/')[0];
      for (const link of files.querySelectorAll('a')) link.setAttribute('href', root + link.getAttribute('href'));
      choice.value = '';
      say(added.length === 1 ? `${added[0].name} is attached.` : `${added.length} files are attached.`);
    }
  }

  text.addEventListener('input', () => {
    typed++;
    wrote = { id, at: Date.now() };
    state.textContent = '';
    clearTimeout(timer);
    timer = setTimeout(keep, Math.min(PAUSE_MS, Math.max(0, last + OFTEN_MS - Date.now())));
  });
  choice.addEventListener('change', () => choice.files.length > 0 && void keep([...choice.files]));
  files.addEventListener('change', () => void keep());
  const drop = find('[data-drop]', form);
  for (const name of ['dragenter', 'dragover', 'dragleave', 'drop'])
    drop.addEventListener(name, (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      drop.classList.toggle('dropping', name === 'dragenter' || name === 'dragover');
      if (name === 'drop') void keep([...event.dataTransfer.files]);
    });
  // What is being kept must not return after the answer was sent.
  form.addEventListener('submit', () => clearTimeout(timer));
  addEventListener('pagehide', () => {
    if (timer === undefined || form.dataset.sent) return;
    clearTimeout(timer);
    const data = new FormData(form);
    data.delete('files');
    data.set('do', 'keep');
    void fetch(form.action, { method: 'POST', headers: { accept: 'application/json' }, body: data, keepalive: true });
  });
}
