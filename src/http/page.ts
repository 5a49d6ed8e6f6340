import type { Millis } from '../core/values/clock.ts';
import type { Html, Part } from './html.ts';

/** What a link to the page shows where it is pasted (ogp.me; X, Cards). */
export interface Card {
  /** Absolute. */
  readonly url: string;
  readonly image: string;
  readonly alt: string;
}

/** A page as whoever writes it hands it over; `Frame` puts around it what every page has. */
export interface Page {
  readonly title: string;
  readonly description?: string;
  /** From the page to the root: links are relative, so that the service may stand anywhere. */
  readonly root: string;
  readonly main: Html;
  /** Stands before the main part, beside it where there is room: a long page's contents. */
  readonly beside?: Html;
  readonly card?: Card;
  /** Further style sheets and modules of `assets/`, by name. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  /** Not for search engines. */
  readonly private?: boolean;
  /** The same as Markdown, relative. */
  readonly markdown?: string;
  /** Without the site's own header and footer: `main` is all there is. */
  readonly frame?: 'bare';
}

/** The drawings that pages of other transports use. */
export type FrameIcon = 'check' | 'clock' | 'key' | 'out' | 'right' | 'warn';

/** How pages look here: handed to a transport that writes pages, so that it need not know the one that draws them. */
export interface Frame {
  /** A whole document. */
  readonly page: (of: Page) => string;
  /** Of the answer that carries it, its policy among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** A button that copies what stands in the element of that id. */
  readonly copyButton: (label: string, from: { readonly id: string }) => Html;
  /** A small drawing beside a word that says the same. */
  readonly icon: (name: FrameIcon) => Html;
  /** A tinted box: what is so, in bold, then what to do about it. */
  readonly note: (kind: 'plain' | 'wait' | 'bad', name: FrameIcon, fact: Part, rest: Part) => Html;
  /** A behavior's perforated stamp. */
  readonly stamp: (behavior: string, size: 30 | 40 | 64) => Html;
  /** The yellow stamp with the service's name beside it, a link to the root. */
  readonly brand: (root: string) => Html;
  /** A time as short as it is clear. */
  readonly time: (at: Millis, now: Millis, kind: 'short' | 'full') => Html;
}
