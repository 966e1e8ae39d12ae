import { Duration, Stack } from 'aws-cdk-lib';
import {
  Dashboard,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { getPet } from '../../shared/contract/operations.ts';
import { graphs } from './graphs.ts';
import type { Indicators } from './indicators/indicators.ts';
import type { Watched } from './indicators/watched.ts';
import { callersOfGetPet } from './queries.ts';

/** The one dashboard of a stage. It reads from top to bottom as a request travels, each part under its heading. */
export class StageDashboard extends Construct {
  constructor(scope: Construct, id: string, watched: Watched, indicators: Indicators) {
    super(scope, id);
    const { requests, authorizer, functions, tables } = graphs(watched, indicators);

    const query = (
      title: string,
      view: LogQueryVisualizationType,
      queryLines: readonly string[],
      width = 12,
    ) =>
      new LogQueryWidget({
        title,
        view,
        width,
        height: 6,
        queryLines: [...queryLines],
        logGroupNames: [watched.accessLogs.logGroupName],
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
          'What clients feel. Above a line, its alarm is about to ring: docs/runbook.md.',
          [
            ...requests,
            query('Requests by status', LogQueryVisualizationType.STACKEDAREA, [
              'stats count(*) as requests by bin(5m), status',
            ]),
          ],
        ),
        ...section(
          'Authorizer',
          'Asked once a minute and key. Its faults are 503s for whoever asks.',
          authorizer,
        ),
        ...section(
          'Functions',
          'Lines are the limits of the methods before them, and of the account.',
          functions,
        ),
        ...section('Tables', 'A throttled index throttles writes to its table.', tables),
        ...section(
          'Who still calls getPet',
          `It ends on ${getPet.deprecation.sunset.slice(0, 10)}: write to them.`,
          [
            query('By client', LogQueryVisualizationType.TABLE, [
              ...callersOfGetPet.filterStatements.map((statement) => `filter ${statement}`),
              ...callersOfGetPet.statsStatements.map((statement) => `stats ${statement}`),
              `sort ${callersOfGetPet.sort}`,
            ]),
            query('By day', LogQueryVisualizationType.BAR, [
              ...callersOfGetPet.filterStatements.map((statement) => `filter ${statement}`),
              'stats count(*) as calls by bin(1d), client',
            ]),
          ],
        ),
      ],
    });
  }
}
