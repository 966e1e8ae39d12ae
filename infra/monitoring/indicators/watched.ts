import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { HandlerFunction } from '../../service/handler-function.ts';
import type { UsedTable } from '../../service/tables.ts';
import type { StageName } from '../../settings/stage-names.ts';
import type { StageSettings } from '../../settings/stages.ts';

export interface Watched {
  readonly stage: StageName;
  readonly settings: StageSettings;
  readonly apiName: string;
  readonly accessLogs: ILogGroup;
  readonly certificate?: ICertificate | undefined;
  /** The authorizer, and the function of each operation, by name. */
  readonly functions: Readonly<Record<string, HandlerFunction>>;
  readonly tables: readonly UsedTable[];
}
