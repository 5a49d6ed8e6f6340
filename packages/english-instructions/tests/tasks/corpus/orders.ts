/** Orders about a text that stands behind, before or below them, as people say them, and what the answer says. */
export const ORDERS: readonly (readonly [says: string, answer: RegExp])[] = [
  // Where the text stands.
  ['Could you rank these from highest to lowest? 4, 19, 7', /19\n- 7\n- 4/],
  ['Zoe, Adam, Mia -> Z to A', /Zoe\n- Mia\n- Adam/],
  ['fresh bread daily - all of this in capitals please', /FRESH BREAD DAILY/],
  ['What would "war and peace" look like in capital letters?', /WAR AND PEACE/],
  ['anna\nbert\n\nEach line should start with a capital.', /Anna\nBert/],
  ['12-04/B has to be split at the slash', /- 12-04\n- B/],
  // What is said around it.
  ['Hello team, would you kindly number the lines below? Many thanks, Ida\n\nwash\ncook', /1\. wash\n2\. cook/],
  ['My boss hates capitals, so please put this in lower case: ANNUAL SALES', /annual sales/],
  ['For my shelf I need these titles alphabetically: Emma; Dracula', /Dracula\n- Emma/],
  ["I'd be glad if you reversed this list: a, b, c", /c\n- b\n- a/],
  // How the text is called.
  ['arrange the guests below by length, shortest first\nMaximilian\nBo', /Bo\n- Maximilian/],
  ['in these product codes the first two letters must be capitals: ab-1x, kx-5y', /AB-1x, KX-5y/],
  ['take the sentence below and write its second word in capitals\nnever open this', /never OPEN this/],
  // What is asked.
  ['Show every colour only once: red, blue, red', /^- red\n- blue$/],
  ['no repeats: cat, dog, cat', /^- cat\n- dog$/],
  ['unique values in alphabetical order: pine, ash, pine', /ash\n- pine/],
  ['Please remove the lines with "spam" in them. Thanks\n\nspam one\nham two', /^`?ham two`?$/],
  ['Filter out everything that contains "old": old car, new bike', /^`?new bike`?$/],
  ['Only those lines should remain that have both "a" and "b" in them\n\nab x\na x\nb x', /^- ab x$/],
  ['these surnames all need "Ms. " before them: Keller, Novak', /Ms\. Keller, Ms\. Novak/],
  ['Each line needs a comma at the end:\none\ntwo', /one,\ntwo,/],
  ['exchange Mr Hill for Mrs Hill wherever it occurs: Mr Hill came', /Mrs Hill came/],
  ['replace "cat" with "hen", ignoring case: Cat and cat', /hen and hen/],
  ['glue these syllables together without anything in between: ka, lei', /kalei/],
  ['these should become one line, with " / " between the names:\nEva\nJon', /Eva \/ Jon/],
  ['give me the words in reverse order: one two three', /three two one/],
  ['Every sentence should begin with a capital: it rained. we left.', /It rained\. We left\./],
];

/** What looks alike and asks for something else, or for nothing that is clear. */
export const NOT_ORDERS: readonly string[] = [
  'arrange these in a circle: a, b, c',
  'put these in order of importance: tax, rent',
  'order pizza for the team: margherita, funghi',
  'take the twice following and sort it:\nb\na',
  'keep the first duplicate only: a, b, a',
  'delete the lines that are too long\naaaa\nbb',
  'drop the lines with our former supplier\nHull Paper 44\nLeeds Ink 12',
  'remove lines that contain "a" and "b"\nab\na\nb',
  'put the kettle on each morning: mon, tue',
  'add tax to each price: 10, 20',
  'add 10 to each except the first: 1 2 3',
  'number these in Roman numerals: a, b, c',
  'prefix only the first line with >\na\nb',
  'replace the old street with the new one: Our shop is at 5 Mill Street',
  'uppercase the first word, everything else can go: hello big world',
  'uppercase this, it is only for the first line: hello',
  'these must not be sorted: b, a',
  'put these in order but keep the first at the top: c, b, a',
  'My contract ends on 30 November 2026 - which date is that?',
  'run this python: print(1+1)',
  "I'm sending a newsletter and nobody should get it twice, so clean this list up: a@b.test, a@b.test",
];
