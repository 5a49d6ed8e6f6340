// Other programs: Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser } from '../../../../../tests/harness/browser.ts';
import { type AnswerMarks, mailHtml } from '../../../mail/writing/html.ts';

const browser = await openBrowser();

const MARKDOWN = `# A title that is long enough to be broken

Text with \`code\`, a [link](https://outside.example/${'x'.repeat(200)}) and ${'y'.repeat(200)}.

1. One
2. Two
   - nested

> quoted

| a | b | c | d | e | f |
|---|---|---|---|---|---|
| ${'cell '.repeat(3)} | ${'long'.repeat(20)} | c | d | e | ${'more '.repeat(9)} |

\`\`\`
${'code '.repeat(40)}
\`\`\`

---

- \u0645\u0631\u062d\u0628\u0627
`;
const sent = `${'They was '.repeat(20)}\n${'z'.repeat(300)}`;
const edits = Array.from({ length: 20 }, (_, at) => ({
  ...{ offset: at * 9 + 5, length: 3, original: 'was', replacement: 'were', explanation: 'After “they” comes “were”.' },
}));
const SHOWN: Readonly<Record<string, AnswerMarks | undefined>> = {
  markdown: undefined,
  corrections: {
    kind: 'corrections',
    text: sent,
    corrections: {
      corrected_text: 'x',
      edits,
      doubts: [
        {
          offset: sent.length - 300,
          length: 300,
          original: 'z'.repeat(300),
          suggestions: ['y', 'x'],
          explanation: 'A word.',
        },
      ],
      passed_over: { other_language: 2, not_prose: 0, unknown: 1 },
    },
  },
  steps: {
    kind: 'steps',
    steps: [
      { name: 'table', status: 'completed', text: MARKDOWN },
      { name: 'send', status: 'failed', text: 'e'.repeat(300) },
    ],
  },
};

/** Colors of text against what is behind it, as Chromium computed them: the lowest contrast (WCAG 2.2, 1.4.3). */
const LOWEST_CONTRAST = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const mixed = (colors) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const color of colors) { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => rgb.map((one) => one / 255)
    .map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  let lowest = 21;
  for (const node of document.body.querySelectorAll('*')) {
    if (![...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim() !== '')) continue;
    const grounds = [];
    for (let up = node; up !== null; up = up.parentElement) grounds.unshift(getComputedStyle(up).backgroundColor);
    const ground = mixed([dark ? '#121212' : '#fff', ...grounds]);
    const text = mixed(['rgb(' + ground + ')', getComputedStyle(node).color]);
    const [a, b] = [light(ground), light(text)].sort((x, y) => y - x);
    lowest = Math.min(lowest, (a + 0.05) / (b + 0.05));
  }
  return lowest;
})()`;

test('the HTML of a mail fits a pane from 320 px on, in readable colors on light and on dark', async () => {
  for (const [name, marks] of Object.entries(SHOWN)) {
    const signature = { name: 'hello@agents.mail.test', url: 'https://mail.test/hello@agents' };
    const markup = await mailHtml(MARKDOWN, marks, signature);
    for (const theme of ['light', 'dark'] as const) {
      for (const width of [320, 360, 600]) {
        const { page, wrongs } = await browser.open('about:blank', { width, theme });
        await page.setContent(markup);
        const scroll = await page.evaluate('document.documentElement.scrollWidth');
        assert.equal(scroll, width, `${name} at ${width} px is ${scroll} px wide`);
        assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'light dark');
        const contrast = await page.evaluate(LOWEST_CONTRAST);
        assert.ok((contrast as number) >= 4.5, `${name} on ${theme} has a contrast of ${contrast}`);
        assert.deepEqual(wrongs, []);
        await page.context().close();
      }
    }
  }
});

test('a corrected text keeps the spaces that its lines begin with', async () => {
  const text = 'Run this:\n\n    npm install\n      npm test\n\nThey was done.';
  const edits = [{ offset: 48, length: 3, original: 'was', replacement: 'were', explanation: 'They were.' }];
  const marks = { kind: 'corrections', text, corrections: { corrected_text: 'x', edits } } as const;
  const { page } = await browser.open('about:blank', { width: 390 });
  await page.setContent(await mailHtml('', marks, undefined));
  const shown = await page.evaluate("document.querySelector('p').innerText");
  assert.equal(shown, text.replace('was', 'was were'));
  await page.context().close();
});
