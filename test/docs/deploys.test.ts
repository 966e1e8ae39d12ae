import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { codeBlocksOf } from '../support/docs/markdown.ts';

/** Returns the lines of a file that may be commands, with what continues a line. */
function linesOf(path: string): readonly string[] {
  const text = readFileSync(path, 'utf8').replaceAll(/\\\n\s*/g, '');
  if (!path.endsWith('.md')) return text.split('\n');
  const inSentences = text.replaceAll(/^```[\s\S]*?^```/gm, '').match(/`[^`]+`/g) ?? [];
  const inBlocks = codeBlocksOf(path, 'sh', 'console').flatMap((block) => block.split('\n'));
  return [...inSentences.map((code) => code.replaceAll(/\s+/g, ' ')), ...inBlocks];
}

const paths = globSync(['*.md', 'docs/*.md', 'bin/*/*.md', '.github/workflows/*.yml', 'bin/**/*.ts'], {
  exclude: ['**/test/**'],
});
const deploys = paths.flatMap((path) =>
  linesOf(path)
    .filter((line) => /\b(npx cdk|bin\/cdk"?) deploy [^`]/.test(line))
    .map((line) => ({ path, line })),
);

it('only an administrator deploys an access stack', () => {
  const others = deploys.filter(({ line }) => !/ --exclusively\b|-access\b|\$\{accessStack\}/.test(line));

  // The first deploy.
  expect(others).toEqual(
    ['README.md', 'docs/deploying.md'].map((path) => ({ path, line: 'npx cdk deploy PetStore-staging' })),
  );
  expect(deploys.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['.github/workflows/deploy-stage.yml', 'docs/pipeline.md']),
  );
});
