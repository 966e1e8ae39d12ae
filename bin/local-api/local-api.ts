import { createGateway, hasSameTemplate } from './api-gateway/gateway.ts';
import { awsEndpointPath, createAwsEndpoint } from './aws-endpoint.ts';
import { dynaliteTables } from './dynamodb/dynalite-tables.ts';
import { embeddedDynamodb } from './dynamodb/embedded-dynamodb.ts';
import { type KeptData, type KeptDataOptions, openKeptData } from './dynamodb/kept-data.ts';
import { createHttpServer, type RequestRecord } from './http/http-server.ts';
import type { Endpoint } from './http/read-request.ts';
import { handlerSource } from './lambda/handler-source.ts';
import { createInvoker } from './lambda/invoker.ts';
import type { FunctionSettings, StartFailure } from './lambda/lambda-function.ts';
import type { Project } from './project.ts';
import type { Deployment } from './template/deployment.ts';

interface LocalApiOptions {
  /** 0 means any free port. */
  readonly port: number;
  /** Where to keep the tables, and values of the project; nowhere by default. The file may be used only with this port. */
  readonly keepIn?: KeptDataOptions | undefined;
  readonly project: Project;
  readonly functions?: Omit<FunctionSettings, 'project'>;
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
  const { project } = options;
  const tables = dynaliteTables();
  let current = deployment;
  let throttledShare = 0;
  const dynamodb = embeddedDynamodb(tables, {
    deployment: () => current,
    throttledShare: () => throttledShare,
    hints: project.hints,
  });
  const server = createHttpServer(project, options.onRequest);
  const { endpoints } = server;
  const port = await server.listen(options.port);
  const origin = `http://127.0.0.1:${port}`;
  const invoker = createInvoker(`${origin}${awsEndpointPath}`, {
    ...options.functions,
    project,
  });
  let kept: KeptData | undefined;
  started.defer(() => kept?.close());
  started.defer(() => invoker.close());
  started.defer(() => server.close());

  await tables.declare(deployment.tables);
  // Opened only now: no other process has the port, so none uses the file.
  kept = options.keepIn && openKeptData(options.keepIn);
  const hasKeptItems = kept !== undefined && (await tables.keepIn(kept));
  const sourceOf = (role: string) => {
    const target = current.functions.find((each) => each.role === role);
    return target && (handlerSource(target, project) ?? target.name);
  };
  const awsEndpoint = createAwsEndpoint({ stack: () => current.stack, dynamodb, sourceOf });
  // Services that are not emulated have other methods and paths.
  endpoints.set(`* ${awsEndpointPath}`, awsEndpoint);
  // Where AWS's own tools look for it, if they get no more than the origin.
  endpoints.set('POST /', awsEndpoint);

  let gateway = createGateway(deployment, invoker);

  /**
   * Serves another deployment whole, or not at all.
   *
   * @returns why functions do not start, if it is not served
   * @throws {Error} if it changes keys or indexes of a table, or the signal ends it
   */
  async function deploy(next: Deployment, signal?: AbortSignal): Promise<readonly StartFailure[]> {
    const nextGateway = hasSameTemplate(current, next) ? gateway : createGateway(next, invoker);
    await tables.declare(next.tables);
    const last = current;
    // The new functions call the tables when they start, while the old ones serve.
    current = { ...next, roles: rolesOfBoth(last, next) };
    let served = last;
    try {
      const failures = await invoker.deploy(next, signal);
      if (failures.length > 0) return failures;
      served = next;
      gateway = nextGateway;
      server.serve(gateway);
      return failures;
    } finally {
      current = served;
    }
  }
  await deploy(deployment);

  const baseUrl = `${origin}/${deployment.stageName}`;
  const running = started.move();
  return {
    baseUrl,
    port,
    /** What keeps the tables, if anything does. */
    kept,
    /** Whether earlier starts have kept items. */
    hasKeptItems,
    /** Serves a method and path of its own, such as `GET /`. */
    addEndpoint: (route: string, endpoint: Endpoint): void => void endpoints.set(route, endpoint),
    deploy,
    /** From then on, loses this share of the functions' responses, from 0 to 1. */
    loseResponses: invoker.loseResponses,
    interceptRequests: server.interceptRequests,
    /** From then on, throttles this share of the functions' DynamoDB calls, from 0 to 1. */
    throttleCalls: (share: number): void => {
      throttledShare = share;
    },
    close: () => running.disposeAsync(),
  };
}

/** Returns what the roles of either of two deployments allow. */
function rolesOfBoth(one: Deployment, other: Deployment): Deployment['roles'] {
  const names = [...one.roles.keys(), ...other.roles.keys()];
  return new Map(
    names.map((name) => [name, [...(one.roles.get(name) ?? []), ...(other.roles.get(name) ?? [])]]),
  );
}
