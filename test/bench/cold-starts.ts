import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { awsEndpointPath } from '../../infra/local/aws-endpoint.ts';
import { account, arn } from '../../infra/local/template/account.ts';
import { readDeployment } from '../../infra/local/template/deployment.ts';
import { bundle } from '../../infra/service/bundle.ts';
import { stringifyJson } from '../../shared/contract/json.ts';
import { exampleNewPet } from '../../shared/contract/operations.ts';
import { type Bar, barChart } from '../scale/bar-chart.ts';
import { eventOf } from '../support/functions/invoke.ts';
import { synthesize } from '../support/infra/synthesize.ts';
import { spawnLocalApi } from '../support/local/spawn-local-api.ts';
import { buildConventionally } from './conventional.ts';
import { measureStart, type Start } from './measure-start.ts';
import { measureWarm } from './measure-warm.ts';
import { buildPlain } from './plain.ts';

// Measures cold starts of the functions as deployed, and as most projects would build them. With the argument
// `warm`, it measures the CPU time of warm invocations, also of plain handlers, which only call DynamoDB.

/** How often each build is started. */
const rounds = 20;

await using api = await spawnLocalApi(['--pets', '100']);
const authorizationToken = `Bearer ${api.apiKey}`;
const listed = await fetch(`${api.baseUrl}/pets?limit=1`, { headers: { Authorization: authorizationToken } });
const [{ id }] = JSON.parse(await listed.text());
const methodArn = arn('execute-api', 'api/v1/GET/pets');
const events = {
  'get-pet': eventOf({ pathParameters: { petId: `${id}` } }),
  'list-pets': eventOf({ query: 'status=available' }),
  'create-pet': eventOf({ method: 'POST', body: stringifyJson(exampleNewPet) }),
  authorizer: { type: 'TOKEN', authorizationToken, methodArn },
};

using directory = mkdtempDisposableSync(join(tmpdir(), 'pet-store-bench-'));
const stack = synthesize('staging');
const environment = {
  ...Object.assign({}, ...readDeployment(stack).functions.map((declared) => declared.environment)),
  AWS_REGION: account.region,
  AWS_ACCESS_KEY_ID: 'function',
  AWS_SECRET_ACCESS_KEY: 'none',
  AWS_SESSION_TOKEN: 'none',
  AWS_ENDPOINT_URL: new URL(awsEndpointPath, api.baseUrl).href,
};
stack.dispose();

const median = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

console.table(process.argv.includes('warm') ? await warmTimes() : await startTimes());

async function warmTimes() {
  const functions = Object.entries(events).map(([name, event]) => {
    const ours = { directory: join(directory.path, name), environment, event, times: [] as number[] };
    const plain = { ...ours, directory: join(directory.path, `plain-${name}`), times: [] as number[] };
    bundle(`functions/${name}.ts`, ours.directory);
    buildPlain(name, plain.directory);
    return { name, ours, plain };
  });
  // A round measures each build once, so that other load does not affect one build alone.
  for (let round = 0; round < 3; round++) {
    for (const build of functions.flatMap(({ ours, plain }) => [ours, plain])) {
      build.times.push(await measureWarm(build));
    }
  }
  return functions.map(({ name, ours, plain }) => ({
    name,
    'CPU ms': median(ours.times).toFixed(2),
    plain: median(plain.times).toFixed(2),
    '× plain': (median(ours.times) / median(plain.times)).toFixed(2),
  }));
}

async function startTimes() {
  const functions = [];
  for (const [name, event] of Object.entries(events)) {
    const deployed = { directory: join(directory.path, name), environment, event, starts: [] as Start[] };
    const conventional = {
      ...deployed,
      directory: join(directory.path, `conventional-${name}`),
      starts: [] as Start[],
    };
    bundle(`functions/${name}.ts`, deployed.directory);
    await buildConventionally(name, conventional.directory);
    functions.push({ name, deployed, conventional });
  }

  // A round starts each build once, so that other load does not affect one build alone.
  for (let round = 0; round < rounds; round++) {
    for (const build of functions.flatMap(({ deployed, conventional }) => [deployed, conventional])) {
      build.starts.push(await measureStart(build));
    }
  }

  const barOf = (label: string, { starts }: { readonly starts: readonly Start[] }): Bar => {
    const init = median(starts.map((start) => start.init));
    return { label, parts: [init, median(starts.map((start) => start.sum)) - init] };
  };
  const picture = barChart({
    title: 'Cold starts, in milliseconds on the machine of the bench',
    parts: ['start and init', 'first response'],
    bars: functions.flatMap(({ name, deployed, conventional }) => [
      barOf(name, deployed),
      barOf(`${name}, conventional`, conventional),
    ]),
    format: (milliseconds) => `${Math.round(milliseconds)}`,
  });
  writeFileSync('docs/pictures/cold-start.svg', picture);

  return functions.map(({ name, deployed, conventional }) => {
    const init = median(deployed.starts.map((start) => start.init));
    const sum = median(deployed.starts.map((start) => start.sum));
    const conventionalSum = median(conventional.starts.map((start) => start.sum));
    return {
      name,
      init: init.toFixed(1),
      'init + first': sum.toFixed(1),
      conventional: conventionalSum.toFixed(1),
      '× conventional': (sum / conventionalSum).toFixed(2),
    };
  });
}
