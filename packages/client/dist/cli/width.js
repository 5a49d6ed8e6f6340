const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Ranges of characters two columns wide (Unicode 16, East Asian Width W and F), the larger blocks. */
const WIDE = /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const widthOfSegment = (segment) => {
    if (/^[\p{M}\p{Cf}\p{Cc}]+$/u.test(segment))
        return 0;
    return WIDE.test(segment) ? 2 : 1;
};
/** The columns that a text takes on a terminal. */
export function widthOf(text) {
    if (/^[\x20-\x7e]*$/.test(text))
        return text.length;
    let width = 0;
    for (const { segment } of segments.segment(text))
        width += widthOfSegment(segment);
    return width;
}
/** The text cut to `max` columns, with an ellipsis where it was cut. */
export function cut(text, max) {
    if (widthOf(text) <= max)
        return text;
    let width = 1;
    let kept = '';
    for (const { segment } of segments.segment(text)) {
        width += widthOfSegment(segment);
        if (width > max)
            break;
        kept += segment;
    }
    return max < 1 ? '' : `${kept}…`;
}
/** The text filled up with spaces to `width` columns. */
export const filled = (text, width) => text + ' '.repeat(Math.max(0, width - widthOf(text)));
