/** Shows times in the reader's own zone, and replaces an outdated “now” by the time. */
export function times(within = document) {
  const today = new Date().toDateString();
  const clock = (date) => date.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  for (const time of within.querySelectorAll('[data-when]')) {
    const date = new Date(time.dateTime);
    const { when } = time.dataset;
    const near = date.toDateString() === today;
    const sameYear = date.getFullYear() === new Date().getFullYear();
    const day = date.toLocaleDateString('en-GB', {
      day: 'numeric',
      month: 'short',
      ...(sameYear ? {} : { year: 'numeric' }),
    });
    if (when === 'zoned') {
      time.textContent = date.toLocaleString('en-GB', {
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        timeZoneName: 'short',
      });
    } else if (when === 'short' && Date.now() - date < 60_000) time.textContent = 'now';
    else if (near || when === 'clock') time.textContent = clock(date);
    else time.textContent = when === 'full' ? `${day}, ${clock(date)}` : day;
    time.title = date.toLocaleString();
  }
}
