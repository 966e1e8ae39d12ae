import * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/** Actions on a resource. */
export interface Permission {
  readonly actions: readonly string[];
  readonly resource: string;
}

/** Adds a role for a service of AWS that allows only these actions: no construct can add others. */
export const addRole = (
  scope: Construct,
  service: string,
  permissions: readonly Permission[],
  managedPolicies: iam.IManagedPolicy[] = [],
): iam.IRole =>
  new iam.Role(scope, 'Role', {
    assumedBy: new iam.ServicePrincipal(`${service}.amazonaws.com`),
    managedPolicies,
    inlinePolicies: {
      permissions: new iam.PolicyDocument({
        statements: permissions
          .filter(({ actions }) => actions.length > 0)
          .map(
            ({ actions, resource }) =>
              new iam.PolicyStatement({ actions: [...actions], resources: [resource] }),
          ),
      }),
    },
  }).withoutPolicyUpdates();
