import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { watchProcesses } from '../../../cli/test/support/watch-processes.ts';
import { createInvoker } from '../../lambda/invoker.ts';
import { arn } from '../../template/account.ts';
import type { Deployment } from '../../template/deployment.ts';
import { stubDeployment, stubFunction, stubFunctionArn } from '../support/stub-deployment.ts';
import { stubProject } from '../support/stub-project.ts';

const functionArn = stubFunctionArn('tellEnvironment');

const spec = { ...stubFunction('tellEnvironment'), environment: { STAGE: 'staging' } };

/** Ten minutes, longer than a test may take: a busy machine starts a process slowly. */
const limits = { init: 600_000, start: 600_000, place: 600_000 };

const awsEndpoint = 'http://127.0.0.1:1/_aws/';
const settings = { project: stubProject, limits };

function startInvoker(change: object = {}) {
  const invoker = createInvoker(awsEndpoint, { ...settings, ...change });
  onTestFinished(() => invoker.close());
  return invoker;
}

/** Invokes a function for `GET /pets/12` if a permission allows it. */
async function invoke(invokePermissions: Deployment['invokePermissions']) {
  const invoker = startInvoker();
  await invoker.deploy({ ...stubDeployment, functions: [spec], invokePermissions });
  return invoker.invoke(functionArn, arn('execute-api', `api/v1/GET/pets/12`), {});
}

describe('an invoker', () => {
  it('invokes a function with its role, its own variables and those of Lambda', async () => {
    const outcome = await invoke([{ functionArn, sourceArn: arn('execute-api', 'api/v1/GET/pets/*') }]);

    expect(outcome).toEqual({
      payload: {
        STAGE: 'staging',
        TZ: ':UTC',
        AWS_ACCESS_KEY_ID: 'role:tellEnvironment-role',
        AWS_ENDPOINT_URL: 'http://127.0.0.1:1/_aws/',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
        AWS_LAMBDA_FUNCTION_NAME: 'tellEnvironment',
        AWS_LAMBDA_FUNCTION_VERSION: '1',
        AWS_REGION: 'us-east-1',
        AWS_SECRET_ACCESS_KEY: 'none',
      },
    });
  });

  it('denies what no permission allows', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValueOnce();
    const permissions = [
      { functionArn, sourceArn: arn('execute-api', 'api/v1/POST/pets') },
      { functionArn: stubFunctionArn('repeat'), sourceArn: arn('execute-api', 'api/*') },
    ];

    const outcome = await invoke(permissions);

    const errorMessage = `The API is not authorized to perform: lambda:InvokeFunction on resource: ${functionArn}`;
    const errorType = 'AccessDeniedException';
    expect(outcome).toEqual({ error: { errorType, errorMessage, stackTrace: [] } });
    expect(logged).toHaveBeenCalledExactlyOnceWith(`${errorType}: ${errorMessage}`);
  });

  it('restarts only a function that a deployment changes', async () => {
    const started = watchProcesses();
    const invokePermissions = [{ functionArn, sourceArn: '*' }];
    const invoker = startInvoker();

    for (const memoryMb of [128, 128, 256]) {
      await invoker.deploy({ ...stubDeployment, functions: [{ ...spec, memoryMb }], invokePermissions });
      await invoker.invoke(functionArn, 'a method', {});
    }

    expect(started.ids()).toHaveLength(2);
  });

  describe('that replaces functions', () => {
    const shared = createInvoker(awsEndpoint, settings);
    afterAll(() => shared.close());

    /** Serves two functions, which start unless they run, and returns how to replace and to invoke them. */
    async function serveTwo() {
      const arns = ['one', 'two'].map(stubFunctionArn);
      const deploy = (changes: readonly object[], signal?: AbortSignal) => {
        const functions = changes.map((change, index) => ({ ...spec, arn: `${arns[index]}`, ...change }));
        const invokePermissions = arns.map((each) => ({ functionArn: each, sourceArn: '*' }));
        return shared.deploy({ ...stubDeployment, functions, invokePermissions }, signal);
      };
      /** Returns the memory of each function. */
      const invoke = async () => {
        const outcomes = await Promise.all(arns.map((each) => shared.invoke(each, 'a method', {})));
        return outcomes.map((outcome) => ('payload' in outcome ? outcome.payload : outcome));
      };
      await deploy([{}, {}]);
      await invoke();
      return { deploy, invoke };
    }
    /** Waits until a function says that it loops. */
    function nextLoop(): Promise<void> {
      const written = vi.spyOn(process.stderr, 'write');
      onTestFinished(() => written.mockRestore());
      return new Promise((resolve) => {
        written.mockImplementation(() => {
          resolve();
          return true;
        });
      });
    }
    const memory = (megabytes: number) =>
      expect.objectContaining({ AWS_LAMBDA_FUNCTION_MEMORY_SIZE: `${megabytes}` });
    const broken = { handler: 'fails-at-import.handler' };
    const failure = {
      handler: 'tellEnvironment',
      error: expect.objectContaining({ errorMessage: 'It failed\nat import.' }),
    };

    it('goes on with the last version of all, without a log, if one fails to start', async () => {
      using written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      const { deploy, invoke } = await serveTwo();

      const failures = await deploy([broken, { memoryMb: 256 }]);

      expect(failures).toEqual([failure]);
      expect(await invoke()).toEqual([memory(128), memory(128)]);
      expect(written).not.toHaveBeenCalled();
    });

    it('names a loop that keeps a function from starting', async () => {
      const { deploy, invoke } = await serveTwo();
      const isLooping = nextLoop();
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());

      const deployed = deploy([{ handler: 'loops-at-import.handler' }, {}]);
      await isLooping;
      vi.advanceTimersByTime(limits.start);

      const errorMessage = 'Task timed out after 600.00 seconds';
      const place = process.platform === 'win32' ? '' : expect.stringMatching(/loops-at-import\.mjs:4:/);
      const stackTrace = expect.arrayContaining([place].filter(Boolean));
      const error = { errorType: 'Sandbox.Timedout', errorMessage, stackTrace };
      expect(await deployed).toEqual([{ handler: 'tellEnvironment', error }]);
      expect(await invoke()).toEqual([memory(128), memory(128)]);
    });

    it('replaces those that run when all of them have started', async () => {
      const { deploy, invoke } = await serveTwo();

      const deployed = deploy([{ memoryMb: 256 }, { memoryMb: 256 }]);

      expect(await invoke()).toEqual([memory(128), memory(128)]);
      expect(await deployed).toEqual([]);
      expect(await invoke()).toEqual([memory(256), memory(256)]);
    });

    it('ends a start that is aborted', async () => {
      const { deploy, invoke } = await serveTwo();
      const newer = new AbortController();
      const isLooping = nextLoop();

      const deployed = deploy([{ handler: 'loops-at-import.handler' }, {}], newer.signal);
      await isLooping;
      newer.abort();

      await expect(deployed).rejects.toThrow('This operation was aborted');
      expect(await deploy([{ memoryMb: 256 }, { memoryMb: 256 }])).toEqual([]);
      expect(await invoke()).toEqual([memory(256), memory(256)]);
    });

    it('starts what has ended itself', async () => {
      using _written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      const { deploy, invoke } = await serveTwo();
      const ending = { handler: 'failures.killProcess' };
      await deploy([ending, ending]);
      await invoke();

      const failures = await deploy([broken, {}]);

      expect(failures).toEqual([failure]);
    });

    it('starts on demand what nobody has called', async () => {
      const started = watchProcesses();
      const invoker = startInvoker();
      const deployment = { ...stubDeployment, invokePermissions: [] };

      await invoker.deploy({ ...deployment, functions: [spec] });
      const failures = await invoker.deploy({ ...deployment, functions: [{ ...spec, ...broken }] });

      expect(failures).toEqual([]);
      expect(started.ids()).toHaveLength(0);
    });

    it('starts all for a debugger, which sets its breakpoints before the first request', async () => {
      using _written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      const started = watchProcesses();
      const invoker = startInvoker({ isDebugged: true });

      await invoker.deploy({ ...stubDeployment, functions: [spec] });

      expect(started.ids()).toHaveLength(1);
    });
  });
});
