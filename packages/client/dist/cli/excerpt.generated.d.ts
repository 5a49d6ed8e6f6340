/**
 * The first line of a text that says something, without the marks of Markdown, for lists: not a greeting or a label, where
 * there is another one. All of the first line where no line says anything.
 */
export declare function excerptOf(text: string): string;
