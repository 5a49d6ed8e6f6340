import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Finding, fail, ok, request, type ServiceOptions, skip, textAt } from '@mailroom/client/doctor';
import { signatureHeaders } from '../../core/values/webhook-signature.ts';

const PATH = '/api/v1/webhooks';

/** A delivery to a receiver on this machine, by a webhook that is made for it and removed. */
export async function webhookFinding(service: ServiceOptions): Promise<Finding> {
  const arrived: { readonly headers: NodeJS.Dict<string | string[]>; readonly body: string }[] = [];
  const server = createServer((incoming, answer) => {
    void text(incoming).then((body) => {
      arrived.push({ headers: incoming.headers, body });
      answer.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  let id = '';
  try {
    // Of a type that is rare, so that nothing but the test is sent.
    const made = await request(service, PATH, { body: { url, types: ['mailbox.deleted'] } });
    id = textAt(made.json, 'id');
    if (made.status === 422)
      return skip('webhooks', 'may not reach this machine', 'To have it tried, set WEBHOOK_NETWORKS=127.0.0.1.');
    if (id === '')
      return fail(
        'webhooks',
        `cannot be made: ${textAt(made.json, 'detail') || made.status}`,
        'Remove one that is unused.',
      );
    const tested = await request(service, `${PATH}/${id}/test`, { method: 'POST' });
    const [delivery] = arrived;
    if (delivery === undefined) {
      const why = textAt(tested.json, 'error') || textAt(tested.json, 'detail') || String(tested.status);
      return fail('webhooks', `a test did not arrive: ${why}`, 'Look at the firewall, and WEBHOOK_NETWORKS.');
    }
    const { headers, body } = delivery;
    const seconds = Number(headers['webhook-timestamp']);
    const signed = signatureHeaders({ id: String(headers['webhook-id']), body, at: seconds * 1000 }, [
      textAt(made.json, 'secret'),
    ]);
    return headers['webhook-signature'] === signed['webhook-signature']
      ? ok('webhooks', 'a signed test arrived at this machine')
      : fail(
          'webhooks',
          'a test arrived with a wrong signature',
          'Something in between changes requests: see proxies.',
        );
  } finally {
    if (id !== '')
      await request({ ...service, signal: AbortSignal.timeout(10_000) }, `${PATH}/${id}`, { method: 'DELETE' });
    server.close();
    server.closeAllConnections();
  }
}
