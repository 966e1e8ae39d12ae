import type { TableDefinition } from '../tables/table.ts';
import { Pet } from './pet.ts';

/** The table of pets. */
export const petTable = {
  id: 'pets',
  nameVariable: 'PETS_TABLE',
  schema: Pet,
  key: { partition: 'id' },
  indexes: { byStatus: { partition: 'status', sort: 'id' } },
  keyTypes: { id: 'N', status: 'S' },
} as const satisfies TableDefinition<Pet>;
