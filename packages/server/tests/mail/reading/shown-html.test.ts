import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownHtml } from '../../../mail/reading/shown-html.ts';

const mail = (html: string): Buffer =>
  Buffer.from(
    `From: ann@example.net\r\nTo: bo@example.org\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}\r\n`,
  );

const RUNNING: readonly string[] = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=https://evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src="x" onerror="alert(1)//">',
  '<IMG """><SCRIPT>alert(1)</SCRIPT>">',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:alert(1)"><text x=20 y=20>x</text></a></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea><img title="</textarea><img src onerror=alert(1)>"></textarea>',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>',
  '<title><img title="</title><img src=x onerror=alert(1)>"></title>',
  '<template><script>alert(1)</script></template>',
  '<body onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="//evil.example/">x</a>',
  '<p onclick=alert(1) onmouseover="alert(1)">x</p>',
  '<details open ontoggle=alert(1)>x</details>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<video><source onerror=alert(1)></video>',
  '<input autofocus onfocus=alert(1)>',
  '<select autofocus onfocus=alert(1)><option>x</select>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<isindex type=image src=1 onerror=alert(1)>',
  '<div style="width:expression(alert(1))">x</div>',
  '<div style="behavior:url(#default#time2)">x</div>',
  '<div style="-moz-binding:url(https://evil.example/x.xml#a)">x</div>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<!--[if gte IE 4]><script>alert(1)</script><![endif]-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<p title="x" id="__proto__" name="constructor">x</p><a id=document name=cookie href=x>y</a>',
];

const LOADING: readonly string[] = [
  '<img src="https://t.example/p.gif" width="1" height="1">',
  '<img src="http://t.example/logo.png" srcset="http://t.example/2x.png 2x" alt="Logo">',
  '<img src="//t.example/p.gif">',
  '<picture><source srcset="https://t.example/a.webp"><img src="https://t.example/a.png"></picture>',
  '<img lowsrc="https://t.example/a.png" dynsrc="https://t.example/a.avi" longdesc="https://t.example/">',
  '<table background="https://t.example/bg.png"><tr><td background="https://t.example/td.png">x</td></tr></table>',
  '<body background="https://t.example/bg.png">x</body>',
  '<div style="background-image:url(https://t.example/bg.png)">x</div>',
  '<div style="background:url(\'https://t.example/bg.png\')">x</div>',
  '<div style="background:u\\72l(https://t.example/bg.png)">x</div>',
  '<div style="background:ur/**/l(https://t.example/bg.png)">x</div>',
  '<div style="list-style:url(https://t.example/a.png);content:url(https://t.example/b.png)">x</div>',
  '<div style="cursor:url(https://t.example/c.cur),auto;border-image:url(https://t.example/d.png)">x</div>',
  '<div style="background-color:image-set(\'https://t.example/e.png\' 1x)">x</div>',
  '<style>@import url(https://t.example/a.css); body{background:url(https://t.example/b.png)}</style>',
  '<link rel=stylesheet href="https://t.example/a.css"><link rel=dns-prefetch href="//t.example">',
  '<meta http-equiv=refresh content="0;url=https://t.example/">',
  '<base href="https://t.example/">',
  '<iframe src="https://t.example/"></iframe><frame src="https://t.example/"><frameset>',
  '<object data="https://t.example/x.swf"></object><embed src="https://t.example/x.swf"><applet code=x>',
  '<audio src="https://t.example/a.mp3" autoplay></audio><video poster="https://t.example/p.png"></video>',
  '<svg><image href="https://t.example/i.png"/><use href="https://t.example/u.svg#x"/></svg>',
  '<input type=image src="https://t.example/i.png">',
  '<form action="https://t.example/"><input name=password></form>',
  '<bgsound src="https://t.example/s.wav">',
  '<p ping="https://t.example/"><a ping="https://t.example/" href="mailto:a@b.example">x</a></p>',
];

/** Elements with their attributes, as the document has them. */
const elementsIn = (html: string) => [...html.matchAll(/<([a-z][a-z0-9]*)\b([^>]*)>/gi)];
const FRAME = new Set(['html', 'head', 'meta', 'title', 'body']);
const SAFE_TAG = /^(?:a|b|br|center|div|font|img|p|span|table|tbody|td|tr|u|ul|li)$/;

for (const payload of [...RUNNING, ...LOADING])
  for (const images of [false, true])
    test(`nothing of a mail runs or loads${images ? ', with pictures' : ''}: ${payload}`, async () => {
      const { html } = await shownHtml(mail(`<p>Before</p>${payload}<p>After</p>`), images);
      for (const [whole, tag = '', attributes = ''] of elementsIn(html)) {
        if (FRAME.has(tag)) {
          assert.equal(html.split(whole).length, 2, `${whole} is the document's own`);
          continue;
        }
        assert.match(tag, SAFE_TAG, whole);
        assert.doesNotMatch(
          attributes,
          /\son\w+\s*=|javascript|vbscript|url\s*\(|expression|srcset|\bid=|\bname=/i,
          whole,
        );
        const [, src] = /\ssrc="([^"]*)"/.exec(attributes) ?? [];
        if (src !== undefined) assert.match(src, /^mailroom-image:\d{1,2}$/, whole);
        const [, href] = /\shref="([^"]*)"/.exec(attributes) ?? [];
        if (href !== undefined) assert.match(href, /^(?:https?:\/\/|mailto:)/, whole);
        if (tag !== 'a') assert.doesNotMatch(attributes, /t\.example/, whole);
      }
    });

test('pictures are 20 at most, of the web and of the mail, and none of a pixel', async () => {
  const many = Array.from({ length: 30 }, (_, at) => `<img src="https://t.example/${at}.png" width="30">`).join('');
  const pixels =
    '<img src="https://t.example/p.gif" width="1" height="1"><img src="https://t.example/q.gif" style="display:none">';
  const { html, images } = await shownHtml(mail(pixels + many), true);
  assert.deepEqual(
    images,
    Array.from({ length: 20 }, (_, at) => ({ url: `https://t.example/${at}.png` })),
  );
  assert.equal(html.match(/mailroom-image:/g)?.length, 20);
});

test('no mail names a picture of another by the word that stands for one', async () => {
  const { html } = await shownHtml(mail('<img src="mailroom-image:0"><a href="mailroom-image:0">x</a>'), true);
  assert.doesNotMatch(html, /mailroom-image/);
});

test('a mail without HTML is shown as its text', async () => {
  const raw = Buffer.from('From: ann@example.net\r\n\r\nHi <b>Bo</b>\r\n');
  assert.match((await shownHtml(raw, false)).html, /Hi &lt;b&gt;Bo&lt;\/b&gt;/);
});
