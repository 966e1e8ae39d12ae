import { keyPrefix } from '../../infra/key-prefix.ts';
import { stagePattern } from '../../infra/stack-names.ts';

/** A key's prefix, each character as itself or percent-encoded up to ten times, and what follows. */
const anyKey = new RegExp(`${[...keyPrefix].map(plainOrEncoded).join('')}(${stagePattern}_)?[\\w%]+`, 'gi');

function plainOrEncoded(character: string): string {
  return `(?:${character}|%(?:25){0,9}${character.charCodeAt(0).toString(16)})`;
}

/** Truncates every API key in a text, whole or partial, to its prefix, with the stage unless encoded. */
export const hideApiKeys = (text: string): string => text.replaceAll(anyKey, `${keyPrefix}$1…`);
