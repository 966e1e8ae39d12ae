import * as iam from 'aws-cdk-lib/aws-iam';
import { CfnCondition, CfnParameter, Fn, RemovalPolicy, type Stack } from 'aws-cdk-lib/core';
import { globalArn } from './names.ts';

const issuer = 'token.actions.githubusercontent.com';

/**
 * Lets jobs of one GitHub repository assume roles: `jobsOf` returns those that use one of its environments, and
 * `hasPipeline` is the condition that what is only for the pipeline needs. It declares the parameters of the trust,
 * and GitHub's OIDC provider, of which an account can have only one.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_providers_create_oidc.html
 */
export function addGitHubTrust(stack: Stack) {
  const subject = new CfnParameter(stack, 'GitHubSubject', {
    // Either form: with the ids of owner and repository, or without.
    allowedPattern: '^(repo:[\\w.-]+(@\\d+)?/[\\w.-]+(@\\d+)?)?$',
    constraintDescription: 'must be repo:<owner>/<repository> or repo:<owner>@<id>/<repository>@<id>',
    default: '',
    description: "How the subject of the repository's tokens begins; empty: no pipeline",
  });
  const existing = new CfnParameter(stack, 'GitHubProvider', {
    allowedValues: ['create', 'existing'],
    default: 'create',
    description: `Whether to create the account's OIDC provider for ${issuer}, or use the existing one`,
  });

  const isNamed = Fn.conditionNot(Fn.conditionEquals(subject.valueAsString, ''));
  const hasPipeline = new CfnCondition(stack, 'HasPipeline', { expression: isNamed });
  const isCreated = new CfnCondition(stack, 'CreatesProvider', {
    expression: Fn.conditionAnd(isNamed, Fn.conditionEquals(existing.valueAsString, 'create')),
  });
  const provider = new iam.CfnOIDCProvider(stack, 'GitHubOidc', {
    url: `https://${issuer}`,
    clientIdList: ['sts.amazonaws.com'],
  });
  provider.cfnOptions.condition = isCreated;
  // Another stage in the account may use it.
  provider.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);

  const providerArn = Fn.conditionIf(
    isCreated.logicalId,
    provider.ref,
    globalArn('iam', `oidc-provider/${issuer}`),
  ).toString();
  const jobsOf = (environment: string) =>
    new iam.WebIdentityPrincipal(providerArn, {
      StringEquals: {
        [`${issuer}:aud`]: 'sts.amazonaws.com',
        // https://docs.github.com/actions/reference/security/oidc
        [`${issuer}:sub`]: Fn.join('', [subject.valueAsString, `:environment:${environment}`]),
      },
    });
  return { jobsOf, hasPipeline };
}
