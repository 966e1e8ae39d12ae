import { readFileSync } from 'node:fs';
import { codeBlocksOf } from '../docs/markdown.ts';
import { everySetting } from './stage-settings.ts';

const settingNames = Object.keys(everySetting).join('|');

/**
 * Returns the TypeScript that a document tells an owner to add to stages.ts, each with a comma at its end: whole
 * stages, and settings of a stage, which may also be in the text.
 */
export function settingsIn(document: string) {
  // What an owner has to fill in.
  const text = readFileSync(document, 'utf8').replaceAll('…', 'example');
  const blocks = codeBlocksOf(document, 'ts').map((block) => block.replaceAll('…', 'example'));
  const inText = new RegExp(`\`((?:${settingNames}): [^\`]+)\``, 'g');
  const stages = blocks.filter((block) => block.includes('accountConcurrency:'));
  const isSetting = new RegExp(`^\\s*(?:${settingNames}):`);
  return {
    stages,
    settings: [
      ...blocks.filter((block) => !stages.includes(block) && isSetting.test(block)),
      ...Array.from(text.matchAll(inText), ([, setting = '']) => `${setting},\n`),
    ],
  };
}
