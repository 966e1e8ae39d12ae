import fc from 'fast-check';
import type { StageSettings } from '../../../../infra/settings/stages.ts';
import type { Call } from '../../../../test/support/infra/iam-requests.ts';
import { readStage, type Verb } from '../../read-stage.ts';
import type { Fault } from './fake-aws.ts';
import { fakeStage, type World } from './fake-stage.ts';
import { settings as own } from './stack-resources.ts';

const faults: readonly Fault[] = ['denied', 'throttled', 'cut'];
const textOf = ({ client, command, input }: Call) => JSON.stringify([client, command, input]);

/**
 * Expects of each call in some worlds: if it is denied, throttled or cut after its first page, also together with
 * others, the conclusion stays the same or says what could not be read.
 */
export async function expectSameOrUnread<Options>(
  verb: Verb<Options>,
  options: Options,
  worlds: Readonly<Record<string, World>>,
  settings: StageSettings = own,
) {
  const conclusionIn = async (world: World) => {
    const { clients, calls } = fakeStage(world);
    const report = await readStage(verb, 'production', options, { clients, settings });
    return { first: JSON.stringify(report.findings[0]), unread: report.unread, calls };
  };
  const whole = new Map<string, { world: World; first: string; calls: readonly string[] }>();
  for (const [name, world] of Object.entries(worlds)) {
    const { first, calls } = await conclusionIn(world);
    whole.set(name, { world, first, calls: [...new Set(calls.map(textOf))] });
  }
  const names = fc.constantFrom(...whole.keys());
  const broken = names.chain((name) =>
    fc.tuple(
      fc.constant(name),
      fc.subarray([...(whole.get(name)?.calls ?? [])], { minLength: 2, maxLength: 3 }),
      fc.constantFrom(...faults),
    ),
  );
  const singles = [...whole].flatMap(([name, { calls }]) =>
    calls.flatMap((call) =>
      (['denied', 'cut'] as const).map((fault): [[string, string[], Fault]] => [[name, [call], fault]]),
    ),
  );
  await fc.assert(
    fc.asyncProperty(broken, async ([name, calls, fault]) => {
      const { world = {}, first = '' } = whole.get(name) ?? {};
      const faultOf = (call: Call) => (calls.includes(textOf(call)) ? fault : undefined);
      // If every call of a run fails, the command fails with what AWS says.
      const found = await conclusionIn({ ...world, faultOf }).catch((error: unknown) => {
        if (error instanceof Error && '$metadata' in error) return { first, unread: [] };
        throw error;
      });
      return found.first === first || (/could not be read/.test(found.first) && found.unread.length > 0);
    }),
    { examples: singles, numRuns: singles.length + 50 },
  );
}
