import { readFileSync } from 'node:fs';
import { jsonOf } from './src/cli/terminal.ts';
import { verifyReceipt } from './verify-receipt.ts';

/**
 * `node packages/client/verify-receipt-main.ts receipt.json jwks.json`: a receipt, or the whole message that holds it, and the
 * keys.
 */
const [receiptFile, keysFile] = process.argv.slice(2);
if (receiptFile === undefined || keysFile === undefined) {
  console.error('Use: node packages/client/verify-receipt-main.ts receipt.json jwks.json');
  process.exit(2);
}
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const given = read(receiptFile);
try {
  const proven = await verifyReceipt(given.reply?.data ?? given, read(keysFile));
  console.log(jsonOf(proven, 2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
