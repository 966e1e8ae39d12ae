import type { StageSettings } from '../../../infra/settings/stages.ts';
import { resourcesOf } from './template.ts';

/** Returns the type of each resource of a template, by its logical id. */
export const typesOf = (template: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(resourcesOf(template)).map(([id, { Type }]) => [id, Type]));

/**
 * Returns the logical ids of a stage's resources with data or known addresses. CloudFormation replaces a
 * resource whose logical id changes. The id comes from the construct's path: to rename or move one of these
 * constructs, keep its id with `overrideLogicalId`.
 */
export function pinnedIds({ restoredTables = {}, alarms }: StageSettings): Record<string, string> {
  const table = 'AWS::DynamoDB::GlobalTable';
  const topic = 'AWS::SNS::Topic';
  return {
    // The API would use new, empty tables. The stack does not declare a restored one.
    ...(!restoredTables.pets && { TablesPets: table }),
    ...(!restoredTables.apiKeys && { TablesApiKeys: table }),
    // Every client's base address would stop working.
    PetStoreApi0439747D: 'AWS::ApiGateway::RestApi',
    // The earlier calls to getPet would be in another log group.
    PetStoreAccessLogs821E7380: 'AWS::Logs::LogGroup',
    // Subscribers would have to confirm again to get pages and tickets.
    ...(alarms && { MonitoringTopicsPage0A2D9DD2: topic, MonitoringTopicsTicket46E75F1C: topic }),
  };
}
