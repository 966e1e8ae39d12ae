/** Control characters, which a terminal interprets, and characters that change the direction of text. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\uFEFF]/gu;

/** Returns untrusted text on one line, control characters escaped as `\u001b`; JSON keeps its meaning. */
export const printableLine = (text: string): string =>
  text.replaceAll(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Returns untrusted multi-line text, such as a stack trace, with control characters escaped. */
export const printable = (text: string): string => text.split('\n').map(printableLine).join('\n');
