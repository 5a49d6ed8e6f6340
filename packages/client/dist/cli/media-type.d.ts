/** The media type of a file by its name, as browsers send one; undefined for an end that is not known. */
export declare function mediaTypeOf(filename: string): string | undefined;
