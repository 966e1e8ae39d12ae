import { type App, CfnOutput, Stack } from 'aws-cdk-lib';
import { type OperationId, operations } from '../shared/contract/operations.ts';
import { apiKeysTable, petsTable } from '../shared/tables/table-definitions.ts';
import { Alarms } from './alarms.ts';
import { HandlerFunction, type Permission } from './handler-function.ts';
import { PetStoreApi } from './pet-store-api.ts';
import { outputNames, type StageName, stackName } from './stage-names.ts';
import { stages } from './stages.ts';
import { Tables } from './tables.ts';

/** The whole service, once a stage: its tables, its functions and its API share nothing with another stage's. */
export class PetStoreStack extends Stack {
  constructor(app: App, stage: StageName) {
    super(app, stackName(stage), { description: `Pet Store, ${stage}` });
    const settings = stages[stage];

    const { pets, apiKeys } = new Tables(this, 'Tables', settings);
    const byStatus = `${pets.tableArn}/index/${petsTable.statusIndex.name}`;

    const permissions: Readonly<Record<OperationId, readonly Permission[]>> = {
      listPets: [
        { actions: ['dynamodb:Scan'], resource: pets.tableArn },
        { actions: ['dynamodb:Query'], resource: byStatus },
      ],
      createPet: [{ actions: ['dynamodb:PutItem'], resource: pets.tableArn }],
      getPet: [{ actions: ['dynamodb:GetItem'], resource: pets.tableArn }],
    };

    const authorizer = new HandlerFunction(this, 'Authorizer', {
      entry: 'authorizer',
      permissions: [{ actions: ['dynamodb:GetItem'], resource: apiKeys.tableArn }],
      settings,
      environment: { [apiKeysTable.nameVariable]: apiKeys.tableName, STAGE: stage },
    }).function;

    const { api } = new PetStoreApi(this, 'PetStore', {
      stage,
      settings,
      authorizer,
      routes: Object.values(operations).map((operation) => ({
        operation,
        handler: new HandlerFunction(this, pascalCase(operation.operationId), {
          entry: kebabCase(operation.operationId),
          permissions: permissions[operation.operationId],
          settings,
          environment: { [petsTable.nameVariable]: pets.tableName },
        }).function,
      })),
    });

    new CfnOutput(this, outputNames.baseUrl, { value: api.urlForPath().replace(/\/$/, '') });
    new CfnOutput(this, outputNames.petsTable, { value: pets.tableName });
    new CfnOutput(this, outputNames.apiKeysTable, { value: apiKeys.tableName });

    if (settings.hasAlarms) {
      const { topic } = new Alarms(this, 'Alarms', api);
      new CfnOutput(this, outputNames.alarmTopic, { value: topic.topicArn });
    }
  }
}

const pascalCase = (name: string) => name.replace(/^[a-z]/, (letter) => letter.toUpperCase());
const kebabCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
