// Usage: npm run bench [-- reload]

const [, , name = 'cold-starts'] = process.argv;
const benches: Readonly<Record<string, () => Promise<unknown>>> = {
  'cold-starts': () => import('./cold-starts.ts'),
  reload: () => import('./reload.ts'),
};
const bench = benches[name];
if (!bench) throw new Error(`There is no bench ${name}: pass one of ${Object.keys(benches).join(', ')}.`);
await bench();
