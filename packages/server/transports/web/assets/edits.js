// Shows the reason of a correction: above it on hover and focus, at the bottom of the screen on tap.
import { find } from './page.js';

let bubble;
let on;

function hide() {
  bubble?.remove();
  on?.removeAttribute('data-on');
  bubble = on = undefined;
}

function show(edit, sheet) {
  if (on === edit) return;
  hide();
  const reason = document.getElementById(edit.hash.slice(1))?.lastElementChild;
  if (reason == null) return;
  on = edit;
  on.setAttribute('data-on', '');
  bubble = document.createElement('div');
  bubble.className = sheet ? 'bubble sheet' : 'bubble';
  bubble.setAttribute('aria-hidden', 'true');
  bubble.dir = 'auto';
  bubble.textContent = reason.textContent;
  document.body.append(bubble);
  if (sheet) return;
  const at = edit.getClientRects()[0] ?? edit.getBoundingClientRect();
  const own = bubble.getBoundingClientRect();
  const left = Math.min(Math.max(16, at.left), innerWidth - own.width - 16);
  const above = at.top - own.height - 6;
  bubble.style.left = `${left}px`;
  bubble.style.top = `${above > 8 ? above : at.bottom + 6}px`;
}

const editAt = (event) => (event.target instanceof Element ? event.target.closest('.edit') : null);
const touch = matchMedia('(hover: none)');

document.addEventListener('pointerover', (event) => {
  if (event.pointerType !== 'mouse') return;
  const edit = editAt(event);
  if (edit !== null) show(edit, false);
  else if (on !== document.activeElement) hide();
});
document.addEventListener('focusin', (event) => {
  const edit = editAt(event);
  if (edit?.matches(':focus-visible')) show(edit, touch.matches);
});
document.addEventListener('focusout', hide);
document.addEventListener('keydown', (event) => event.key === 'Escape' && hide());
addEventListener('scroll', () => !touch.matches && hide(), { passive: true });
document.addEventListener('click', (event) => {
  const edit = editAt(event);
  if (edit === null) return hide();
  // The list below has the same reasons; when it is visible, or a tap shows the reason here, nothing has to scroll.
  event.preventDefault();
  const again = on === edit;
  if (touch.matches && again) hide();
  else show(edit, touch.matches);
  const folded = find(edit.hash)?.closest('details:not([open])');
  if (folded != null && !touch.matches) folded.open = true;
});
