import { Duration, Stack } from 'aws-cdk-lib';
import {
  Dashboard,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { QueryString, type QueryStringProps } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { getPet } from '../../shared/contract/operations.ts';
import type { graphs } from './graphs.ts';
import type { Watched } from './indicators/watched.ts';
import { accessLogQueries, toGetPet } from './queries.ts';

/** The dashboard of a stage. It follows a request from top to bottom, with a heading for each part. */
export class StageDashboard extends Construct {
  constructor(scope: Construct, id: string, { accessLogs }: Watched, parts: ReturnType<typeof graphs>) {
    super(scope, id);

    const query = (title: string, view: LogQueryVisualizationType, props: QueryStringProps) =>
      new LogQueryWidget({
        title,
        view,
        width: 12,
        height: 6,
        queryString: new QueryString(props).toString(),
        logGroupNames: [accessLogs.logGroupName],
      });
    const section = (title: string, text: string, widgets: readonly IWidget[]) => [
      [new TextWidget({ markdown: `## ${title}\n${text}`, width: 24, height: 2 })],
      [...widgets],
    ];
    new Dashboard(this, 'Dashboard', {
      dashboardName: Stack.of(this).stackName,
      defaultInterval: Duration.hours(3),
      widgets: [
        ...section(
          'Requests',
          'What clients experience. Above a line, its alarm will fire: docs/runbook.md.',
          [
            ...parts.requests,
            query('Requests by status', LogQueryVisualizationType.STACKEDAREA, {
              statsStatements: ['count(*) as requests by bin(5m), status'],
            }),
          ],
        ),
        ...section(
          'Functions',
          'The authorizer runs once per key and minute. Lines show the limits of methods and account.',
          parts.functions,
        ),
        ...section('Tables', 'A throttled index throttles writes to its table.', parts.tables),
        ...section(
          'Who still calls getPet',
          `Removed on ${getPet.deprecation.sunset.slice(0, 10)}: contact these clients.`,
          [
            query('By client', LogQueryVisualizationType.TABLE, accessLogQueries['Who still calls getPet']),
            query('By day', LogQueryVisualizationType.BAR, {
              filterStatements: toGetPet,
              statsStatements: ['count(*) as calls by bin(1d), client'],
            }),
          ],
        ),
      ],
    });
  }
}
