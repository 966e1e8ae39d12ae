import { expect, it } from 'vitest';
import { triage } from '../../triage/triage.ts';
import { readFake, type World } from '../support/fake-stage.ts';
import { changed, incidents } from '../support/incidents.ts';
import { functionName, List, roleOf } from '../support/stage-names.ts';
import { callers } from '../support/trail-events.ts';

/** What is listed of changes by hand, in the stage's region and in IAM. */
async function listed(world: World, title = 'By hand') {
  const { because } = await readFake(triage, { minutes: 60 }, world);
  const first = because.findIndex(([own]) => own === title);
  const last = because.findLastIndex(([own]) => own === title);
  return because.slice(first, last + 1).map(([, text]) => text);
}

const since = 'since 2026-11-23 17:00 UTC; later than 2026-11-23 19:45 UTC, CloudTrail may not show all';
const aliceChanged = `2026-11-23 19:39 UTC alice called UpdateFunctionConfiguration20150331v2 on ${functionName(List)}`;

it('lists who changed what, and from when to when it knows', async () => {
  expect(await listed({ events: [changed(21)] })).toEqual([aliceChanged, since]);
  expect(await listed({})).toEqual([`none ${since}`]);
});

it.each([
  ['a cold start', { name: 'CreateLogStream', caller: callers.role(roleOf(List), functionName(List)) }],
  [
    'a deploy',
    { caller: callers.service('cloudformation.amazonaws.com', 'cdk-hnb659fds-cfn-exec-role-1-r') },
  ],
  ['a service by itself', { caller: callers.aws('apigateway.amazonaws.com') }],
  ['an event that no call caused', { eventType: 'AwsServiceEvent' }],
  ['a call that failed', { errorCode: 'AccessDenied' }],
  ['a change of another stage', { parameters: { functionName: 'PetStore-staging-Authorizer' } }],
])('leaves out %s', async (_title, fields) => {
  expect(await listed({ events: [changed(21, fields)] })).toEqual([`none ${since}`]);
});

it('lists what somebody changed in the console, which calls for them', async () => {
  const { userIdentity, ...caller } = callers.person('alice');
  const inConsole = { ...caller, userIdentity: { ...userIdentity, invokedBy: 'signin.amazonaws.com' } };

  expect(await listed({ events: [changed(21, { caller: inConsole })] })).toEqual([aliceChanged, since]);
});

it('says from when on it knows all changes, if there are too many', async () => {
  const coldStarts = Array.from({ length: 100 }, (_, index) =>
    changed(index / 2, { caller: callers.role(roleOf(List), functionName(List)) }),
  );

  const world = { ...incidents.lostPermission, events: [...coldStarts, changed(51)] };
  expect(await listed(world)).toEqual([`none ${since.replace('17:00', '19:45')}`]);
});

it('reads changes of IAM although the region is denied, or the other way round', async () => {
  const iamEvents = [
    changed(21, {
      name: 'DeleteRolePolicy',
      source: 'iam.amazonaws.com',
      parameters: { roleName: roleOf(List) },
    }),
  ];
  const deny = (denied: string): World => ({
    events: [changed(21)],
    iamEvents,
    faultOf: ({ client }) => (client === denied ? 'denied' : undefined),
  });
  const deleted = `2026-11-23 19:39 UTC alice called DeleteRolePolicy on ${roleOf(List)}`;

  expect(await listed(deny('cloudTrail'), '  in IAM')).toEqual([deleted, since]);
  expect(await listed(deny('cloudTrail'))).toEqual([]);
  expect(await listed(deny('iamTrail'))).toEqual([aliceChanged, since]);
});

it('finds a change behind the reads of a scanner', async () => {
  const reads = Array.from({ length: 400 }, (_, index) => ({ ...changed(index / 9), ReadOnly: 'true' }));

  expect(await listed({ events: [...reads, changed(51)] })).toHaveLength(2);
});

it('lists a change once, though in us-east-1 both trails have it', async () => {
  const both = [
    changed(21),
    changed(22, {
      name: 'DeleteRolePolicy',
      source: 'iam.amazonaws.com',
      parameters: { roleName: roleOf(List) },
    }),
  ];

  expect(await listed({ events: both, iamEvents: both })).toEqual([aliceChanged, since]);
  expect(await listed({ events: both, iamEvents: both }, '  in IAM')).toHaveLength(2);
});
