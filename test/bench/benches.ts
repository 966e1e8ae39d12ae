/** The benches by the name that `npm run bench -- <name>` takes. Each runs when it is imported. */
export const benches = {
  'cold-starts': () => import('./cold-starts.ts'),
  warm: () => import('./warm.ts'),
  reload: () => import('./reload.ts'),
} as const;
