/** What a terminal takes for more than text: control characters, and those that change the direction of what follows. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\uFEFF]/gu;

/**
 * A text that others chose on one line, its control characters visible: `\u001b`, say. JSON text stays the same JSON, for
 * there it is written so.
 */
export const printableLine = (text: string): string =>
  text.replaceAll(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same, but what has lines, such as a stack trace, keeps them. */
export const printable = (text: string): string => text.split('\n').map(printableLine).join('\n');
