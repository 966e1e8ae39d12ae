/** Control characters, which a terminal interprets, and characters that change the direction of text. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\uFEFF]/gu;

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Returns untrusted text on one line, control characters escaped as `\u001b`; JSON keeps its meaning. */
export const printableLine = (text: string): string => text.replaceAll(unprintable, escaped);

/** Returns untrusted text, such as code, with control characters escaped except line breaks and tabs. */
export const printable = (text: string): string =>
  text.replaceAll(unprintable, (character) => (/[\n\t]/.test(character) ? character : escaped(character)));
