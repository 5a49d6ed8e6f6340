import type { Millis } from '@mailroom/behavior/values/clock';
import type { Html, Part } from './html.ts';

/** The preview of a link to the page (ogp.me; X, Cards). */
interface Card {
  /** An absolute URL. */
  readonly url: string;
  readonly image: string;
  readonly alt: string;
}

/** A page as its transport provides it; `Frame` adds what every page has. */
export interface Page {
  readonly title: string;
  readonly description?: string;
  /** The relative path from the page to the root, so that the service may run below any path. */
  readonly root: string;
  readonly main: Html;
  /** Contents of a long page, placed before the main part, or beside it on wide screens. */
  readonly beside?: Html;
  readonly card?: Card;
  /** Further style sheets and modules of `assets/`, by name. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  /** Excluded from search engines. */
  readonly private?: boolean;
  /** The relative URL of the same page as Markdown. */
  readonly markdown?: string;
  /** The relative URL of the AI catalog that lists it. */
  readonly catalog?: string;
  /** Without the site's header and footer. */
  readonly frame?: 'bare';
}

/** The icons that pages of other transports use. */
type FrameIcon = 'check' | 'clock' | 'key' | 'out' | 'right' | 'warn';

/** Renders pages; handed to transports so that they do not depend on the one that defines the design. */
export interface Frame {
  /** Renders a whole document. */
  readonly page: (of: Page) => string;
  /** Headers of the answer that carries a page, with its content security policy. */
  readonly headers: Readonly<Record<string, string>>;
  /** A button that copies the text of the element with that id. */
  readonly copyButton: (label: string, from: { readonly id: string }) => Html;
  /** A small icon beside a word of the same meaning. */
  readonly icon: (name: FrameIcon) => Html;
  /** A tinted box: a statement in bold, then what to do about it. */
  readonly note: (kind: 'plain' | 'wait' | 'bad', name: FrameIcon, fact: Part, rest: Part) => Html;
  /** The perforated stamp of the addresses that sign people in. */
  readonly issuerStamp: () => Html;
  /** The yellow stamp with the service's name, linked to the root. */
  readonly brand: (root: string) => Html;
  /** A time in its shortest clear form. */
  readonly time: (at: Millis, now: Millis, kind: 'short' | 'full') => Html;
}
