import { expect, it } from 'vitest';
import { readStage, type Verb } from '../../../bin/stage/read-stage.ts';
import { restore } from '../../../bin/stage/restore.ts';
import { rollback } from '../../../bin/stage/rollback.ts';
import { triage } from '../../../bin/stage/triage.ts';
import { accessOf } from '../../support/infra/access.ts';
import { isPermitted } from '../../support/infra/iam.ts';
import { productionSettings } from '../../support/infra/stage-settings.ts';
import {
  apiKeys,
  fakeStage,
  minutesAgo,
  now,
  pets,
  requests,
  type World,
} from '../../support/stage/fake-stage.ts';
import { requestOfCall, requestOfCommand } from '../../support/stage/iam-requests.ts';

const { statementsOf } = accessOf('production');
const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/0';
const settings = { ...productionSettings, domain: { name: 'api.pets.example', certificateArn } };

/** Returns what IAM would deny of the calls of a verb, and of the commands that it prints. */
async function deniedOf<Options>(verb: Verb<Options>, options: Options, world: World) {
  const stage = fakeStage(world);
  const { role, findings, unread } = await readStage(verb, 'production', options, {
    ...stage,
    now,
    settings,
  });

  const calls = stage.calls.map((call) => ({ role, ...requestOfCall(call) }));
  const steps = findings.flatMap(({ next }) => next);
  const commands = steps.flatMap(({ role, commands = [] }) =>
    commands
      .filter((command) => command.startsWith('aws '))
      .map((command) => ({ role, ...requestOfCommand(command) })),
  );
  const denied = [...calls, ...commands].filter(
    ({ role, ...request }) => role !== 'administrator' && !isPermitted(statementsOf(`${role}`), request),
  );
  return { denied, unread, commands: commands.map(({ action }) => action) };
}

const none = { denied: [], unread: [] };

it.each<[action: string, world: World]>([
  ['dynamodb:updateTable', { tables: { [pets]: { GlobalSecondaryIndexes: [] }, [apiKeys]: 9 } }],
  ['apigateway:GET', { requests: [], unlogged: [requests(1000)] }],
  [
    'lambda:getFunctionConcurrency',
    {
      requests: [requests(9, { status: 500, integrationStatus: 429 })],
      throttles: { 'PetStore-production-ListPetsFunction1A2B': 9 },
    },
  ],
  [
    'sns:listSubscriptionsByTopic sns:listSubscriptionsByTopic',
    {
      alarms: ['NotificationsFail'],
      outputs: {
        PageTopicArn: 'arn:aws:sns:us-east-1:123456789012:PetStore-production-Page',
        TicketTopicArn: 'arn:aws:sns:us-east-1:123456789012:PetStore-production-Ticket',
      },
    },
  ],
  ['acm:describeCertificate', { alarms: ['CertificateExpiresSoon'] }],
])('the roles of triage may make its calls, and run its commands for %s', async (actions, world) => {
  expect(await deniedOf(triage, { minutes: 60 }, world)).toEqual({ ...none, commands: actions.split(' ') });
});

it.each<[action: string, world: World]>([
  ['codedeploy:stopDeployment', { status: 'UPDATE_IN_PROGRESS', deployments: ['d-1'] }],
  ['cloudformation:cancelUpdateStack', { status: 'UPDATE_IN_PROGRESS' }],
  ['cloudformation:continueUpdateRollback', { status: 'UPDATE_ROLLBACK_FAILED' }],
  [
    'lambda:updateAlias',
    {
      live: 7,
      versions: [
        [6, 9000],
        [7, 4000],
      ],
    },
  ],
])('the roles of rollback may make its calls, and run its command for %s', async (action, world) => {
  const { commands, ...others } = await deniedOf(rollback, {}, world);

  expect(others).toEqual(none);
  expect(new Set(commands)).toEqual(new Set([action]));
});

const restoredKeys = 'PetStore-production-restored-apiKeys-202611231930';

it.each<[actions: string, world: World, table: 'pets' | 'apiKeys', to?: Date]>([
  ['apigateway:PATCH', { tables: { [apiKeys]: 9 } }, 'pets'],
  ['dynamodb:restoreTableFromBackup', { tables: { [apiKeys]: 9 }, createLimit: 0 }, 'pets'],
  ['dynamodb:restoreTableToPointInTime', { createLimit: 0 }, 'pets', minutesAgo(60)],
  [
    'dynamodb:updateContinuousBackups dynamodb:tagResource dynamodb:updateTimeToLive',
    { tables: { [pets]: 1, [apiKeys]: 9, [restoredKeys]: 9 } },
    'apiKeys',
  ],
])(
  'the roles of restore may make its calls, and run its commands for %s',
  async (actions, world, table, to) => {
    expect(await deniedOf(restore, { table, ...(to && { to }) }, world)).toEqual({
      ...none,
      commands: actions.split(' '),
    });
  },
);
