import { MINUTE } from '@mailroom/behavior/values/clock';
import { CODE_MS, type CodeMail } from '../../core/sign-in/sign-in.ts';
import { html } from '../../http/html.ts';

const MINUTES = CODE_MS / MINUTE;

/**
 * The mail that carries a sign-in code: plain text with the code on its own line, and HTML without pictures or external
 * resources, for light and dark mode. `link` is the only link in it.
 */
export function codeMail({ address, origin, code, link }: CodeMail): {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly note: string;
} {
  // The redirect URL of an app on a device has no host.
  const host = URL.parse(origin)?.host || `the app ${origin}`;
  const place = URL.parse(origin)?.host ? origin : host;
  const ignore = 'If this was not you, ignore this mail: no one can sign in without the code.';
  const where = `The code works once, for ${MINUTES} minutes, in the browser that asked for it. Do not enter it anywhere else or share it with anyone.`;
  return {
    // The subject leaves out the code, because locked phones show subjects.
    subject: `Your code for ${host}`,
    note: `A code to sign in to ${place} was here. It is not kept.`,
    text: `Sign in to ${place}
as ${address}

Your code:

${code}

${where}

Or open this link and press the button there:
${link}

${ignore}
`,
    html: html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>Your code for ${host}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #100f0d !important; }
  .card { background: #181715 !important; border-color: #2f2d2a !important; }
  .ink { color: #efedea !important; }
  .ink2 { color: #b8b4ae !important; }
  .well { background: #232120 !important; }
  .button { background: #efedea !important; color: #100f0d !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#faf9f7">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#faf9f7"><tr><td align="center" style="padding:24px 16px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;background:#ffffff;border:1px solid #e5e2de;border-radius:14px"><tr><td style="padding:28px 24px;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.55">
<p class="ink2" style="margin:0;color:#55514b">Sign in to</p>
<p class="ink" style="margin:0 0 4px;color:#1a1815;font-size:22px;line-height:1.3;font-weight:600;word-break:break-word">${place}</p>
<p class="ink2" style="margin:0 0 24px;color:#55514b;word-break:break-word">as ${address}</p>
<p class="ink2" style="margin:0 0 6px;color:#55514b;font-size:14px">Your code</p>
<p class="well ink" style="margin:0 0 20px;padding:14px 16px;background:#f4f2ef;border-radius:10px;color:#1a1815;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:28px;line-height:1.2;font-weight:600;letter-spacing:2px;white-space:nowrap">${code}</p>
<p style="margin:0 0 20px"><a class="button" href="${link}" style="display:inline-block;padding:11px 20px;background:#1a1815;border-radius:6px;color:#faf9f7;font-weight:500;text-decoration:none">Continue in the browser that asked</a></p>
<p class="ink2" style="margin:0 0 12px;color:#55514b;font-size:14px">${where}</p>
<p class="ink2" style="margin:0;color:#55514b;font-size:14px">${ignore}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`.text,
  };
}
