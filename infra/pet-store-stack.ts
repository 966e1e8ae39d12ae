import { Annotations, type App, CfnOutput, PermissionsBoundary, Stack } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { operations } from '../shared/contract/operations.ts';
import { boundaryName } from './access/names.ts';
import { addMonitoring } from './monitoring/monitoring.ts';
import { addReleases } from './release/releases.ts';
import { HandlerFunction } from './service/handler-function.ts';
import { PetStoreApi } from './service/pet-store-api.ts';
import { accessTo, declareTables } from './service/tables.ts';
import { checkSettings } from './settings/check-settings.ts';
import { authorizerConcurrencyOf, checkConcurrency, concurrencyOf } from './settings/concurrency.ts';
import { authorizerTables, limitsOf, operationSettingsOf } from './settings/operation-settings.ts';
import { capitalize, stackName, tableOutput, tagsOf } from './settings/stage-names.ts';
import type { StageSettings } from './settings/stages.ts';

/** The whole service of one stage; each stage has its own tables, functions and API. */
export class PetStoreStack extends Stack {
  constructor(app: App, stage: string, settings: StageSettings, release?: { commit: string | undefined }) {
    super(app, stackName(stage), {
      description: `Pet Store, ${stage}`,
      ...(release && settings.target && { env: settings.target }),
      terminationProtection: settings.hasDeletionProtection,
      // CloudFormation may create no role without it.
      permissionsBoundary: PermissionsBoundary.fromName(boundaryName(stage)),
      // For cost allocation.
      tags: tagsOf(stage),
    });

    const limits = Object.values(operations).flatMap(limitsOf);
    checkSettings(stage, settings);
    const authorizerConcurrency = authorizerConcurrencyOf(limits);
    checkConcurrency(stage, settings, [authorizerConcurrency, concurrencyOf(limits)]);

    const tables = declareTables(new Construct(this, 'Tables'), stage, settings);
    const { permissions, environment } = accessTo(tables, authorizerTables);
    const authorizer = new HandlerFunction(this, 'Authorizer', {
      settings,
      permissions,
      environment: { ...environment, STAGE: stage },
      concurrency: authorizerConcurrency,
    });
    const routes = Object.values(operations).map((operation) => {
      const { tables: used } = operationSettingsOf(operation.operationId);
      const handler = new HandlerFunction(this, capitalize(operation.operationId), {
        settings,
        concurrency: concurrencyOf(limitsOf(operation)),
        ...accessTo(tables, used),
      });
      return { operation, handler };
    });
    const api = new PetStoreApi(this, 'PetStore', { stage, settings, authorizer, routes });
    const functions = [authorizer, ...routes.map(({ handler }) => handler)];
    const watched = { stage, settings, api, functions, tables };
    const { indicators, topics } = addMonitoring(new Construct(this, 'Monitoring'), watched);
    addReleases(new Construct(this, 'Releases'), watched, indicators, topics?.ticket);

    const commit = release && (release.commit ?? 'unknown');
    if (commit !== undefined) {
      new StringParameter(this, 'DeployedCommit', {
        parameterName: `/${stackName(stage)}/commit`,
        description: 'The deployed commit. The history of this parameter lists earlier releases.',
        stringValue: commit,
      });
    }
    if (release && release.commit === undefined) {
      Annotations.of(this).addWarningV2(
        'pet-store:commit',
        'The release records no commit, so that nobody can tell later what was deployed. Run git init, ' +
          'git add --all and git commit. If git status reports a dubious ownership, do what it says.',
      );
    }

    const outputs = {
      Commit: commit,
      BaseUrl: api.baseUrl,
      DomainTarget: api.domain?.target,
      ...Object.fromEntries(tables.map(({ id, tableName }) => [tableOutput(id), tableName])),
      PageTopicArn: topics?.page.topicArn,
      TicketTopicArn: topics?.ticket.topicArn,
    };
    for (const [name, value] of Object.entries(outputs)) {
      if (value !== undefined) new CfnOutput(this, name, { value });
    }
  }
}
