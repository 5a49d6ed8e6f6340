import type { Store } from '../../core/ports/store.ts';
import { pageRoute } from '../../http/page-route.ts';
import type { Answer, Call, Route } from '../../http/route.ts';
import { findMailbox, findNamespace, PLACE, type PlaceParts } from './place.ts';
import type { ShareImage } from './share-image.ts';

/** How long caches may keep a picture before they revalidate it, in seconds. */
const KEPT_S = 3_600;

interface CardParts extends PlaceParts {
  readonly store: Pick<Store, 'mailboxes'>;
}

/** The preview pictures of shared links. The renderer is loaded when the first one is requested. */
export const cardRoutes = (parts: CardParts): readonly Route[] => [
  pageRoute('GET', '/static/card.png', {
    handle: async (call) => answer(call, { image: (await drawing()).homeImage(), open: true }),
  }),
  pageRoute('GET', '/{name}/card.png', {
    ...PLACE,
    handle: async (call) => answer(call, await imageOf(call.params.name, call, parts)),
  }),
];

const drawing = () => import('./share-image.ts');

/** `open`: anyone with the link may see it, so shared caches may store it. */
interface Card {
  readonly image: ShareImage;
  readonly open: boolean;
}

async function imageOf(name: string, { caller }: Pick<Call, 'caller'>, parts: CardParts): Promise<Card> {
  const { shareImage, namespaceImage } = await drawing();
  if (name.includes('@')) {
    const { found } = await findMailbox(name, caller, parts);
    return { image: shareImage(found, parts.mailDomain), open: found.access === 'public' };
  }
  const { found } = await findNamespace(name, parts);
  const { items } = await parts.store.mailboxes.page({ namespace: found.name, listed: true, seen_by: null }, null, 200);
  const behaviors = items.map(({ behavior }) => behavior);
  return { image: namespaceImage(found, behaviors, items.length, parts.mailDomain), open: true };
}

async function answer({ headers }: Pick<Call, 'headers'>, { image, open }: Card): Promise<Answer> {
  const kept = {
    etag: image.etag,
    'cache-control': `${open ? 'public' : 'private'}, max-age=${KEPT_S}`,
    // Other sites embed these pictures.
    'cross-origin-resource-policy': 'cross-origin',
  };
  if (headers['if-none-match'] === image.etag) return { status: 304, headers: kept };
  return { status: 200, body: Buffer.from(await image.png()), headers: { ...kept, 'content-type': 'image/png' } };
}
