import type { OperationId } from '../../../shared/contract/operations.ts';

/** Requests of one kind, as the access log has them. */
export interface Traffic {
  readonly perMinute: number;
  readonly status: number;
  /** Undefined: a path that no operation has. */
  readonly operation?: OperationId;
  readonly responseType?: string;
  readonly latency?: number;
}

export type Severity = 'page' | 'rollback' | 'ticket';

/** Something that goes wrong in a stage. */
export interface Incident {
  readonly name: string;
  /** The requests while it lasts, of 1,000 per minute; by default healthy ones. */
  readonly traffic?: readonly Traffic[];
  /** Metrics of AWS's own, per minute, while it lasts. */
  readonly metrics?: Readonly<Record<string, number>>;
  /** In minutes; by default 20. */
  readonly lasts?: number;
  /** Whether it makes sense at two requests per minute too. */
  readonly isAlsoQuiet?: boolean;
  /** An event of EventBridge, in place of metrics. */
  readonly event?: object;
}

export const healthy: readonly Traffic[] = [
  { perMinute: 600, operation: 'listPets', status: 200 },
  { perMinute: 250, operation: 'createPet', status: 201 },
  { perMinute: 150, operation: 'getPet', status: 200 },
];

/** Returns traffic of which a share gets another response. */
export const mixed = (share: number, failing: Omit<Traffic, 'operation' | 'perMinute'>): readonly Traffic[] =>
  healthy.flatMap(({ perMinute, ...kind }) => [
    { ...kind, perMinute: perMinute * (1 - share) },
    { ...kind, ...failing, perMinute: perMinute * share },
  ]);
