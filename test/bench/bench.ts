import { benches } from './benches.ts';

// Usage: npm run bench [-- <name of a bench>]

const [, , name = 'cold-starts'] = process.argv;
const bench = Object.entries(benches).find(([known]) => known === name)?.[1];
if (!bench) throw new Error(`There is no bench ${name}: pass one of ${Object.keys(benches).join(', ')}.`);
await bench();
