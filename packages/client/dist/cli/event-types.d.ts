/** The types as they were given. UsageError for one that no event has, for which a command would wait forever. */
export declare function eventTypes(types: readonly string[]): readonly string[];
