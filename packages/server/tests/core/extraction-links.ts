/** A mail: its text, and the link that is meant; null where it has none. */
export type LinkMail = readonly [text: string, link: string | null];

const HOME = 'https://acme.example';

/** Mails with links to confirm, reset and sign in, as the reader of mail writes HTML: a button as `label <link>`. */
export const LINK_MAILS: readonly LinkMail[] = [
  [
    `Welcome!\n\nConfirm your email <${HOME}/c/9f8e7d6c5b4a39281706>\n\nUnsubscribe <${HOME}/unsubscribe?u=9f8e7d6c5b4a>\nFacebook <https://facebook.com/acme>`,
    `${HOME}/c/9f8e7d6c5b4a39281706`,
  ],
  [
    `Acme <${HOME}/>\n\nReset password <https://click.mail.example/ls/click?upn=u001.Ab12Cd34Ef56Gh78>\n\nHelp <${HOME}/help>  Privacy <${HOME}/privacy>`,
    'https://click.mail.example/ls/click?upn=u001.Ab12Cd34Ef56Gh78',
  ],
  [
    `Click the link below to sign in:\n\n${HOME}/auth/magic?token=eyJhbGciOiJIUzI1NiJ9.abc.def\n\nIt works once.`,
    `${HOME}/auth/magic?token=eyJhbGciOiJIUzI1NiJ9.abc.def`,
  ],
  [`To verify your address, open ${HOME}/verify/482913.`, `${HOME}/verify/482913`],
  [
    `Someone asked for a new password.\n\nChoose a new password (${HOME}/p/3f9a2b7c1d4e5f60718293)\n\nWasn't you? <${HOME}/security/report/3f9a2b7c1d4e5f60718293>`,
    `${HOME}/p/3f9a2b7c1d4e5f60718293`,
  ],
  [
    `> From: Acme\n> Subject: Activate\n>\n> Activate your account: <${HOME}/activate?key=a1b2c3d4e5f6a7b8\n> c9d0>\n`,
    `${HOME}/activate?key=a1b2c3d4e5f6a7b8>c9d0`.replace('>', ''),
  ],
  [
    `[Confirm subscription](${HOME}/confirm?id=77&t=abcdef0123456789)\n[Unsubscribe](${HOME}/u/abcdef0123456789)`,
    `${HOME}/confirm?id=77&t=abcdef0123456789`,
  ],
  [`Accept invitation <${HOME}/i/0a1b2c3d4e5f60718>\nLearn more <${HOME}/blog>`, `${HOME}/i/0a1b2c3d4e5f60718`],
  [
    `View in your browser <${HOME}/m/0123456789abcdef0123>\n\nLog in to Acme <${HOME}/l/0123456789abcdef4567>\n\nDownload the app <https://apps.apple.com/app/1>`,
    `${HOME}/l/0123456789abcdef4567`,
  ],
  [
    `Bitte bestätigen Sie Ihre Adresse:\n\nE-Mail-Adresse bestätigen <${HOME}/b/5f4e3d2c1b0a99887766>\n\nImpressum <${HOME}/impressum>  Newsletter abbestellen <${HOME}/x/5f4e3d2c1b0a>`,
    `${HOME}/b/5f4e3d2c1b0a99887766`,
  ],
  [
    `Passwort zurücksetzen <${HOME}/pw/112233445566778899aa>\nWaren Sie das nicht? <${HOME}/nein/112233445566778899aa>`,
    `${HOME}/pw/112233445566778899aa`,
  ],
  [`Jetzt anmelden <${HOME}/s/77aa66bb55cc44dd33ee>`, `${HOME}/s/77aa66bb55cc44dd33ee`],
  [
    `Confirmer mon adresse <${HOME}/fr/abc123abc123abc123ab>\nSe désabonner <${HOME}/fr/des/abc123abc123abc123>`,
    `${HOME}/fr/abc123abc123abc123ab`,
  ],
  [`Réinitialiser le mot de passe : ${HOME}/fr/r/99887766554433221100`, `${HOME}/fr/r/99887766554433221100`],
  [
    `Confirmar mi correo <${HOME}/es/0f1e2d3c4b5a69788796>\nDarse de baja <${HOME}/es/baja/0f1e2d3c4b5a>`,
    `${HOME}/es/0f1e2d3c4b5a69788796`,
  ],
  [`Restablecer contraseña <${HOME}/es/r/aa11bb22cc33dd44ee55>`, `${HOME}/es/r/aa11bb22cc33dd44ee55`],
  [
    `Conferma il tuo indirizzo <${HOME}/it/a9b8c7d6e5f4a3b2c1d0>\nInformativa <${HOME}/it/info>`,
    `${HOME}/it/a9b8c7d6e5f4a3b2c1d0`,
  ],
  [`Reimposta password <${HOME}/it/p/12ab34cd56ef78ab90cd>`, `${HOME}/it/p/12ab34cd56ef78ab90cd`],
  [
    `Confirmar e-mail <${HOME}/pt/55aa55aa55aa55aa55aa>\nDescadastrar <${HOME}/pt/d/55aa55aa55aa55>`,
    `${HOME}/pt/55aa55aa55aa55aa55aa`,
  ],
  [`Redefinir senha <${HOME}/pt/r/0011aa22bb33cc44dd55>`, `${HOME}/pt/r/0011aa22bb33cc44dd55`],
  [
    `Bevestig je e-mailadres <${HOME}/nl/4a5b6c7d8e9f0a1b2c3d>\nUitschrijven <${HOME}/nl/u/4a5b6c7d8e9f>`,
    `${HOME}/nl/4a5b6c7d8e9f0a1b2c3d`,
  ],
  [`Wachtwoord herstellen <${HOME}/nl/w/9a8b7c6d5e4f3a2b1c0d>`, `${HOME}/nl/w/9a8b7c6d5e4f3a2b1c0d`],
  [
    `Potwierdź adres <${HOME}/pl/1f2e3d4c5b6a79880716>\nWypisz się <${HOME}/pl/w/1f2e3d4c5b6a>`,
    `${HOME}/pl/1f2e3d4c5b6a79880716`,
  ],
  [`Zaloguj się <${HOME}/pl/z/a0b1c2d3e4f5a6b7c8d9>`, `${HOME}/pl/z/a0b1c2d3e4f5a6b7c8d9`],
  [
    `E-postanı doğrula <${HOME}/tr/e1d2c3b4a59687706958>\nAbonelikten çık <${HOME}/tr/c/e1d2c3b4a596>`,
    `${HOME}/tr/e1d2c3b4a59687706958`,
  ],
  [`Şifreyi sıfırla <${HOME}/tr/s/00ff11ee22dd33cc44bb>`, `${HOME}/tr/s/00ff11ee22dd33cc44bb`],
  [
    `Подтвердить адрес <${HOME}/ru/7c6d5e4f3a2b1c0d9e8f>\nОтписаться <${HOME}/ru/o/7c6d5e4f3a2b>`,
    `${HOME}/ru/7c6d5e4f3a2b1c0d9e8f`,
  ],
  [`Сбросить пароль: ${HOME}/ru/s/ab12ab34ab56ab78ab90`, `${HOME}/ru/s/ab12ab34ab56ab78ab90`],
  [
    `メールアドレスを確認する <${HOME}/ja/0a9b8c7d6e5f4a3b2c1d>\n配信停止 <${HOME}/ja/s/0a9b8c7d6e5f>`,
    `${HOME}/ja/0a9b8c7d6e5f4a3b2c1d`,
  ],
  [
    `以下のURLからパスワードを再設定してください。\n${HOME}/ja/p/1a2b3c4d5e6f7a8b9c0d\n`,
    `${HOME}/ja/p/1a2b3c4d5e6f7a8b9c0d`,
  ],
  [`确认邮箱 <${HOME}/zh/9f0e8d7c6b5a49382716>\n退订 <${HOME}/zh/t/9f0e8d7c6b5a>`, `${HOME}/zh/9f0e8d7c6b5a49382716`],
  [
    `请点击以下链接重置密码：\n${HOME}/zh/p/aabbccdd11223344eeff\n如非本人操作，请忽略。`,
    `${HOME}/zh/p/aabbccdd11223344eeff`,
  ],
  // Without such a link.
  [
    `Our news of November.\n\nRead more <${HOME}/news/2026/11>\nUnsubscribe <${HOME}/unsubscribe?token=abcdef0123456789>`,
    null,
  ],
  [`Your order is on its way.\n\nTrack it <${HOME}/orders/482913>\n\nhttps://acme.example/logo.png`, null],
  [`See ${HOME} and https://twitter.com/acme`, null],
  [
    `Datenschutz <${HOME}/datenschutz>\nImpressum <${HOME}/impressum>\nNewsletter abbestellen <${HOME}/ab/abcdef0123456789abcd>`,
    null,
  ],
  [`Photos of Sunday: https://photos.example/album/1234`, null],
  [`Se désabonner <${HOME}/d/abcdef0123456789abcd>\nPréférences <${HOME}/p/abcdef0123456789abcd>`, null],
  [`https://acme.example/open/pixel.gif?u=abcdef0123456789`, null],
  [`配信停止 <${HOME}/s/abcdef0123456789abcd>`, null],
];
