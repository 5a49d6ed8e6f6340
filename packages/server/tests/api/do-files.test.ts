import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

const service = await serveInside({ env: { RATE_LIMITS: 'off' } });
const { newNamespace, newMailbox, send } = connect(service.url);
const home = await newNamespace();
const { address: to } = await newMailbox(home, { local_part: 'do', behavior: { name: 'do' } });

const file = (filename: string, text: string, content_type?: string) => ({
  filename,
  ...(content_type !== undefined && { content_type }),
  content: Buffer.from(text).toString('base64'),
});
type File = ReturnType<typeof file>;
const ORDERS = file('orders.csv', 'item,price\r\napple,1.50\r\npear,2.25\r\n');
const OLD = file('old orders.csv', 'item,price\napple,100\n');
const STOCK = file('stock.json', '[{"item":"apple","count":3},{"item":"pear","count":4}]');
const PHOTO = file('photo.png', 'no text', 'image/png');

async function ask(body: string, attachments: readonly File[] = [], more: object = {}): Promise<Envelope> {
  const answer = await send(home.key, {
    sync: true,
    to,
    body,
    ...(attachments.length > 0 && { attachments }),
    ...more,
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}
const replyOf = ({ reply, error }: Envelope): string => reply?.body ?? error?.message ?? '';
const answers = async (body: string, attachments: readonly File[], wanted: RegExp): Promise<Envelope> => {
  const message = await ask(body, attachments);
  assert.equal(message.status, 'completed', `${body}: ${replyOf(message)}`);
  assert.match(replyOf(message), wanted, body);
  return message;
};
const asks = async (body: string, attachments: readonly File[], wanted: RegExp): Promise<Envelope> => {
  const message = await ask(body, attachments);
  assert.equal(message.status, 'input_required', `${body}: ${replyOf(message)}`);
  assert.match(replyOf(message), wanted, body);
  return message;
};
const then = async (before: Envelope, body: string, wanted: RegExp, status = 'completed'): Promise<Envelope> => {
  const message = await ask(body, [], { thread_id: before.thread_id });
  assert.equal(message.status, status, `${body}: ${replyOf(message)}`);
  assert.match(replyOf(message), wanted, body);
  return message;
};

test('a column of an attached CSV or JSON list is summed exactly', async () => {
  await answers('Sum the column price.', [ORDERS], /\*\*3\.75\*\*/);
  await answers('total of count', [STOCK], /\*\*7\*\*/);
  await answers('how many rows are in the attached file?', [ORDERS], /\*\*2\*\* rows/);
  await answers('sort by price descending', [ORDERS], /pear,2\.25\napple,1\.50/);
  await answers('what is the highest price', [file('a.tsv', 'name\tprice\nx\t3\ny\t12')], /\*\*12\*\*/);
  await answers('sum the column price', [file('bom.csv', '\ufeffprice;item\n1;a\n2;b')], /\*\*3\*\*/);
});

test('the file that an instruction names is used, in the ways people name it', async () => {
  const files = [ORDERS, OLD, STOCK, PHOTO];
  for (const body of [
    'sum price in orders.csv',
    'sum of price in the attached file "orders.csv"',
    'orders.csv: sum the price',
    'In orders.csv, what is the total of the price column?',
    'Sum the column price of the file called ORDERS.CSV please',
  ])
    await answers(body, files, /\*\*3\.75\*\*/);
  await answers('sum price in old orders.csv', files, /\*\*100\*\*/);
  await answers('turn orders.csv into json', files, /"item": "apple"/);
  await answers('is stock.json valid?', files, /valid JSON/);
  await answers('sum the column price of the csv', [ORDERS, STOCK, PHOTO], /\*\*3\.75\*\*/);
  await answers('sum price', [ORDERS, PHOTO], /\*\*3\.75\*\*/);
});

test('which file is asked when several fit, and the answer is understood in the ways people give it', async () => {
  for (const [answer, wanted] of [
    ['orders.csv', /\*\*3\.75\*\*/],
    ['the first one', /\*\*3\.75\*\*/],
    ['the second one', /\*\*100\*\*/],
    ['2', /\*\*100\*\*/],
    ['Old orders', /\*\*100\*\*/],
    ['"orders.csv", please', /\*\*3\.75\*\*/],
    ['use the last one', /\*\*100\*\*/],
    ['how many rows are in old orders.csv', /\*\*1\*\* row/],
  ] as const) {
    const question = await asks('sum the column price', [ORDERS, OLD], /1\. "orders\.csv"\n2\. "old orders\.csv"/);
    await then(question, answer, wanted);
  }
});

test('an answer that means no file of the message is asked again, and nothing is done', async () => {
  const question = await asks('sum price', [ORDERS, OLD], /Which file/);
  const again = await then(question, 'the third one', /Which file/, 'input_required');
  await then(again, 'invoices.csv', /Which file/, 'input_required');
  const other = await asks('sum price', [ORDERS, OLD], /Which file/);
  await then(other, 'never mind', /Nothing was done/);
  await asks('sum price in invoices.csv', [ORDERS], /There is no file "invoices\.csv"/);
});

test('a question about a column goes on with the file that was chosen before', async () => {
  const question = await asks('sum the column cost', [ORDERS, OLD], /Which file/);
  const column = await then(question, 'old orders.csv', /no column “cost”/, 'input_required');
  await then(column, 'price', /\*\*100\*\*/);
  const wrong = await asks('total of cost in orders.csv', [ORDERS, OLD], /no column “cost”/);
  await then(wrong, '1', /\*\*3\.75\*\*/);
});

test('cells that are no numbers are told exactly, and left out only when that is said', async () => {
  const holes = file('holes.csv', 'item,price\na,1\nb,n/a\nc,\nd,€12\n');
  const question = await asks(
    'sum the column price',
    [holes],
    /3 cells .*“n\/a” \(row 2\), empty \(row 3\), “€12” \(row 4\)/,
  );
  await then(question, 'yes', /\*\*1\*\*.*3 left out/);
  await answers('sum the column price, leaving out the cells that are no numbers', [holes], /3 left out/);
});
