import * as v from 'valibot';
import { email, number, record, text, webAddress } from './setting-schemas.ts';

/**
 * Who receives an alarm: an email address, which its owner must confirm, or a pager's webhook. Its URL is a
 * secret, so `pager` names the parameter that has it, below the stack's name: docs/deploying.md#alarms
 */
const Subscriber = v.union(
  [
    record({ email }),
    // No message has the value, which may be the URL.
    record({
      pager: text(/^[\w.-]+$/, 'the name of a parameter such as "pager", not a URL, which is a secret'),
    }),
  ],
  'must have either an email or a pager',
);
export type Subscriber = v.InferOutput<typeof Subscriber>;

const subscribers = v.pipe(v.array(Subscriber, 'must be a list such as []'), v.readonly());

/** Whom a stage's alarms notify. */
export const AlarmSettings = record({
  page: subscribers,
  ticket: subscribers,
  /** The absolute address of your copy of docs/runbook.md, which alarms link to. */
  runbook: v.optional(webAddress),
  /**
   * For the whole account: the ticket topic is notified when a month costs more.
   * https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_budgets_Spend.html
   */
  monthlyBudget: v.optional(number({ min: 0.01, max: 1_000_000, unit: ' US dollars' })),
});
export type AlarmSettings = v.InferOutput<typeof AlarmSettings>;

/** Returns what people lack while a setting is not set, by its name. */
export const unsetSettings = ({ page, ticket, monthlyBudget, runbook }: AlarmSettings) => ({
  ...(page.length === 0 && { page: 'Nobody is paged when the stage is down.' }),
  ...(ticket.length === 0 && { ticket: 'Nobody gets tickets.' }),
  ...(monthlyBudget === undefined && { monthlyBudget: 'Nobody notices what the stage costs.' }),
  ...(runbook === undefined && { runbook: 'Pages and tickets have no link to the runbook.' }),
});

/** Returns the address of a section of the runbook. */
export const runbookSection = (alarms: AlarmSettings | undefined, section: string) =>
  `${alarms?.runbook ?? 'docs/runbook.md'}#${section}`;
