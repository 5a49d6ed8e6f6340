import { type Command, textOf, textsOf } from '../command.ts';
import { ownAddress } from './shared.ts';

export const forward: Command = {
  name: 'forward',
  summary: 'Hand a message on to others',
  args: 'ID ADDRESS [ADDRESS …]',
  count: [2, 50],
  options: {
    text: { type: 'string', value: 'TEXT', help: 'what you say above it' },
    cc: { type: 'string', multiple: true, value: 'ADDRESS', help: 'send it to this address too, which all see' },
    bcc: { type: 'string', multiple: true, value: 'ADDRESS', help: 'send it to this address too, which no other sees' },
    from: { type: 'string', value: 'ADDRESS', help: 'write as this address of yours, instead of the one that has it' },
    'as-attachment': { type: 'boolean', help: 'attach it as a mail, with its files, instead of its text' },
    'no-files': { type: 'boolean', help: 'leave its files out' },
  },
  examples: [['forward msg_0d8m3xk2q5v7w9y1a3c0 ada@example.com --text "For you"', 'With its text and its files']],
  async run(context) {
    const { client, positionals, terminal, json, signal, values } = context;
    const [id = '', ...to] = positionals;
    const mailroom = client();
    const own = (addresses: readonly string[]) =>
      Promise.all(addresses.map((one) => ownAddress(mailroom, one, signal)));
    const [cc, bcc, from, text] = [
      await own(textsOf(context, 'cc')),
      await own(textsOf(context, 'bcc')),
      textOf(context, 'from'),
      textOf(context, 'text'),
    ];
    const message = await mailroom.messages.forward(
      id,
      {
        to: await own(to),
        ...(cc.length > 0 && { cc }),
        ...(bcc.length > 0 && { bcc }),
        ...(text !== undefined && { body: text }),
        ...(from !== undefined && { from: await ownAddress(mailroom, from, signal) }),
        ...(values['as-attachment'] === true && { as: 'attachment' as const }),
        ...(values['no-files'] === true && { attachments: 'none' as const }),
      },
      { signal },
    );
    if (json) terminal.json(message);
    else terminal.line(message.id);
    return 0;
  },
};
