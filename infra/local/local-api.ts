import { createGateway } from './api-gateway/gateway.ts';
import { awsEndpointPath, createAwsEndpoint } from './aws-endpoint.ts';
import { dynaliteTables } from './dynamodb/dynalite-tables.ts';
import { embeddedDynamodb } from './dynamodb/embedded-dynamodb.ts';
import { type Journal, type JournalOptions, openJournal } from './dynamodb/journal.ts';
import { createHttpServer, type RequestRecord } from './http-server.ts';
import { createInvoker } from './lambda/invoker.ts';
import type { FunctionSettings, StartFailure } from './lambda/local-function.ts';
import { type RenderReference, referenceEndpoints } from './reference-endpoints.ts';
import type { Deployment } from './template/deployment.ts';

interface LocalApiOptions {
  /** 0 means any free port. */
  readonly port: number;
  /** Where to keep the tables and the key; nowhere by default. The file may be used only with this port. */
  readonly keepIn?: JournalOptions | undefined;
  /** The share of the functions' DynamoDB calls that is throttled, from 0 to 1. */
  readonly throttledShare?: number | undefined;
  readonly functions?: FunctionSettings;
  readonly onRequest?: (record: RequestRecord) => void;
}

/**
 * Serves a deployment on this machine.
 *
 * @throws {Error} if the port is taken, or a part of the deployment can't be served
 */
export async function startLocalApi(deployment: Deployment, options: LocalApiOptions) {
  // Everything started is closed in reverse order, even if a later step fails.
  await using started = new AsyncDisposableStack();
  const { throttledShare } = options;
  const tables = dynaliteTables();
  let current = deployment;
  const dynamodb = embeddedDynamodb(tables, { deployment: () => current, throttledShare });
  const server = createHttpServer(options.onRequest);
  const { endpoints } = server;
  const port = await server.listen(options.port);
  const origin = `http://127.0.0.1:${port}`;
  const invoker = createInvoker(`${origin}${awsEndpointPath}`, options.functions);
  let journal: Journal | undefined;
  started.defer(() => journal?.close());
  started.defer(() => invoker.close());
  started.defer(() => server.close());

  await tables.declare(deployment.tables);
  // Opened only now: no other process has the port, so none uses the file.
  journal = options.keepIn && openJournal(options.keepIn);
  if (journal) await tables.keepIn(journal);
  endpoints.set(`POST ${awsEndpointPath}`, (request) => createAwsEndpoint(current.stack, dynamodb)(request));

  /** Serves another deployment, unless its functions fail to start: then it returns why. */
  async function deploy(next: Deployment): Promise<readonly StartFailure[]> {
    const gateway = createGateway(next, invoker);
    await tables.declare(next.tables);
    const last = current;
    // Functions call the tables when they start.
    current = next;
    const failures = await invoker.deploy(next);
    if (failures.length === 0) server.serve(gateway);
    else current = last;
    return failures;
  }
  await deploy(deployment);

  const baseUrl = `${origin}/${deployment.stageName}`;
  const running = started.move();
  return {
    baseUrl,
    port,
    /** What keeps the tables, and may keep the key. */
    journal,
    /** The API reference, once it is served. */
    docsUrl: `${origin}/`,
    /** Serves the API reference, ready to try the API with a key. */
    serveReference(apiKey: string, render: RenderReference): void {
      for (const [route, endpoint] of referenceEndpoints({ baseUrl, apiKey }, render)) {
        endpoints.set(route, endpoint);
      }
    },
    deploy,
    lastInvoked: invoker.lastInvoked,
    expectFunctions: invoker.expectFunctions,
    /** Serves the functions of a deployment of the same stack, and returns why some of them fail to start. */
    async deployFunctions(next: Deployment): Promise<readonly StartFailure[]> {
      current = next;
      const failures = await invoker.deploy(next, { isNewStack: false });
      // Its cache of authorizations is empty.
      server.serve(createGateway(next, invoker));
      return failures;
    },
    /** From then on, loses this share of the functions' responses, from 0 to 1. */
    loseResponses: invoker.loseResponses,
    close: () => running.disposeAsync(),
  };
}
