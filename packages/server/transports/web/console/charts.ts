import { rfc3339 } from '@mailroom/behavior/values/clock';
import type { Activity } from '../../../core/reports/overview.ts';
import type { Span } from '../../../core/reports/statistics.ts';
import { type Html, html } from '../../../http/html.ts';
import { seconds } from '../turns.ts';
import { clockTime, dayOf, millisOf, type Time } from './times.ts';

type Bucket = Activity['buckets'][number];

const HEIGHT = 44;
/** The width of a bar and the gap after it. */
const STEP = 10;
const BAR = 8;
/** A chart scales to at least this many messages, so that a single message is a short bar. */
const FULL = 4;
/** The height of the mark for an interval without messages. */
const SLOT = 2;

/** The three figures of a span, each as a number and a chart; without messages there is no chart. */
export function figures({ buckets, total, span }: Activity): Html {
  if (total.arrived === 0 && total.failed === 0 && total.answered === 0) {
    return html`<p class="stat none"><b>No messages in the last ${span === '24h' ? '24 hours' : '30 days'}.</b> Charts start with the first message.</p>`;
  }
  const p95 = total.p95_ms === null ? 'now' : `95 % in ${seconds(total.p95_ms)}`;
  const last = span === '24h' ? 'now' : 'today';
  return html`${figure(
    'Messages',
    total.arrived.toLocaleString('en-US'),
    bars(buckets, ({ arrived }) => arrived),
    last,
    buckets,
    span,
    ({ arrived }) => String(arrived),
  )}
${figure('Median answer', total.median_ms === null ? 'None' : seconds(total.median_ms), lines(buckets), p95, buckets, span, ({ median_ms, p95_ms }) => (median_ms === null || p95_ms === null ? 'none' : `${seconds(median_ms)}, 95 % in ${seconds(p95_ms)}`))}
${figure(
  'Failures',
  total.failed.toLocaleString('en-US'),
  bars(buckets, ({ failed }) => failed, 'failed'),
  last,
  buckets,
  span,
  ({ failed }) => String(failed),
)}`;
}

/** The tokens that an address took of the language model, and the runs that took them: a bar for each day. */
export function usageFigures(days: readonly UsageBucket[]): Html {
  const sum = (measure: (day: UsageBucket) => number): string =>
    days.reduce((total, day) => total + measure(day), 0).toLocaleString('en-US');
  const tokens = ({ input, output }: UsageBucket): number => input + output;
  const parts = ({ input, output }: UsageBucket): string =>
    `${input.toLocaleString('en-US')} read, ${output.toLocaleString('en-US')} written`;
  return html`${figure('Tokens', sum(tokens), bars(days, tokens), 'today', days, '30d', parts)}
${figure(
  'Runs',
  sum(({ runs }) => runs),
  bars(days, ({ runs }) => runs),
  'today',
  days,
  '30d',
  ({ runs }) => String(runs),
)}`;
}

/** A day, with the tokens that the model read and wrote. */
export interface UsageBucket {
  readonly from: Time;
  readonly runs: number;
  readonly input: number;
  readonly output: number;
}

/** A chart with its number and name, and the same data as a table for screen readers. */
function figure<B extends { readonly from: Time }>(
  name: string,
  number: string,
  chart: Html,
  last: string,
  buckets: readonly B[],
  span: Span,
  cell: (bucket: B) => string,
): Html {
  const from = buckets[0]?.from ?? 0;
  const end = millisOf(buckets.at(-1)?.from ?? from);
  const label = (at: Time): string => (span === '24h' ? clockTime(millisOf(at)) : dayOf(at, end));
  return html`<figure class="stat">
<figcaption>${name}</figcaption><b>${number}</b>
<svg viewBox="0 0 ${buckets.length * STEP - (STEP - BAR)} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path class="slots" d="${buckets.map((_, at) => `M${at * STEP} ${HEIGHT}v-${SLOT}h${BAR}v${SLOT}z`).join('')}"/>${chart}</svg>
<div class="axis" aria-hidden="true"><span>${span === '24h' ? clockMark(from) : label(from)}</span><span>${last}</span></div>
<div class="sr"><table><caption>${name}, ${span === '24h' ? 'by hour (UTC)' : 'by day (UTC)'}</caption><tbody>${buckets.map(
    (bucket) => html`<tr><th scope="row">${label(bucket.from)}</th><td>${cell(bucket)}</td></tr>`,
  )}</tbody></table></div>
</figure>`;
}

function clockMark(time: Time): Html {
  const at = millisOf(time);
  return html`<time datetime="${rfc3339(at)}" data-when="clock">${clockTime(at)}</time>`;
}

const NOTHING = { median_ms: null, p95_ms: null };

/**
 * A bar for each interval with messages: gray, the current one in ink, failures in red. Every bar is at least visible.
 */
function bars<B>(buckets: readonly B[], measure: (bucket: B) => number, kind = 'bars'): Html {
  const max = Math.max(FULL, ...buckets.map(measure));
  const bar = (bucket: B, index: number): string => {
    const value = measure(bucket);
    const height = value === 0 ? 0 : Math.max(2 * SLOT, Math.round((value / max) * HEIGHT));
    return height === 0 ? '' : `M${index * STEP} ${HEIGHT}v-${height}h${BAR}v${height}z`;
  };
  const drawn = buckets.map(bar);
  const now = drawn.pop() ?? '';
  return html`${drawn.some(Boolean) && html`<path class="${kind}" d="${drawn.join('')}"/>`}${now !== '' && html`<path class="${kind} now" d="${now}"/>`}`;
}

/** The median as a solid line, the 95th percentile dashed; intervals without answers leave a gap. */
function lines(buckets: readonly Bucket[]): Html {
  const max = Math.max(1, ...buckets.map(({ p95_ms }) => p95_ms ?? 0));
  const path = (measure: (bucket: Pick<Bucket, 'median_ms' | 'p95_ms'>) => number | null): string => {
    let text = '';
    let drawing = false;
    for (const [index, bucket] of buckets.entries()) {
      const value = measure(bucket);
      if (value === null) {
        drawing = false;
        continue;
      }
      const x = index * STEP + BAR / 2;
      const y = Math.round((1 - value / max) * (HEIGHT - 4) + 2);
      const alone: boolean = !drawing && measure(buckets[index + 1] ?? NOTHING) === null;
      // A single point is drawn as wide as a bar to be visible.
      text += alone ? `M${x - BAR / 2} ${y}h${BAR}` : `${drawing ? 'L' : 'M'}${x} ${y}`;
      drawing = !alone;
    }
    return text;
  };
  return html`<path class="p95" d="${path(({ p95_ms }) => p95_ms)}"/><path class="median" d="${path(({ median_ms }) => median_ms)}"/>`;
}
