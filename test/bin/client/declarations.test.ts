import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { declarationsOf } from '../../../bin/client/declarations.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';

it('declarationsOf returns each file that the entry reaches, once', () => {
  const directory = temporaryDirectory(onTestFinished);
  const files = {
    'client/entry.d.ts': "import type { Pet } from '../pet.ts';\nexport { type Page } from './page.ts';\n",
    'client/page.d.ts': "import type { Pet } from '../pet.ts';\n",
    'client/hidden.d.ts': 'export {};\n',
    'pet.d.ts': "import * as v from 'valibot';\n",
  };
  mkdirSync(join(directory, 'client'));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, file), text);

  expect(declarationsOf(directory, 'client/entry.d.ts')).toBe(
    `// client/entry.d.ts

import type { Pet } from '../pet.ts';
export { type Page } from './page.ts';

// pet.d.ts

import * as v from 'valibot';

// client/page.d.ts

import type { Pet } from '../pet.ts';
`,
  );
});
