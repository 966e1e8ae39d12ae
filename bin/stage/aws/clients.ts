import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudTrailClient } from '@aws-sdk/client-cloudtrail';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { CodeDeployClient } from '@aws-sdk/client-codedeploy';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SNSClient } from '@aws-sdk/client-sns';
import { SSMClient } from '@aws-sdk/client-ssm';
import { STSClient } from '@aws-sdk/client-sts';
import { HttpResponse } from '@smithy/core/protocols';
import type { MiddlewareStack } from '@smithy/types';
import { awsProxyConfig } from '../../cli/proxy.ts';

/** AWS's time, as far as its answers have shown it. */
export class Clock {
  #skewMilliseconds: number | undefined;

  get hasAnswers(): boolean {
    return this.#skewMilliseconds !== undefined;
  }

  /** @throws {Error} before the first answer */
  now(): Date {
    if (this.#skewMilliseconds === undefined) throw new Error('AWS has not answered yet.');
    return new Date(Date.now() + this.#skewMilliseconds);
  }

  /** Reads the time of an answer, which an error has too. https://www.rfc-editor.org/rfc/rfc9110#field.date */
  read({ headers }: HttpResponse): void {
    const time = Date.parse(headers['date'] ?? '');
    if (!Number.isNaN(time)) this.#skewMilliseconds = time - Date.now();
  }

  /** Waits before a call is repeated. */
  async pause(milliseconds: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }
}

/** Opens the clients. Like the AWS CLI, they follow AWS_PROFILE, AWS_REGION and AWS_ENDPOINT_URL. */
export function openClients(clock = new Clock()) {
  const proxy = awsProxyConfig().requestHandler;
  // A region that is down may leave a connection unanswered.
  const config = { requestHandler: { connectionTimeout: 5000, ...proxy } };
  const timed = <I extends object, O extends object, C>(client: C & TakesMiddleware<I, O>): C => {
    client.middlewareStack.add(
      (next) => async (request) => {
        const result = await next(request);
        if (HttpResponse.isInstance(result.response)) clock.read(result.response);
        return result;
      },
      // Before an error is made of the response.
      { step: 'deserialize', priority: 'low' },
    );
    return client;
  };
  return {
    clock,
    cloudFormation: timed(new CloudFormationClient(config)),
    cloudTrail: timed(new CloudTrailClient(config)),
    // IAM is global, and its events are only there.
    iamTrail: timed(new CloudTrailClient({ ...config, region: 'us-east-1' })),
    cloudWatch: timed(new CloudWatchClient(config)),
    codeDeploy: timed(new CodeDeployClient(config)),
    dynamodb: timed(new DynamoDBClient(config)),
    lambda: timed(new LambdaClient(config)),
    logs: timed(new CloudWatchLogsClient(config)),
    sns: timed(new SNSClient(config)),
    ssm: timed(new SSMClient(config)),
    sts: timed(new STSClient(config)),
  };
}

interface TakesMiddleware<I extends object, O extends object> {
  readonly middlewareStack: MiddlewareStack<I, O>;
}

export type Clients = ReturnType<typeof openClients>;

/** Reads all pages, and returns what each has. */
export const all = async <Page, Item>(
  pages: AsyncIterable<Page>,
  items: (page: Page) => readonly Item[] | undefined,
) => (await Array.fromAsync(pages)).flatMap((page) => items(page) ?? []);
