/** The columns that a text takes on a terminal. */
export declare function widthOf(text: string): number;
/** The text cut to `max` columns, with an ellipsis where it was cut. */
export declare function cut(text: string, max: number): string;
/** The text filled up with spaces to `width` columns. */
export declare const filled: (text: string, width: number) => string;
