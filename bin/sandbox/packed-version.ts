import { readFileSync } from 'node:fs';
import * as v from 'valibot';

const Manifest = v.pipe(v.string(), v.parseJson(), v.object({ version: v.string() }));
const manifest = new URL('../package.json', import.meta.url);

/** The version of the package that this bundle is in. */
export const packedVersion = v.parse(Manifest, readFileSync(manifest, 'utf8')).version;
