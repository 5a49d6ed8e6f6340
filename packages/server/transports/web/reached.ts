import { type Html, html } from '../../http/html.ts';
import { reached, type TakesMail } from './words.ts';

/** How an address can be reached, with a link that writes an e-mail to it, or to `byMail`, its name at another domain. */
export const reachedBy = (mail: TakesMail, address: string, byMail = address): Html =>
  html`${reached(mail)}${mail !== 'no' && html` <a href="mailto:${byMail}">${byMail === address ? 'Write an e-mail' : html`Write an e-mail to ${byMail}`}</a>`}`;
