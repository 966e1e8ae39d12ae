import { runbookSection } from '../../../infra/settings/alarm-settings.ts';
import { type Alarm, meaningOf } from '../aws/alarms.ts';
import { type Alias, releaseOf, servedShares } from '../aws/aliases.ts';
import { shortCommit } from '../aws/releases.ts';
import type { Stack } from '../aws/stack.ts';
import { command } from '../command.ts';
import { derive, type Fact, missingText } from '../fact.ts';
import type { Reading } from '../read-stage.ts';
import { formatTime, listed, type Row, shortTime, step, unreadRows } from '../report.ts';
import type { Facts } from './facts.ts';

/** Says how the stack is, or why it was not read. */
export const stackRow = (stack: Fact<Stack>): Row => ({
  title: 'Stack',
  text: stack.isRead
    ? `${stack.value.name} ${stack.value.status}${stack.value.since ? `, last update began ${formatTime(stack.value.since)}` : ''}`
    : `NOT READ: ${stack.missing.map(missingText).join('; ')}`,
});

/** Returns the ids that commands need, and the commands that need nothing else. */
export const idRows = (stack: Fact<Stack>): readonly Row[] =>
  listed(
    'Ids',
    derive(stack, (known) => [
      `API ${known.idsOf('AWS::ApiGateway::RestApi')[0]}, page topic ${known.outputs['PageTopicArn'] ?? 'none'}`,
      ...webAcl(known),
      logsRole(known),
    ]),
    3,
  );

/** No deploy attaches the web ACL again. */
function webAcl({ idsOf }: Stack) {
  const [association = ''] = idsOf('AWS::WAFv2::WebACLAssociation');
  const arnOf = (service: string) => association.split('|').find((arn) => arn.includes(`:${service}:`));
  const [api, acl] = [arnOf('apigateway'), arnOf('wafv2')];
  if (!api || !acl) return ['no web ACL'];
  const detach = command`aws wafv2 disassociate-web-acl --resource-arn ${api}`;
  const attach = command`aws wafv2 associate-web-acl --resource-arn ${api} --web-acl-arn ${acl}`;
  return [
    {
      text: `web ACL ${acl.split('/')[2]}: detach it, attach it again`,
      steps: [step('on-call', '', detach, attach)],
    },
  ];
}

/** All APIs of the account and region share one role, which another stack may have set. */
function logsRole({ idsOf }: Stack) {
  const [role = 'none'] = idsOf('AWS::IAM::Role', 'CloudWatchRole');
  const query = `{used: cloudwatchRoleArn, ofStack: '${role}'}`;
  const see = command`aws apigateway get-account --query ${query}`;
  return {
    text: `the logs' role ${role}: see whether API Gateway uses it`,
    steps: [step('on-call', '', see)],
  };
}

/** Returns alarms as CloudWatch has them: those that fire, lack data or actions, or are gone. */
export function alarmRows(
  alarms: Fact<readonly Alarm[]>,
  stack: Fact<Stack>,
  { settings }: Reading,
): readonly Row[] {
  const firingText = ({ name, StateTransitionedTimestamp: since, ActionsSuppressedBy: held }: Alarm) => {
    const meaning = meaningOf(name);
    const section = meaning && ` (${runbookSection(settings.alarms, meaning.section)})`;
    const isHeld = held ? `, its actions held back (${held})` : '';
    return `${name} ${since ? `since ${shortTime(since)}` : ''}${isHeld}: ${meaning ? `${meaning.says}${section}` : 'this version knows no such alarm'}`;
  };
  const rows = derive(alarms, (all) => {
    const firing = all.filter(({ StateValue }) => StateValue === 'ALARM');
    return firing.length === 0 ? [`none of ${all.length} in ALARM`] : firing.map(firingText);
  });
  if (!alarms.isRead) return listed('Alarms', rows, 5);
  const named = (title: string, names: readonly string[]) => {
    const more = names.length > 6 ? ` and ${names.length - 6} more` : '';
    return names.length === 0 ? [] : [{ title, text: `${names.slice(0, 6).join(', ')}${more}` }];
  };
  const some = (title: string, holds: (alarm: Alarm) => boolean) =>
    named(
      title,
      alarms.value.filter(holds).map(({ name }) => name),
    );
  const isThere = (own: string) => alarms.value.some(({ name }) => name === own);
  return [
    ...listed('Alarms', rows, 5),
    ...named('  do not exist', stack.isRead ? alarmNames(stack.value).filter((own) => !isThere(own)) : []),
    ...some('  without data', ({ StateValue }) => StateValue === 'INSUFFICIENT_DATA'),
    ...some('  actions disabled', ({ ActionsEnabled }) => ActionsEnabled === false),
  ];
}

/** Returns the names of the alarms that a stack has created, without its own. */
const alarmNames = ({ name, idsOf }: Stack) =>
  ['AWS::CloudWatch::CompositeAlarm', 'AWS::CloudWatch::Alarm']
    .flatMap((type) => idsOf(type))
    .map((id) => id.replace(`${name}-`, ''));

/** Returns which version of each function serves which share of the requests, and of which release it is. */
export function functionRows({ aliases, releases }: Facts): readonly Row[] {
  const textOf = (alias: Alias) => {
    const { functionName } = alias;
    const shares = [...servedShares(alias)].map(([version, share]) => {
      const release = derive(releases, (all) => releaseOf({ functionName, version }, all));
      const of = release.isRead
        ? release.value
          ? shortCommit(release.value)
          : 'in no record'
        : 'releases NOT READ';
      return `${Math.round(share * 100)}% version ${version} (${of})`;
    });
    return `${functionName}: ${shares.join(', ')}`;
  };
  const isSplit = (alias: Alias) => Number(servedShares(alias).size > 1);
  const known = aliases.flatMap((alias) => (alias.isRead ? [alias.value] : []));
  const texts = known.toSorted((a, b) => isSplit(b) - isSplit(a)).map(textOf);
  const missing = aliases.flatMap((alias) => (alias.isRead ? [] : alias.missing));
  return [...listed('Functions', { isRead: true, value: texts }, 5), ...unreadRows('Functions', missing)];
}
