import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { trials } from './all-trials.ts';

it.each(Object.entries(trials))(
  'the trial %s follows a section that exists',
  (_name, { document, section }) => {
    expect(readFileSync(document, 'utf8').split('\n')).toContainEqual(
      expect.stringMatching(`^#+ ${section}$`),
    );
  },
);

it('CONTRIBUTING.md says how many files each trial of it changes', () => {
  const ofContributing = Object.entries(trials).filter(([, { document }]) => document === 'CONTRIBUTING.md');
  const counts = ofContributing.flatMap(([name, { files }]) => (files ? [`${name} ${files}`] : []));

  const [, documented] = /generated files:\s([^.]+)\./.exec(readFileSync('CONTRIBUTING.md', 'utf8')) ?? [];
  expect(documented?.replaceAll('\n', ' ')).toBe(counts.join(', '));
});
