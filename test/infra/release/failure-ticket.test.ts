import * as v from 'valibot';
import { expect, it } from 'vitest';
import { productionTemplate } from '../../support/infra/synthesize.ts';
import { readableTemplate } from '../../support/infra/template.ts';

const { propertiesOf } = readableTemplate(productionTemplate());

const Rule = v.object({
  EventPattern: v.looseObject({}),
  Targets: v.strictTuple([
    v.object({
      Arn: v.literal('MonitoringTopicsTicket'),
      InputTransformer: v.object({
        InputPathsMap: v.record(v.string(), v.string()),
        InputTemplate: v.pipe(v.string(), v.parseJson(), v.string()),
      }),
    }),
  ]),
});
const ofReleases = Object.entries(propertiesOf('AWS::Events::Rule')).filter(([id]) =>
  id.startsWith('Releases'),
);
const rules = ofReleases.map(([, properties]) => v.parse(Rule, properties));

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html, as far as it is used. */
function matches(pattern: unknown, value: unknown): boolean {
  if (!Array.isArray(pattern)) {
    return Object.entries(Object(pattern)).every(([name, part]) => matches(part, Object(value)[name]));
  }
  return pattern.some((part) =>
    typeof part === 'object' ? `${value}`.endsWith(part.suffix) : part === value,
  );
}

/** Returns the tickets of an event, as EventBridge writes them. */
function ticketsOf(event: object): string[] {
  return rules
    .filter(({ EventPattern }) => matches(EventPattern, event))
    .map(({ Targets: [{ InputTransformer }] }) =>
      InputTransformer.InputTemplate.replaceAll(/<([\w-]+)>/g, (_variable, name) => {
        const [, ...path] = InputTransformer.InputPathsMap[name]?.split('.') ?? [];
        return `${path.reduce((value, key) => Object(value)[key], event)}`;
      }),
    );
}

const runbook = 'https://pets.example/runbook#a-release-goes-wrong';

const update = (status: string, { stack = 'StackId', of = 'Stack' } = {}) => ({
  source: 'aws.cloudformation',
  'detail-type': `CloudFormation ${of} Status Change`,
  detail: { 'stack-id': stack, 'status-details': { status } },
});

it.each(['UPDATE_FAILED', 'UPDATE_ROLLBACK_FAILED', 'UPDATE_ROLLBACK_COMPLETE'])(
  'an update that ends with %s opens a ticket that says what to read',
  (status) => {
    expect(ticketsOf(update(status))).toEqual([
      `The update of PetStore-production ended with ${status}. The stack records commit 0a1b. ${runbook}`,
    ]);
  },
);

it.each([
  ['an update that succeeds', update('UPDATE_COMPLETE')],
  ['an update in progress', update('UPDATE_ROLLBACK_IN_PROGRESS')],
  ['an update of another stack', update('UPDATE_FAILED', { stack: 'other' })],
  ['a resource that cannot be updated', update('UPDATE_FAILED', { of: 'Resource' })],
])('%s opens no ticket', (_title, event) => {
  expect(ticketsOf(event)).toEqual([]);
});
