// Keeps notes in this tab while they are typed, by conversation, so that another one can be read meanwhile.
import { find } from './page.js';

const PREFIX = 'note ';
const keyOf = (field) => PREFIX + field.closest('[data-thread]').dataset.thread;

/** Puts a note that was typed before back into the conversation within this element. */
export function noteText(within) {
  const field = find('#note', within);
  const typed = field === null ? null : sessionStorage.getItem(keyOf(field));
  if (typed === null || field.value !== '') return;
  field.value = typed;
  find('[data-note-form]', within).open = true;
}

document.addEventListener('input', ({ target }) => {
  if (target.id !== 'note') return;
  if (target.value.trim() === '') sessionStorage.removeItem(keyOf(target));
  else sessionStorage.setItem(keyOf(target), target.value);
});
document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  if (target.id === 'note' && key === 'Enter' && (event.metaKey || event.ctrlKey))
    target.form.requestSubmit(find('[value=note]', target.form));
});
document.addEventListener('submit', ({ target }) => {
  const field = find('#note', target);
  if (field !== null) sessionStorage.removeItem(keyOf(field));
  // The next who signs in at this machine is another person.
  if (target.closest('.out') !== null)
    for (const one of Object.keys(sessionStorage)) if (one.startsWith(PREFIX)) sessionStorage.removeItem(one);
});
