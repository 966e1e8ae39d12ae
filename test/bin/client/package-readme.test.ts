import { expect, it } from 'vitest';
import { packageReadme } from '../../../bin/client/package-readme.ts';

it("a package's README has the name and the version of the packages", () => {
  const document = `npm install ./pet-store-client-1.0.0.tgz
npm install pet-store-client --registry https://npm.example.com
npx ./pet-store-sandbox-1.0.0.tgz
import { PetStoreClient } from 'pet-store-client';
`;

  const readme = packageReadme(document, { name: '@acme/pet-store-client', version: '1.10.2' });

  expect(readme).toBe(`npm install ./acme-pet-store-client-1.10.2.tgz
npm install @acme/pet-store-client --registry https://npm.example.com
npx ./pet-store-sandbox-1.10.2.tgz
import { PetStoreClient } from '@acme/pet-store-client';
`);
});

it('a document that already has another name for the client stays as it is', () => {
  const document = "npm install ./acme-pet-store-client-1.10.2.tgz\nimport '@acme/pet-store-client';\n";

  expect(packageReadme(document, { name: '@acme/pet-store-client', version: '1.10.2' })).toBe(document);
});
