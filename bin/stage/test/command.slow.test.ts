import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../cli/test/support/command-process.ts';
import { listen } from '../../local-api/http/listen.ts';

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html */
const stack = `<Stacks><member>
  <StackName>PetStore-production</StackName>
  <CreationTime>2026-11-01T00:00:00Z</CreationTime>
  <StackStatus>UPDATE_COMPLETE</StackStatus>
</member></Stacks>`;

/** Runs the command with an endpoint that gives the same response to all calls with a status. */
async function run(status: number, time = new Date()) {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    // The protocols of AWS: a query has a form, and the others have JSON.
    const action = /Action=(\w+)/.exec(body)?.[1];
    const result = action === 'DescribeStacks' ? stack : '';
    const xml = `<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`;
    response.writeHead(status, { Date: time.toUTCString() }).end(action ? xml : '{}');
  });
  const port = await listen(server);
  const environment = {
    ...process.env,
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: 'us-east-1',
    AWS_MAX_ATTEMPTS: '1',
  };
  const ended = await runCommand('bin/stage/stage.ts', ['status', 'production', '--json'], { environment });
  server.close();
  return ended;
}

describe('npm run stage -- status --json', () => {
  let ended: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    ended = await run(200, new Date('2026-11-23T20:00:00Z'));
  });

  it('asks the endpoint in the environment, and prints JSON', () => {
    expect(ended.exitCode).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      stage: 'production',
      role: 'on-call',
      sections: [
        {
          title: 'NOW',
          rows: expect.arrayContaining([
            { title: 'Stack', text: expect.stringMatching(/^PetStore-production UPDATE_COMPLETE/) },
            { title: 'Alarms', text: 'none of 0 in ALARM' },
          ]),
        },
        { title: expect.stringMatching(/^TIMELINE of 60 minutes/) },
      ],
      unread: expect.arrayContaining([expect.stringMatching(/^aliases: /)]),
    });
  });

  it('takes the time of AWS, not of this machine', () => {
    expect(JSON.parse(ended.stdout)).toMatchObject({ at: expect.stringMatching(/^2026-11-23T20:00:0/) });
  });
});

it('fails in one line if every call is denied', async () => {
  const { exitCode, stdout, stderr } = await run(403);

  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(/^error: .+\n$/);
});
