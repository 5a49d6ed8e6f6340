/** A namespace at a service, with the key to it. */
export interface Account {
    readonly url: string;
    readonly key: string;
    readonly namespace: string;
}
/** The name of an account, such as `ada@mail.example.com`. */
export declare const nameOf: ({ namespace, url }: Pick<Account, 'namespace' | 'url'>) => string;
/** The accounts that were logged in to, in one file of mode 0600, `$XDG_CONFIG_HOME/mailroom/accounts.json`. */
export declare class Accounts {
    #private;
    readonly file: string;
    constructor(env: NodeJS.ProcessEnv);
    /** Throws an Error where the file cannot be written, before something is made whose key it should keep. */
    checkWritable(): void;
    /** Keeps an account and makes it the current one. */
    keep(account: Account): void;
    /** Forgets an account; returns whether there was one. */
    forget(name: string): boolean;
    all(): readonly {
        readonly name: string;
        readonly current: boolean;
        readonly account: Account;
    }[];
    /** The current account, or the one of this name or namespace. MailroomError `configuration` for an unknown name. */
    find(wanted?: string): Account | undefined;
}
