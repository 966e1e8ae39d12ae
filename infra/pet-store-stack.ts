import { type App, CfnOutput, Stack } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { operations } from '../shared/contract/operations.ts';
import { apiKeysTable, petsTable } from '../shared/tables/table-definitions.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { addReleases } from './release/releases.ts';
import { HandlerFunction } from './service/handler-function.ts';
import { PetStoreApi } from './service/pet-store-api.ts';
import { declareTables } from './service/tables.ts';
import { type OperationSettings, operationSettings } from './settings/operation-settings.ts';
import { apiKeysOutput, type StageName, stackName } from './settings/stage-names.ts';
import type { StageSettings } from './settings/stages.ts';

/** The whole service of one stage; each stage has its own tables, functions and API. */
export class PetStoreStack extends Stack {
  constructor(app: App, stage: StageName, settings: StageSettings, release?: { commit: string | undefined }) {
    const tags = { service: 'pet-store', stage };
    super(app, stackName(stage), {
      description: `Pet Store, ${stage}`,
      ...(release && settings.target && { env: settings.target }),
      terminationProtection: settings.hasDeletionProtection,
      // For cost allocation.
      tags,
    });

    const { pets, apiKeys } = declareTables(new Construct(this, 'Tables'), settings, tags);
    // All of them: while a release changes the queried index, the previous version queries the old one.
    const indexes = petsTable.indexes.map(({ name }) => `${pets.tableArn}/index/${name}`);
    const authorizer = new HandlerFunction(this, 'Authorizer', {
      permissions: [{ actions: ['dynamodb:GetItem'], resource: apiKeys.tableArn }],
      settings,
      environment: { [apiKeysTable.nameVariable]: apiKeys.tableName, STAGE: stage },
    });
    const routes = Object.values(operations).map((operation) => {
      const { permissions }: OperationSettings = operationSettings[operation.operationId];
      const handler = new HandlerFunction(this, pascalCase(operation.operationId), {
        permissions: [
          { actions: permissions.table ?? [], resource: pets.tableArn },
          ...indexes.map((resource) => ({ actions: permissions.index ?? [], resource })),
        ],
        settings,
        environment: { [petsTable.nameVariable]: pets.tableName },
      });
      return { operation, handler };
    });
    const functions = {
      authorizer,
      ...Object.fromEntries(routes.map(({ operation, handler }) => [operation.operationId, handler])),
    };

    const api = new PetStoreApi(this, 'PetStore', { stage, settings, authorizer, routes });
    const watched = {
      stage,
      settings,
      apiName: api.restApi.restApiName,
      accessLogs: api.accessLogs,
      certificate: api.domain?.certificate,
      functions,
      pets,
      apiKeys,
    };
    const { indicators, topics } = new Monitoring(this, 'Monitoring', watched);
    addReleases(new Construct(this, 'Releases'), watched, indicators, topics?.ticket);

    if (release?.commit) {
      new StringParameter(this, 'DeployedCommit', {
        parameterName: `/${stackName(stage)}/commit`,
        description: 'The deployed commit. The history of this parameter lists earlier releases.',
        stringValue: release.commit,
      });
    }

    const outputs = {
      Commit: release?.commit,
      BaseUrl: api.baseUrl,
      DomainTarget: api.domain?.target,
      PetsTableName: pets.tableName,
      [apiKeysOutput]: apiKeys.tableName,
      PageTopicArn: topics?.page.topicArn,
      TicketTopicArn: topics?.ticket.topicArn,
    };
    for (const [name, value] of Object.entries(outputs)) {
      if (value !== undefined) new CfnOutput(this, name, { value });
    }
  }
}

const pascalCase = (name: string) => name.replace(/^[a-z]/, (letter) => letter.toUpperCase());
