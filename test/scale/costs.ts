import type { Consumption } from '../support/dynamodb/meter.ts';

const nothing: Consumption = { calls: 0, readUnits: 0, writeUnits: 0 };
const read = (readUnits: number): Consumption => ({ calls: 1, readUnits, writeUnits: 0 });
const write = (writeUnits: number): Consumption => ({ calls: 1, readUnits: 0, writeUnits });

/** The calls of DynamoDB and the units that a request may take, by its kind, in a table of any size. */
export const costs = {
  'page of 20 pets': read(0.5),
  'page of 100 pets': read(1.5),
  'page of 100 pets with the longest names': read(14),
  'get, also of an unknown id': read(1),
  create: write(2),
  'create with the longest name': write(4),
  'repeated create, with the same or another body': write(1),
  'rejected create': nothing,
  'authorizer, also for an unknown key': read(1),
  'authorizer, mistyped key': nothing,
  'init of listPets': read(0.5),
  'init of getPet': read(1),
  'init of createPet': write(1),
  'init of the authorizer': read(1),
} as const;
