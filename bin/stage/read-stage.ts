import { type StageSettings, settingsOf } from '../../infra/settings/stages.ts';
import { stackName } from '../../infra/stack-names.ts';
import { apiVersion } from '../../shared/service.ts';
import { type Clients, openClients, readStack, type Stack } from './aws.ts';
import type { Conclusion, Report, Role } from './report.ts';

/** A stage that is being read. */
export interface Reading {
  readonly stage: string;
  readonly settings: StageSettings;
  /** Undefined if it does not exist, or could not be read. */
  readonly stack: Stack | undefined;
  readonly now: Date;
  readonly clients: Clients;
  /** Makes a call. If it fails, the report says so, and the result is undefined. */
  attempt<T>(what: string, call: () => Promise<T>): Promise<T | undefined>;
}

/** What a command of `npm run stage` does: reads facts, and concludes from them. */
export interface Verb<Options> {
  /** Who may make all of its calls. */
  readonly role: Role;
  /** Whether it has something to say of a stage that is not deployed. */
  readonly isForNewStages?: boolean;
  readonly run: (reading: Reading, options: Options) => Promise<Conclusion>;
}

/**
 * Reads a stage.
 *
 * @throws {Error} if every call fails, or the stage is not deployed
 */
export async function readStage<Options>(
  { role, isForNewStages, run }: Verb<Options>,
  stage: string,
  options: Options,
  { clients = openClients(), now = new Date(), settings = settingsOf(stage) } = {},
): Promise<Report> {
  const failures: { readonly what: string; readonly error: unknown }[] = [];
  let successes = 0;
  async function attempt<T>(what: string, call: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await call();
      successes += 1;
      return result;
    } catch (error) {
      failures.push({ what, error });
      return undefined;
    }
  }

  const stack = await attempt('stack', () => readStack(clients, stackName(stage)));
  if (!stack && failures.length === 0 && !isForNewStages) {
    throw new Error(`The stage ${stage} is not deployed here: npm run stage -- check ${stage} says how.`);
  }
  const { findings, because } = await run({ stage, settings, stack, now, clients, attempt }, options);
  const [first] = failures;
  if (successes === 0) throw first?.error;
  return {
    stage,
    at: now.toISOString(),
    role,
    findings,
    because: Object.entries(because).flatMap(([title, rows = []]) =>
      rows.map((text) => [title, text] as const),
    ),
    unread: failures.map(({ what, error }) => `${what}: ${error}`),
  };
}

/** Returns the address that clients use. */
export const baseUrlOf = ({ settings: { domain }, stack }: Pick<Reading, 'settings' | 'stack'>) =>
  domain ? `https://${domain.name}/${apiVersion}` : (stack?.outputs['BaseUrl'] ?? '<address>');
