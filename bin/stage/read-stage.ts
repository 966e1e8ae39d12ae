import { type StageSettings, settingsOf } from '../../infra/settings/stages.ts';
import { stackName } from '../../infra/stack-names.ts';
import { apiVersion } from '../../shared/service.ts';
import { type Clients, openClients } from './aws/clients.ts';
import { readStack, type Stack } from './aws/stack.ts';
import { type Fact, type Facts, type Missing, missingText, read, together, type Values } from './fact.ts';
import type { Conclusion, Report, Role } from './report.ts';

/** A stage that is being read. */
export interface Reading {
  readonly stage: string;
  readonly settings: StageSettings;
  /** Undefined if the stage is not deployed. */
  readonly stack: Fact<Stack | undefined>;
  /** AWS's time. */
  readonly now: Date;
  readonly clients: Clients;
  /** Makes a call that needs facts. Without them, or if it fails, there is no fact, and the report says so. */
  readonly attempt: <F extends Facts, T>(
    what: string,
    needs: F,
    call: (values: Values<F>) => Promise<T>,
  ) => Promise<Fact<T>>;
}

/** What a command of `npm run stage` does: reads facts, and concludes from them. */
export interface Verb<Options> {
  /** Who may make all of its calls. */
  readonly role: Role;
  readonly run: (reading: Reading, options: Options) => Promise<Conclusion>;
}

/**
 * Reads a stage.
 *
 * @throws {Error} if AWS does not answer, or every call fails
 */
export async function readStage<Options>(
  { role, run }: Verb<Options>,
  stage: string,
  options: Options,
  { clients = openClients(), settings = settingsOf(stage) } = {},
): Promise<Report> {
  const failures: Missing[] = [];
  let successes = 0;
  const attempt: Reading['attempt'] = async (what, needs, call) => {
    const values = together(needs);
    if (!values.isRead) return values;
    try {
      const result = await call(values.value);
      successes += 1;
      return read(result);
    } catch (error) {
      const missing = { what, error };
      failures.push(missing);
      return { isRead: false, missing: [missing] };
    }
  };

  const stack = await attempt('stack', {}, () => readStack(clients, stackName(stage)));
  if (!stack.isRead && !clients.clock.hasAnswers) throw stack.missing[0]?.error;
  const now = clients.clock.now();
  const { findings, because, sections } = await run(
    { stage, settings, stack, now, clients, attempt },
    options,
  );
  if (successes === 0) throw failures[0]?.error;
  return {
    stage,
    at: now.toISOString(),
    role,
    findings,
    because: Object.entries(because).flatMap(([title, rows = []]) =>
      rows.map((text) => [title, text] as const),
    ),
    unread: failures.map(missingText),
    ...(sections && { sections }),
  };
}

/** The states of a stack whose first deploy has not ended well: it may lack anything. */
const isIncomplete = ({ status }: Stack) =>
  /^(?:CREATE_(?:IN_PROGRESS|FAILED)|REVIEW_|ROLLBACK_)/.test(status);

/**
 * Returns the stack of a stage.
 *
 * @throws {Error} if the stage is not deployed, or its first deploy has not ended well
 */
export function deployedStack({ stage, stack }: Reading): Fact<Stack> {
  if (!stack.isRead) return stack;
  if (stack.value && !isIncomplete(stack.value)) return read(stack.value);
  throw new Error(`The stage ${stage} is not deployed here: npm run stage -- check ${stage} says how.`);
}

/** Returns the address that clients use. */
export const baseUrlOf = ({ settings: { domain } }: Pick<Reading, 'settings'>, stack: Stack | undefined) =>
  domain ? `https://${domain.name}/${apiVersion}` : (stack?.outputs['BaseUrl'] ?? '<address>');
