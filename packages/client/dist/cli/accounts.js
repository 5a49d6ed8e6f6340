import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { MailroomError } from '../error.js';
/** The name of an account, such as `ada@mail.example.com`. */
export const nameOf = ({ namespace, url }) => `${namespace}@${new URL(url).host}`;
/** The accounts that were logged in to, in one file of mode 0600, `$XDG_CONFIG_HOME/mailroom/accounts.json`. */
export class Accounts {
    file;
    constructor(env) {
        // The specification says to ignore relative paths (XDG Base Directory 0.8).
        const folder = env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : join(env.HOME ?? homedir(), '.config');
        this.file = join(folder, 'mailroom', 'accounts.json');
    }
    #read() {
        try {
            const stored = JSON.parse(readFileSync(this.file, 'utf8'));
            return { current: stored.current, accounts: { ...stored.accounts } };
        }
        catch (error) {
            if (error.code === 'ENOENT')
                return { accounts: {} };
            throw new MailroomError(`${this.file} cannot be read: ${error.message}. Fix or remove it.`, {
                code: 'configuration',
            });
        }
    }
    /** Replaces the file as a whole, so that an interruption leaves the old one. */
    #write(stored) {
        const next = `${this.file}.${process.pid}`;
        mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
        try {
            writeFileSync(next, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
            chmodSync(next, 0o600);
            renameSync(next, this.file);
        }
        catch (error) {
            rmSync(next, { force: true });
            throw error;
        }
    }
    /** Throws an Error where the file cannot be written, before something is made whose key it should keep. */
    checkWritable() {
        this.#write(this.#read());
    }
    /** Keeps an account and makes it the current one. */
    keep(account) {
        const { accounts } = this.#read();
        const name = nameOf(account);
        this.#write({ current: name, accounts: { ...accounts, [name]: account } });
    }
    /** Forgets an account; returns whether there was one. */
    forget(name) {
        const { current, accounts } = this.#read();
        const { [name]: gone, ...others } = accounts;
        if (gone === undefined)
            return false;
        this.#write({ current: current === name ? Object.keys(others)[0] : current, accounts: others });
        return true;
    }
    all() {
        const { current, accounts } = this.#read();
        return Object.entries(accounts).map(([name, account]) => ({ name, current: name === current, account }));
    }
    /** The current account, or the one of this name or namespace. MailroomError `configuration` for an unknown name. */
    find(wanted) {
        const all = this.all();
        if (wanted === undefined)
            return all.find(({ current }) => current)?.account;
        const found = all.find(({ name, account }) => name === wanted || account.namespace === wanted);
        if (found !== undefined)
            return found.account;
        const known = all.map(({ name }) => name).join(', ') || 'none';
        throw new MailroomError(`There is no account "${wanted}" here (known: ${known}). Run mailroom login.`, {
            code: 'configuration',
        });
    }
}
