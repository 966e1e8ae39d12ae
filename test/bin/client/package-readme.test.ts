import { expect, it } from 'vitest';
import { packageReadme } from '../../../bin/client/package-readme.ts';

it("a package's README has the version of the packages", () => {
  const document = 'npm install ./pet-store-client-1.0.0.tgz\nnpx ./acme-pet-store-sandbox-1.0.0.tgz\n';

  expect(packageReadme(document, '1.10.2')).toBe(
    'npm install ./pet-store-client-1.10.2.tgz\nnpx ./acme-pet-store-sandbox-1.10.2.tgz\n',
  );
});
